//! `/metrics` for Prometheus, and the layer that counts requests.

use super::{AppState, admin::Admin, openapi::Problems};
use crate::{error::AppError, telemetry::metrics};
use axum::{
    extract::{MatchedPath, Request, State},
    http::{Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::time::Instant;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(read))
}

/// Figures for Prometheus. A server that strangers can reach shows them to its administrator only.
#[utoipa::path(get, path = "/metrics", operation_id = "metrics", tag = "operation", security((), ("admin_token" = [])),
    responses((status = 200, description = "Prometheus text.", content_type = "text/plain", body = String), Problems))]
async fn read(State(app): State<AppState>, admin: Result<Admin, AppError>) -> Result<Response, AppError> {
    if app.settings.is_public() {
        admin?;
    }
    let running = app.engine.running().await?;
    let text = metrics::render(running, app.engine.build()).ok_or_else(AppError::not_found)?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}

/// By route template and a known method, since clients may ask for anything.
pub async fn layer(request: Request, next: Next) -> Response {
    let started = Instant::now();
    let route = request.extensions().get::<MatchedPath>().map_or_else(|| "other".to_owned(), |path| path.as_str().to_owned());
    let known = [Method::GET, Method::HEAD, Method::POST, Method::OPTIONS, Method::PUT, Method::DELETE, Method::PATCH];
    let names = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "DELETE", "PATCH"];
    let method = known.iter().position(|known| known == request.method()).map_or("other", |at| names[at]);
    let response = next.run(request).await;
    metrics::answered(method, &route, response.status().as_u16(), started.elapsed());
    response
}
