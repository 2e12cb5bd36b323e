//! Probes: `/health` says the process is up, `/readyz` that it can work.

use super::AppState;
use axum::{Json, Router, extract::State, http::StatusCode, response::IntoResponse, routing::get};
use serde_json::json;

pub fn routes() -> Router<AppState> {
    Router::new().route("/health", get(health)).route("/readyz", get(ready))
}

async fn health() -> impl IntoResponse {
    Json(json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }))
}

async fn ready(State(app): State<AppState>) -> impl IntoResponse {
    let store = app.engine.store().ping().await.inspect_err(|error| tracing::error!(%error, "not ready")).is_ok();
    let models = app.models.is_complete();
    let status = if store && models { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let word = |ok| if ok { "ok" } else { "failed" };
    (status, Json(json!({ "status": word(store && models), "checks": { "store": word(store), "models": word(models) } })))
}
