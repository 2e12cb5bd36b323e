//! The room's server side: how its asks become calls, its tools on plain JSON.

mod address;
mod agent;
mod arguments;
pub mod forms;
pub mod mcp;
pub mod open;
pub mod personas;
pub mod prompt;
mod rehearsal;
pub mod routes;
mod schema;
pub mod start;
#[cfg(test)]
mod tests;
pub mod tools;
mod transcript;

pub use agent::Coordinator;
