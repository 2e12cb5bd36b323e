//! The store in one SQLite file, owned by one process: many readers, and one writer that commits in groups.

use super::{Append, EventRow, InputKey, NewRun, OpenText, PersonaRow, RunChange, RunRow, Spent, Store, StoreError};
use crate::engine::{entry::Partial, flow::Stamp};
use rows::{FOUND, RUN, json, run_row, uuid};
use sqlx::{
    Connection, Row, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteRow, SqliteSynchronous},
};
use std::{fs::File, os::unix::fs::OpenOptionsExt, path::Path, str::FromStr};
use uuid::Uuid;
use writer::Writer;

mod append;
mod backup;
mod history;
mod log;
mod rows;
mod writer;

pub struct SqliteStore {
    readers: SqlitePool,
    writer: Writer,
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
        // It holds every word and the key that signs cookies; SQLite gives its other files the same mode.
        File::options().create(true).append(true).mode(0o600).open(options.get_filename()).map_err(cannot_write(options.get_filename()))?;
        let mut writer =
            SqliteConnection::connect_with(&options).await.map_err(|error| StoreError::Open(format!("{url} cannot be opened: {error}")))?;
        sqlx::migrate!("src/store/migrations").run(&mut writer).await?;
        sqlx::query("UPDATE runs SET lease_owner = NULL").execute(&mut writer).await?;
        let readers = SqlitePoolOptions::new().max_connections(4).connect_with(options.read_only(true)).await?;
        Ok(SqliteStore { readers, writer: Writer::spawn(writer), _lock: lock })
    }
}

fn cannot_write(file: &Path) -> impl Fn(std::io::Error) -> StoreError + Copy + '_ {
    move |error| StoreError::Open(format!("{} cannot be written: {error}. Set DATABASE_URL to a place that can.", file.display()))
}

/// One process owns the file.
fn lock(file: &Path) -> Result<File, StoreError> {
    let open = cannot_write(file);
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(open)?;
    }
    let mut name = file.as_os_str().to_owned();
    name.push(".lock");
    let lock = File::options().create(true).truncate(false).write(true).open(&name).map_err(open)?;
    lock.try_lock().map_err(|_| StoreError::InUse { file: file.display().to_string() })?;
    Ok(lock)
}

#[async_trait::async_trait]
impl Store for SqliteStore {
    async fn create(&self, run: NewRun) -> Result<Uuid, StoreError> {
        self.writer.write(|connection| Box::pin(log::create(connection, run))).await
    }

    async fn started(&self, key: &InputKey) -> Result<Option<Uuid>, StoreError> {
        log::find_key(&self.readers, key).await
    }

    async fn run(&self, id: Uuid) -> Result<Option<RunRow>, StoreError> {
        let row =
            sqlx::query(sqlx::AssertSqlSafe(format!("{RUN} WHERE id = ?"))).bind(id.to_string()).fetch_optional(&self.readers).await?;
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
        self.writer.append(add).await
    }

    async fn claim(&self, id: Uuid, server: Uuid) -> Result<i64, StoreError> {
        self.writer
            .write(move |connection| {
                Box::pin(async move {
                    let row =
                        sqlx::query("UPDATE runs SET lease_owner = ?, lease_epoch = lease_epoch + 1 WHERE id = ? RETURNING lease_epoch")
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
        let rows =
            sqlx::query("SELECT id, kind FROM runs WHERE status = 'running' AND deleted_at IS NULL").fetch_all(&self.readers).await?;
        rows.iter().map(|row| Ok((uuid(row)?, row.try_get("kind")?))).collect()
    }

    async fn save_partials(&self, texts: Vec<OpenText>) -> Result<(), StoreError> {
        self.writer.save_partials(texts).await
    }

    async fn partials(&self, id: Uuid) -> Result<Vec<Partial>, StoreError> {
        let rows = sqlx::query("SELECT message, text FROM run_partials WHERE run_id = ? ORDER BY message")
            .bind(id.to_string())
            .fetch_all(&self.readers)
            .await?;
        rows.iter().map(|row| Ok(Partial { message: row.try_get("message")?, text: row.try_get("text")? })).collect()
    }

    async fn list(&self, owner: &str, words: &str, limit: i64) -> Result<Vec<RunRow>, StoreError> {
        let query = format!("{RUN} WHERE {FOUND} ORDER BY pinned DESC, created_at DESC, id DESC LIMIT ?3");
        let rows = sqlx::query(sqlx::AssertSqlSafe(query)).bind(owner).bind(containing(words)).bind(limit).fetch_all(&self.readers).await?;
        rows.iter().map(run_row).collect()
    }

    async fn count(&self, owner: &str, words: &str) -> Result<i64, StoreError> {
        let query = sqlx::query(sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM runs WHERE {FOUND}")));
        Ok(query.bind(owner).bind(containing(words)).fetch_one(&self.readers).await?.try_get(0)?)
    }

    async fn external(&self, owner: &str, kind: &str, external_id: &str) -> Result<Option<RunRow>, StoreError> {
        let query = sqlx::query(sqlx::AssertSqlSafe(format!("{RUN} WHERE owner = ? AND kind = ? AND external_id = ?")));
        query.bind(owner).bind(kind).bind(external_id).fetch_optional(&self.readers).await?.as_ref().map(run_row).transpose()
    }

    async fn forks(&self, id: Uuid) -> Result<Vec<RunRow>, StoreError> {
        let query = sqlx::query(sqlx::AssertSqlSafe(format!("{RUN} WHERE parent = ? AND deleted_at IS NULL ORDER BY created_at, id")));
        query.bind(id.to_string()).fetch_all(&self.readers).await?.iter().map(run_row).collect()
    }

    async fn change(&self, id: Uuid, change: RunChange) -> Result<(), StoreError> {
        self.writer.write(move |connection| Box::pin(history::change(connection, id, change))).await
    }

    async fn share(&self, id: Uuid, token: &str, at: i64) -> Result<String, StoreError> {
        let token = token.to_owned();
        self.writer.write(move |connection| Box::pin(history::share(connection, id, token, at))).await
    }

    async fn unshare(&self, id: Uuid) -> Result<(), StoreError> {
        self.writer.write(move |connection| Box::pin(history::unshare(connection, id))).await
    }

    async fn share_of(&self, id: Uuid) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("SELECT token FROM shares WHERE run_id = ?").bind(id.to_string()).fetch_optional(&self.readers).await?;
        Ok(row.map(|row| row.try_get("token")).transpose()?)
    }

    async fn shared(&self, token: &str) -> Result<Option<Uuid>, StoreError> {
        let row = sqlx::query("SELECT run_id AS id FROM shares WHERE token = ?").bind(token).fetch_optional(&self.readers).await?;
        row.as_ref().map(uuid).transpose()
    }

    async fn erase(&self, owner: &str, at: i64) -> Result<Vec<Uuid>, StoreError> {
        let owner = owner.to_owned();
        self.writer.write(move |connection| Box::pin(history::erase(connection, owner, at))).await
    }

    async fn purge(&self, deleted_before: i64, idle_before: Option<i64>) -> Result<u64, StoreError> {
        self.writer.write(move |connection| Box::pin(history::purge(connection, deleted_before, idle_before))).await
    }

    async fn personas(&self, owner: &str, room: &str) -> Result<Vec<PersonaRow>, StoreError> {
        let query = sqlx::query("SELECT name, text FROM personas WHERE owner = ? AND room = ? ORDER BY name");
        let rows = query.bind(owner).bind(room).fetch_all(&self.readers).await?;
        rows.iter().map(|row| Ok(PersonaRow { name: row.try_get("name")?, text: row.try_get("text")? })).collect()
    }

    async fn save_persona(&self, owner: &str, room: &str, persona: PersonaRow, at: i64) -> Result<(), StoreError> {
        let place = [owner, room].map(str::to_owned);
        self.writer.write(move |connection| Box::pin(history::save_persona(connection, place, persona, at))).await
    }

    async fn delete_persona(&self, owner: &str, room: &str, name: &str) -> Result<(), StoreError> {
        let place = [owner, room, name].map(str::to_owned);
        self.writer.write(move |connection| Box::pin(history::delete_persona(connection, place))).await
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
        self.writer
            .write(move |connection| {
                Box::pin(async move {
                    let insert =
                        sqlx::query("INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING").bind(&name).bind(fresh);
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

/// A LIKE pattern for whatever contains these words as they stand.
fn containing(words: &str) -> String {
    let escaped: String =
        words.chars().flat_map(|c| ['\\'].into_iter().filter(move |_| matches!(c, '%' | '_' | '\\')).chain([c])).collect();
    format!("%{escaped}%")
}
