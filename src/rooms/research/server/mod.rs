//! The room's server side: how its asks become calls, and what its pages and forms do.

pub mod chat;
pub mod commands;
pub mod forms;
pub mod open;
pub mod results;
pub mod start;
