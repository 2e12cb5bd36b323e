//! Who follows which run in this process, and the texts being written. Facts come here only after
//! they were committed.

use crate::{
    engine::{
        entry::Partial,
        flow::Status,
        follow::{Delta, Fact, Signal, Standing, Texts, text_of},
    },
    store::EventRow,
};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};
use tokio::sync::broadcast;
use uuid::Uuid;

/// Signals a reader may be behind before it is disconnected.
const BACKLOG: usize = 1024;

#[derive(Default)]
pub struct Hub(Mutex<HashMap<Uuid, Channel>>);

struct Channel {
    sender: broadcast::Sender<Signal>,
    texts: Texts,
}

impl Hub {
    fn with<T>(&self, work: impl FnOnce(&mut HashMap<Uuid, Channel>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn channel(channels: &mut HashMap<Uuid, Channel>, id: Uuid) -> &mut Channel {
        channels.entry(id).or_insert_with(|| Channel { sender: broadcast::Sender::new(BACKLOG), texts: Texts::new() })
    }

    /// Everything from now on, and the open texts as they are now.
    pub fn subscribe(&self, id: Uuid) -> (broadcast::Receiver<Signal>, Vec<Partial>) {
        self.with(|channels| {
            let channel = Self::channel(channels, id);
            (channel.sender.subscribe(), channel.texts.clone())
        })
    }

    pub fn open_texts(&self, id: Uuid) -> Vec<Partial> {
        self.with(|channels| channels.get(&id).map(|channel| channel.texts.clone()).unwrap_or_default())
    }

    /// More of a text that is being written.
    pub fn delta(&self, id: Uuid, message: i64, words: &str) {
        self.with(|channels| {
            let channel = Self::channel(channels, id);
            let text = text_of(&mut channel.texts, message);
            let delta = Delta { run: id.to_string(), message, offset: text.len(), text: words.to_owned() };
            text.push_str(words);
            let _ = channel.sender.send(Signal::Delta(delta));
        });
    }

    /// Committed entries; texts of steps that are not `open` are over.
    pub fn facts(&self, id: Uuid, rows: impl Iterator<Item = EventRow>, open: &[i64], status: Status, build: &str) {
        self.with(|channels| {
            let channel = Self::channel(channels, id);
            channel.texts.retain(|text| open.contains(&text.message));
            let run = id.to_string();
            for row in rows {
                let fact = Fact { run: run.clone(), seq: row.stamp.seq, at: row.stamp.at, body: row.body };
                let _ = channel.sender.send(Signal::Fact(fact));
            }
            let _ = channel.sender.send(Signal::Status(Standing { run, status, build: build.to_owned() }));
        });
    }

    /// Forgets runs that nobody follows and nobody writes.
    pub fn sweep(&self) {
        self.with(|channels| channels.retain(|_, channel| !channel.texts.is_empty() || channel.sender.receiver_count() > 0));
    }
}
