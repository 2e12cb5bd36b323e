//! Starting a journey: anew, or as another one was started.

use crate::{
    error::AppError,
    http::{AppState, Client, IdempotencyKey, answered, caller},
    models::{Models, Role},
    rooms::simulate::flow::{Assistant, MAX_STEPS, Setup, Simulate},
};
use uuid::Uuid;

/// What the bench's form holds.
pub struct Filled {
    pub icp: String,
    pub query: String,
    pub key: String,
    pub assistant: String,
    pub instructions: String,
}

pub async fn start(filled: Filled) -> Result<(), AppError> {
    let (app, client) = caller()?;
    let Filled { icp, query, key, assistant, instructions } = filled;
    let assistant = Assistant::chosen(assistant, instructions);
    let setup = Setup { icp, query, assistant, max_steps: MAX_STEPS, context_chars: app.context_chars() };
    let key = IdempotencyKey::of_form(&key, &setup, client.known);
    let id = answered(begin(&app, &client, setup, key, None).await)?;
    leptos_axum::redirect(&format!("/demo/{id}"));
    Ok(())
}

/// Starts a run on the models there are; `chat` is the client's own id of the conversation.
pub async fn begin(app: &AppState, client: &Client, setup: Setup, key: IdempotencyKey, chat: Option<String>) -> Result<Uuid, AppError> {
    known(&app.models, &setup.assistant)?;
    app.start::<Simulate>(client, setup, key, chat).await
}

fn known(models: &Models, assistant: &Assistant) -> Result<(), AppError> {
    let Some(name) = assistant.model.as_deref().filter(|name| models.named(Role::Assistant, name).is_none()) else { return Ok(()) };
    let names: Vec<&str> = models.routes(Role::Assistant).iter().map(|route| route.name.as_str()).collect();
    Err(AppError::field("assistant", format!("There is no model “{name}” here. There are: {}.", names.join(", "))))
}
