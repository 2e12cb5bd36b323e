//! Runs for programs: read one, follow it, stop it, continue it, go on from its middle. By its owner's cookie or the run's token.

use super::{AppState, Body, Client, IdempotencyKey, openapi::Problems};
use crate::{
    engine::{
        flow::Status,
        server::{
            Reading,
            sse::{self, Cursors},
        },
    },
    error::{AppError, Code},
    runs::Verb,
    store::{EventRow, RunRow},
};
use axum::{
    Json,
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderName, StatusCode, header},
    response::{IntoResponse, Response},
    routing::any,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use tower_http::compression::CompressionLayer;
use utoipa::ToSchema;
use utoipa_axum::{
    router::{OpenApiRouter, UtoipaMethodRouterExt},
    routes,
};

/// Runs on one connection at most.
const MAX_RUNS: usize = 32;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(read).layer(CompressionLayer::new()))
        .routes(routes!(events))
        .routes(routes!(stop))
        .routes(routes!(resume))
        .routes(routes!(fork))
        .routes(routes!(all_events))
        .route("/api/{*rest}", any(async || AppError::not_found()))
}

/// A run as its log says it is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Run)]
pub struct Document {
    id: String,
    /// The room.
    kind: String,
    /// `running`, `waiting` (for a person), `done`, `stopped` or `failed`.
    #[schema(value_type = String)]
    status: Status,
    title: String,
    /// `provider:model`, or `rehearsal`.
    model: String,
    /// Scripted answers, no AI.
    rehearsal: bool,
    /// The run whose log this one's begins with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    parent: Option<String>,
    created_at: i64,
    updated_at: i64,
    usage: Spent,
    /// What it was started with.
    setup: Value,
    /// The room's own state.
    state: Value,
    events: Vec<Line>,
    /// Why it ended or waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<String>,
    /// Where a failed call is the reason, a word for it, such as `auth` or `network`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    cause: Option<String>,
}

/// What the calls took; null where a provider did not say.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RunUsage)]
struct Spent {
    calls: usize,
    input_tokens: Option<i64>,
    output_tokens: Option<i64>,
    /// Millionths of a US dollar.
    cost_micros: Option<i64>,
}

/// One line of the log.
#[derive(Serialize, ToSchema)]
#[schema(as = RunLine)]
struct Line {
    seq: i64,
    at: i64,
    body: Value,
}

/// A run with its log.
#[utoipa::path(get, path = "/api/runs/{id}", operation_id = "read_run", tag = "runs", params(("id" = String, Path, description = "The run.")),
    security(("cookie" = []), ("run_token" = [])),
    responses((status = 200, description = "The run.", body = Document), Problems))]
async fn read(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<Json<Document>, AppError> {
    let row = app.run(&client, &id).await?;
    let (reading, log) = app.reading(&row).await?;
    Ok(Json(document(&row, &reading, &log)))
}

/// A whole run, as programs read it.
pub fn document(row: &RunRow, reading: &Reading, log: &[EventRow]) -> Document {
    let progress = &reading.progress;
    let tokens = progress.tokens();
    Document {
        id: row.id.to_string(),
        kind: row.kind.clone(),
        status: reading.status,
        title: row.title.clone(),
        model: progress.model.clone(),
        rehearsal: progress.rehearsal(),
        parent: row.parent.map(|parent| parent.to_string()),
        created_at: row.created_at,
        updated_at: row.updated_at,
        usage: Spent {
            calls: progress.own_calls().len(),
            input_tokens: tokens.map(|tokens| tokens.0),
            output_tokens: tokens.map(|tokens| tokens.1),
            cost_micros: progress.cost_micros(),
        },
        setup: row.setup.clone(),
        state: reading.state.clone(),
        events: log.iter().map(|row| Line { seq: row.stamp.seq, at: row.stamp.at, body: row.body.clone() }).collect(),
        reason: reading.reason.clone(),
        cause: reading.cause.clone(),
    }
}

#[derive(Deserialize)]
struct After {
    after: Option<i64>,
}

/// A run's stream: `fact` (a line of the log, with its `seq` as id), `partial` and `delta` (text being written), `status`
/// and `ping`. Resumes behind `Last-Event-ID`, else behind `after`.
#[utoipa::path(get, path = "/api/runs/{id}/events", operation_id = "follow_run", tag = "runs",
    params(("id" = String, Path, description = "The run."), ("after" = Option<i64>, Query, description = "The last entry that is known.")),
    security(("cookie" = []), ("run_token" = [])),
    responses(
        (status = 200, description = "Server-sent events.", content_type = "text/event-stream", body = String),
        (status = 204, description = "The run is over and read to its end."),
        Problems,
    ))]
async fn events(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    Query(after): Query<After>,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    let watch = app.watch();
    let row = app.run(&client, &id).await?;
    let seq = last_event_id(&headers).and_then(|id| id.parse().ok()).or(after.after).unwrap_or(0).max(0);
    let response = sse::respond(&app.engine, Cursors { at: BTreeMap::from([(row.id, seq)]), single: true }).await?;
    Ok(watch.guard(BTreeMap::from([(row.id, !client.may_command(&row))]), response))
}

/// Up to 32 runs on one connection: `?run=<id>:<seq>`, as often as there are runs. Its event ids are the list of cursors.
#[utoipa::path(get, path = "/api/events", operation_id = "follow_runs", tag = "runs",
    params(("run" = Vec<String>, Query, description = "A run and the last entry that is known of it: `<id>:<seq>`.")),
    security(("cookie" = []), ("run_token" = [])),
    responses(
        (status = 200, description = "Server-sent events, as of one run.", content_type = "text/event-stream", body = String),
        (status = 204, description = "All of them are over and read to their end."),
        Problems,
    ))]
async fn all_events(
    State(app): State<AppState>,
    client: Client,
    Query(query): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    let wrong = || AppError::new(Code::Invalid, "Name the runs to follow as ?run=<id>:<seq>, up to 32 of them.");
    let named: Vec<&str> = query.iter().filter(|(name, _)| name == "run").map(|(_, value)| value.as_str()).collect();
    let mut at = Cursors::parse(&named.join(",")).filter(|at| (1..=MAX_RUNS).contains(&at.len())).ok_or_else(wrong)?;
    // After a lost connection the header knows better than the address.
    for (id, seq) in last_event_id(&headers).and_then(Cursors::parse).unwrap_or_default() {
        at.entry(id).and_modify(|known| *known = seq);
    }
    let (watch, mut guests) = (app.watch(), BTreeMap::new());
    for id in at.keys() {
        let row = app.run(&client, &id.to_string()).await?;
        guests.insert(*id, !client.may_command(&row));
    }
    let response = sse::respond(&app.engine, Cursors { at, single: false }).await?;
    Ok(watch.guard(guests, response))
}

fn last_event_id(headers: &HeaderMap) -> Option<&str> {
    headers.get("last-event-id")?.to_str().ok()
}

/// Stops a run; what was being written is kept.
#[utoipa::path(post, path = "/api/runs/{id}/stop", operation_id = "stop_run", tag = "runs", params(("id" = String, Path, description = "The run.")),
    security(("cookie" = []), ("run_token" = [])), responses((status = 204, description = "It is so."), Problems))]
async fn stop(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<StatusCode, AppError> {
    act(&app, &client, &id, Verb::Stop).await
}

/// Continues a run that was stopped, has failed or waits.
#[utoipa::path(post, path = "/api/runs/{id}/continue", operation_id = "continue_run", tag = "runs", params(("id" = String, Path, description = "The run.")),
    security(("cookie" = []), ("run_token" = [])), responses((status = 204, description = "It is so."), Problems))]
async fn resume(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<StatusCode, AppError> {
    act(&app, &client, &id, Verb::Continue).await
}

/// Other words for a turn of a run.
#[derive(Deserialize, ToSchema)]
struct Fork {
    /// Counted from 0.
    step: u32,
    #[schema(max_length = 4000)]
    text: String,
}

/// The run that goes on from another.
#[derive(Serialize, ToSchema)]
struct Forked {
    id: String,
    parent: String,
}

/// Goes on from a turn of a run in other words, as a run of its own.
#[utoipa::path(post, path = "/api/runs/{id}/fork", operation_id = "fork_run", tag = "runs", request_body = Fork,
    params(("id" = String, Path, description = "The run."), ("Idempotency-Key" = Option<String>, Header, description = "Makes a repeated request answer the same run.")),
    security(("cookie" = []), ("run_token" = [])),
    responses((status = 201, description = "It goes on.", body = Forked, headers(
        ("Location" = String, description = "The new run, under /api/runs."),
        ("Colloquy-Run-Token" = String, description = "Opens the new run, as Bearer."),
    )), Problems))]
async fn fork(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    key: IdempotencyKey,
    Body(fork): Body<Fork>,
) -> Result<Response, AppError> {
    let parent = app.own_run(&client, &id).await?;
    let id = app.fork(&client, &parent, fork.step, fork.text, key).await?;
    let headers =
        [(header::LOCATION, format!("/api/runs/{id}")), (HeaderName::from_static("colloquy-run-token"), app.signer.run_token(id))];
    Ok((StatusCode::CREATED, headers, Json(Forked { id: id.to_string(), parent: parent.id.to_string() })).into_response())
}

async fn act(app: &AppState, client: &Client, id: &str, verb: Verb) -> Result<StatusCode, AppError> {
    let row = app.own_run(client, id).await?;
    app.act(client, &row, verb).await?;
    Ok(StatusCode::NO_CONTENT)
}
