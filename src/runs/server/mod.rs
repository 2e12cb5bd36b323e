//! The server's half: what the pages show, what their forms do, and a run as a file.

use super::{Card, Verb};
use crate::{
    error::AppError,
    http::{answered, caller},
    rooms,
    store::RunRow,
};

mod about;
mod address;
mod edit;
mod export;
mod facts;
mod forms;
mod open;
mod shelf;

pub use about::about;
pub use address::{Search, carried, escape};
pub use edit::{fork, turn};
pub use export::{as_json, as_markdown, attachment, plain, quotation};
pub use facts::{Cost, date, facts, models};
pub use forms::{delete, erase, pin, rename, share, undelete};
pub use open::{opened, own_row, row, unfinished};
pub use shelf::list;

/// As many as fit under the springboard's icons, and a little scrolling.
const RECENT: i64 = 12;

pub async fn recent() -> Result<Vec<Card>, AppError> {
    let (app, client) = caller()?;
    let rows = answered(app.engine.store().list(&client.owner, "", RECENT).await.map_err(AppError::from))?;
    Ok(rows.into_iter().map(Card::from).collect())
}

impl From<RunRow> for Card {
    fn from(row: RunRow) -> Self {
        let id = row.id.to_string();
        let (room, href, when) = (rooms::name(&row.kind).to_owned(), rooms::address(&row.kind, &id), facts::date(row.created_at));
        Card { id, title: row.title, status: row.status, pinned: row.pinned, room, href, when }
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
