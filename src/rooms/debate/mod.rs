//! The debate: a panel argues a motion in fixed phases, each turn a fresh call that knows what its prompt says and nothing else,
//! and a neutral summariser closes, sentence by sentence on the messages it rests on.

pub mod api;
pub mod examples;
pub mod flow;
pub mod page;
mod view;

#[cfg(feature = "ssr")]
pub mod server;
