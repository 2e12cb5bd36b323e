//! A journey that is over, played once more.

use super::{ROOM, conversation::Thread, phases::Phases, words::words};
use crate::{
    error::AppError,
    runs::{Opened, watch::Replay},
};
use leptos::prelude::*;

/// Fails where the log is not one of this room's.
pub fn replay(opened: Opened) -> Result<AnyView, AppError> {
    let (replay, shown) = Replay::open(ROOM, opened.snapshot, words)?;
    let thread = view! { <Thread shown=shown readout=replay.readout edit=None /> };
    Ok(replay.page(view! { <Phases shown=shown /> }.into_any(), thread.into_any()))
}
