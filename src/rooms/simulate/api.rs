//! The room's server functions: one line of work each, calling the engine.

use super::flow::Refusal;
use crate::{engine::follow::Snapshot, error::AppError, runs::Card};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What the page shows: the run it was asked for, or the bench where one is set up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Page {
    Bench(Desk),
    /// `mine`: whoever reads it may also stop and continue it.
    Run {
        snapshot: Snapshot,
        mine: bool,
    },
}

/// What is known before anything is started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Desk {
    /// The customer's, the assistant's and the summariser's model; `None` when one of them has none.
    pub models: Option<Vec<String>>,
    /// The newest run that is not over.
    pub unfinished: Option<Card>,
    /// What stood against the start, where it was asked for without JavaScript.
    pub refused: Option<AppError>,
}

impl From<Refusal> for AppError {
    fn from(refusal: Refusal) -> Self {
        AppError::field(refusal.field(), refusal.to_string())
    }
}

/// Starts a journey and leads to its page. `key` makes a repeated request harmless; it may be empty.
#[server(prefix = "/api/fn", endpoint = "start_simulation")]
pub async fn start_simulation(icp: String, query: String, key: String) -> Result<(), AppError> {
    super::server::start(icp, query, key).await
}

#[server(prefix = "/api/fn", endpoint = "open_simulation")]
pub async fn open_simulation(id: Option<String>) -> Result<Page, AppError> {
    super::server::open(id).await
}
