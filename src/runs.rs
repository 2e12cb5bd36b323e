//! What pages do with any run, whatever its room: list, reach, stop, continue.

use crate::{engine::flow::Status, error::AppError};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

mod missing;
mod reach;
#[cfg(feature = "ssr")]
mod server;

pub use missing::Missing;
pub use reach::reach;

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

/// What every run understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    Stop,
    Continue,
}

impl Verb {
    /// As forms spell it.
    pub fn slug(self) -> &'static str {
        match self {
            Verb::Stop => "stop",
            Verb::Continue => "continue",
        }
    }
}

/// The newest runs of whoever asks.
#[server(prefix = "/api/fn", endpoint = "recent_runs")]
pub async fn recent_runs() -> Result<Vec<Card>, AppError> {
    server::recent().await
}

/// Stops or continues a run.
#[server(prefix = "/api/fn", endpoint = "command_run")]
pub async fn command_run(id: String, verb: Verb) -> Result<(), AppError> {
    server::act(&id, verb).await
}
