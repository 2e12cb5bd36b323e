//! The report: a conversation's findings as a page to be read and printed, as Markdown and as JSON.

use crate::{
    engine::{entry::Run, server::Reading},
    error::AppError,
    http::{AppState, Client, Problems, error_page, printed_page},
    rooms::research::flow::Research,
    runs::server::{attachment, row},
    store::RunRow,
};
use axum::{
    Json,
    extract::{Path, State},
    http::{HeaderName, header, request::Parts},
    response::{IntoResponse, Response},
};
use json::Document;
use sheet::Sheet;
use utoipa_axum::{router::OpenApiRouter, routes};

mod json;
mod markdown;
mod page;
mod sheet;

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(page)).routes(routes!(markdown)).routes(routes!(document))
}

/// A run that the client may read.
async fn read(app: &AppState, client: &Client, id: &str) -> Result<(RunRow, Reading, Run<Research>), AppError> {
    let row = row::<Research>(app, client, id).await?;
    let (reading, log) = app.reading(&row).await?;
    let run = Run::fold(log.iter().map(|row| (row.stamp, &row.body))).ok_or_else(AppError::internal)?;
    Ok((row, reading, run))
}

/// The report as a page without a script of its own but for a button, made to be printed.
#[utoipa::path(get, path = "/journey/{id}/report", operation_id = "report_page", tag = "pages", params(("id" = String, Path, description = "The run.")),
    security(("cookie" = []), ("run_token" = [])),
    responses(
        (status = 200, description = "The page.", content_type = "text/html", body = String),
        (status = 404, description = "There is no such run.", content_type = "text/html", body = String),
    ))]
async fn page(State(app): State<AppState>, client: Client, Path(id): Path<String>, parts: Parts) -> Response {
    match read(&app, &client, &id).await {
        Ok((row, reading, run)) => {
            let sheet = Sheet::new(&row, &reading, &run);
            printed_page(&app, &parts.headers, &format!("{}: market research", sheet.title), &page::html(&sheet, row.id))
        }
        Err(error) => error_page(app, parts, &error).await,
    }
}

/// The report as Markdown.
#[utoipa::path(get, path = "/journey/{id}/report.md", operation_id = "report_markdown", tag = "rooms", params(("id" = String, Path, description = "The run.")),
    security(("cookie" = []), ("run_token" = [])),
    responses((status = 200, description = "A file.", content_type = "text/markdown", body = String), Problems))]
async fn markdown(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<Response, AppError> {
    let (row, reading, run) = read(&app, &client, &id).await?;
    let sheet = Sheet::new(&row, &reading, &run);
    let headers =
        [(header::CONTENT_TYPE, "text/markdown; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, name(&sheet.title, "md"))];
    Ok((headers, markdown::text(&sheet)).into_response())
}

/// The report as JSON.
#[utoipa::path(get, path = "/journey/{id}/report.json", operation_id = "report_json", tag = "rooms", params(("id" = String, Path, description = "The run.")),
    security(("cookie" = []), ("run_token" = [])),
    responses((status = 200, description = "A file.", body = Document), Problems))]
async fn document(State(app): State<AppState>, client: Client, Path(id): Path<String>) -> Result<Response, AppError> {
    let (row, reading, run) = read(&app, &client, &id).await?;
    let document = Document::new(&row, &reading, &run);
    let name: [(HeaderName, String); 1] = [(header::CONTENT_DISPOSITION, name(document.title(), "json"))];
    Ok((name, Json(document)).into_response())
}

fn name(title: &str, kind: &str) -> String {
    attachment(&format!("{title} market research"), kind)
}
