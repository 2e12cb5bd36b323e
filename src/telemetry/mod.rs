//! What an operator sees of the server: log lines, figures for Prometheus, and traces. Keys are in none of them, and
//! prompts and answers only in traces, once an operator has asked for that.

use crate::settings::{Environment, ServerSettings};
use tracing_subscriber::{EnvFilter, fmt, prelude::*};

pub mod metrics;
mod model_call;
mod traces;

pub use model_call::ModelCall;
pub use traces::{Span, Traces};

/// Sets up all three, once per process. What comes back has to be closed at the end.
pub fn start(server: &ServerSettings, environment: &Environment) -> Result<Traces, Box<dyn std::error::Error + Send + Sync>> {
    let filter = environment.get("RUST_LOG").unwrap_or_else(|| "warn,colloquy=info".to_owned());
    // genai writes what models say into its warnings, and rmcp what callers send into its finer lines.
    let filter = EnvFilter::new(format!("{filter},genai=off,rmcp=error"));
    let json = server.json_logs.then(|| fmt::layer().json());
    let text = (!server.json_logs).then(fmt::layer);
    tracing_subscriber::registry().with(filter).with(json).with(text).init();
    metrics::install()?;
    Traces::start(environment)
}
