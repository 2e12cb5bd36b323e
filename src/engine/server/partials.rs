//! Keeps the texts being written, so that a refresh after a crash or on another server shows them: those of all
//! runs together, in one write. Losing it costs a refresh some words, never a fact.

use super::Engine;
use std::{sync::atomic::Ordering, time::Duration};
use uuid::Uuid;

const KEEP: Duration = Duration::from_millis(250);

impl Engine {
    /// Shows words of a text to whoever follows, and has them kept.
    pub(super) fn tell(&self, run: Uuid, step: i64, words: &str) {
        if self.0.hub.delta(run, step, words) && !self.0.keeping.swap(true, Ordering::SeqCst) {
            self.0.tasks.spawn(self.clone().keep_soon());
        }
    }

    async fn keep_soon(self) {
        // A server that stops keeps at once what it has.
        let _ = tokio::time::timeout(KEEP, self.0.shutdown.cancelled()).await;
        self.0.keeping.store(false, Ordering::SeqCst);
        let texts = self.0.hub.take_unkept();
        if !texts.is_empty()
            && let Err(error) = self.store().save_partials(texts).await
        {
            tracing::warn!(%error, "texts being written were not kept");
        }
    }
}
