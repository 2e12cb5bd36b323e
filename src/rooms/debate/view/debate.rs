//! A debate on its page: the panel and the figures on the desk, the conversation on the phone, live or played once more.

use super::{
    ROOM,
    desk::{Instruments, Panel},
    thread::Thread,
    words::words,
};
use crate::{
    engine::shown::Shown,
    error::AppError,
    rooms::debate::flow::Debate,
    runs::{
        Opened,
        watch::{Parts, Replay, Watch},
    },
};
use leptos::prelude::*;

/// Fails where the log is not one of this room's.
pub fn debate(opened: Opened) -> Result<AnyView, AppError> {
    let (watch, shown) = Watch::open(ROOM, opened, words)?;
    let (setup, instruments) = desk(shown);
    Ok(watch.page(Parts {
        heading: shown.run.with_untracked(|run| run.state.debate.topic.clone()),
        setup,
        instruments,
        conversation: view! { <Thread shown=shown readout=watch.readout /> }.into_any(),
    }))
}

/// Fails where the log is not one of this room's.
pub fn replay(opened: Opened) -> Result<AnyView, AppError> {
    let (replay, shown) = Replay::open(ROOM, opened.snapshot, words)?;
    let thread = view! { <Thread shown=shown readout=replay.readout /> };
    Ok(replay.page(desk(shown).into_any(), thread.into_any()))
}

/// The panel, and the instruments that read off what it says.
fn desk(shown: Shown<Debate>) -> (AnyView, AnyView) {
    (view! { <Panel shown=shown /> }.into_any(), view! { <Instruments shown=shown /> }.into_any())
}
