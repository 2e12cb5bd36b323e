//! Which runs have a driver in this process, and how they are woken.

use super::{Engine, now};
use crate::{
    engine::{
        entry::{Entry, RunEvent, ask_json},
        flow::{Stamp, Status},
    },
    store::{Append, EventRow, StoreError},
    telemetry::metrics,
};
use futures::FutureExt;
use std::{
    collections::HashMap,
    panic::AssertUnwindSafe,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::sync::Notify;
use uuid::Uuid;

/// Says to a driver that its log has grown, or that its run was deleted.
#[derive(Default)]
pub struct Wake {
    due: AtomicBool,
    ended: AtomicBool,
    notify: Notify,
}

impl Wake {
    fn up(&self) {
        self.due.store(true, Ordering::SeqCst);
        self.notify.notify_one();
    }

    pub async fn woken(&self) {
        self.notify.notified().await;
        self.due.store(false, Ordering::SeqCst);
    }

    /// Is there nothing to drive any more? Said once.
    pub fn take_ended(&self) -> bool {
        self.ended.swap(false, Ordering::SeqCst)
    }
}

#[derive(Default)]
pub struct Drivers(Mutex<HashMap<Uuid, Arc<Wake>>>);

impl Drivers {
    fn with<T>(&self, work: impl FnOnce(&mut HashMap<Uuid, Arc<Wake>>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Leaves, unless somebody has called since the driver looked last.
    fn leave(&self, id: Uuid, wake: &Wake) -> bool {
        self.with(|active| {
            let free = !wake.due.swap(false, Ordering::SeqCst);
            if free {
                active.remove(&id);
            }
            free
        })
    }
}

/// Lets go of a run that was deleted: its calls end with its driver.
pub fn end(engine: &Engine, id: Uuid) {
    engine.0.drivers.with(|active| {
        if let Some(wake) = active.get(&id) {
            wake.ended.store(true, Ordering::SeqCst);
            wake.notify.notify_one();
        }
    });
}

/// Wakes the run's driver, or starts one.
pub fn ensure(engine: &Engine, id: Uuid, kind: &str) {
    let Some(room) = engine.room(kind).cloned() else { return };
    if engine.shutdown().is_cancelled() {
        return;
    }
    let started = engine.0.drivers.with(|active| match active.get(&id) {
        Some(wake) => {
            wake.up();
            None
        }
        None => Some(active.entry(id).or_default().clone()),
    });
    let Some(wake) = started else { return };
    let owner = engine.clone();
    engine.0.tasks.spawn(async move {
        loop {
            wake.take_ended();
            let driven = match is_gone(&owner, id).await {
                true => Ok(Ok(())),
                false => AssertUnwindSafe(room.drive(&owner, id, &wake)).catch_unwind().await,
            };
            match driven {
                Ok(Ok(())) => {}
                // What was deleted under a driver cannot be written any more, nor need it be.
                _ if is_gone(&owner, id).await => {}
                Err(_) | Ok(Err(StoreError::Decode(_))) => fail(&owner, id).await,
                // The sweeper comes back to it.
                Ok(Err(error)) => tracing::error!(run = %id, %error, "a driver gave up"),
            }
            if owner.shutdown().is_cancelled() || owner.0.drivers.leave(id, &wake) {
                return;
            }
        }
    });
}

async fn is_gone(engine: &Engine, id: Uuid) -> bool {
    engine.store().run(id).await.is_ok_and(|row| row.is_none_or(|row| row.deleted_at.is_some()))
}

/// A driver that panicked, or whose log does not fold, would do so again: the run ends, with its log intact.
async fn fail(engine: &Engine, id: Uuid) {
    tracing::error!(run = %id, "a run cannot be driven");
    let Ok(Some(row)) = engine.store().run(id).await else { return };
    let body = ask_json(&Entry::<()>::Run(RunEvent::Failed { why: "Something went wrong on our side.".to_owned(), cause: None }));
    let at = now();
    let fact = EventRow { stamp: Stamp { seq: row.seq + 1, at }, body: body.clone() };
    let append = Append {
        run: id,
        after: row.seq,
        epoch: None,
        at,
        bodies: vec![body],
        status: Status::Failed,
        open: vec![],
        input_tokens: 0,
        output_tokens: 0,
        cost_micros: 0,
    };
    match engine.store().append(append).await {
        Ok(()) => {
            metrics::run_moved(&row.kind, Status::Failed);
            engine.0.hub.facts(id, &[fact], &[], &[], engine.standing(id, Status::Failed));
        }
        Err(error) => tracing::error!(run = %id, %error, "a failed run could not be ended"),
    }
}
