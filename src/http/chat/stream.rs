//! A run as server-sent frames: it is followed from an entry of its log on, and what a room tells of it goes out as chunks.

use super::{AppState, Chunk};
use crate::engine::flow::read::Read;
use crate::{
    engine::{
        entry::{Entry, Run},
        flow::Flow,
        follow::{Change, Follower, Gap, Signal},
        server::sse,
    },
    error::AppError,
};
use axum::{
    body::Body,
    http::{HeaderName, header},
    response::{IntoResponse, Response},
};
use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, convert::Infallible, time::Instant};
use uuid::Uuid;

/// What a room's run amounts to as a message: the chunks behind those that were told already. Pure.
pub trait Telling<F: Flow>: Send + 'static {
    /// For an event of the room's, and the run as it has left it.
    fn hear(&mut self, run: &Run<F>, event: &F::Event) -> Vec<Chunk>;
    /// For the run as it stands: between appends, so that it never looks as it never was, and while texts are being written.
    /// The response ends with the chunk that ends the message.
    fn tell(&mut self, follower: &Follower<F>, now: Instant) -> Vec<Chunk>;
}

/// Which run is answered, from which entry of its log on, and as which message.
pub struct Reply {
    pub run: Uuid,
    pub from: i64,
    pub message: String,
}

/// The run as a UI message stream. Closing the connection does not stop it.
pub async fn respond<F: Flow>(app: &AppState, reply: Reply, telling: impl Telling<F>) -> Result<Response, AppError> {
    let Reply { run, from, message } = reply;
    let (watch, token) = (app.watch(), app.signer.run_token(run));
    let told = Told::open(app, run, from, telling).await?;
    let opening = frames(&[told.start(message, &token)]);
    let rest = stream::unfold(Some(told), |told| async { Some(told?.next().await) });
    let frames = stream::once(async { opening }).chain(rest).filter(|frame| std::future::ready(!frame.is_empty()));
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream".to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::LOCATION, format!("/api/runs/{run}")),
        (HeaderName::from_static("x-vercel-ai-ui-message-stream"), "v1".to_owned()),
        (HeaderName::from_static("x-accel-buffering"), "no".to_owned()),
        (HeaderName::from_static("colloquy-run-token"), token),
    ];
    let response = (headers, Body::from_stream(frames.map(Ok::<_, Infallible>))).into_response();
    Ok(watch.guard(BTreeMap::from([(run, false)]), response))
}

/// A run that is being told.
struct Told<F: Flow, T> {
    follower: Follower<F>,
    signals: BoxStream<'static, Signal>,
    telling: T,
}

impl<F: Flow, T: Telling<F>> Told<F, T> {
    /// The run at the entry from which it is told.
    async fn open(app: &AppState, run: Uuid, from: i64, telling: T) -> Result<Self, AppError> {
        let row = app.engine.store().run(run).await?.filter(|row| row.deleted_at.is_none()).ok_or_else(AppError::not_found)?;
        let mut snapshot = app.engine.snapshot(&row).await?;
        snapshot.log.retain(|fact| fact.seq <= from);
        let follower = Follower::new(snapshot).ok_or_else(AppError::internal)?;
        Ok(Told { follower, signals: sse::follow(&app.engine, BTreeMap::from([(run, from)])), telling })
    }

    fn start(&self, message_id: String, token: &str) -> Chunk {
        let Follower { id, run, .. } = &self.follower;
        let metadata = json!({ "runId": id, "runToken": token, "model": run.progress.model, "rehearsal": run.progress.rehearsal() });
        Chunk::Start { message_id, message_metadata: metadata }
    }

    /// What goes out next, and what is left to be told. A keep-alive where the run's stream pings.
    async fn next(mut self) -> (String, Option<Self>) {
        match self.signals.next().await {
            Some(Signal::Ping) => (": ping\n\n".to_owned(), Some(self)),
            Some(signal) => match self.take(signal) {
                Ok(chunks) if chunks.last().is_some_and(Chunk::ends_message) => (frames(&chunks) + DONE, None),
                Ok(chunks) => (frames(&chunks), Some(self)),
                Err(Gap) => (broken(), None),
            },
            None => (broken(), None),
        }
    }

    fn take(&mut self, signal: Signal) -> Result<Vec<Chunk>, Gap> {
        // Entries that were committed together are followed by one status.
        let between = matches!(signal, Signal::Status(_));
        let event = if let Signal::Fact(fact) = &signal { event::<F>(&fact.body) } else { None };
        Ok(match (self.follower.take(signal)?, event) {
            (Change::Run, Some(event)) => self.telling.hear(&self.follower.run, &event),
            (change, _) if between || change == Change::Texts => self.telling.tell(&self.follower, Instant::now()),
            _ => Vec::new(),
        })
    }
}

/// An entry that is the room's own.
fn event<F: Flow>(body: &Value) -> Option<F::Event> {
    match Entry::<F::Event>::read(body) {
        Some(Entry::Room(event)) => Some(event),
        _ => None,
    }
}

/// For the end of a message: where the run stands, and what it took.
pub fn standing<F: Flow>(run: &Run<F>) -> Value {
    let mut metadata = json!({ "status": run.status().word() });
    if let Some((input, output)) = run.progress.tokens() {
        metadata["usage"] = json!({ "inputTokens": input, "outputTokens": output });
    }
    metadata
}

const DONE: &str = "data: [DONE]\n\n";

fn frames(chunks: &[Chunk]) -> String {
    chunks.iter().map(|chunk| format!("data: {}\n\n", json!(chunk))).collect()
}

/// The run goes on; only this view of it ends.
fn broken() -> String {
    frames(&[Chunk::Error { error_text: "The connection to the run was lost. Read it again under /api/runs.".to_owned() }]) + DONE
}
