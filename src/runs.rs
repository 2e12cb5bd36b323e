//! What pages do with any run, whatever its room: list, stop, continue.

use crate::{engine::flow::Status, error::AppError};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
mod server;

/// A run in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    pub id: String,
    pub kind: String,
    pub title: String,
    pub status: Status,
    /// Unix milliseconds.
    pub updated_at: i64,
}

/// The newest runs of whoever asks.
#[server(prefix = "/api/fn", endpoint = "recent_runs")]
pub async fn recent_runs() -> Result<Vec<Card>, AppError> {
    server::recent().await
}

#[server(prefix = "/api/fn", endpoint = "stop_run")]
pub async fn stop_run(id: String) -> Result<(), AppError> {
    server::act(&id, crate::engine::server::Verb::Stop).await
}

#[server(prefix = "/api/fn", endpoint = "continue_run")]
pub async fn continue_run(id: String) -> Result<(), AppError> {
    server::act(&id, crate::engine::server::Verb::Continue).await
}
