//! What a form sends: at most one request at a time, and what came of the last.

use leptos::{prelude::*, task::spawn_local};
use std::future::Future;

/// `Action` without type parameters for what is sent, so that the browser carries it once.
pub struct Submission<E: Send + Sync + 'static> {
    pub pending: RwSignal<bool>,
    pub error: RwSignal<Option<E>>,
    /// How many have succeeded.
    pub done: RwSignal<u32>,
}

impl<E: Send + Sync + 'static> Clone for Submission<E> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E: Send + Sync + 'static> Copy for Submission<E> {}

impl<E: Send + Sync + 'static> Default for Submission<E> {
    fn default() -> Self {
        Submission { pending: RwSignal::new(false), error: RwSignal::new(None), done: RwSignal::new(0) }
    }
}

impl<E: Send + Sync + 'static> Submission<E> {
    /// Sends, unless something is still on its way: a double click is one click.
    pub fn send(self, request: impl Future<Output = Result<(), E>> + 'static) {
        if self.pending.get_untracked() {
            return;
        }
        self.pending.set(true);
        spawn_local(async move {
            let result = request.await;
            // The page may be gone by now.
            self.pending.try_set(false);
            match result {
                Ok(()) => {
                    self.error.try_set(None);
                    self.done.try_update(|done| *done += 1);
                }
                Err(error) => _ = self.error.try_set(Some(error)),
            }
        });
    }
}

/// The idempotency key of one attempt: unguessable, and new for every attempt.
pub fn new_key() -> String {
    let random = || (js_sys::Math::random() * 1e9) as u64;
    format!("{:x}-{:09}-{:09}-{:09}", js_sys::Date::now() as u64, random(), random(), random())
}
