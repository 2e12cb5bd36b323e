//! What a person does with runs, for programs: list, rename, pin, delete, bring back, share, export, delete everything.

use super::{AppState, Body, Client, session::forget_owner};
use crate::{error::AppError, runs::server as runs, store::RunRow};
use axum::{
    Json, Router,
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{AppendHeaders, IntoResponse, Response},
    routing::{delete, get, patch, post, put},
};
use serde::Deserialize;
use serde_json::{Value, json};

/// Runs in one answer, where nothing else is asked for, and at most.
const FEW: i64 = 50;
const MOST: i64 = 500;

/// Beside those of `runs`, which reads, follows, stops and continues them.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/runs", get(list))
        .route("/api/runs/{id}", patch(change).delete(remove))
        .route("/api/runs/{id}/undelete", post(undelete))
        .route("/api/runs/{id}/share", put(share).delete(unshare))
        .route("/api/runs/{id}/export.md", get(markdown))
        .route("/api/runs/{id}/export.json", get(document))
        .route("/api/me", delete(erase))
}

#[derive(Deserialize)]
struct Search {
    #[serde(default)]
    q: String,
    limit: Option<i64>,
}

/// The pinned ones first, and the newest of each; `total` counts those that are found without a limit.
async fn list(State(app): State<AppState>, client: Client, Query(search): Query<Search>) -> Result<Json<Value>, AppError> {
    let (store, words) = (app.engine.store(), search.q.trim());
    let rows = store.list(&client.owner, words, search.limit.unwrap_or(FEW).clamp(1, MOST)).await?;
    let total = store.count(&client.owner, words).await?;
    Ok(Json(json!({ "runs": rows.iter().map(brief).collect::<Vec<_>>(), "total": total })))
}

fn brief(row: &RunRow) -> Value {
    json!({
        "id": row.id, "kind": row.kind, "title": row.title, "status": row.status, "pinned": row.pinned,
        "createdAt": row.created_at, "updatedAt": row.updated_at,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    title: Option<String>,
    pinned: Option<bool>,
}

/// The run as lists have it from then on.
async fn change(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    Body(change): Body<Change>,
) -> Result<Json<Value>, AppError> {
    let row = app.own_run(&client, &id).await?;
    if let Some(title) = change.title {
        app.rename(&row, &title).await?;
    }
    if let Some(pinned) = change.pinned {
        app.pin(&row, pinned).await?;
    }
    Ok(Json(brief(&app.own_run(&client, &id).await?)))
}

async fn remove(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<StatusCode, AppError> {
    app.delete(&app.own_run(&client, &id).await?).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn undelete(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<StatusCode, AppError> {
    app.undelete(&app.kept_run(&client, &id).await?).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn share(State(app): State<AppState>, client: Client, Path(id): Path<String>, headers: HeaderMap) -> Result<Json<Value>, AppError> {
    let token = app.share(&app.own_run(&client, &id).await?).await?;
    Ok(Json(json!({ "url": app.share_url(&headers, &token) })))
}

async fn unshare(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<StatusCode, AppError> {
    app.unshare(&app.own_run(&client, &id).await?).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn markdown(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<Response, AppError> {
    let row = app.run(&client, &id).await?;
    let (reading, _) = app.reading(&row).await?;
    Ok(attachment(&row, "md", "text/markdown; charset=utf-8", runs::as_markdown(&row, &reading)))
}

async fn document(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<Response, AppError> {
    let row = app.run(&client, &id).await?;
    let (reading, log) = app.reading(&row).await?;
    Ok(attachment(&row, "json", "application/json", runs::as_json(&row, &reading, &log)))
}

fn attachment(row: &RunRow, kind: &str, content_type: &'static str, text: String) -> Response {
    let disposition = HeaderValue::from_str(&runs::attachment(&row.title, kind)).unwrap_or(HeaderValue::from_static("attachment"));
    ([(header::CONTENT_TYPE, HeaderValue::from_static(content_type)), (header::CONTENT_DISPOSITION, disposition)], text).into_response()
}

/// Whoever asked is somebody new from then on.
async fn erase(State(app): State<AppState>, client: Client) -> Result<impl IntoResponse, AppError> {
    app.erase(&client).await?;
    Ok((StatusCode::NO_CONTENT, AppendHeaders(forget_owner(&app).map(|cookie| (header::SET_COOKIE, cookie)))))
}
