//! What the room looks like: the bench where one is set up, a persona being written, a debate under way or over, and one
//! played once more.

mod bench;
mod debate;
mod desk;
mod figures;
mod form;
#[cfg(test)]
mod held;
mod people;
mod portrait;
mod sheet;
mod thread;
mod words;

pub use bench::Bench;
pub use debate::{debate, replay};
pub use sheet::PersonaSheet;

use crate::runs::watch::Room;

pub const ROOM: Room = Room { name: "Debate", href: "/debate", complete: "The debate is over", again: "Run again with changes" };
