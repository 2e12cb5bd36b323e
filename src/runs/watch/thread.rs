//! The thread of a run: its room's messages, what stands under the last of them, and what is told to those who hear it.

use super::{Readout, readout::Ending};
use crate::ui::{Notice, Thread, countdown};
use leptos::prelude::*;
use std::sync::Arc;

/// Something in a thread: what tells it from all others there, and how it is drawn once it comes.
#[derive(Clone)]
pub struct Placed {
    key: (u32, u32),
    draw: Arc<dyn Fn() -> AnyView + Send + Sync>,
}

impl Placed {
    pub fn new(key: (u32, u32), draw: impl Fn() -> AnyView + Send + Sync + 'static) -> Self {
        Placed { key, draw: Arc::new(draw) }
    }
}

#[component]
pub fn Conversation(readout: Memo<Readout>, placed: Signal<Vec<Placed>>) -> impl IntoView {
    view! {
        <Thread label="Conversation">
            <For each=move || placed.get() key=|placed| placed.key let:placed>{(placed.draw)()}</For>
            <Endings readout=readout />
        </Thread>
        <Announcer readout=readout />
    }
}

/// What stands under the last message: a wait, a stop, a fault, or that it is done.
#[component]
fn Endings(readout: Memo<Readout>) -> impl IntoView {
    let ending = Memo::new(move |_| readout.with(|readout| readout.ending.clone()));
    move || {
        let (tone, words, until): Ending = ending.get()?;
        let left = until.map(countdown);
        let left =
            Signal::derive(move || left.and_then(|left| left()).map(|left| format!(" Trying again in {left} s.")).unwrap_or_default());
        Some(view! { <Notice tone=tone>{words}{left}</Notice> })
    }
}

/// Says finished messages, one at a time, to those who hear the page.
#[component]
fn Announcer(readout: Memo<Readout>) -> impl IntoView {
    let heard = RwSignal::new(String::new());
    // Nothing is announced of what was there when the page was opened.
    Effect::new(move |before: Option<Option<String>>| {
        let now = readout.with(|readout| readout.words.said.clone());
        if before.is_some_and(|before| before != now) {
            heard.set(now.clone().unwrap_or_default());
        }
        now
    });
    view! { <p class="sr-only" aria-live="polite">{heard}</p> }
}
