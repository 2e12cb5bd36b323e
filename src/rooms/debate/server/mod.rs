//! The room's server side: how its asks become calls, its tools on plain JSON.

mod agent;
mod arguments;
pub mod mcp;
pub mod prompt;
mod rehearsal;
pub mod routes;
mod schema;
pub mod start;
pub mod tools;
mod transcript;

pub use agent::Coordinator;
