//! A room's runs, as its pages ask for them: another room's are not there.

use crate::{
    engine::flow::{Flow, Status},
    error::AppError,
    http::{AppState, Client, answered, caller, unlisted},
    runs::{Card, Opened},
    store::RunRow,
};
use uuid::Uuid;

/// Runs among which the newest unfinished one is looked for.
const LOOKED_AT: i64 = 20;

/// What the run's page shows, and its replay.
pub async fn opened<F: Flow>(id: &str) -> Result<Opened, AppError> {
    let (app, client) = caller()?;
    let opened = async {
        let row = row::<F>(&app, &client, id).await?;
        let snapshot = app.engine.snapshot(&row).await?;
        if !client.may_command(&row) {
            unlisted();
            return Ok(Opened { snapshot, mine: false, parent: None, forks: vec![] });
        }
        let parent = match row.parent {
            Some(parent) => relative(&app, &client, parent).await?,
            None => None,
        };
        let forks = app.engine.store().forks(row.id).await?.into_iter().map(Card::from).collect();
        Ok(Opened { snapshot, mine: true, parent, forks })
    };
    answered(opened.await)
}

/// A run that the client may read.
pub async fn row<F: Flow>(app: &AppState, client: &Client, id: &str) -> Result<RunRow, AppError> {
    of_kind::<F>(app.run(client, id).await?)
}

/// A run that the client may command.
pub async fn own_row<F: Flow>(app: &AppState, client: &Client, id: &str) -> Result<RunRow, AppError> {
    of_kind::<F>(app.own_run(client, id).await?)
}

fn of_kind<F: Flow>(row: RunRow) -> Result<RunRow, AppError> {
    if row.kind == F::KIND { Ok(row) } else { Err(AppError::not_found()) }
}

/// The newest run that goes on, waits for somebody’s answer, or would go on by Continue.
pub async fn unfinished<F: Flow>(app: &AppState, client: &Client) -> Result<Option<Card>, AppError> {
    let mut rows = app.engine.store().list(&client.owner, "", LOOKED_AT).await?;
    rows.sort_by_key(|row| std::cmp::Reverse(row.created_at));
    for row in rows.into_iter().filter(|row| row.kind == F::KIND && row.status != Status::Done) {
        let log = app.engine.store().events(row.id, 0).await?;
        let reading = app.engine.room(&row.kind).and_then(|room| room.read(&log));
        if reading.is_some_and(|reading| matches!(reading.status, Status::Running | Status::Waiting) || reading.can_continue) {
            return Ok(Some(Card::from(row)));
        }
    }
    Ok(None)
}

/// The run this one continues, as long as it is there.
async fn relative(app: &AppState, client: &Client, id: Uuid) -> Result<Option<Card>, AppError> {
    let row = app.engine.store().run(id).await?;
    Ok(row.filter(|row| row.deleted_at.is_none() && client.may_command(row)).map(Card::from))
}
