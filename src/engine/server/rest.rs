//! Waiting for a run: as it is now, as each further append leaves it, and at rest. Told by the run's own signals.

use super::{Engine, fold, sse};
use crate::{
    engine::{
        entry::Run,
        flow::{Flow, Stamp, Status},
        follow::Signal,
    },
    error::{AppError, Code},
    store::RunRow,
};
use futures::{
    StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use std::{collections::BTreeMap, future::ready};
use uuid::Uuid;

impl Engine {
    /// The run as it is, then as each further append leaves it, up to where it is not running any more. Fails with
    /// `NotFound` where it is gone or is deleted meanwhile, and with `Unavailable` where the server stops first.
    pub fn follow<F: Flow>(&self, id: Uuid) -> BoxStream<'static, Result<Run<F>, AppError>> {
        let waiting = Waiting::<F> { engine: self.clone(), id, reading: None, told: 0 };
        stream::try_unfold(waiting, |mut waiting| async move { Ok(waiting.next().await?.map(|run| (run, waiting))) }).boxed()
    }

    /// The run once it is not running any more: at once where that is so already. Fails as [`Engine::follow`] does.
    pub async fn rest<F: Flow>(&self, id: Uuid) -> Result<Run<F>, AppError> {
        let last = self.follow::<F>(id).try_fold(None, |_, run| ready(Ok(Some(run)))).await?;
        last.ok_or_else(AppError::internal)
    }

    /// The run's row, if it is there and not deleted.
    async fn undeleted(&self, id: Uuid) -> Result<RunRow, AppError> {
        self.store().run(id).await?.filter(|row| row.deleted_at.is_none()).ok_or_else(AppError::not_found)
    }
}

struct Waiting<F: Flow> {
    engine: Engine,
    id: Uuid,
    /// The run as it is known, and what is said of it from there on.
    reading: Option<(Run<F>, BoxStream<'static, Signal>)>,
    /// The last entry of the run as it was told.
    told: i64,
}

impl<F: Flow> Waiting<F> {
    async fn next(&mut self) -> Result<Option<Run<F>>, AppError> {
        while let Some((run, signals)) = &mut self.reading {
            // What was told last was all that had been committed then.
            if run.seq == self.told && run.status() != Status::Running {
                return Ok(None);
            }
            match signals.next().await {
                Some(Signal::Fact(fact)) => *run = run.clone().take(Stamp { seq: fact.seq, at: fact.at }, &fact.body),
                // Entries that were committed together are told together: between them a run may look as it never was.
                Some(Signal::Status(_)) if run.seq > self.told => {
                    let run = run.clone();
                    if run.status() != Status::Running {
                        self.engine.undeleted(self.id).await?;
                    }
                    self.told = run.seq;
                    return Ok(Some(run));
                }
                Some(_) => {}
                // Too slow, deleted, or the end of the server: reading it anew tells which.
                None => self.reading = None,
            }
        }
        self.read().await.map(Some)
    }

    /// Reads the run, and hears from then on what comes behind it.
    async fn read(&mut self) -> Result<Run<F>, AppError> {
        let log = self.engine.store().events(self.id, 0).await?;
        self.engine.undeleted(self.id).await?;
        let run = fold::<F>(&log).ok_or_else(AppError::internal)?;
        if run.status() == Status::Running && self.engine.shutdown().is_cancelled() {
            return Err(AppError::new(Code::Unavailable, "The server is being stopped. The run goes on once it is started again."));
        }
        let signals = sse::follow(&self.engine, BTreeMap::from([(self.id, run.seq)]));
        self.told = run.seq;
        self.reading = Some((run.clone(), signals));
        Ok(run)
    }
}
