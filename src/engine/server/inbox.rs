//! What waits for one reader. Empty it takes next to no room, since most readers wait most of the time.

use crate::engine::follow::Signal;
use futures::task::AtomicWaker;
use std::{
    collections::VecDeque,
    future::poll_fn,
    sync::{Arc, Mutex, PoisonError},
    task::Poll,
};

/// Signals a reader may be behind before it is disconnected; it comes back by its cursor.
const BACKLOG: usize = 1024;

#[derive(Default)]
pub struct Inbox {
    waiting: Mutex<Waiting>,
    reader: AtomicWaker,
}

#[derive(Default)]
struct Waiting {
    signals: VecDeque<Arc<Signal>>,
    lost: bool,
}

impl Inbox {
    fn with<T>(&self, work: impl FnOnce(&mut Waiting) -> T) -> T {
        work(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// False when the reader is too far behind to be told anything more.
    pub fn put(&self, signal: Arc<Signal>) -> bool {
        let heard = self.with(|waiting| {
            waiting.lost |= waiting.signals.len() >= BACKLOG;
            match waiting.lost {
                true => waiting.signals = VecDeque::new(),
                false => waiting.signals.push_back(signal),
            }
            !waiting.lost
        });
        self.reader.wake();
        heard
    }

    /// The next signal; `None` when some were lost.
    pub async fn next(&self) -> Option<Signal> {
        poll_fn(|context| {
            self.reader.register(context.waker());
            self.with(|waiting| {
                if waiting.lost {
                    return Poll::Ready(None);
                }
                let next = waiting.signals.pop_front();
                if next.is_none() {
                    waiting.signals = VecDeque::new();
                }
                next.map_or(Poll::Pending, |signal| Poll::Ready(Some(Arc::unwrap_or_clone(signal))))
            })
        })
        .await
    }
}
