//! `/api/simulate`: starts a journey and answers it as an AI SDK UI message stream, and resumes such a stream.

use super::{posted::Posted, start::begin, ui_stream::UiStream};
use crate::{
    error::AppError,
    http::{
        AppState, Body, Client, IdempotencyKey, Problems,
        chat::{self, Reply},
    },
    rooms::simulate::flow::Simulate,
};
use axum::{
    extract::{DefaultBodyLimit, Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(simulate)).routes(routes!(resume)).layer(DefaultBodyLimit::max(chat::MAX_BODY))
}

/// Starts a journey and answers it as it goes on: an AI SDK UI message stream (npm `ai` 5 to 7), as `useChat` reads it.
/// Closing the connection does not stop the run.
#[utoipa::path(post, path = "/api/simulate", tag = "rooms", request_body = Posted,
    params(("Idempotency-Key" = Option<String>, Header, description = "Makes a repeated request answer the same run. Without a cookie it counts \
            with 32 characters or more.")),
    security((), ("cookie" = []), ("run_token" = [])),
    responses(
        (status = 200, description = "Server-sent events, ending with `[DONE]`.", content_type = "text/event-stream", body = String, headers(
            ("Location" = String, description = "The run, under /api/runs."),
            ("Colloquy-Run-Token" = String, description = "Opens the run, as Bearer."),
        )),
        Problems,
    ))]
async fn simulate(
    State(app): State<AppState>,
    client: Client,
    key: IdempotencyKey,
    Body(posted): Body<Posted>,
) -> Result<Response, AppError> {
    let chat = chat::chat_id(posted.id.as_deref())?.map(str::to_owned);
    let earlier = match &chat {
        Some(chat) => chat::find::<Simulate>(&app, &client, chat).await?,
        None => None,
    };
    if let Some(row) = earlier.as_ref().filter(|row| chat::goes_on(row)) {
        return respond(&app, row.id).await;
    }
    let client = if let Some(row) = &earlier { client.acting_for(row) } else { client };
    let setup = posted.setup(earlier.and_then(|row| serde_json::from_value(row.setup).ok()), app.context_chars())?;
    let id = begin(&app, &client, setup, key, chat).await.map_err(in_wire_names)?;
    respond(&app, id).await
}

/// The whole run as one message.
async fn respond(app: &AppState, run: Uuid) -> Result<Response, AppError> {
    chat::respond(app, Reply { run, from: 1, message: run.to_string() }, UiStream::default()).await
}

/// This route's names for the setup's fields.
fn in_wire_names(mut error: AppError) -> AppError {
    for fault in &mut error.errors {
        fault.pointer = match fault.pointer.as_str() {
            "/icp" => "/icpPersona".to_owned(),
            "/query" => "/initialQuery".to_owned(),
            "/assistant" => "/assistant/model".to_owned(),
            "/instructions" => "/assistant/instructions".to_owned(),
            other => other.to_owned(),
        };
    }
    error
}

/// The stream of a chat whose run goes on, again from its start.
#[utoipa::path(get, path = "/api/simulate/{chatId}/stream", operation_id = "resume_simulation", tag = "rooms",
    params(("chatId" = String, Path, description = "The client's own id of the conversation.")),
    security(("cookie" = []), ("run_token" = [])),
    responses(
        (status = 200, description = "As POST /api/simulate answers.", content_type = "text/event-stream", body = String),
        (status = 204, description = "There is nothing to resume: no such chat, somebody else's, or its run is over."),
        Problems,
    ))]
async fn resume(State(app): State<AppState>, client: Client, Path(chat): Path<String>) -> Result<Response, AppError> {
    match chat::find::<Simulate>(&app, &client, &chat).await?.filter(chat::goes_on) {
        Some(row) => respond(&app, row.id).await,
        None => Ok(StatusCode::NO_CONTENT.into_response()),
    }
}
