//! What pages do with any run, whatever its room: list, find, reach, watch, stop, continue,
//! replay, name, share, delete.

use crate::{engine::flow::Status, read};
use serde::{Deserialize, Serialize};

mod about;
pub mod api;
mod edit;
pub mod load;
mod missing;
pub mod page;
mod resume;
#[cfg(feature = "ssr")]
pub mod server;
mod shelf;
pub mod watch;

pub use api::{CommandRun, Opened, command_run, recent_runs};
pub use load::{Absent, Sent, load, named, sent};
pub use missing::Missing;
pub use resume::Resume;

/// A run in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    pub id: String,
    pub title: String,
    pub status: Status,
    pub pinned: bool,
    /// Its room's name, and its page there.
    pub room: String,
    pub href: String,
    /// When it was begun, in UTC, rendered alike on both sides.
    pub when: String,
}

/// What every run understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    Stop,
    Continue,
}

impl Verb {
    /// As forms spell it.
    pub fn slug(self) -> &'static str {
        match self {
            Verb::Stop => "stop",
            Verb::Continue => "continue",
        }
    }
}

read!(struct Card { id, title, status, pinned, room, href, when });
