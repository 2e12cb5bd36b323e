//! What the room looks like: the bench where a conversation is started, one under way or over, and one played once more.

mod bench;
mod card;
mod deeds;
mod desk;
mod known;
mod reading;
mod run;
#[cfg(test)]
mod shown;
mod thread;
mod words;

pub use bench::Bench;
pub use run::{conversation, replay};

use crate::runs::watch::Room;
use leptos::prelude::*;

pub const ROOM: Room =
    Room { name: "Research", href: "/journey", complete: "All is answered and found", again: "Start again with changes" };

/// A text that is drawn anew only when it has changed.
fn text(text: impl Fn() -> String + Send + Sync + 'static) -> Signal<String> {
    boxed(Box::new(text))
}

/// The same whatever the text is made of, so that it is there once.
fn boxed(text: Box<dyn Fn() -> String + Send + Sync>) -> Signal<String> {
    Memo::new(move |_| text()).into()
}
