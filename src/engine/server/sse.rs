//! `text/event-stream` of any number of runs on one connection: facts behind the cursor, then live.

use super::{Engine, inbox::Inbox};
use crate::{
    engine::{
        entry::Partial,
        flow::Status,
        follow::{Fact, Signal, Whole},
    },
    error::AppError,
    store::{EventRow, StoreError},
    telemetry::metrics,
};
use axum::{
    body::{Body, Bytes},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use futures::{
    StreamExt,
    stream::{self, BoxStream},
};
use std::{
    collections::{BTreeMap, VecDeque},
    convert::Infallible,
    fmt::Write,
    sync::Arc,
    time::Duration,
};
use uuid::Uuid;

/// A ping while something runs, and while nothing does.
const PING: Duration = Duration::from_secs(2);
const IDLE_PING: Duration = Duration::from_secs(15);

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

    fn write_id(&self, frame: &mut String) {
        for (i, (id, seq)) in self.at.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            // Writing to a string cannot fail.
            let _ = if self.single { write!(frame, "{seq}") } else { write!(frame, "{comma}{id}:{seq}") };
        }
    }

    /// One SSE event; JSON holds no line break, so one data line is enough.
    fn frame(&mut self, signal: &Signal) -> String {
        let mut frame = String::with_capacity(160);
        if let Signal::Fact(fact) = signal
            && let Ok(run) = Uuid::parse_str(&fact.run)
        {
            self.at.insert(run, fact.seq);
            frame.push_str("id: ");
            self.write_id(&mut frame);
            frame.push('\n');
        }
        for part in ["event: ", signal.name(), "\ndata: ", &signal.data(), "\n\n"] {
            frame.push_str(part);
        }
        frame
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
    let frames = follow(engine, cursors.at.clone()).map(move |signal| Ok::<_, Infallible>(Bytes::from(cursors.frame(&signal))));
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(frames)).into_response())
}

/// Facts behind each cursor, where each run stands, the open texts, then everything live, without a
/// gap or a double. Ends when the reader is too slow, a run is deleted, the store fails or the server stops.
///
/// It has no task of its own: whoever reads it drives it, and while nothing happens it is all but free.
pub fn follow(engine: &Engine, at: BTreeMap<Uuid, i64>) -> BoxStream<'static, Signal> {
    let places = at.into_iter().map(|(run, seq)| Place { run, seq, running: false }).collect();
    let connection = Connection {
        engine: engine.clone(),
        places,
        inbox: Arc::default(),
        due: VecDeque::new(),
        opened: false,
        _counted: metrics::Following::begin(),
    };
    let signals = stream::unfold(connection, |mut connection| async move {
        let signal = connection.next().await.ok()?;
        Some((signal, connection))
    });
    signals.take_until(engine.shutdown().clone().cancelled_owned()).boxed()
}

struct Connection {
    engine: Engine,
    places: Box<[Place]>,
    inbox: Arc<Inbox>,
    /// Goes out before anything is heard again.
    due: VecDeque<Signal>,
    opened: bool,
    _counted: metrics::Following,
}

/// How far the reader has come in a run.
struct Place {
    run: Uuid,
    seq: i64,
    running: bool,
}

/// The reader is too slow, a run is gone, or the store failed: in each case it comes back by its cursor.
struct Ended;

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "a stream ends");
        Ended
    }
}

impl Connection {
    async fn next(&mut self) -> Result<Signal, Ended> {
        if !self.opened {
            self.opened = true;
            Box::pin(self.open()).await?;
        }
        loop {
            if let Some(signal) = self.due.pop_front() {
                return Ok(signal);
            }
            self.due = VecDeque::new();
            let ping = if self.places.iter().any(|place| place.running) { PING } else { IDLE_PING };
            let Ok(told) = tokio::time::timeout(ping, self.inbox.next()).await else { return Ok(Signal::Ping) };
            self.take(told.ok_or(Ended)?).await?;
        }
    }

    async fn open(&mut self) -> Result<(), Ended> {
        for at in 0..self.places.len() {
            let id = self.places[at].run;
            let open = self.engine.0.hub.subscribe(id, &self.inbox);
            let kept = if open.is_empty() { self.engine.store().partials(id).await? } else { open };
            self.read_up(at).await?;
            // Of a run that was deleted before it was subscribed to nobody would ever say so.
            let row = self.engine.store().run(id).await?.filter(|row| row.deleted_at.is_none()).ok_or(Ended)?;
            self.places[at].running = row.status == Status::Running;
            self.due.push_back(Signal::Status(self.engine.standing(id, row.status)));
            let whole = |partial: Partial| Whole { run: id.to_string(), message: partial.message, text: partial.text };
            self.due.extend(kept.into_iter().map(|partial| Signal::Partial(whole(partial))));
        }
        Ok(())
    }

    async fn take(&mut self, signal: Signal) -> Result<(), Ended> {
        let Some(at) = self.place(&signal) else { return Ok(()) };
        let place = &mut self.places[at];
        match signal {
            Signal::Fact(fact) if fact.seq <= place.seq => {}
            // Two writers may be told of in the other order than they committed.
            Signal::Fact(fact) if fact.seq != place.seq + 1 => Box::pin(self.read_up(at)).await?,
            signal => {
                match &signal {
                    Signal::Fact(fact) => place.seq = fact.seq,
                    Signal::Status(standing) => place.running = standing.status == Status::Running,
                    _ => {}
                }
                self.due.push_back(signal);
            }
        }
        Ok(())
    }

    fn place(&self, signal: &Signal) -> Option<usize> {
        match (&*self.places, signal.run()) {
            ([_], _) => Some(0),
            (places, run) => places.iter().position(|place| run.is_some_and(|run| Uuid::parse_str(run) == Ok(place.run))),
        }
    }

    async fn read_up(&mut self, at: usize) -> Result<(), Ended> {
        let Place { run, seq, .. } = self.places[at];
        for EventRow { stamp, body } in self.engine.store().events(run, seq).await? {
            self.places[at].seq = stamp.seq;
            self.due.push_back(Signal::Fact(Fact { run: run.to_string(), seq: stamp.seq, at: stamp.at, body }));
        }
        Ok(())
    }
}
