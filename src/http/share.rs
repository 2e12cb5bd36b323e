//! Addresses that lead to a run's page in its room: `/s/{token}`, which a person was given, and `/runs/{id}`.

use super::{
    AppState, Client,
    pages::{ROBOTS, error_page},
    session::shares_cookie,
};
use crate::{error::AppError, rooms, store::RunRow};
use axum::{
    extract::{Path, State},
    http::{header, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(open)).routes(routes!(find))
}

/// Keeps the token in a cookie and shows the run. A link that was revoked, or whose run was deleted, opens nothing.
#[utoipa::path(get, path = "/s/{token}", operation_id = "open_share", tag = "pages", params(("token" = String, Path, description = "The link's.")),
    responses((status = 303, description = "To the run's page."), (status = 404, description = "The link opens nothing.")))]
async fn open(State(app): State<AppState>, client: Client, Path(token): Path<String>, parts: Parts) -> Response {
    let mut response = match shared(&app, &token).await {
        Ok(row) => ([(header::SET_COOKIE, shares_cookie(&app, &client, &token))], to_room(&row)).into_response(),
        Err(error) => error_page(app, parts, &error).await,
    };
    response.headers_mut().insert(ROBOTS, header::HeaderValue::from_static("noindex"));
    response
}

async fn shared(app: &AppState, token: &str) -> Result<RunRow, AppError> {
    let id = app.engine.store().shared(token).await?.ok_or_else(AppError::not_found)?;
    let row = app.row(&id.to_string()).await?;
    if row.deleted_at.is_none() { Ok(row) } else { Err(AppError::not_found()) }
}

/// Leads to the run's page in its room.
#[utoipa::path(get, path = "/runs/{id}", operation_id = "find_run", tag = "pages", params(("id" = String, Path, description = "The run.")),
    responses((status = 303, description = "To the run's page."), (status = 404, description = "There is no such run.")))]
async fn find(State(app): State<AppState>, client: Client, Path(id): Path<String>, parts: Parts) -> Response {
    match app.run(&client, &id).await {
        Ok(row) => to_room(&row).into_response(),
        Err(error) => error_page(app, parts, &error).await,
    }
}

fn to_room(row: &RunRow) -> Redirect {
    Redirect::to(&rooms::address(&row.kind, &row.id.to_string()))
}
