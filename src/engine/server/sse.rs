//! `text/event-stream` of any number of runs on one connection: facts behind the cursor, then live.

use super::Engine;
use crate::{
    engine::{
        flow::Status,
        follow::{Fact, Signal, Standing, Whole},
    },
    error::AppError,
    store::StoreError,
    telemetry::metrics,
};
use axum::{
    body::Body,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use futures::StreamExt;
use std::{collections::BTreeMap, convert::Infallible, time::Duration};
use tokio::sync::mpsc;
use tokio_stream::{
    StreamMap,
    wrappers::{BroadcastStream, ReceiverStream},
};
use uuid::Uuid;

/// A ping while something runs, and while nothing does.
const PING: Duration = Duration::from_secs(2);
const IDLE_PING: Duration = Duration::from_secs(15);
/// Signals that wait for a reader, and how long they may before it counts as slow.
const BACKLOG: usize = 64;
const SLOW: Duration = Duration::from_secs(10);

/// Where each run's reader stands, and how its `id:` is written.
#[derive(Clone)]
pub struct Cursors {
    pub at: BTreeMap<Uuid, i64>,
    /// One run's own stream names facts by `seq` alone.
    pub single: bool,
}

impl Cursors {
    /// `<id>:<seq>`, several joined by commas, as in `?run=` and in `Last-Event-ID`.
    pub fn parse(text: &str) -> Option<BTreeMap<Uuid, i64>> {
        let cursor = |part: &str| {
            let (id, seq) = part.split_once(':')?;
            Some((Uuid::parse_str(id).ok()?, seq.parse().ok().filter(|seq| *seq >= 0)?))
        };
        text.split(',').map(cursor).collect()
    }

    fn id(&self) -> String {
        let one = |(id, seq): (&Uuid, &i64)| if self.single { seq.to_string() } else { format!("{id}:{seq}") };
        self.at.iter().map(one).collect::<Vec<_>>().join(",")
    }

    /// One SSE event; JSON holds no line break, so one data line is enough.
    fn frame(&mut self, signal: &Signal) -> String {
        let mut id = String::new();
        if let Signal::Fact(fact) = signal
            && let Ok(run) = Uuid::parse_str(&fact.run)
        {
            self.at.insert(run, fact.seq);
            id = format!("id: {}\n", self.id());
        }
        format!("{id}event: {}\ndata: {}\n\n", signal.name(), signal.data())
    }
}

/// The response for runs the caller may read; 204 when all are over and read to their end.
pub async fn respond(engine: &Engine, mut cursors: Cursors) -> Result<Response, AppError> {
    let mut over = true;
    for (id, seq) in &cursors.at {
        let row = engine.store().run(*id).await?.ok_or_else(AppError::not_found)?;
        over &= matches!(row.status, Status::Done | Status::Failed) && *seq >= row.seq;
    }
    if over {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let frames = follow(engine, cursors.at.clone()).map(move |signal| Ok::<_, Infallible>(cursors.frame(&signal)));
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(frames)).into_response())
}

/// Facts behind each cursor, where each run stands, the open texts, then everything live, without a
/// gap or a double. Ends when the reader is too slow, the store fails or the server stops.
pub fn follow(engine: &Engine, at: BTreeMap<Uuid, i64>) -> ReceiverStream<Signal> {
    let (signals, receiver) = mpsc::channel(BACKLOG);
    let connection = Connection { engine: engine.clone(), at, running: BTreeMap::new(), signals };
    tokio::spawn(connection.run());
    ReceiverStream::new(receiver)
}

struct Connection {
    engine: Engine,
    at: BTreeMap<Uuid, i64>,
    running: BTreeMap<Uuid, bool>,
    signals: mpsc::Sender<Signal>,
}

/// The reader has gone, is too slow, or the store failed: in each case it comes back by its cursor.
struct Ended;

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "a stream ends");
        Ended
    }
}

impl Connection {
    async fn run(mut self) {
        let _counted = metrics::Following::begin();
        let _ = self.follow().await;
    }

    async fn follow(&mut self) -> Result<(), Ended> {
        let mut live = StreamMap::new();
        for id in self.at.keys().copied().collect::<Vec<_>>() {
            let (receiver, open) = self.engine.0.hub.subscribe(id);
            let kept = if open.is_empty() { self.engine.store().partials(id).await? } else { open };
            self.read_up(id).await?;
            if let Some(row) = self.engine.store().run(id).await? {
                self.standing(self.engine.standing(id, row.status)).await?;
            }
            for partial in kept {
                self.send(Signal::Partial(Whole { run: id.to_string(), message: partial.message, text: partial.text })).await?;
            }
            live.insert(id, BroadcastStream::new(receiver));
        }
        loop {
            let ping = if self.running.values().any(|running| *running) { PING } else { IDLE_PING };
            tokio::select! {
                () = self.engine.0.shutdown.cancelled() => return Ok(()),
                () = self.signals.closed() => return Ok(()),
                () = tokio::time::sleep(ping) => self.send(Signal::Ping).await?,
                Some((id, signal)) = live.next() => self.relay(id, signal.map_err(|_| Ended)?).await?,
            }
        }
    }

    async fn relay(&mut self, id: Uuid, signal: Signal) -> Result<(), Ended> {
        let at = self.at.get(&id).copied().unwrap_or_default();
        match signal {
            Signal::Fact(fact) if fact.seq <= at => Ok(()),
            Signal::Fact(fact) if fact.seq == at + 1 => self.fact(id, fact).await,
            // Two writers may be told of in the other order than they committed.
            Signal::Fact(_) => self.read_up(id).await,
            Signal::Status(standing) => self.standing(standing).await,
            other => self.send(other).await,
        }
    }

    async fn read_up(&mut self, id: Uuid) -> Result<(), Ended> {
        let after = self.at.get(&id).copied().unwrap_or_default();
        for row in self.engine.store().events(id, after).await? {
            self.fact(id, Fact { run: id.to_string(), seq: row.stamp.seq, at: row.stamp.at, body: row.body }).await?;
        }
        Ok(())
    }

    async fn fact(&mut self, id: Uuid, fact: Fact) -> Result<(), Ended> {
        self.at.insert(id, fact.seq);
        self.send(Signal::Fact(fact)).await
    }

    async fn standing(&mut self, standing: Standing) -> Result<(), Ended> {
        if let Ok(id) = Uuid::parse_str(&standing.run) {
            self.running.insert(id, standing.status == Status::Running);
        }
        self.send(Signal::Status(standing)).await
    }

    async fn send(&mut self, signal: Signal) -> Result<(), Ended> {
        match tokio::time::timeout(SLOW, self.signals.send(signal)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Ended),
        }
    }
}
