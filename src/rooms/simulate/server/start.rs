//! Starting a journey: anew, as another one was started, or from another's middle.

use crate::{
    error::{AppError, Code},
    http::{AppState, Client, IdempotencyKey, answered, caller},
    models::{Models, Role},
    rooms::simulate::flow::{Assistant, MAX_STEPS, Setup, Simulate},
    runs::server::{escape, own_row},
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
    let key = IdempotencyKey((!key.is_empty()).then_some(key));
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

/// Goes on from a turn in other words. What is refused leads back to the words, so that they can be mended.
pub async fn fork(id: String, step: u32, text: String, key: String) -> Result<(), AppError> {
    let (app, client) = caller()?;
    let row = answered(own_row::<Simulate>(&app, &client, &id).await)?;
    // The same page may be sent again with other words: that is another fork.
    let key = IdempotencyKey((!key.is_empty()).then(|| format!("{key}-{:x}", fnv(&text))));
    let back = |what: &str, text: &str| format!("/demo/{id}/edit/{step}?{what}={}", escape(text));
    let to = match app.fork(&client, &row, step, text.clone(), key).await {
        Ok(fork) => format!("/demo/{fork}"),
        Err(error) if error.at("text").is_some() => back("text", &text),
        Err(error) if error.code == Code::AccessCode => "/access".to_owned(),
        Err(error) => back("refused", if error.code == Code::Budget { "budget" } else { "fault" }),
    };
    leptos_axum::redirect(&to);
    Ok(())
}

/// FNV-1a: enough to tell a text from the one that was sent before it.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
