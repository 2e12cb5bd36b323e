//! The store in one SQLite file, owned by one process: many readers, and one writer that commits in groups.

use super::{Append, EventRow, InputKey, NewRun, RunRow, Spent, Store, StoreError};
use crate::engine::{
    entry::Partial,
    flow::{Stamp, Status},
};
use futures::future::BoxFuture;
use sqlx::{
    Connection, Row, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteRow, SqliteSynchronous},
};
use std::{fs::File, path::Path, str::FromStr};
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

/// Writes committed together at most.
const BATCH: usize = 128;
/// What every query for a whole row selects.
const ROW: &str =
    "SELECT id, kind, owner, title, status, setup, seq, created_at, updated_at, input_tokens, output_tokens, cost_micros FROM runs";

type Job = Box<dyn for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Acknowledge> + Send>;
/// Answers whoever asked for the write, once the commit has gone through or has not.
type Acknowledge = Box<dyn FnOnce(bool) + Send>;

pub struct SqliteStore {
    readers: SqlitePool,
    writer: mpsc::Sender<Job>,
    /// Held as long as the process lives; the system drops it with a killed process.
    _lock: File,
}

impl SqliteStore {
    /// Opens `sqlite://path` (created with its folder where missing) and brings its tables up to date.
    /// All leases are void from here on: this process is the file's only one.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::from_str(url)
            .map_err(|error| StoreError::Open(format!("DATABASE_URL is not a SQLite address: {error}")))?
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true);
        let lock = lock(options.get_filename())?;
        let mut writer =
            SqliteConnection::connect_with(&options).await.map_err(|error| StoreError::Open(format!("{url} cannot be opened: {error}")))?;
        sqlx::migrate!("src/store/migrations").run(&mut writer).await?;
        sqlx::query("UPDATE runs SET lease_owner = NULL").execute(&mut writer).await?;
        let readers = SqlitePoolOptions::new().max_connections(4).connect_with(options.read_only(true)).await?;
        let (sender, jobs) = mpsc::channel(1024);
        tokio::spawn(write_in_groups(writer, jobs));
        Ok(SqliteStore { readers, writer: sender, _lock: lock })
    }

    async fn write<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            Box::pin(async move {
                let result = in_savepoint(connection, work).await;
                let acknowledge: Acknowledge = Box::new(move |committed| {
                    let _ = sender.send(if committed { result } else { Err(StoreError::Closed) });
                });
                acknowledge
            })
        });
        self.writer.send(job).await.map_err(|_| StoreError::Closed)?;
        receiver.await.map_err(|_| StoreError::Closed)?
    }
}

/// One process owns the file.
fn lock(file: &Path) -> Result<File, StoreError> {
    let open = |error: std::io::Error| {
        StoreError::Open(format!("{} cannot be written: {error}. Set DATABASE_URL to a place that can.", file.display()))
    };
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(open)?;
    }
    let mut name = file.as_os_str().to_owned();
    name.push(".lock");
    let lock = File::options().create(true).truncate(false).write(true).open(&name).map_err(open)?;
    lock.try_lock().map_err(|_| StoreError::InUse { file: file.display().to_string() })?;
    Ok(lock)
}

async fn write_in_groups(mut connection: SqliteConnection, mut jobs: mpsc::Receiver<Job>) {
    let mut group = Vec::with_capacity(BATCH);
    while jobs.recv_many(&mut group, BATCH).await > 0 {
        let mut acknowledgements = Vec::with_capacity(group.len());
        let committed = commit(&mut connection, group.drain(..), &mut acknowledgements).await;
        if let Err(error) = &committed {
            tracing::error!(%error, "a group of writes was not committed");
            let _ = sqlx::query("ROLLBACK").execute(&mut connection).await;
        }
        for acknowledge in acknowledgements {
            acknowledge(committed.is_ok());
        }
    }
    let _ = connection.close().await;
}

async fn commit(
    connection: &mut SqliteConnection,
    group: impl Iterator<Item = Job>,
    acknowledgements: &mut Vec<Acknowledge>,
) -> Result<(), sqlx::Error> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    for job in group {
        acknowledgements.push(job(connection).await);
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}

/// One failing write leaves the others of its group alone.
async fn in_savepoint<T, W>(connection: &mut SqliteConnection, work: W) -> Result<T, StoreError>
where
    W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>>,
{
    sqlx::query("SAVEPOINT job").execute(&mut *connection).await?;
    let result = work(connection).await;
    let end = if result.is_ok() { "RELEASE job" } else { "ROLLBACK TO job; RELEASE job" };
    sqlx::raw_sql(end).execute(connection).await?;
    result
}

#[async_trait::async_trait]
impl Store for SqliteStore {
    async fn create(&self, run: NewRun) -> Result<Uuid, StoreError> {
        self.write(|connection| Box::pin(create(connection, run))).await
    }

    async fn run(&self, id: Uuid) -> Result<Option<RunRow>, StoreError> {
        let row =
            sqlx::query(sqlx::AssertSqlSafe(format!("{ROW} WHERE id = ?"))).bind(id.to_string()).fetch_optional(&self.readers).await?;
        row.as_ref().map(run_row).transpose()
    }

    async fn events(&self, id: Uuid, after: i64) -> Result<Vec<EventRow>, StoreError> {
        let rows = sqlx::query("SELECT seq, at, body FROM run_events WHERE run_id = ? AND seq > ? ORDER BY seq")
            .bind(id.to_string())
            .bind(after)
            .fetch_all(&self.readers)
            .await?;
        let event =
            |row: &SqliteRow| Ok(EventRow { stamp: Stamp { seq: row.try_get("seq")?, at: row.try_get("at")? }, body: json(row, "body")? });
        rows.iter().map(event).collect()
    }

    async fn append(&self, add: Append) -> Result<(), StoreError> {
        self.write(|connection| Box::pin(append(connection, add))).await
    }

    async fn claim(&self, id: Uuid, server: Uuid) -> Result<i64, StoreError> {
        self.write(move |connection| {
            Box::pin(async move {
                let row = sqlx::query("UPDATE runs SET lease_owner = ?, lease_epoch = lease_epoch + 1 WHERE id = ? RETURNING lease_epoch")
                    .bind(server.to_string())
                    .bind(id.to_string())
                    .fetch_optional(connection)
                    .await?;
                Ok(row.ok_or(StoreError::NotFound)?.try_get(0)?)
            })
        })
        .await
    }

    async fn running(&self) -> Result<Vec<(Uuid, String)>, StoreError> {
        let rows = sqlx::query("SELECT id, kind FROM runs WHERE status = 'running'").fetch_all(&self.readers).await?;
        rows.iter().map(|row| Ok((uuid(row)?, row.try_get("kind")?))).collect()
    }

    async fn save_partial(&self, id: Uuid, partial: Partial) -> Result<(), StoreError> {
        self.write(move |connection| {
            Box::pin(async move {
                sqlx::query(
                    "INSERT INTO run_partials (run_id, message, text) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET text = excluded.text",
                )
                .bind(id.to_string())
                .bind(partial.message)
                .bind(partial.text)
                .execute(connection)
                .await?;
                Ok(())
            })
        })
        .await
    }

    async fn partials(&self, id: Uuid) -> Result<Vec<Partial>, StoreError> {
        let rows = sqlx::query("SELECT message, text FROM run_partials WHERE run_id = ? ORDER BY message")
            .bind(id.to_string())
            .fetch_all(&self.readers)
            .await?;
        rows.iter().map(|row| Ok(Partial { message: row.try_get("message")?, text: row.try_get("text")? })).collect()
    }

    async fn list(&self, owner: &str, limit: i64) -> Result<Vec<RunRow>, StoreError> {
        let query = sqlx::query(sqlx::AssertSqlSafe(format!("{ROW} WHERE owner = ? ORDER BY created_at DESC, id DESC LIMIT ?")));
        query.bind(owner).bind(limit).fetch_all(&self.readers).await?.iter().map(run_row).collect()
    }

    async fn spent(&self, owner: Option<&str>, since: i64) -> Result<Spent, StoreError> {
        let row = sqlx::query(
            "SELECT COUNT(*) AS runs, COALESCE(SUM(input_tokens + output_tokens), 0) AS tokens
             FROM runs WHERE created_at >= ?1 AND (?2 IS NULL OR owner = ?2)",
        )
        .bind(since)
        .bind(owner)
        .fetch_one(&self.readers)
        .await?;
        Ok(Spent { runs: row.try_get("runs")?, tokens: row.try_get("tokens")? })
    }

    async fn secret(&self, name: &str) -> Result<Vec<u8>, StoreError> {
        let (name, fresh) = (name.to_owned(), rand::random::<[u8; 32]>().to_vec());
        self.write(move |connection| {
            Box::pin(async move {
                let insert = sqlx::query("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING").bind(&name).bind(fresh);
                insert.execute(&mut *connection).await?;
                Ok(sqlx::query("SELECT value FROM secrets WHERE name = ?").bind(&name).fetch_one(connection).await?.try_get(0)?)
            })
        })
        .await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1 FROM runs LIMIT 1").fetch_optional(&self.readers).await?;
        Ok(())
    }
}

async fn create(connection: &mut SqliteConnection, run: NewRun) -> Result<Uuid, StoreError> {
    if let Some(key) = &run.key
        && let Some(earlier) = find_key(connection, key).await?
    {
        return Ok(earlier);
    }
    sqlx::query(
        "INSERT INTO runs (id, kind, owner, title, status, setup, seq, created_at, updated_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?7)",
    )
    .bind(run.id.to_string())
    .bind(run.kind)
    .bind(run.owner)
    .bind(run.title)
    .bind(run.status.word())
    .bind(run.setup.to_string())
    .bind(run.at)
    .execute(&mut *connection)
    .await?;
    insert_event(connection, run.id, 1, run.at, &run.body).await?;
    if let Some(key) = run.key {
        sqlx::query("INSERT INTO run_inputs (scope, idempotency_key, fingerprint, run_id) VALUES (?, ?, ?, ?)")
            .bind(key.scope)
            .bind(key.key)
            .bind(key.fingerprint)
            .bind(run.id.to_string())
            .execute(connection)
            .await?;
    }
    Ok(run.id)
}

async fn find_key(connection: &mut SqliteConnection, key: &InputKey) -> Result<Option<Uuid>, StoreError> {
    let row = sqlx::query("SELECT run_id AS id, fingerprint FROM run_inputs WHERE scope = ? AND idempotency_key = ?")
        .bind(&key.scope)
        .bind(&key.key)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    if row.try_get::<&str, _>("fingerprint")? == key.fingerprint { Ok(Some(uuid(&row)?)) } else { Err(StoreError::KeyReused) }
}

async fn append(connection: &mut SqliteConnection, add: Append) -> Result<(), StoreError> {
    let fenced = sqlx::query(
        "UPDATE runs SET seq = seq + ?1, status = ?2, updated_at = ?3, input_tokens = input_tokens + ?4,
           output_tokens = output_tokens + ?5, cost_micros = cost_micros + ?6
         WHERE id = ?7 AND seq = ?8 AND (?9 IS NULL OR lease_epoch = ?9)",
    )
    .bind(add.bodies.len() as i64)
    .bind(add.status.word())
    .bind(add.at)
    .bind(add.input_tokens)
    .bind(add.output_tokens)
    .bind(add.cost_micros)
    .bind(add.run.to_string())
    .bind(add.after)
    .bind(add.epoch)
    .execute(&mut *connection)
    .await?;
    if fenced.rows_affected() != 1 {
        return Err(StoreError::Conflict);
    }
    for (seq, body) in (add.after + 1..).zip(&add.bodies) {
        insert_event(connection, add.run, seq, add.at, body).await?;
    }
    sqlx::query("DELETE FROM run_partials WHERE run_id = ? AND message NOT IN (SELECT value FROM json_each(?))")
        .bind(add.run.to_string())
        .bind(serde_json::json!(add.open).to_string())
        .execute(connection)
        .await?;
    Ok(())
}

async fn insert_event(connection: &mut SqliteConnection, run: Uuid, seq: i64, at: i64, body: &serde_json::Value) -> Result<(), StoreError> {
    sqlx::query("INSERT INTO run_events (run_id, seq, at, body) VALUES (?, ?, ?, ?)")
        .bind(run.to_string())
        .bind(seq)
        .bind(at)
        .bind(body.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

fn run_row(row: &SqliteRow) -> Result<RunRow, StoreError> {
    let status: &str = row.try_get("status")?;
    Ok(RunRow {
        id: uuid(row)?,
        kind: row.try_get("kind")?,
        owner: row.try_get("owner")?,
        title: row.try_get("title")?,
        status: Status::parse(status).ok_or_else(|| StoreError::Decode(format!("status {status}")))?,
        setup: json(row, "setup")?,
        seq: row.try_get("seq")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
        input_tokens: row.try_get("input_tokens")?,
        output_tokens: row.try_get("output_tokens")?,
        cost_micros: row.try_get("cost_micros")?,
    })
}

fn uuid(row: &SqliteRow) -> Result<Uuid, StoreError> {
    let id: &str = row.try_get("id")?;
    Uuid::parse_str(id).map_err(|error| StoreError::Decode(format!("{id}: {error}")))
}

fn json(row: &SqliteRow, column: &str) -> Result<serde_json::Value, StoreError> {
    serde_json::from_str(row.try_get(column)?).map_err(|error| StoreError::Decode(error.to_string()))
}
