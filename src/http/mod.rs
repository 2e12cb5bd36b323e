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
    store::{EventRow, InputKey, NewRun, RunRow},
};
use axum::{
    Extension, Router,
    extract::{DefaultBodyLimit, FromRef},
    middleware::{from_fn, from_fn_with_state},
};
use leptos::config::LeptosOptions;
use std::{
    ops::ControlFlow::{self, Break, Continue},
    sync::Arc,
};
use tower_http::{
    catch_panic::CatchPanicLayer,
    request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer},
    trace::TraceLayer,
};
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

mod admin;
mod budget;
pub mod chat;
mod door;
mod extract;
mod guard;
mod guesses;
mod health;
mod history;
mod keep;
pub mod mcp;
mod metrics;
mod openapi;
mod pages;
mod problem;
mod runs;
mod serve;
mod session;
mod share;
mod shell;
mod static_page;
#[cfg(test)]
mod tests;
mod withdrawal;

pub use extract::{Body, IdempotencyKey, RespondAsync, pointer};
pub use openapi::Problems;
pub use pages::{answered, answered_at, caller, error_page, leads_to, refused, unlisted};
pub use runs::document;
pub use serve::serve;
pub use session::{Client, Signer, forget_owner};
pub use static_page::printed_page;

use budget::Spending;
use guard::Open;

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
    guesses: Arc<guesses::Guesses>,
    tests: Arc<admin::Tests>,
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
            guesses: Arc::default(),
            tests: Arc::default(),
            withdrawals: withdrawal::Withdrawals::default(),
        }
    }

    /// Starts a run for that client, if it may. `chat` is the client's own id of the conversation.
    pub async fn start<F: Flow>(
        &self,
        client: &Client,
        setup: F::Setup,
        key: IdempotencyKey,
        chat: Option<String>,
    ) -> Result<Uuid, AppError>
    where
        AppError: From<F::Refusal>,
    {
        F::begin(&setup)?;
        let key = key.input(client.known_owner(), &(F::KIND, &setup));
        let _spending = match self.admit(client, key.as_ref()).await? {
            Break(run) => return Ok(run),
            Continue(spending) => spending,
        };
        self.engine.start::<F>(&client.owner, setup, key, chat).await
    }

    /// A run that goes on from that one with other words as that turn: one more start, if it may.
    pub async fn fork(&self, client: &Client, parent: &RunRow, turn: u32, words: String, key: IdempotencyKey) -> Result<Uuid, AppError> {
        let key = key.input(client.known_owner(), &("fork", parent.id, turn, &words));
        let room = self.engine.room(&parent.kind).ok_or_else(AppError::internal)?;
        let new = room.fork(&self.engine, parent, turn, words).await?;
        let _spending = match self.admit(&client.clone().acting_for(parent), key.as_ref()).await? {
            Break(run) => return Ok(run),
            Continue(spending) => spending,
        };
        self.engine.create(NewRun { key, ..new }).await
    }

    /// Breaks with the run that was started under this key, which whoever has started it may always find again; else
    /// the client has to be one that may spend.
    async fn admit(&self, client: &Client, key: Option<&InputKey>) -> Result<ControlFlow<Uuid, Option<Spending>>, AppError> {
        let started = async || match key {
            Some(key) => self.engine.store().started(key).await,
            None => Ok(None),
        };
        if let Some(run) = started().await? {
            return Ok(Break(run));
        }
        match self.may_spend(client).await {
            Ok(spending) => Ok(Continue(spending)),
            // The same request, sent twice at once, may have taken what was left itself.
            Err(refused) => Ok(Break(started().await?.ok_or(refused)?)),
        }
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

    /// May this client have a real model called? Where strangers can reach the server: once the access code
    /// was entered, and within budgets. The one question before anything is spent; the answer is held until it is.
    pub async fn may_spend(&self, client: &Client) -> Result<Option<Spending>, AppError> {
        if !self.models.is_real() || !self.settings.is_public() {
            return Ok(None);
        }
        door::open(self, client)?;
        self.budget.within(self, client).await.map(Some)
    }

    /// The run as its room reads it, and the log that it was read from.
    pub async fn reading(&self, row: &RunRow) -> Result<(Reading, Vec<EventRow>), AppError> {
        let log = self.engine.store().events(row.id, 0).await?;
        let reading = self.engine.room(&row.kind).and_then(|room| room.read(&log)).ok_or_else(AppError::internal)?;
        Ok((reading, log))
    }

    /// Stops a run, or continues it, which may be spent on as its start was.
    pub async fn act(&self, client: &Client, row: &RunRow, verb: Verb) -> Result<(), AppError> {
        let _spending = match verb {
            Verb::Continue => self.may_spend(&client.clone().acting_for(row)).await?,
            Verb::Stop => None,
        };
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

/// The whole server. `rooms` are the rooms' own plain HTTP routes, which other origins may be allowed to use. Only what is
/// read at once is compressed: a stream is not, and would hold six kilobytes for it as long as it is open.
pub fn router(state: AppState, rooms: OpenApiRouter<AppState>) -> Router {
    let runs = runs::routes().merge(history::routes()).merge(share::routes());
    let operation = health::routes().merge(metrics::routes()).merge(admin::routes());
    let ours = openapi::described().merge(runs).merge(operation).merge(door::routes()).merge(pages::routes(&state));
    let rooms = guarded(rooms, &state, Open::ToListed);
    let rooms = if let Some(cors) = guard::cors(&state.settings) { rooms.layer(cors) } else { rooms };
    let (router, api) = guarded(ours, &state, Open::ToNobody).merge(rooms).split_for_parts();
    let machine = Arc::new(openapi::machine_routes(&api));
    router
        .layer(Extension(Arc::new(api)))
        .layer(from_fn_with_state(state.clone(), guard::headers))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(from_fn_with_state(machine, problem::layer))
        .layer(from_fn(metrics::layer))
        .layer(TraceLayer::new_for_http().make_span_with(problem::span))
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .with_state(state)
}

/// Who is asking, and from where, is known to every handler behind this.
fn guarded(router: OpenApiRouter<AppState>, state: &AppState, open: Open) -> OpenApiRouter<AppState> {
    router.layer(from_fn_with_state(state.clone(), session::layer)).layer(from_fn_with_state((state.clone(), open), guard::origin))
}
