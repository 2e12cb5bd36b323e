//! Acknowledged appends of many writers, beside the same appends with a commit of its own for each, on the same disk
//! and with the same care for it (WAL, `synchronous=FULL`).

use crate::{Measured, Plan, goal, percentile, row};
use colloquy::{
    engine::flow::{Flow, Stamp, Status},
    rooms::simulate::flow::Simulate,
    store::{Append, EventRow, NewRun, SqliteStore, Store},
};
use futures::future::join_all;
use serde_json::json;
use sqlx::{
    Connection, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use std::{path::Path, sync::Arc, time::Instant};
use tokio::sync::Mutex;
use uuid::Uuid;

const WRITERS: usize = 100;
/// Appends of each writer: to ours, and, since that takes longer, to the rival.
const OURS: usize = 400;
const THEIRS: usize = 60;

/// What a way of appending gives.
struct Rate {
    per_second: f64,
    p99_ms: f64,
}

pub async fn measure(plan: &Plan) -> Measured {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("log.db");
    let store = Arc::new(SqliteStore::open(&format!("sqlite://{}", file.display())).await.map_err(|error| error.to_string())?);
    let mut runs = Vec::new();
    for _ in 0..WRITERS * 2 {
        runs.push(run(&store).await);
    }
    let (mine, rivals) = runs.split_at(WRITERS);
    let ours = rate(mine, plan.count(OURS), move |add| {
        let store = store.clone();
        async move { store.append(add).await.expect("appended") }
    })
    .await;
    let connection = Arc::new(Mutex::new(open(&file).await?));
    let theirs = rate(rivals, plan.count(THEIRS), move |add| {
        let connection = connection.clone();
        async move { alone(&mut *connection.lock().await, add).await.expect("appended") }
    })
    .await;
    let ratio = ours.per_second / theirs.per_second;
    let per_second = |rate: &Rate| format!("{:.0}/s", rate.per_second);
    row("appends of 100 writers / a commit for each", per_second(&ours), per_second(&theirs), Some(ratio), &goal("≥ 8", ratio >= 8.0));
    let (mine, other) = (ours.p99_ms, theirs.p99_ms);
    row("  p99 of an acknowledgement", format!("{mine:.1} ms"), format!("{other:.1} ms"), Some(mine / other), &goal("< 1", mine < other));
    Ok(())
}

async fn run(store: &SqliteStore) -> Uuid {
    let id = Uuid::now_v7();
    let first = EventRow { stamp: Stamp { seq: 1, at: 0 }, body: json!({}) };
    let run = NewRun {
        id,
        kind: Simulate::KIND,
        owner: "bench".into(),
        title: String::new(),
        setup: json!({}),
        status: Status::Running,
        at: 0,
        log: vec![first],
        key: None,
        external_id: None,
        parent: None,
    };
    store.create(run).await.expect("created")
}

fn entry(run: Uuid, after: i64) -> Append {
    Append {
        run,
        after,
        epoch: None,
        at: 0,
        bodies: vec![json!({ "room": { "answered": { "answer": { "text": "An answer of a length as it may be.", "cut": false } } } })],
        status: Status::Running,
        open: vec![],
        input_tokens: 0,
        output_tokens: 0,
        cost_micros: 0,
    }
}

/// Each writer appends to a run of its own, the next entry once the last is acknowledged.
async fn rate<F: Future<Output = ()> + Send + 'static>(
    runs: &[Uuid],
    each: usize,
    append: impl Fn(Append) -> F + Clone + Send + Sync + 'static,
) -> Rate {
    let started = Instant::now();
    let writers = runs.iter().map(|run| {
        let (run, append) = (*run, append.clone());
        tokio::spawn(async move {
            let mut waits = Vec::with_capacity(each);
            for after in 1..=each as i64 {
                let asked = Instant::now();
                append(entry(run, after)).await;
                waits.push(asked.elapsed().as_secs_f64() * 1e3);
            }
            waits
        })
    });
    let waits = join_all(writers.collect::<Vec<_>>()).await;
    let took = started.elapsed().as_secs_f64();
    let mut waits: Vec<f64> = waits.into_iter().flat_map(|waits| waits.expect("it ends")).collect();
    Rate { per_second: waits.len() as f64 / took, p99_ms: percentile(&mut waits, 0.99) }
}

async fn open(file: &Path) -> Result<SqliteConnection, String> {
    let options = SqliteConnectOptions::new().filename(file).journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full);
    SqliteConnection::connect_with(&options).await.map_err(|error| error.to_string())
}

/// The same fenced append, with a transaction for itself.
async fn alone(connection: &mut SqliteConnection, add: Append) -> Result<(), sqlx::Error> {
    let run = add.run.to_string();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let fenced = sqlx::query("UPDATE runs SET seq = seq + 1, status = ?, updated_at = ? WHERE id = ? AND seq = ?");
    fenced.bind(add.status.word()).bind(add.at).bind(&run).bind(add.after).execute(&mut *connection).await?;
    let insert = sqlx::query("INSERT INTO run_events (run_id, seq, at, body) VALUES (?, ?, ?, ?)");
    insert.bind(&run).bind(add.after + 1).bind(add.at).bind(add.bodies[0].to_string()).execute(&mut *connection).await?;
    sqlx::query("DELETE FROM run_partials WHERE run_id = ?").bind(&run).execute(&mut *connection).await?;
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}
