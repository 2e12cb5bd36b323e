//! The browser loads the parser when the first text is written under its eyes: a chunk of its own.

use super::parse::{Parse, parse};
use gloo_timers::future::TimeoutFuture;
use leptos::{
    prelude::*,
    task::spawn_local,
    wasm_split::{SplitLoaderError, wasm_split},
};
use std::cell::RefCell;

/// Milliseconds until a chunk that did not arrive is asked for again; text stays plain until then.
const RETRY_MS: u32 = 2_000;

thread_local! {
    static PARSER: RefCell<Option<ArcRwSignal<Option<Parse>>>> = const { RefCell::new(None) };
}

/// Drawn later, or already there.
pub fn html(_: &str) -> String {
    String::new()
}

/// The parser once it is there; the caller is run again when it arrives.
pub fn loaded() -> Option<Parse> {
    PARSER.with_borrow_mut(|parser| parser.get_or_insert_with(load).clone()).get()
}

fn load() -> ArcRwSignal<Option<Parse>> {
    let signal = ArcRwSignal::new(None);
    let arrived = signal.clone();
    spawn_local(async move {
        loop {
            match chunk().await {
                Ok(parser) => return arrived.set(Some(parser)),
                Err(_) => TimeoutFuture::new(RETRY_MS).await,
            }
        }
    });
    signal
}

#[wasm_split(markdown, fallible, wasm_split_path = ::leptos::wasm_split)]
fn chunk() -> Result<Parse, SplitLoaderError> {
    Ok(parse)
}
