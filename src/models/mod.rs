//! What speaks: one trait for every chat model, the dialects behind it, and the table of roles.
//! Knows no room; a room's agent says what it wants in a [`ChatRequest`].

use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::time::Duration;

mod chat_completions;
mod completion;
mod rehearsal;
mod roles;

pub use chat_completions::ChatCompletions;
pub use rehearsal::{Rehearsal, Reply};
pub use roles::{Models, Role, Route};

/// What a model is asked.
#[derive(Clone, Debug)]
pub struct ChatRequest {
    pub messages: Vec<Message>,
    pub tools: Vec<ToolSpec>,
    /// With tools: the model has to call one.
    pub tool_required: bool,
    /// Tokens it may write at most.
    pub max_tokens: u32,
    /// What the rehearsal model answers; every other model leaves it alone.
    pub rehearsal: Reply,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    System(String),
    User(String),
    Assistant {
        text: String,
        calls: Vec<ToolCall>,
    },
    /// The result of the call with that id.
    Tool {
        id: String,
        text: String,
    },
}

/// A tool call as the model made it. `extra` are the provider's own fields, which some want echoed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// JSON; `{}` when the model sent none.
    pub arguments: String,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

/// A tool on offer; `parameters` is the JSON Schema of its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    pub name: &'static str,
    pub description: &'static str,
    pub parameters: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ModelEvent {
    Text(String),
    /// Something came that nobody sees, such as reasoning.
    Thinking,
    /// More of the first tool call's arguments.
    Arguments(String),
    /// The last event of a complete stream.
    Done(Completion),
}

/// A complete answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completion {
    pub text: String,
    pub calls: Vec<ToolCall>,
    /// Input and output tokens, where the provider said.
    pub tokens: Option<(i64, i64)>,
    /// Millionths of a US dollar, where the provider said.
    pub cost_micros: Option<i64>,
    /// Cut off at `max_tokens`.
    pub cut: bool,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    #[error("{provider} refused the key.")]
    Auth { provider: String },
    #[error("{model}, which was chosen for this run, is not configured on this server.")]
    NotConfigured { model: String },
    #[error("The model is busy.")]
    RateLimited { retry_after: Option<Duration> },
    #[error("The model is overloaded.")]
    Overloaded { retry_after: Option<Duration> },
    #[error("The model did not accept the request: {0}")]
    BadRequest(String),
    #[error("The conversation has grown longer than the model can read.")]
    ContextTooLong,
    #[error("The model cannot be reached.")]
    Network,
    #[error("The model said nothing for {0} seconds.")]
    Silent(u64),
    #[error("The model's answer broke off.")]
    Truncated,
    #[error("The model's answer could not be read.")]
    Decode,
    #[error("The model answered without a word.")]
    Empty,
}

impl ModelError {
    /// Would the same request have a chance later?
    pub fn is_transient(&self) -> bool {
        !matches!(self, ModelError::Auth { .. } | ModelError::NotConfigured { .. } | ModelError::BadRequest(_) | ModelError::ContextTooLong)
    }

    /// For figures and traces.
    pub fn word(&self) -> &'static str {
        match self {
            ModelError::Auth { .. } => "auth",
            ModelError::RateLimited { .. } => "rate_limited",
            ModelError::Overloaded { .. } => "overloaded",
            ModelError::BadRequest(_) => "bad_request",
            ModelError::ContextTooLong => "context_too_long",
            ModelError::Network => "network",
            ModelError::Silent(_) => "silent",
            ModelError::Truncated => "truncated",
            ModelError::Decode => "decode",
            ModelError::Empty => "empty",
            ModelError::NotConfigured { .. } => "not_configured",
        }
    }

    /// How long the provider asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            ModelError::RateLimited { retry_after } | ModelError::Overloaded { retry_after } => *retry_after,
            _ => None,
        }
    }
}

pub type ModelStream = BoxStream<'static, Result<ModelEvent, ModelError>>;

/// A chat model. Dropping the stream closes the connection to the provider.
pub trait ChatModel: Send + Sync {
    /// Ends after `Done` or the first error; an end without either never happens.
    fn stream(&self, model: &str, request: ChatRequest) -> ModelStream;
}
