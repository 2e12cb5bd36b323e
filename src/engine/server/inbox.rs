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
    /// Nothing more comes in.
    ended: bool,
}

impl Inbox {
    fn with<T>(&self, work: impl FnOnce(&mut Waiting) -> T) -> T {
        work(&mut self.waiting.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// False when the reader is too far behind to be told anything more.
    pub fn put(&self, signal: Arc<Signal>) -> bool {
        let heard = self.with(|waiting| {
            if waiting.signals.len() >= BACKLOG {
                *waiting = Waiting { signals: VecDeque::new(), ended: true };
            }
            if !waiting.ended {
                waiting.signals.push_back(signal);
            }
            !waiting.ended
        });
        self.reader.wake();
        heard
    }

    /// What is in it is still read, and nothing more.
    pub fn end(&self) {
        self.with(|waiting| waiting.ended = true);
        self.reader.wake();
    }

    /// The next signal; `None` when some were lost, or none will come any more.
    pub async fn next(&self) -> Option<Signal> {
        poll_fn(|context| {
            self.reader.register(context.waker());
            self.with(|waiting| {
                let next = waiting.signals.pop_front();
                if next.is_none() {
                    waiting.signals = VecDeque::new();
                }
                match next {
                    None if !waiting.ended => Poll::Pending,
                    next => Poll::Ready(next.map(Arc::unwrap_or_clone)),
                }
            })
        })
        .await
    }
}
