//! Colloquy: AI conversations that brand, product and marketing teams learn from, on a screen that looks like a phone.
//! In reading order; `ARCHITECTURE.md` beside this file is the map.

#![recursion_limit = "512"] // Leptos views are types, and deep ones

pub mod engine;
pub mod error;
pub mod rooms;
pub mod runs;
pub mod ui;

pub mod app;
pub mod home;

#[cfg(feature = "ssr")]
pub mod http;
#[cfg(feature = "ssr")]
pub mod models;
#[cfg(feature = "ssr")]
pub mod settings;
#[cfg(feature = "ssr")]
pub mod store;
#[cfg(feature = "ssr")]
pub mod telemetry;

#[cfg(feature = "hydrate")]
mod hydrate;
#[cfg(test)]
mod tidy;
