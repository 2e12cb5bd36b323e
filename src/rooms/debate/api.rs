//! The room's server functions: one line of work each, calling the engine.

use super::flow::Refusal;
use crate::{error::AppError, runs::Sent};
use leptos::prelude::*;

impl From<Refusal> for AppError {
    fn from(refusal: Refusal) -> Self {
        AppError::field(refusal.field(), refusal.to_string())
    }
}

/// A debate, as [`Opened`](crate::runs::Opened).
#[server(prefix = "/api/fn", endpoint = "open_debate")]
pub async fn open_debate(id: String) -> Result<Sent, AppError> {
    use super::flow::Debate;
    Sent::pack(crate::runs::server::opened::<Debate>(&id).await)
}
