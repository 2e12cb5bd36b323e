//! Rows as they are read.

use crate::{
    engine::flow::Status,
    store::{RunRow, StoreError},
};
use sqlx::{Row, sqlite::SqliteRow};
use uuid::Uuid;

/// What every query for a whole run selects.
pub const RUN: &str = "SELECT id, kind, owner, title, status, setup, seq, created_at, updated_at, input_tokens, output_tokens, cost_micros,
    external_id, pinned, deleted_at, parent FROM runs";

/// An owner's (`?1`) runs that a search (`?2`) finds: in the title, or in a text of the log that is no JSON itself.
pub const FOUND: &str = r"owner = ?1 AND deleted_at IS NULL AND (?2 = '%%' OR title LIKE ?2 ESCAPE '\'
    OR EXISTS (SELECT 1 FROM run_events, json_tree(run_events.body) AS part WHERE run_id = runs.id
        AND part.type = 'text' AND part.value LIKE ?2 ESCAPE '\' AND part.value NOT LIKE '{%'))";

pub fn run_row(row: &SqliteRow) -> Result<RunRow, StoreError> {
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
        external_id: row.try_get("external_id")?,
        pinned: row.try_get("pinned")?,
        deleted_at: row.try_get("deleted_at")?,
        parent: row.try_get::<Option<&str>, _>("parent")?.map(parse_uuid).transpose()?,
    })
}

pub fn uuid(row: &SqliteRow) -> Result<Uuid, StoreError> {
    parse_uuid(row.try_get("id")?)
}

fn parse_uuid(id: &str) -> Result<Uuid, StoreError> {
    Uuid::parse_str(id).map_err(|error| StoreError::Decode(format!("{id}: {error}")))
}

pub fn json(row: &SqliteRow, column: &str) -> Result<serde_json::Value, StoreError> {
    serde_json::from_str(row.try_get(column)?).map_err(|error| StoreError::Decode(error.to_string()))
}
