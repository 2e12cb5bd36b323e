//! The room's server side: how its asks become calls, what its pages and forms do, and what other programs read and post.

mod agent;
mod brief;
pub mod chat;
pub mod commands;
mod conversation;
pub mod forms;
mod live;
pub mod open;
mod order;
mod prompt;
mod rehearsal;
pub mod report;
mod results;
mod schema;
pub mod start;
mod tools;
mod transcript;

pub use agent::Researcher;
