//! The server's half of the engine: starts runs, drives them, carries commands to their logs and
//! tells whoever follows. Rooms come in through [`Agent`]; their names are never spelt here.

use crate::{
    engine::{
        entry::{Entry, Partial, Run, RunEvent, ask_json},
        flow::{Flow, Stamp, Status},
        follow::{Fact, Snapshot, Standing, restarted},
    },
    error::{AppError, Code},
    settings::Limits,
    store::{Append, EventRow, InputKey, NewRun, RunRow, Store, StoreError},
    telemetry::metrics,
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    future::Future,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use tokio::sync::Semaphore;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

mod call;
mod driver;
mod drivers;
mod fork;
mod hub;
mod inbox;
mod keeper;
mod object;
mod partials;
mod rest;
mod room;
pub mod sse;
#[cfg(test)]
mod tests;

pub use call::{Call, CallError};
pub use keeper::UNDO_MS;
pub use object::{Formed, repair};
pub use room::{Agent, Passage, Reading, Room, Seat, Wording};

/// How often a command or an outcome is decided again on a log that has moved on.
const CONFLICTS: usize = 50;
/// Nothing that runs is without a driver for longer than this.
const SWEEP: Duration = Duration::from_secs(1);

/// Cheap to clone; one per process.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    store: Arc<dyn Store>,
    hub: hub::Hub,
    /// Texts that have grown are going to be kept.
    keeping: AtomicBool,
    rooms: BTreeMap<&'static str, Arc<dyn Room>>,
    drivers: drivers::Drivers,
    calls: Semaphore,
    ladder: object::Ladder,
    limits: Limits,
    server: Uuid,
    build: String,
    shutdown: CancellationToken,
    tasks: TaskTracker,
}

impl Engine {
    pub fn new(store: Arc<dyn Store>, rooms: Vec<Arc<dyn Room>>, limits: Limits, build: String) -> Self {
        Engine(Arc::new(Inner {
            store,
            hub: hub::Hub::default(),
            keeping: AtomicBool::new(false),
            rooms: rooms.into_iter().map(|room| (room.kind(), room)).collect(),
            drivers: drivers::Drivers::default(),
            calls: Semaphore::new(limits.calls_in_flight),
            ladder: object::Ladder::default(),
            limits,
            server: Uuid::new_v4(),
            build,
            shutdown: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }))
    }

    pub fn store(&self) -> &dyn Store {
        &*self.0.store
    }

    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    pub fn room(&self, kind: &str) -> Option<&Arc<dyn Room>> {
        self.0.rooms.get(kind)
    }

    /// How many runs are running, by room.
    pub async fn running(&self) -> Result<BTreeMap<&'static str, u32>, StoreError> {
        let mut counts: BTreeMap<&'static str, u32> = self.0.rooms.keys().map(|kind| (*kind, 0)).collect();
        for (_, kind) in self.store().running().await? {
            if let Some(count) = counts.get_mut(kind.as_str()) {
                *count += 1;
            }
        }
        Ok(counts)
    }

    /// Tells this process's files from those of another build.
    pub fn build(&self) -> &str {
        &self.0.build
    }

    pub fn shutdown(&self) -> &CancellationToken {
        &self.0.shutdown
    }

    /// Picks up what a killed process left, and from then on whatever has no driver.
    pub fn spawn_sweeper(&self) {
        let engine = self.clone();
        self.0.tasks.spawn(async move {
            let mut ticks = tokio::time::interval(SWEEP);
            loop {
                tokio::select! {
                    () = engine.0.shutdown.cancelled() => return,
                    _ = ticks.tick() => engine.sweep().await,
                }
            }
        });
    }

    async fn sweep(&self) {
        self.0.hub.sweep();
        metrics::upkeep();
        match self.store().running().await {
            Ok(running) => running.into_iter().for_each(|(id, kind)| drivers::ensure(self, id, &kind)),
            Err(error) => tracing::error!(%error, "runs without a driver could not be looked for"),
        }
    }

    /// Ends drivers and streams; interrupted calls are made again by the next process.
    pub async fn close(&self) {
        self.0.shutdown.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }

    /// Starts a run and answers its id: under a key that was used for the same setup, and under a client's own id of
    /// a conversation that goes on, the run that is there.
    pub async fn start<F: Flow>(
        &self,
        owner: &str,
        setup: F::Setup,
        key: Option<InputKey>,
        external_id: Option<String>,
    ) -> Result<Uuid, AppError>
    where
        AppError: From<F::Refusal>,
    {
        F::begin(&setup)?;
        let model = self.room(F::KIND).and_then(|room| room.model()).ok_or_else(no_model)?;
        let (id, at) = (Uuid::now_v7(), now());
        let json = ask_json(&setup);
        let body = ask_json(&Entry::<F::Event>::Run(RunEvent::Started { setup: json.clone(), model }));
        let new = NewRun {
            id,
            kind: F::KIND,
            owner: owner.to_owned(),
            title: F::title(&setup),
            setup: json,
            status: Status::Running,
            at,
            log: vec![EventRow { stamp: Stamp { seq: 1, at }, body }],
            key,
            external_id,
            parent: None,
        };
        self.create(new).await
    }

    /// Puts a new run into the store and sets it going; answers its id, or that of the run its key was used for.
    pub async fn create(&self, new: NewRun) -> Result<Uuid, AppError> {
        let engine = self.clone();
        let work = async move {
            let (id, kind) = (new.id, new.kind);
            let started = engine.store().create(new).await?;
            if started == id {
                metrics::run_started(kind);
            }
            drivers::ensure(&engine, started, kind);
            Ok(started)
        };
        self.detached(work).await
    }

    /// Carries a person's command to the log; decides again when the log has moved on.
    pub async fn command<F, D>(&self, id: Uuid, decide: D) -> Result<(), AppError>
    where
        F: Flow,
        D: Fn(&Run<F>, Vec<Partial>) -> Result<Vec<Entry<F::Event>>, AppError> + Send + Sync + 'static,
    {
        let engine = self.clone();
        let work = async move {
            engine.0.hub.hold(id, true);
            let done = engine.carry(id, decide).await;
            engine.0.hub.hold(id, false);
            drivers::ensure(&engine, id, F::KIND);
            done
        };
        self.detached(work).await
    }

    async fn carry<F, D>(&self, id: Uuid, decide: D) -> Result<(), AppError>
    where
        F: Flow,
        D: Fn(&Run<F>, Vec<Partial>) -> Result<Vec<Entry<F::Event>>, AppError> + Send + Sync,
    {
        for _ in 0..CONFLICTS {
            let run = self.load::<F>(id).await?;
            let entries = decide(&run, self.open_texts(id).await?)?;
            if entries.is_empty() {
                return Ok(());
            }
            match self.append(id, run, None, &entries).await {
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
                Ok(_) => return Ok(()),
            }
        }
        tracing::error!(run = %id, "a command met a conflict {CONFLICTS} times");
        Err(AppError::internal())
    }

    pub async fn load<F: Flow>(&self, id: Uuid) -> Result<Run<F>, AppError> {
        let log = self.store().events(id, 0).await?;
        fold::<F>(&log).ok_or_else(|| {
            tracing::error!(run = %id, "the log does not fold");
            AppError::internal()
        })
    }

    /// What a page shows first.
    pub async fn snapshot(&self, row: &RunRow) -> Result<Snapshot, AppError> {
        let (open, id) = (self.open_texts(row.id).await?, row.id.to_string());
        let fact = |row: EventRow| Fact { run: id.clone(), seq: row.stamp.seq, at: row.stamp.at, body: row.body };
        let log = self.store().events(row.id, 0).await?.into_iter().map(fact).collect();
        Ok(Snapshot { id, title: row.title.clone(), log, open, build: self.0.build.clone() })
    }

    /// Texts being written: the hub's where this process writes them, else what the store has kept.
    pub async fn open_texts(&self, id: Uuid) -> Result<Vec<Partial>, StoreError> {
        let live = self.0.hub.open_texts(id);
        if live.is_empty() { self.store().partials(id).await } else { Ok(live) }
    }

    /// Commits entries behind `run`, then tells whoever follows; answers the run as it is then.
    async fn append<F: Flow>(&self, id: Uuid, run: Run<F>, epoch: Option<i64>, entries: &[Entry<F::Event>]) -> Result<Run<F>, StoreError> {
        let (after, at, before) = (run.seq, now().max(run.progress.updated_at), run.status());
        let bodies: Vec<Value> = entries.iter().map(ask_json).collect();
        let run = (after + 1..).zip(entries).fold(run, |run, (seq, entry)| run.apply(Stamp { seq, at }, entry));
        let again: Vec<i64> = bodies.iter().filter_map(restarted).collect();
        let open: Vec<i64> = run.progress.open.iter().map(|step| step.seq).collect();
        let usage = || entries.iter().filter_map(|entry| if let Entry::Run(RunEvent::Usage(usage)) = entry { Some(usage) } else { None });
        let append = Append {
            run: id,
            after,
            epoch,
            at,
            bodies: bodies.clone(),
            status: run.status(),
            open: open.iter().copied().filter(|seq| !again.contains(seq)).collect(),
            input_tokens: usage().filter_map(|usage| usage.input_tokens).sum(),
            output_tokens: usage().filter_map(|usage| usage.output_tokens).sum(),
            cost_micros: usage().filter_map(|usage| usage.cost_micros).sum(),
        };
        let started = Instant::now();
        self.store().append(append).await?;
        metrics::appended(started.elapsed());
        if run.status() != before {
            metrics::run_moved(F::KIND, run.status());
        }
        let rows: Vec<EventRow> = (after + 1..).zip(bodies).map(|(seq, body)| EventRow { stamp: Stamp { seq, at }, body }).collect();
        self.0.hub.facts(id, &rows, &open, &again, self.standing(id, run.status()));
        Ok(run)
    }

    fn standing(&self, id: Uuid, status: Status) -> Standing {
        Standing { run: id.to_string(), status, build: self.0.build.clone() }
    }

    /// Work that is carried to its end even when whoever asked for it has gone: what is committed is told.
    async fn detached<T: Send + 'static>(&self, work: impl Future<Output = Result<T, AppError>> + Send + 'static) -> Result<T, AppError> {
        self.0.tasks.spawn(work).await.unwrap_or_else(|error| {
            tracing::error!(%error, "a command did not come to its end");
            Err(AppError::internal())
        })
    }
}

pub fn fold<F: Flow>(log: &[EventRow]) -> Option<Run<F>> {
    Run::fold(log.iter().map(|row| (row.stamp, &row.body)))
}

/// Unix milliseconds.
pub fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

fn no_model() -> AppError {
    AppError::new(Code::NoModel, "No model is configured, and the rehearsal model is switched off.")
        .remedy("Set OPENAI_API_KEY (or another provider's key), or set rehearsal = \"auto\" in Leptos.toml, and start the server again.")
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => AppError::not_found(),
            StoreError::KeyReused => AppError::new(Code::KeyReused, "This Idempotency-Key was used for another request. Use a new one."),
            error => {
                tracing::error!(%error, "store");
                AppError::internal()
            }
        }
    }
}
