//! The browser loads the parser when the first text is written under its eyes: a chunk of its own.

use super::parse::{Parse, parse};
use leptos::{lazy, prelude::*, task::spawn_local};
use std::cell::RefCell;

thread_local! {
    static PARSER: RefCell<Option<ArcRwSignal<Option<Parse>>>> = const { RefCell::new(None) };
}

/// Drawn later, or already there.
pub fn html(_: &str) -> String {
    String::new()
}

/// The parser once it is there; the caller is run again when it arrives.
pub fn loaded() -> Option<Parse> {
    let parser = PARSER.with_borrow_mut(|parser| {
        parser
            .get_or_insert_with(|| {
                let signal = ArcRwSignal::new(None);
                let arrived = signal.clone();
                spawn_local(async move { arrived.set(Some(chunk().await)) });
                signal
            })
            .clone()
    });
    parser.get()
}

#[lazy]
fn chunk() -> Parse {
    parse
}
