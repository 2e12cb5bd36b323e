//! Who follows which run in this process, and the texts being written. Facts come here only after
//! they were committed.

use super::inbox::Inbox;
use crate::{
    engine::{
        entry::Partial,
        follow::{Delta, Fact, Signal, Standing, Texts, text_of},
    },
    store::{EventRow, OpenText},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};
use uuid::Uuid;

#[derive(Default)]
pub struct Hub(Mutex<HashMap<Uuid, Channel>>);

#[derive(Default)]
struct Channel {
    /// An inbox is its reader's; here it is only known.
    followers: Vec<Weak<Inbox>>,
    texts: Texts,
    /// Steps that write; what others still say is not heard.
    open: Vec<i64>,
    /// The last entry that was told.
    seq: i64,
    /// Nothing is heard: a Stop is being committed with the texts as they are.
    held: bool,
    /// Words have come since the texts were kept.
    unkept: bool,
}

impl Channel {
    fn send(&mut self, signal: Signal) {
        let signal = Arc::new(signal);
        self.followers.retain(|follower| follower.upgrade().is_some_and(|inbox| inbox.put(signal.clone())));
    }

    fn is_used(&mut self) -> bool {
        self.followers.retain(|follower| follower.strong_count() > 0);
        !self.open.is_empty() || !self.followers.is_empty()
    }
}

impl Hub {
    fn with<T>(&self, work: impl FnOnce(&mut HashMap<Uuid, Channel>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn channel<T>(&self, id: Uuid, work: impl FnOnce(&mut Channel) -> T) -> T {
        self.with(|channels| work(channels.entry(id).or_default()))
    }

    /// Puts everything from now on into that inbox; answers the open texts as they are now.
    pub fn subscribe(&self, id: Uuid, inbox: &Arc<Inbox>) -> Vec<Partial> {
        self.channel(id, |channel| {
            channel.followers.push(Arc::downgrade(inbox));
            channel.texts.clone()
        })
    }

    pub fn open_texts(&self, id: Uuid) -> Vec<Partial> {
        self.with(|channels| channels.get(&id).map(|channel| channel.texts.clone()).unwrap_or_default())
    }

    /// More of a text that is being written. Says whether these are the first words to be kept.
    pub fn delta(&self, id: Uuid, message: i64, words: &str) -> bool {
        self.channel(id, |channel| {
            if channel.held || !channel.open.contains(&message) {
                return false;
            }
            let text = text_of(&mut channel.texts, message);
            let offset = text.len();
            text.push_str(words);
            if !channel.followers.is_empty() {
                channel.send(Signal::Delta(Delta { run: id.to_string(), message, offset, text: words.to_owned() }));
            }
            !std::mem::replace(&mut channel.unkept, true)
        })
    }

    /// Texts that have grown since they were taken here last.
    pub fn take_unkept(&self) -> Vec<OpenText> {
        self.with(|channels| {
            let grown = channels.iter_mut().filter_map(|(run, channel)| std::mem::take(&mut channel.unkept).then_some((*run, &*channel)));
            let texts = grown.flat_map(|(run, channel)| channel.texts.iter().map(move |text| (run, channel.seq, text.clone())));
            texts.map(|(run, seq, partial)| OpenText { run, seq, partial }).collect()
        })
    }

    /// Committed entries, and what is open behind them. The text of a step that is made `again` is dropped, as is
    /// every text whose step is over.
    pub fn facts(&self, id: Uuid, rows: &[EventRow], open: &[i64], again: &[i64], standing: Standing) {
        self.channel(id, |channel| {
            // Two writers may tell in the other order than they committed.
            let last = rows.last().map_or(0, |row| row.stamp.seq);
            if last > channel.seq {
                (channel.seq, channel.open) = (last, open.to_vec());
            }
            let Channel { texts, open, .. } = channel;
            texts.retain(|text| open.contains(&text.message) && !again.contains(&text.message));
            for row in rows {
                channel.send(Signal::Fact(Fact { run: id.to_string(), seq: row.stamp.seq, at: row.stamp.at, body: row.body.clone() }));
            }
            channel.send(Signal::Status(standing));
        });
    }

    /// While held, nothing more is written: what is read of the open texts is all that anybody has seen.
    pub fn hold(&self, id: Uuid, held: bool) {
        self.channel(id, |channel| channel.held = held);
    }

    /// Forgets a run that was deleted, and what was being written in it. Nobody is told anything more of it.
    pub fn forget(&self, id: Uuid) {
        let followers = self.with(|channels| channels.remove(&id)).map(|channel| channel.followers);
        followers.into_iter().flatten().filter_map(|follower| follower.upgrade()).for_each(|inbox| inbox.end());
    }

    /// Forgets runs that nobody follows and nobody writes.
    pub fn sweep(&self) {
        self.with(|channels| channels.retain(|_, channel| channel.is_used()));
    }
}
