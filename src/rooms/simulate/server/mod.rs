//! The room's server side: how its asks become calls, and its plain HTTP route.

mod agent;
mod prompt;
mod rehearsal;
pub mod routes;
mod start;
mod tools;
mod transcript;
mod ui_stream;

pub use agent::Simulator;
pub use start::{open, start};
