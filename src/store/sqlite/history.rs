//! Writing what a person does with runs besides talking in them.

use super::rows::uuid;
use crate::store::{PersonaRow, RunChange, StoreError};
use sqlx::{Row, SqliteConnection};
use uuid::Uuid;

pub async fn change(connection: &mut SqliteConnection, run: Uuid, change: RunChange) -> Result<(), StoreError> {
    let query = match change {
        RunChange::Title(title) => sqlx::query("UPDATE runs SET title = ? WHERE id = ?").bind(title),
        RunChange::Pinned(pinned) => sqlx::query("UPDATE runs SET pinned = ? WHERE id = ?").bind(pinned),
        RunChange::Deleted(at) => sqlx::query("UPDATE runs SET deleted_at = ? WHERE id = ?").bind(at),
    };
    let changed = query.bind(run.to_string()).execute(connection).await?;
    if changed.rows_affected() == 1 { Ok(()) } else { Err(StoreError::NotFound) }
}

pub async fn share(connection: &mut SqliteConnection, run: Uuid, token: String, at: i64) -> Result<String, StoreError> {
    let row = sqlx::query(
        "INSERT INTO shares (token, run_id, created_at) VALUES (?, ?, ?) ON CONFLICT (run_id) DO UPDATE SET token = token RETURNING token",
    )
    .bind(token)
    .bind(run.to_string())
    .bind(at)
    .fetch_one(connection)
    .await?;
    Ok(row.try_get("token")?)
}

pub async fn unshare(connection: &mut SqliteConnection, run: Uuid) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM shares WHERE run_id = ?").bind(run.to_string()).execute(connection).await?;
    Ok(())
}

/// Deletes every word of an owner's. The bare rows stay until they are purged, so that today's budget still counts them.
pub async fn erase(connection: &mut SqliteConnection, owner: String, at: i64) -> Result<Vec<Uuid>, StoreError> {
    for table in ["run_events", "run_partials", "run_inputs", "shares"] {
        let delete = format!("DELETE FROM {table} WHERE run_id IN (SELECT id FROM runs WHERE owner = ?)");
        sqlx::query(sqlx::AssertSqlSafe(delete)).bind(&owner).execute(&mut *connection).await?;
    }
    sqlx::query("DELETE FROM personas WHERE owner = ?").bind(&owner).execute(&mut *connection).await?;
    let rows = sqlx::query(
        "UPDATE runs SET owner = '', title = '', setup = 'null', status = 'stopped', external_id = NULL, parent = NULL, seq = 0,
           lease_epoch = lease_epoch + 1, deleted_at = ? WHERE owner = ? RETURNING id",
    )
    .bind(at)
    .bind(owner)
    .fetch_all(connection)
    .await?;
    rows.iter().map(uuid).collect()
}

pub async fn purge(connection: &mut SqliteConnection, deleted_before: i64, idle_before: Option<i64>) -> Result<u64, StoreError> {
    let gone = sqlx::query("DELETE FROM runs WHERE deleted_at < ?1 OR (updated_at < ?2 AND NOT pinned AND status <> 'running')")
        .bind(deleted_before)
        .bind(idle_before)
        .execute(connection)
        .await?;
    Ok(gone.rows_affected())
}

pub async fn save_persona(
    connection: &mut SqliteConnection,
    [owner, room]: [String; 2],
    persona: PersonaRow,
    at: i64,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO personas (owner, room, name, text, updated_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET text = excluded.text, updated_at = excluded.updated_at",
    )
    .bind(owner)
    .bind(room)
    .bind(persona.name)
    .bind(persona.text)
    .bind(at)
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete_persona(connection: &mut SqliteConnection, [owner, room, name]: [String; 3]) -> Result<(), StoreError> {
    let delete = sqlx::query("DELETE FROM personas WHERE owner = ? AND room = ? AND name = ?");
    delete.bind(owner).bind(room).bind(name).execute(connection).await?;
    Ok(())
}
