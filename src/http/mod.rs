//! What belongs to no room: the router's frame, sessions, guards, problem details, health, runs.

use crate::{
    engine::{
        flow::Flow,
        server::{Engine, Reading},
    },
    error::AppError,
    models::Models,
    runs::Verb,
    settings::Settings,
    store::{EventRow, InputKey, RunRow},
};
use axum::{
    Router,
    extract::{DefaultBodyLimit, FromRef},
    middleware::{from_fn, from_fn_with_state},
};
use leptos::config::LeptosOptions;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::CompressionLayer,
    request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer},
    trace::TraceLayer,
};
use uuid::Uuid;

mod budget;
mod extract;
mod guard;
mod health;
mod history;
mod keep;
mod pages;
mod problem;
mod runs;
mod session;
mod share;
mod shell;
#[cfg(test)]
mod tests;
mod withdrawal;

pub use extract::{Body, IdempotencyKey};
pub use pages::{answered, caller, refused, unlisted};
pub use runs::document;
pub use session::{Client, Signer, forget_owner};

/// Bytes of a request's body.
const MAX_BODY: usize = 64 * 1024;

/// Cheap to clone; what every handler and server function works with.
#[derive(Clone)]
pub struct AppState {
    pub engine: Engine,
    pub settings: Arc<Settings>,
    pub models: Arc<Models>,
    pub signer: Signer,
    budget: Arc<budget::Budget>,
    withdrawals: withdrawal::Withdrawals,
}

impl AppState {
    pub fn new(engine: Engine, settings: Settings, models: Arc<Models>, signer: Signer) -> Self {
        AppState {
            engine,
            settings: Arc::new(settings),
            models,
            signer,
            budget: Arc::default(),
            withdrawals: withdrawal::Withdrawals::default(),
        }
    }

    /// Starts a run for that client, within its budgets.
    pub async fn start<F: Flow>(&self, client: &Client, setup: F::Setup, key: IdempotencyKey) -> Result<Uuid, AppError>
    where
        AppError: From<F::Refusal>,
    {
        F::begin(&setup)?;
        self.budget.check(self, client).await?;
        let fingerprint = format!("{:x}", Sha256::digest(format!("{} {}", F::KIND, serde_json::to_string(&setup).unwrap_or_default())));
        let key = key.scope(client).map(|(scope, key)| InputKey { scope, key, fingerprint });
        self.engine.start::<F>(&client.owner, setup, key).await
    }

    /// The run, if this client may read it, as its owner or as a guest; somebody else's, and a deleted one, is as if
    /// it were not there.
    pub async fn run(&self, client: &Client, id: &str) -> Result<RunRow, AppError> {
        let row = self.row(id).await?;
        let readable = row.deleted_at.is_none() && (client.may_command(&row) || self.is_guest(client, &row).await?);
        if readable { Ok(row) } else { Err(AppError::not_found()) }
    }

    /// The run, if this client may do something with it besides reading.
    pub async fn own_run(&self, client: &Client, id: &str) -> Result<RunRow, AppError> {
        let row = self.run(client, id).await?;
        if client.may_command(&row) { Ok(row) } else { Err(AppError::not_found()) }
    }

    /// The run as its room reads it, and the log that it was read from.
    pub async fn reading(&self, row: &RunRow) -> Result<(Reading, Vec<EventRow>), AppError> {
        let log = self.engine.store().events(row.id, 0).await?;
        let reading = self.engine.room(&row.kind).and_then(|room| room.read(&log)).ok_or_else(AppError::internal)?;
        Ok((reading, log))
    }

    /// Stops a run, or continues it, which is within budgets as its start was.
    pub async fn act(&self, client: &Client, row: &RunRow, verb: Verb) -> Result<(), AppError> {
        if verb == Verb::Continue {
            self.budget.check(self, client).await?;
        }
        let room = self.engine.room(&row.kind).ok_or_else(AppError::internal)?;
        room.act(&self.engine, row.id, verb).await
    }

    /// A conversation's size in characters past which it is summarised; a token is about four of them.
    pub fn context_chars(&self) -> u32 {
        self.settings.models.context_tokens.saturating_mul(4) / 2
    }
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.settings.leptos.clone()
    }
}

/// The whole server. `rooms` are the rooms' own plain HTTP routes.
pub fn router(state: AppState, rooms: Router<AppState>) -> Router {
    Router::new()
        .merge(rooms)
        .merge(runs::routes())
        .merge(history::routes())
        .merge(share::routes())
        .merge(health::routes())
        .merge(pages::routes(&state))
        .layer(from_fn_with_state(state.clone(), session::layer))
        .layer(from_fn_with_state(state.clone(), guard::origin))
        .layer(from_fn_with_state(state.clone(), guard::headers))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(from_fn(problem::layer))
        .layer(CompressionLayer::new())
        .layer(TraceLayer::new_for_http().make_span_with(problem::span))
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .with_state(state)
}
