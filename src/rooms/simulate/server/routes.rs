//! `POST /api/simulate`: starts a journey and answers it as an AI SDK UI message stream.

use super::{start::begin, ui_stream::UiStream};
use crate::{
    engine::{
        follow::{Follower, Signal},
        server::{Engine, sse},
    },
    error::AppError,
    http::{AppState, Body, Client, IdempotencyKey},
    rooms::simulate::flow::{Assistant, MAX_STEPS, Setup},
};
use axum::{
    Router,
    extract::State,
    http::{HeaderName, header},
    response::{IntoResponse, Response},
    routing::post,
};
use futures::{Stream, StreamExt, stream};
use serde::Deserialize;
use serde_json::Value;
use std::{collections::BTreeMap, convert::Infallible, time::Instant};
use uuid::Uuid;

pub fn routes() -> Router<AppState> {
    Router::new().route("/api/simulate", post(simulate))
}

/// Further fields, as `useChat` sends them, are left alone.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    icp_persona: String,
    initial_query: String,
    max_steps: Option<u32>,
    /// The assistant under test, where it is not ours.
    #[serde(default)]
    assistant: Chosen,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Chosen {
    model: Option<String>,
    instructions: Option<String>,
}

async fn simulate(
    State(app): State<AppState>,
    client: Client,
    key: IdempotencyKey,
    Body(request): Body<Request>,
) -> Result<Response, AppError> {
    let setup = Setup {
        icp: request.icp_persona,
        query: request.initial_query,
        assistant: Assistant::chosen(request.assistant.model.unwrap_or_default(), request.assistant.instructions.unwrap_or_default()),
        max_steps: request.max_steps.unwrap_or(MAX_STEPS),
        context_chars: app.context_chars(),
    };
    let id = begin(&app, &client, setup, key).await.map_err(in_wire_names)?;
    let token = app.signer.run_token(id);
    let chunks = chunks(app.engine.clone(), id, token.clone()).await?;
    let frames = chunks.map(Ok::<_, Infallible>);
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream".to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::LOCATION, format!("/api/runs/{id}")),
        (HeaderName::from_static("x-vercel-ai-ui-message-stream"), "v1".to_owned()),
        (HeaderName::from_static("x-accel-buffering"), "no".to_owned()),
        (HeaderName::from_static("colloquy-run-token"), token),
    ];
    Ok((headers, axum::body::Body::from_stream(frames)).into_response())
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

/// The frames from the run's first entry to its end; a keep-alive where the run's stream pings.
async fn chunks(engine: Engine, id: Uuid, token: String) -> Result<impl Stream<Item = String> + use<>, AppError> {
    let row = engine.store().run(id).await?.ok_or_else(AppError::not_found)?;
    let mut snapshot = engine.snapshot(&row).await?;
    let known = snapshot.log.len() as i64;
    snapshot.log.truncate(1);
    let follower = Follower::new(snapshot).ok_or_else(AppError::internal)?;
    let (ui, opening) = UiStream::open(follower, known, &token);
    let signals = sse::follow(&engine, BTreeMap::from([(id, 1)]));
    let rest = stream::unfold(Some((ui, signals)), |reading| async move {
        let (mut ui, mut signals) = reading?;
        match signals.next().await {
            Some(Signal::Ping) => Some((": ping\n\n".to_owned(), Some((ui, signals)))),
            Some(signal) => match ui.take(signal, Instant::now()) {
                Ok(chunks) if ui.is_over() => Some((frames(&chunks) + "data: [DONE]\n\n", None)),
                Ok(chunks) => Some((frames(&chunks), Some((ui, signals)))),
                Err(_) => Some((broken(), None)),
            },
            None => Some((broken(), None)),
        }
    });
    Ok(stream::once(async move { frames(&opening) }).chain(rest).filter(|frame| std::future::ready(!frame.is_empty())))
}

fn frames(chunks: &[Value]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect()
}

/// The run goes on; only this view of it ends.
fn broken() -> String {
    let error = serde_json::json!({ "type": "error", "errorText": "The connection to the run was lost. Read it again under /api/runs." });
    format!("data: {error}\n\ndata: [DONE]\n\n")
}
