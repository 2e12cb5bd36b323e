//! Who follows which run in this process, and the texts being written. Facts come here only after
//! they were committed.

use crate::{
    engine::{
        entry::Partial,
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
    /// Steps that write; what others still say is not heard.
    open: Vec<i64>,
    /// The last entry that was told.
    seq: i64,
    /// Nothing is heard: a Stop is being committed with the texts as they are.
    held: bool,
}

impl Hub {
    fn with<T>(&self, work: impl FnOnce(&mut HashMap<Uuid, Channel>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn channel(channels: &mut HashMap<Uuid, Channel>, id: Uuid) -> &mut Channel {
        channels.entry(id).or_insert_with(|| Channel {
            sender: broadcast::Sender::new(BACKLOG),
            texts: Texts::new(),
            open: vec![],
            seq: 0,
            held: false,
        })
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
            if channel.held || !channel.open.contains(&message) {
                return;
            }
            let text = text_of(&mut channel.texts, message);
            let delta = Delta { run: id.to_string(), message, offset: text.len(), text: words.to_owned() };
            text.push_str(words);
            let _ = channel.sender.send(Signal::Delta(delta));
        });
    }

    /// Committed entries, and what is open behind them. The text of a step that is made `again` is dropped, as is
    /// every text whose step is over.
    pub fn facts(&self, id: Uuid, rows: &[EventRow], open: &[i64], again: &[i64], standing: Standing) {
        self.with(|channels| {
            let channel = Self::channel(channels, id);
            // Two writers may tell in the other order than they committed.
            let last = rows.last().map_or(0, |row| row.stamp.seq);
            if last > channel.seq {
                (channel.seq, channel.open) = (last, open.to_vec());
            }
            let Channel { texts, open, .. } = channel;
            texts.retain(|text| open.contains(&text.message) && !again.contains(&text.message));
            for row in rows {
                let fact = Fact { run: id.to_string(), seq: row.stamp.seq, at: row.stamp.at, body: row.body.clone() };
                let _ = channel.sender.send(Signal::Fact(fact));
            }
            let _ = channel.sender.send(Signal::Status(standing));
        });
    }

    /// While held, nothing more is written: what is read of the open texts is all that anybody has seen.
    pub fn hold(&self, id: Uuid, held: bool) {
        self.with(|channels| Self::channel(channels, id).held = held);
    }

    /// Forgets a run that was deleted, and what was being written in it.
    pub fn forget(&self, id: Uuid) {
        self.with(|channels| drop(channels.remove(&id)));
    }

    /// Forgets runs that nobody follows and nobody writes.
    pub fn sweep(&self) {
        self.with(|channels| channels.retain(|_, channel| !channel.open.is_empty() || channel.sender.receiver_count() > 0));
    }
}
