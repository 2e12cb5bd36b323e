//! The room's server functions: one line of work each, calling the engine.

use super::flow::Refusal;
use crate::read;
use crate::{
    error::AppError,
    runs::{Card, Sent},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What is known before anything is started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Desk {
    /// The customer's, the assistant's and the summariser's model; `None` when one of them has none.
    pub models: Option<Vec<String>>,
    /// The models that could play the assistant, the one that does first.
    pub assistants: Vec<String>,
    /// The newest run that is not over.
    pub unfinished: Option<Card>,
    pub personas: Vec<Saved>,
    pub given: Given,
    /// Why a customer was not saved.
    pub unsaved: Option<String>,
    /// What stood against the start, where it was asked for without JavaScript.
    pub refused: Option<AppError>,
}

/// A customer that was kept; `href` is the bench with them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    pub name: String,
    pub href: String,
}

/// What the bench's address asks for; where it is silent, the draft stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Given {
    pub icp: Option<String>,
    pub query: Option<String>,
    pub instructions: Option<String>,
    /// The assistant's model; empty for the one that plays it anyway.
    pub assistant: String,
}

impl From<Refusal> for AppError {
    fn from(refusal: Refusal) -> Self {
        AppError::field(refusal.field(), refusal.to_string())
    }
}

/// Starts a journey and leads to its page. `key` makes a repeated request harmless; it may be empty, as may the
/// assistant's model and its instructions.
#[server(prefix = "/api/fn", endpoint = "start_simulation")]
pub async fn start_simulation(
    icp: String,
    query: String,
    key: String,
    #[server(default)] assistant: String,
    #[server(default)] instructions: String,
) -> Result<(), AppError> {
    use super::server::start::{Filled, start};
    start(Filled { icp, query, key, assistant, instructions }).await
}

/// A [`Desk`]. `search` is the address's part behind its `?`.
#[server(prefix = "/api/fn", endpoint = "open_bench")]
pub async fn open_bench(#[server(default)] search: String) -> Result<Sent, AppError> {
    Sent::pack(super::server::open::bench(&search).await)
}

/// A journey, as [`Opened`](crate::runs::Opened).
#[server(prefix = "/api/fn", endpoint = "open_simulation")]
pub async fn open_simulation(id: String) -> Result<Sent, AppError> {
    Sent::pack(super::server::open::journey(&id).await)
}

/// Keeps the customer on the bench under their first words.
#[server(prefix = "/api/fn", endpoint = "save_persona")]
pub async fn save_persona(icp: String, #[server(default)] query: String) -> Result<(), AppError> {
    super::server::personas::save(icp, query).await
}

/// `persona` is the name it was kept under.
#[server(prefix = "/api/fn", endpoint = "delete_persona")]
pub async fn delete_persona(persona: String) -> Result<(), AppError> {
    super::server::personas::delete(persona).await
}

read!(struct Desk { models, assistants, unfinished, personas, given, unsaved, refused });
read!(struct Saved { name, href });
read!(struct Given { icp, query, instructions, assistant });
