//! A run as a page shows it, wherever it comes from: from its stream, or from a replay.

use crate::engine::{entry::Run, flow::Flow, follow::Texts};
use leptos::prelude::*;

/// The fold so far, and the texts being written behind it.
pub struct Shown<F: Flow> {
    pub run: RwSignal<Run<F>>,
    pub texts: RwSignal<Texts>,
}

// A handle of signals is `Copy` whatever the room is.
impl<F: Flow> Clone for Shown<F> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<F: Flow> Copy for Shown<F> {}

impl<F: Flow> Shown<F> {
    pub fn new(run: Run<F>, texts: Texts) -> Self {
        Shown { run: RwSignal::new(run), texts: RwSignal::new(texts) }
    }
}
