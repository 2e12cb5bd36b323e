//! The server's half: one engine call each.

use super::{Card, Verb};
use crate::{
    error::AppError,
    http::{answered, caller},
    store::RunRow,
};

/// As many as fit under the springboard's icons, and a little scrolling.
const RECENT: i64 = 12;

pub async fn recent() -> Result<Vec<Card>, AppError> {
    let (app, client) = caller()?;
    let rows = answered(app.engine.store().list(&client.owner, "", RECENT).await.map_err(AppError::from))?;
    Ok(rows.into_iter().map(Card::from).collect())
}

impl From<RunRow> for Card {
    fn from(row: RunRow) -> Self {
        Card { id: row.id.to_string(), kind: row.kind, title: row.title, status: row.status, updated_at: row.updated_at }
    }
}

pub async fn act(id: &str, verb: Verb) -> Result<(), AppError> {
    let (app, client) = caller()?;
    let acted = async {
        let row = app.own_run(&client, id).await?;
        app.act(&client, &row, verb).await
    };
    answered(acted.await)
}
