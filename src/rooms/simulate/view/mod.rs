//! What the room looks like: the bench where a journey is set up, the journey itself, and a journey played once more.

mod bench;
mod conversation;
mod journey;
mod phases;
mod replay;
mod words;

pub use bench::Bench;
pub use journey::journey;
pub use replay::replay;

use crate::runs::watch::Room;

pub const ROOM: Room = Room { name: "Journey", href: "/demo", complete: "The journey is complete", again: "Reset" };
