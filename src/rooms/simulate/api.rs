//! The room's server functions: one line of work each, calling the engine.

use super::flow::{Refusal, Simulate};
use crate::{engine::follow::Snapshot, error::AppError, runs::Card};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What the bare page needs to know before anything is started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Desk {
    /// The customer's model; `None` when nothing is configured and rehearsal is off.
    pub model: Option<String>,
    /// The newest run that is not over.
    pub unfinished: Option<Card>,
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

#[server(prefix = "/api/fn", endpoint = "simulation")]
pub async fn simulation(id: String) -> Result<Snapshot<Simulate>, AppError> {
    super::server::snapshot(&id).await
}

#[server(prefix = "/api/fn", endpoint = "simulation_desk")]
pub async fn simulation_desk() -> Result<Desk, AppError> {
    super::server::desk().await
}
