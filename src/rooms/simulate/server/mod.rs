//! The room's server side: how its asks become calls, and its plain HTTP route.

mod agent;
pub mod open;
pub mod personas;
mod posted;
mod prompt;
mod rehearsal;
pub mod routes;
pub mod start;
mod tools;
mod transcript;
mod ui_stream;

pub use agent::Simulator;
