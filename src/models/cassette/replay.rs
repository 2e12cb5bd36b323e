//! Playing: the same request brings the same answer, in the pace in which it came.

use super::{file::Exchange, hash};
use crate::models::{ChatModel, ChatRequest, ModelError, ModelEvent, ModelStream};
use futures::{StreamExt, stream};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};
use tokio::time::{Instant, sleep_until};

const UNKNOWN: &str = "this conversation differs from the recorded one, and no model is called while a cassette plays. \
    Enter exactly what was entered for the recording, or start the server with COLLOQUY_CASSETTE=record.";

/// Stands for a model.
pub struct Replay {
    /// `provider:model`, as it was recorded.
    pub name: String,
    pub takes: Arc<Takes>,
}

impl ChatModel for Replay {
    fn stream(&self, _: &str, request: ChatRequest) -> ModelStream {
        let Some(exchange) = self.takes.next(&hash(&self.name, &request)) else {
            return stream::iter([Err(ModelError::BadRequest(UNKNOWN.to_owned()))]).boxed();
        };
        let started = Instant::now();
        stream::iter(events(exchange))
            .then(move |(ms, event)| async move {
                sleep_until(started + Duration::from_millis(ms)).await;
                event
            })
            .boxed()
    }
}

fn events(exchange: Exchange) -> impl Iterator<Item = (u64, Result<ModelEvent, ModelError>)> {
    let Exchange { events, error, .. } = exchange;
    events.into_iter().map(|(ms, event)| (ms, Ok(event))).chain(error.map(|(ms, error)| (ms, Err(error))))
}

/// What is on the cassette, by request; with each, how many of its recordings have been played.
pub struct Takes {
    by_hash: Mutex<HashMap<String, (Vec<Exchange>, usize)>>,
    newest: HashMap<String, SystemTime>,
}

impl Takes {
    pub fn new(exchanges: Vec<Exchange>) -> Self {
        let (mut by_hash, mut newest) = (HashMap::<String, (Vec<Exchange>, usize)>::new(), HashMap::<String, SystemTime>::new());
        for exchange in exchanges {
            let day = newest.entry(exchange.model.clone()).or_insert(exchange.at);
            *day = exchange.at.max(*day);
            by_hash.entry(exchange.hash.clone()).or_default().0.push(exchange);
        }
        Takes { by_hash: Mutex::new(by_hash), newest }
    }

    /// When that model was last heard.
    pub fn newest(&self, name: &str) -> Option<SystemTime> {
        self.newest.get(name).copied()
    }

    /// The recordings of a request in their order, then the last one again.
    fn next(&self, hash: &str) -> Option<Exchange> {
        let mut takes = self.by_hash.lock().unwrap_or_else(PoisonError::into_inner);
        let (recordings, played) = takes.get_mut(hash)?;
        let at = (*played).min(recordings.len().checked_sub(1)?);
        *played = at + 1;
        recordings.get(at).cloned()
    }
}
