//! What the room looks like: a debate under way or over, and one played once more.

mod debate;
mod desk;
mod figures;
#[cfg(test)]
mod held;
mod portrait;
mod thread;
mod words;

pub use debate::{debate, replay};

use crate::runs::watch::Room;

pub const ROOM: Room = Room { name: "Debate", href: "/debate", complete: "The debate is over", again: "Run again with changes" };
