//! How long runs are kept: deleting one, deleting all of an owner's, and the hourly purge of what is over time.

use super::{Engine, drivers, now};
use crate::{
    engine::flow::Status,
    error::AppError,
    runs::Verb,
    store::{RunChange, RunRow, StoreError},
};
use std::time::Duration;
use uuid::Uuid;

const ROUND: Duration = Duration::from_secs(3_600);
/// How long a deleted run can be brought back, in milliseconds.
pub const UNDO_MS: i64 = 86_400_000;

impl Engine {
    /// Deletes the run for people and stops it, so that no model is called for it any more. It can be brought back for a day.
    pub async fn delete(&self, row: &RunRow) -> Result<(), AppError> {
        let (engine, row) = (self.clone(), row.clone());
        let work = async move {
            // First of all: whoever sees the Stop and asks what became of the run finds that it is gone.
            engine.store().change(row.id, RunChange::Deleted(Some(now()))).await?;
            if let Some(room) = engine.room(&row.kind).filter(|_| row.status == Status::Running)
                && let Err(error) = room.act(&engine, row.id, Verb::Stop).await
            {
                // Its driver is let go of below, whatever its log says.
                tracing::warn!(run = %row.id, %error, "a run is deleted without a Stop");
            }
            engine.let_go(row.id);
            Ok(())
        };
        self.detached(work).await
    }

    /// Deletes every word of an owner's for good; answers which runs these were.
    pub async fn erase(&self, owner: &str) -> Result<Vec<Uuid>, AppError> {
        let (engine, owner) = (self.clone(), owner.to_owned());
        let work = async move {
            let erased = engine.store().erase(&owner, now()).await?;
            erased.iter().for_each(|id| engine.let_go(*id));
            Ok(erased)
        };
        self.detached(work).await
    }

    fn let_go(&self, id: Uuid) {
        drivers::end(self, id);
        self.0.hub.forget(id);
    }

    /// Purges now, and then every hour, until the server stops.
    pub fn spawn_keeper(&self, retention: Option<Duration>) {
        let engine = self.clone();
        self.0.tasks.spawn(async move {
            let mut rounds = tokio::time::interval(ROUND);
            loop {
                tokio::select! {
                    () = engine.0.shutdown.cancelled() => return,
                    _ = rounds.tick() => match engine.purge(retention).await {
                        Ok(0) => {}
                        Ok(runs) => tracing::info!(runs, "runs were purged"),
                        Err(error) => tracing::error!(%error, "nothing could be purged"),
                    }
                }
            }
        });
    }

    /// Removes for good what was deleted more than a day ago, and what has not changed for as long as runs are kept.
    async fn purge(&self, retention: Option<Duration>) -> Result<u64, StoreError> {
        let idle_before = retention.map(|kept| now() - kept.as_millis() as i64);
        self.store().purge(now() - UNDO_MS, idle_before).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::flow::Stamp,
        settings::{Environment, Settings},
        store::{EventRow, NewRun, Store, story},
    };
    use std::sync::Arc;

    const DAY: Duration = Duration::from_secs(86_400);

    #[tokio::test]
    async fn what_is_over_time_goes_unless_it_is_pinned_or_running() {
        let (store, folder) = story::sqlite().await;
        let settings = Settings::load(folder.path(), &Environment::default()).expect("settings");
        let store: Arc<dyn Store> = Arc::new(store);
        let engine = Engine::new(store.clone(), vec![], settings.limits, "build".into());
        let make = async |days: i64, status: Status| {
            let at = now() - days * UNDO_MS - 1_000;
            let log = vec![EventRow { stamp: Stamp { seq: 1, at }, body: serde_json::json!({}) }];
            let (id, owner, title, setup) = (Uuid::now_v7(), "anna".into(), String::new(), serde_json::json!({}));
            store
                .create(NewRun { id, kind: "x", owner, title, setup, status, at, log, key: None, external_id: None, parent: None })
                .await
                .expect("made")
        };
        let (old, pinned, running, young) =
            (make(9, Status::Done).await, make(9, Status::Done).await, make(9, Status::Running).await, make(2, Status::Stopped).await);
        let (deleted, just_deleted) = (make(0, Status::Done).await, make(0, Status::Done).await);
        store.change(pinned, RunChange::Pinned(true)).await.expect("pinned");
        store.change(deleted, RunChange::Deleted(Some(now() - UNDO_MS - 1))).await.expect("deleted");
        store.change(just_deleted, RunChange::Deleted(Some(now() - UNDO_MS + 60_000))).await.expect("deleted");
        let check = async |kept: Option<Duration>, purged: u64, left: &[Uuid]| {
            assert_eq!(engine.purge(kept).await.expect("purged"), purged);
            for id in [old, pinned, running, young, deleted, just_deleted] {
                assert_eq!(store.run(id).await.expect("read").is_some(), left.contains(&id), "{kept:?}");
            }
        };
        check(None, 1, &[old, pinned, running, young, just_deleted]).await;
        check(Some(3 * DAY), 1, &[pinned, running, young, just_deleted]).await;
        check(Some(DAY), 1, &[pinned, running, just_deleted]).await;
    }
}
