//! Runs for programs: read one, follow it, stop it, continue it. By its owner's cookie or the run's token.

use super::{AppState, Client};
use crate::{
    engine::{
        entry::REHEARSAL,
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
    Json, Router,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode},
    response::Response,
    routing::{any, get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Runs on one connection at most.
const MAX_RUNS: usize = 32;

pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/runs/{id}", get(read))
        .route("/api/runs/{id}/events", get(events))
        .route("/api/runs/{id}/stop", post(stop))
        .route("/api/runs/{id}/continue", post(resume))
        .route("/api/events", get(all_events))
        .route("/api/{*rest}", any(async || AppError::not_found()))
}

async fn read(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<Json<Value>, AppError> {
    let row = app.run(&client, &id).await?;
    let (reading, log) = app.reading(&row).await?;
    Ok(Json(document(&row, &reading, &log)))
}

/// A whole run, as programs read it.
pub fn document(row: &RunRow, reading: &Reading, log: &[EventRow]) -> Value {
    let progress = &reading.progress;
    let tokens = progress.tokens();
    let mut run = json!({
        "id": row.id, "kind": row.kind, "status": reading.status, "title": row.title, "model": progress.model,
        "rehearsal": progress.rehearsal() || progress.model == REHEARSAL,
        "createdAt": row.created_at, "updatedAt": row.updated_at,
        "usage": {
            "calls": progress.calls.len(), "inputTokens": tokens.map(|tokens| tokens.0),
            "outputTokens": tokens.map(|tokens| tokens.1), "costMicros": progress.cost_micros(),
        },
        "setup": row.setup, "state": reading.state,
        "events": log.iter().map(|row| json!({ "seq": row.stamp.seq, "at": row.stamp.at, "body": row.body })).collect::<Vec<_>>(),
    });
    if let Some(reason) = &reading.reason {
        run["reason"] = json!(reason);
    }
    run
}

#[derive(Deserialize)]
struct After {
    after: Option<i64>,
}

async fn events(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    Query(after): Query<After>,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    let watch = app.withdrawals.watch();
    let row = app.run(&client, &id).await?;
    let seq = last_event_id(&headers).and_then(|id| id.parse().ok()).or(after.after).unwrap_or(0).max(0);
    let response = sse::respond(&app.engine, Cursors { at: BTreeMap::from([(row.id, seq)]), single: true }).await?;
    Ok(watch.guard(BTreeMap::from([(row.id, !client.may_command(&row))]), response))
}

/// `?run=<id>:<seq>`, as often as there are runs.
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
    let (watch, mut guests) = (app.withdrawals.watch(), BTreeMap::new());
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

async fn stop(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<StatusCode, AppError> {
    act(&app, &client, &id, Verb::Stop).await
}

async fn resume(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<StatusCode, AppError> {
    act(&app, &client, &id, Verb::Continue).await
}

async fn act(app: &AppState, client: &Client, id: &str, verb: Verb) -> Result<StatusCode, AppError> {
    let row = app.own_run(client, id).await?;
    app.act(client, &row, verb).await?;
    Ok(StatusCode::NO_CONTENT)
}
