//! What the room looks like: the bench where a journey is set up, and the journey itself.

mod bench;
mod conversation;
mod journey;

pub use bench::{Bench, Form};
pub use journey::Journey;
