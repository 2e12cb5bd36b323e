//! What a person does with runs, for programs: list, rename, pin, delete, bring back, share, export, delete everything.

use super::{AppState, Body, Client, Problems, runs::Document, session::forget_owner};
use crate::{engine::flow::Status, error::AppError, runs::server as runs, store::RunRow};
use axum::{
    Json,
    extract::{Path, Query, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{AppendHeaders, IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

/// Runs in one answer, where nothing else is asked for, and at most.
const FEW: i64 = 50;
const MOST: i64 = 500;

/// Beside those of `runs`, which reads, follows, stops and continues them.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(change, remove))
        .routes(routes!(undelete))
        .routes(routes!(share, unshare))
        .routes(routes!(markdown))
        .routes(routes!(document))
        .routes(routes!(erase))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Search {
    /// Words in the title or in what was said.
    #[serde(default)]
    q: String,
    /// 50 where it is not given, 500 at most.
    limit: Option<i64>,
}

/// A run in a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RunBrief)]
struct Brief {
    id: String,
    /// The room.
    kind: String,
    title: String,
    /// `running`, `waiting` (for a person), `done`, `stopped` or `failed`.
    #[schema(value_type = String)]
    status: Status,
    pinned: bool,
    created_at: i64,
    updated_at: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = RunList)]
struct List {
    runs: Vec<Brief>,
    /// How many there are without the limit.
    total: i64,
}

/// An owner's runs: the pinned ones first, and the newest of each.
#[utoipa::path(get, path = "/api/runs", operation_id = "list_runs", tag = "runs", params(Search), security(("cookie" = [])),
    responses((status = 200, description = "Those that are found.", body = List), Problems))]
async fn list(State(app): State<AppState>, client: Client, Query(search): Query<Search>) -> Result<Json<List>, AppError> {
    let (store, words) = (app.engine.store(), search.q.trim());
    let rows = store.list(&client.owner, words, search.limit.unwrap_or(FEW).clamp(1, MOST)).await?;
    let total = store.count(&client.owner, words).await?;
    Ok(Json(List { runs: rows.into_iter().map(Brief::from).collect(), total }))
}

impl From<RunRow> for Brief {
    fn from(row: RunRow) -> Self {
        let RunRow { id, kind, title, status, pinned, created_at, updated_at, .. } = row;
        Brief { id: id.to_string(), kind, title, status, pinned, created_at, updated_at }
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = RunChange)]
struct Change {
    title: Option<String>,
    pinned: Option<bool>,
}

/// Renames a run, pins it or unpins it; answers it as lists have it from then on.
#[utoipa::path(patch, path = "/api/runs/{id}", operation_id = "change_run", tag = "runs", request_body = Change,
    params(("id" = String, Path, description = "The run.")),
    security(("cookie" = []), ("run_token" = [])),
    responses((status = 200, description = "The run.", body = Brief), Problems))]
async fn change(
    State(app): State<AppState>,
    client: Client,
    Path(id): Path<String>,
    Body(change): Body<Change>,
) -> Result<Json<Brief>, AppError> {
    let row = app.own_run(&client, &id).await?;
    if let Some(title) = change.title {
        app.rename(&row, &title).await?;
    }
    if let Some(pinned) = change.pinned {
        app.pin(&row, pinned).await?;
    }
    Ok(Json(app.own_run(&client, &id).await?.into()))
}

/// Deletes a run: it is stopped, and gone for good after a day.
#[utoipa::path(delete, path = "/api/runs/{id}", operation_id = "delete_run", tag = "runs", params(("id" = String, Path, description = "The run.")),
    security(("cookie" = []), ("run_token" = [])),
    responses((status = 204, description = "It is so."), Problems))]
async fn remove(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<StatusCode, AppError> {
    app.delete(&app.own_run(&client, &id).await?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Brings a deleted run back.
#[utoipa::path(post, path = "/api/runs/{id}/undelete", operation_id = "undelete_run", tag = "runs", params(("id" = String, Path, description = "The run.")),
    security(("cookie" = []), ("run_token" = [])),
    responses((status = 204, description = "It is so."), Problems))]
async fn undelete(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<StatusCode, AppError> {
    app.undelete(&app.kept_run(&client, &id).await?).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Serialize, ToSchema)]
#[schema(as = ShareLink)]
struct Link {
    url: String,
}

/// Makes a link with which anybody can read the run, or answers the one there is.
#[utoipa::path(put, path = "/api/runs/{id}/share", operation_id = "share_run", tag = "runs", params(("id" = String, Path, description = "The run.")),
    security(("cookie" = []), ("run_token" = [])),
    responses((status = 200, description = "The link.", body = Link), Problems))]
async fn share(State(app): State<AppState>, client: Client, Path(id): Path<String>, headers: HeaderMap) -> Result<Json<Link>, AppError> {
    let token = app.share(&app.own_run(&client, &id).await?).await?;
    Ok(Json(Link { url: app.share_url(&headers, &token) }))
}

/// Revokes the link.
#[utoipa::path(delete, path = "/api/runs/{id}/share", operation_id = "unshare_run", tag = "runs", params(("id" = String, Path, description = "The run.")),
    security(("cookie" = []), ("run_token" = [])),
    responses((status = 204, description = "It is so."), Problems))]
async fn unshare(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<StatusCode, AppError> {
    app.unshare(&app.own_run(&client, &id).await?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The run as Markdown.
#[utoipa::path(get, path = "/api/runs/{id}/export.md", operation_id = "export_markdown", tag = "runs", params(("id" = String, Path, description = "The run.")),
    security(("cookie" = []), ("run_token" = [])),
    responses((status = 200, description = "A file.", content_type = "text/markdown", body = String), Problems))]
async fn markdown(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<Response, AppError> {
    let row = app.run(&client, &id).await?;
    let (reading, _) = app.reading(&row).await?;
    Ok(attachment(&row, "md", "text/markdown; charset=utf-8", runs::as_markdown(&row, &reading)))
}

/// The run as JSON.
#[utoipa::path(get, path = "/api/runs/{id}/export.json", operation_id = "export_json", tag = "runs", params(("id" = String, Path, description = "The run.")),
    security(("cookie" = []), ("run_token" = [])),
    responses((status = 200, description = "A file.", body = Document), Problems))]
async fn document(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<Response, AppError> {
    let row = app.run(&client, &id).await?;
    let (reading, log) = app.reading(&row).await?;
    Ok(attachment(&row, "json", "application/json", runs::as_json(&row, &reading, &log)))
}

fn attachment(row: &RunRow, kind: &str, content_type: &'static str, text: String) -> Response {
    let disposition = HeaderValue::from_str(&runs::attachment(&row.title, kind)).unwrap_or(HeaderValue::from_static("attachment"));
    ([(header::CONTENT_TYPE, HeaderValue::from_static(content_type)), (header::CONTENT_DISPOSITION, disposition)], text).into_response()
}

/// Deletes everything of whoever asks, who is somebody new from then on.
#[utoipa::path(delete, path = "/api/me", operation_id = "erase", tag = "runs", security(("cookie" = [])),
    responses((status = 204, description = "It is so."), Problems))]
async fn erase(State(app): State<AppState>, client: Client) -> Result<impl IntoResponse, AppError> {
    app.erase(&client).await?;
    Ok((StatusCode::NO_CONTENT, AppendHeaders(forget_owner(&app).map(|cookie| (header::SET_COOKIE, cookie)))))
}
