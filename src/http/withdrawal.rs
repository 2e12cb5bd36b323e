//! Ends open streams whose reader may not read on: a deleted run's, and a guest's once the link is revoked.
//! The reader comes back by its cursor and is then told that there is no such run.

use axum::{body::Body, response::Response};
use futures::StreamExt;
use std::collections::BTreeMap;
use tokio::sync::broadcast;
use uuid::Uuid;

/// Withdrawals a stream may be behind before it is ended to be on the safe side.
const BACKLOG: usize = 64;

#[derive(Clone, Copy)]
struct Withdrawal {
    run: Uuid,
    guests_only: bool,
}

#[derive(Clone)]
pub struct Withdrawals(broadcast::Sender<Withdrawal>);

impl Default for Withdrawals {
    fn default() -> Self {
        Withdrawals(broadcast::Sender::new(BACKLOG))
    }
}

/// Listens from the moment it was made, so that nothing is missed between a permission and its stream.
pub struct Watch(broadcast::Receiver<Withdrawal>);

impl Withdrawals {
    /// Nobody reads it any more.
    pub fn everyone(&self, run: Uuid) {
        let _ = self.0.send(Withdrawal { run, guests_only: false });
    }

    /// Nobody reads it any more by its link.
    pub fn guests(&self, run: Uuid) {
        let _ = self.0.send(Withdrawal { run, guests_only: true });
    }

    pub fn watch(&self) -> Watch {
        Watch(self.0.subscribe())
    }
}

impl Watch {
    /// The response, whose body ends once one of these runs is withdrawn; `true` stands for a guest's.
    pub fn guard(mut self, runs: BTreeMap<Uuid, bool>, response: Response) -> Response {
        let withdrawn = async move {
            while let Ok(withdrawal) = self.0.recv().await {
                let concerns = |guest: &bool| *guest || !withdrawal.guests_only;
                if runs.get(&withdrawal.run).is_some_and(concerns) {
                    return;
                }
            }
        };
        response.map(|body| Body::from_stream(body.into_data_stream().take_until(Box::pin(withdrawn))))
    }
}
