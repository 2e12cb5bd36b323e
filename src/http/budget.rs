//! Budgets of runs and tokens a day, where a real provider is used and strangers can reach the server.

use super::{AppState, Client, guesses::block};
use crate::{
    engine::server::now,
    error::{AppError, Code},
};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::OwnedMutexGuard;

const DAY_MS: i64 = 86_400_000;

#[derive(Default)]
pub struct Budget {
    /// Runs started today by address, since a cookie costs nothing; the rest is counted in the store.
    starts: Mutex<(i64, HashMap<IpAddr, i64>)>,
    turn: Arc<tokio::sync::Mutex<()>>,
}

/// Whoever holds it may start one run. Nobody else is told that there is room before that run is counted.
pub type Spending = OwnedMutexGuard<()>;

impl Budget {
    pub async fn within(&self, app: &AppState, client: &Client) -> Result<Spending, AppError> {
        let spending = self.turn.clone().lock_owned().await;
        let limits = app.engine.limits();
        let today = now() / DAY_MS * DAY_MS;
        let store = app.engine.store();
        let own = store.spent(Some(&client.owner), today).await?;
        let all = store.spent(None, today).await?;
        let used = own.runs >= limits.runs_per_owner
            || own.tokens >= limits.tokens_per_owner
            || all.runs >= limits.runs_per_day
            || all.tokens >= limits.tokens_per_day
            || self.count(client.address, today) > limits.runs_per_address;
        if used {
            Err(AppError::new(Code::Budget, "Today’s budget for conversations with a real model is used up.")
                .remedy("Come back tomorrow, or ask whoever runs this server."))
        } else {
            Ok(spending)
        }
    }

    /// Counts this start and answers how many that address has made today.
    fn count(&self, address: IpAddr, today: i64) -> i64 {
        let mut counts = self.starts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.0 != today {
            *counts = (today, HashMap::new());
        }
        let count = counts.1.entry(block(address)).or_default();
        *count += 1;
        *count
    }
}
