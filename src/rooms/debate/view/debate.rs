//! A debate on its page: the panel and the figures on the desk, the conversation on the phone, live or played once more.

use super::{
    ROOM,
    desk::{Instruments, Panel, Progress},
    thread::Thread,
    words::words,
};
use crate::{
    error::AppError,
    runs::{
        Opened,
        watch::{Parts, Replay, Watch},
    },
};
use leptos::prelude::*;

/// Fails where the log is not one of this room's.
pub fn debate(opened: Opened) -> Result<AnyView, AppError> {
    let (watch, shown) = Watch::open(ROOM, opened, words)?;
    Ok(watch.page(Parts {
        heading: shown.run.with_untracked(|run| run.state.debate.topic.clone()),
        setup: view! { <Panel shown=shown /> }.into_any(),
        instruments: view! { <Instruments shown=shown /> }.into_any(),
        conversation: view! { <Thread shown=shown readout=watch.readout /> }.into_any(),
        footer: None,
        stop: Signal::stored(true),
        ring: None,
    }))
}

/// Fails where the log is not one of this room's.
pub fn replay(opened: Opened) -> Result<AnyView, AppError> {
    let (replay, shown) = Replay::open(ROOM, opened.snapshot, words)?;
    let thread = view! { <Thread shown=shown readout=replay.readout /> };
    let desk = view! { <Panel shown=shown /><Progress shown=shown /> };
    Ok(replay.page(desk.into_any(), thread.into_any()))
}
