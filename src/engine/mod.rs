//! A run is an append-only log; everything else is a fold of it. This module knows no room.
//!
//! `flow` says what a room is, `entry` what stands in the log, `follow` and `live` keep a fold current from a
//! run's stream, `replay` lays a log out in time once more, `voice` says whose words it holds; `server` drives runs and
//! serves their streams.

pub mod entry;
mod event_source;
pub mod flow;
pub mod follow;
pub mod live;
pub mod progress;
pub mod replay;
pub mod shown;
pub mod voice;

#[cfg(feature = "ssr")]
pub mod server;
