//! The browser loads the reader when the first section or source is opened: a chunk of its own.

use super::{READER, Reader, Reading};
use gloo_timers::future::TimeoutFuture;
use leptos::{
    prelude::*,
    task::spawn_local,
    wasm_split::{SplitLoaderError, wasm_split},
};
use std::cell::Cell;

/// Milliseconds until a chunk that did not arrive is asked for again.
const RETRY_MS: u32 = 2_000;

thread_local! {
    static LOADED: Cell<Option<Reader>> = const { Cell::new(None) };
}

pub fn load(arrived: impl FnOnce(Reader) + 'static) {
    spawn_local(async move {
        loop {
            match chunk().await {
                Ok(reader) => {
                    LOADED.set(Some(reader));
                    return arrived(reader);
                }
                Err(_) => TimeoutFuture::new(RETRY_MS).await,
            }
        }
    });
}

/// Nothing before the reader is loaded.
pub fn sheets(reading: Reading) -> AnyView {
    LOADED.get().map(|reader| (reader.sheets)(reading)).into_any()
}

#[wasm_split(reader, fallible, wasm_split_path = ::leptos::wasm_split)]
fn chunk() -> Result<Reader, SplitLoaderError> {
    Ok(READER)
}
