//! Probes: `/health` says the process is up, `/readyz` that it can work.

use super::AppState;
use axum::{Json, extract::State, http::StatusCode};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::{router::OpenApiRouter, routes};

pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(health)).routes(routes!(ready))
}

#[derive(Serialize, ToSchema)]
struct Health {
    status: &'static str,
    version: &'static str,
}

/// Is the process up?
#[utoipa::path(get, path = "/health", tag = "operation", responses((status = 200, description = "It is.", body = Health)))]
async fn health() -> Json<Health> {
    Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

/// Each `ok` or `failed`.
#[derive(Serialize, ToSchema)]
struct Ready {
    status: &'static str,
    checks: Checks,
}

#[derive(Serialize, ToSchema)]
struct Checks {
    store: &'static str,
    models: &'static str,
}

/// Can the server work?
#[utoipa::path(get, path = "/readyz", tag = "operation", responses(
    (status = 200, description = "It can.", body = Ready),
    (status = 503, description = "A check has failed.", body = Ready),
))]
async fn ready(State(app): State<AppState>) -> (StatusCode, Json<Ready>) {
    let store = app.engine.store().ping().await.inspect_err(|error| tracing::error!(%error, "not ready")).is_ok();
    let models = app.models.is_complete();
    let status = if store && models { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    let word = |ok| if ok { "ok" } else { "failed" };
    (status, Json(Ready { status: word(store && models), checks: Checks { store: word(store), models: word(models) } }))
}
