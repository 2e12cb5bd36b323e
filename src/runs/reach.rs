//! Asking a server that may just be away.

use crate::error::{AppError, Code};
use gloo_timers::future::TimeoutFuture;
use send_wrapper::SendWrapper;
use std::future::Future;

/// Waits between one attempt and the next: long enough for a server to come back from a restart.
const WAITS_MS: [u32; 6] = [300, 700, 1_000, 2_000, 3_000, 5_000];

/// What a page is made of; asked for again while the browser cannot reach the server.
pub async fn reach<T, A: Future<Output = Result<T, AppError>>>(ask: impl Fn() -> A) -> Result<T, AppError> {
    for wait in WAITS_MS {
        match ask().await {
            Err(error) if error.code == Code::Unavailable && cfg!(target_arch = "wasm32") => {
                SendWrapper::new(TimeoutFuture::new(wait)).await
            }
            answer => return answer,
        }
    }
    ask().await
}
