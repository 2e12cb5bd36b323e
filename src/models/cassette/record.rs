//! Recording: listens to a model's streams and writes down those that come to their end.

use super::{
    file::{Exchange, Head, error, read},
    hash,
};
use crate::{
    models::{ChatModel, ChatRequest, ModelError, ModelEvent, ModelStream},
    settings::SettingsError,
};
use futures::StreamExt;
use serde::Serialize;
use std::{
    fs::{File, OpenOptions, create_dir_all},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
    sync::{
        Arc,
        mpsc::{Sender, channel},
    },
    thread::{Builder, JoinHandle},
    time::SystemTime,
};
use tokio::time::Instant;

pub struct Recorder {
    pub chat: Arc<dyn ChatModel>,
    /// `provider:model`.
    pub name: String,
    pub tape: Arc<Tape>,
}

impl ChatModel for Recorder {
    fn stream(&self, model: &str, request: ChatRequest) -> ModelStream {
        let mut take = Take::begin(&self.name, &request, self.tape.clone());
        self.chat.stream(model, request).inspect(move |event| take.hear(event)).boxed()
    }
}

/// An exchange that is being heard; dropped before its end, it is forgotten.
struct Take {
    started: Instant,
    exchange: Option<Exchange>,
    tape: Arc<Tape>,
}

impl Take {
    fn begin(name: &str, request: &ChatRequest, tape: Arc<Tape>) -> Self {
        let exchange = Exchange {
            hash: hash(name, request),
            at: SystemTime::now(),
            model: name.to_owned(),
            request: serde_json::to_value(request).unwrap_or_default(),
            events: Vec::new(),
            error: None,
        };
        Take { started: Instant::now(), exchange: Some(exchange), tape }
    }

    fn hear(&mut self, event: &Result<ModelEvent, ModelError>) {
        let ms = self.started.elapsed().as_millis() as u64;
        let Some(exchange) = &mut self.exchange else { return };
        match event {
            Ok(event) => exchange.events.push((ms, event.clone())),
            Err(error) => exchange.error = Some((ms, error.clone())),
        }
        if matches!(event, Ok(ModelEvent::Done(_)) | Err(_)) {
            self.exchange.take().into_iter().for_each(|whole| self.tape.keep(whole));
        }
    }
}

/// The file being written, by a thread of its own, so that no stream waits for the disk.
pub struct Tape {
    exchanges: Option<Sender<Exchange>>,
    writer: Option<JoinHandle<()>>,
}

impl Tape {
    /// Goes on at the end of what is there, which has to be a cassette.
    pub fn open(path: &Path, head: Head) -> Result<Self, SettingsError> {
        let failed = |problem: io::Error| error(path.display(), format!("it cannot be written ({problem})"));
        let begun = path.metadata().is_ok_and(|file| file.len() > 0);
        let same = begun && read(path)?.head.roles == head.roles;
        path.parent().map_or(Ok(()), create_dir_all).map_err(failed)?;
        let mut file = OpenOptions::new().create(true).append(true).mode(0o600).open(path).map_err(failed)?;
        if !same {
            write(&mut file, &head).map_err(failed)?;
        }
        let (exchanges, heard) = channel::<Exchange>();
        let writing = move || {
            for exchange in heard {
                if let Err(error) = write(&mut file, &exchange) {
                    tracing::error!(%error, "an exchange was not recorded");
                }
            }
        };
        let writer = Builder::new().name("cassette".to_owned()).spawn(writing).map_err(failed)?;
        Ok(Tape { exchanges: Some(exchanges), writer: Some(writer) })
    }

    fn keep(&self, exchange: Exchange) {
        if self.exchanges.as_ref().is_none_or(|exchanges| exchanges.send(exchange).is_err()) {
            tracing::error!("an exchange was not recorded");
        }
    }
}

/// What was heard is on the disk before the process ends.
impl Drop for Tape {
    fn drop(&mut self) {
        drop(self.exchanges.take());
        drop(self.writer.take().map(JoinHandle::join));
    }
}

/// In one piece, so that a process that is killed leaves whole lines.
fn write(file: &mut File, line: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(line)?;
    line.push(b'\n');
    file.write_all(&line)
}
