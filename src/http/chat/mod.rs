//! What a client that holds a chat of its own needs in any room (npm `ai` 5 to 7, as `useChat` reads it): what it posts, which
//! run it means, and the run as a UI message stream. A room says only what its run amounts to.

use super::{AppState, Client};
use crate::{
    engine::flow::{Flow, Status},
    error::AppError,
    store::RunRow,
};

mod chunk;
mod posted;
mod stream;
#[cfg(test)]
pub mod tests;

pub use chunk::{Chunk, FinishReason, ToolCall};
pub use posted::{Message, Part, ToolPart, ToolState, chat_id, check_ids};
pub use stream::{Reply, Telling, respond, standing};

/// Bytes that may be posted: a client sends the whole conversation each time.
pub const MAX_BODY: usize = 2 * 1024 * 1024;

/// The run that this client knows under its own id: by its run token, else by its cookie.
pub async fn find<F: Flow>(app: &AppState, client: &Client, chat: &str) -> Result<Option<RunRow>, AppError> {
    let store = app.engine.store();
    let named = |row: &RunRow| row.kind == F::KIND && row.external_id.as_deref() == Some(chat);
    let by_token = match client.token() {
        Some(run) => store.run(run).await?.filter(named),
        None => None,
    };
    let found = match by_token {
        Some(row) => Some(row),
        None => store.external(&client.owner, F::KIND, chat).await?,
    };
    Ok(found.filter(|row| row.deleted_at.is_none()))
}

/// Does it go on, so that there is something to follow?
pub fn goes_on(row: &RunRow) -> bool {
    row.status == Status::Running
}
