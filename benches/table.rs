//! The benchmark table: each figure beside something real, measured in the same run.

use colloquy::{
    engine::{
        entry::Run,
        flow::{Flow, Stamp, Status},
    },
    rooms::simulate::flow::Simulate,
    store::{Append, EventRow, NewRun, SqliteStore, Store},
};
use serde_json::{Value, json};
use sqlx::Connection;
use std::time::{Duration, Instant};
use uuid::Uuid;

const GOLDEN: &str = include_str!("../src/rooms/simulate/flow/golden/journey.jsonl");
const ROUNDS: u32 = 400;

#[tokio::main]
async fn main() {
    println!("{:<44} {:>12} {:>12} {:>7}", "what, and beside what", "ours", "theirs", "ratio");
    fold();
    append().await;
    grouped().await;
}

fn row(what: &str, ours: Duration, theirs: Duration) {
    println!("{what:<44} {ours:>12.1?} {theirs:>12.1?} {:>7.2}", ours.as_secs_f64() / theirs.as_secs_f64());
}

/// Folding a log, beside parsing the same lines as JSON.
fn fold() {
    let lines: Vec<&str> = GOLDEN.lines().collect();
    let parse = || lines.iter().map(|line| serde_json::from_str::<Value>(line).expect("JSON")).collect::<Vec<_>>();
    let log = parse();
    let (started, mut folded) = (Instant::now(), 0);
    for _ in 0..ROUNDS {
        folded += Run::<Simulate>::fold((1..).zip(&log).map(|(seq, body)| (Stamp { seq, at: 0 }, body))).expect("it folds").seq;
    }
    let ours = started.elapsed() / ROUNDS;
    let (started, mut parsed) = (Instant::now(), 0);
    for _ in 0..ROUNDS {
        parsed += parse().len();
    }
    assert_eq!(folded as usize, parsed);
    row("fold a log / parse its JSON", ours, started.elapsed() / ROUNDS);
}

async fn store(folder: &tempfile::TempDir) -> SqliteStore {
    SqliteStore::open(&format!("sqlite://{}/ours.db", folder.path().display())).await.expect("a store")
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
        bodies: vec![json!({ "room": after })],
        status: Status::Running,
        open: vec![],
        input_tokens: 0,
        output_tokens: 0,
        cost_micros: 0,
    }
}

/// The time of a bare insert with a commit of its own, on the same disk and with the same care for it.
async fn plain(folder: &tempfile::TempDir) -> Duration {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.path().join("theirs.db")).create_if_missing(true);
    let options = options.journal_mode(sqlx::sqlite::SqliteJournalMode::Wal).synchronous(sqlx::sqlite::SqliteSynchronous::Full);
    let mut connection = sqlx::SqliteConnection::connect_with(&options).await.expect("opened");
    sqlx::query("CREATE TABLE t (seq INTEGER PRIMARY KEY, body TEXT)").execute(&mut connection).await.expect("created");
    let started = Instant::now();
    for seq in 0..ROUNDS {
        sqlx::query("INSERT INTO t VALUES (?, ?)").bind(seq).bind("{}").execute(&mut connection).await.expect("inserted");
    }
    started.elapsed() / ROUNDS
}

/// One fenced append after the other.
async fn append() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store(&folder).await;
    let id = run(&store).await;
    let started = Instant::now();
    for after in 1..=i64::from(ROUNDS) {
        store.append(entry(id, after)).await.expect("appended");
    }
    let ours = started.elapsed() / ROUNDS;
    row("append / bare insert and commit", ours, plain(&folder).await);
}

/// Appends to sixteen runs at once, which are committed in groups.
async fn grouped() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store(&folder).await;
    let mut runs = Vec::new();
    for _ in 0..16 {
        runs.push(run(&store).await);
    }
    let started = Instant::now();
    for after in 1..=i64::from(ROUNDS / 16) {
        let all = futures::future::join_all(runs.iter().map(|id| store.append(entry(*id, after)))).await;
        assert!(all.iter().all(Result::is_ok));
    }
    let ours = started.elapsed() / (ROUNDS / 16 * 16);
    row("append, 16 runs at once / bare insert, commit", ours, plain(&folder).await);
}
