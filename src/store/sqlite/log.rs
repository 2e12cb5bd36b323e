//! Writing a run's first entries.

use super::rows::uuid;
use crate::store::{EventRow, InputKey, NewRun, StoreError};
use sqlx::{Row, SqliteConnection, SqliteExecutor};
use uuid::Uuid;

pub async fn create(connection: &mut SqliteConnection, run: NewRun) -> Result<Uuid, StoreError> {
    if let Some(key) = &run.key
        && let Some(earlier) = find_key(&mut *connection, key).await?
    {
        return Ok(earlier);
    }
    if let Some(running) = find_running(connection, &run).await? {
        return Ok(running);
    }
    // A client may start a conversation anew under the id it has given to an earlier one.
    sqlx::query("UPDATE runs SET external_id = NULL WHERE owner = ? AND kind = ? AND external_id = ?")
        .bind(&run.owner)
        .bind(run.kind)
        .bind(&run.external_id)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "INSERT INTO runs (id, kind, owner, title, status, setup, seq, created_at, updated_at, external_id, parent)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10)",
    )
    .bind(run.id.to_string())
    .bind(run.kind)
    .bind(run.owner)
    .bind(run.title)
    .bind(run.status.word())
    .bind(run.setup.to_string())
    .bind(run.log.len() as i64)
    .bind(run.at)
    .bind(run.external_id)
    .bind(run.parent.map(|parent| parent.to_string()))
    .execute(&mut *connection)
    .await?;
    for EventRow { stamp, body } in &run.log {
        insert_event(connection, run.id, stamp.seq, stamp.at, body).await?;
    }
    if let Some(key) = run.key {
        sqlx::query("INSERT OR REPLACE INTO run_inputs (scope, idempotency_key, fingerprint, run_id) VALUES (?, ?, ?, ?)")
            .bind(key.scope)
            .bind(key.key)
            .bind(key.fingerprint)
            .bind(run.id.to_string())
            .execute(connection)
            .await?;
    }
    Ok(run.id)
}

/// The conversation that goes on under the client's own id.
async fn find_running(connection: &mut SqliteConnection, run: &NewRun) -> Result<Option<Uuid>, StoreError> {
    let query = "SELECT id FROM runs WHERE owner = ? AND kind = ? AND external_id = ? AND status = 'running' AND deleted_at IS NULL";
    let row = sqlx::query(query).bind(&run.owner).bind(run.kind).bind(&run.external_id).fetch_optional(connection).await?;
    row.as_ref().map(uuid).transpose()
}

/// The run that was started under this key.
pub async fn find_key(connection: impl SqliteExecutor<'_>, key: &InputKey) -> Result<Option<Uuid>, StoreError> {
    let row = sqlx::query(
        "SELECT id, fingerprint FROM run_inputs JOIN runs ON id = run_id WHERE scope = ? AND idempotency_key = ? AND deleted_at IS NULL",
    )
    .bind(&key.scope)
    .bind(&key.key)
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    if row.try_get::<&str, _>("fingerprint")? == key.fingerprint { Ok(Some(uuid(&row)?)) } else { Err(StoreError::KeyReused) }
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
