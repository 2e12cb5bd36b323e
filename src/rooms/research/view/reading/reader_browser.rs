//! The browser loads what writes a section when the first one is opened: a chunk of its own.

use super::{Written, page};
use crate::rooms::research::flow::Finding;
use gloo_timers::future::TimeoutFuture;
use leptos::{
    task::spawn_local,
    wasm_split::{SplitLoaderError, wasm_split},
};

/// Milliseconds until a chunk that did not arrive is asked for again.
const RETRY_MS: u32 = 2_000;

type Page = fn(&Finding, bool) -> String;

pub fn write(found: Finding, sources: bool, written: Written) {
    spawn_local(async move {
        loop {
            match chunk().await {
                Ok(page) => return written(page(&found, sources)),
                Err(_) => TimeoutFuture::new(RETRY_MS).await,
            }
        }
    });
}

#[wasm_split(reader, fallible, wasm_split_path = ::leptos::wasm_split)]
fn chunk() -> Result<Page, SplitLoaderError> {
    Ok(page)
}
