//! What speaks: one trait for every chat model, the dialects behind it, and the table of roles.
//! Knows no room; a room's agent says what it wants in a [`ChatRequest`].

use futures::stream::BoxStream;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::time::Duration;

mod cassette;
mod chat_completions;
mod frames;
#[cfg(test)]
pub mod loopback;
mod native;
mod ollama;
mod refusal;
mod rehearsal;
mod responses;
mod roles;
mod so_far;
mod wire;

pub use chat_completions::ChatCompletions;
pub use native::Native;
pub use ollama::look_for_ollama;
pub use rehearsal::{Rehearsal, Reply, seed};
pub use responses::Responses;
pub use roles::{Models, Role, Route};
pub use so_far::so_far;
pub use wire::Endpoint;

/// What a model is asked. A cassette knows a request by its JSON.
#[derive(Clone, Debug, Serialize)]
pub struct ChatRequest {
    pub messages: Vec<Message>,
    pub tools: Vec<ToolSpec>,
    /// With tools: the model has to call one.
    pub tool_required: bool,
    /// Tokens it may write at most.
    pub max_tokens: u32,
    /// The form its answer is to have. A provider may refuse it, or take no notice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// What the rehearsal model answers; every other model leaves it alone.
    #[serde(skip)]
    pub rehearsal: Reply,
}

/// What a provider is asked to hold the answer to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// JSON that satisfies this JSON Schema.
    Schema { name: &'static str, schema: Value },
    /// Any JSON.
    Json,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolSpec {
    pub name: &'static str,
    pub description: &'static str,
    pub parameters: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelEvent {
    Text(String),
    /// Something came that nobody sees, such as reasoning.
    Thinking,
    /// The provider looks for these in the web.
    Searching(Vec<String>),
    /// It has found so many pages by now.
    Reading(usize),
    /// More of the arguments of a tool call: that one of the answer's (from 0), and its tool.
    Arguments {
        call: usize,
        tool: String,
        piece: String,
    },
    /// The last event of a complete stream.
    Done(Completion),
}

impl ModelEvent {
    /// Is it something of the answer itself? What comes before is no word, but it is no silence either.
    pub fn is_word(&self) -> bool {
        !matches!(self, ModelEvent::Thinking | ModelEvent::Searching(_) | ModelEvent::Reading(_))
    }
}

/// A complete answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Completion {
    pub text: String,
    pub calls: Vec<ToolCall>,
    /// Input and output tokens, where the provider said.
    pub tokens: Option<(i64, i64)>,
    /// Millionths of a US dollar, where the provider said.
    pub cost_micros: Option<i64>,
    /// Cut off at `max_tokens`.
    pub cut: bool,
    /// What the answer rests on, where the provider has searched the web.
    pub sources: Vec<Source>,
}

/// A page the provider has read; `url` is http or https.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// The text refers to it by this number, as in `[7]`.
    pub id: i64,
    pub title: String,
    pub url: String,
    pub snippet: String,
    /// As the provider writes it, mostly `2026-11-20`.
    pub date: Option<String>,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    #[error("The model’s answer broke off.")]
    Truncated,
    #[error("The model’s answer could not be read.")]
    Decode,
    #[error("The model answered without a word.")]
    Empty,
    /// Nobody is there to be asked; the sentence says what to configure.
    #[error("{0}")]
    NoModel(String),
    /// Still so after it was told what was wrong; says where, never what.
    #[error("The model’s answer did not have the form that was asked for: {0}.")]
    Misshapen(String),
}

impl ModelError {
    /// Would the same request have a chance later?
    pub fn is_transient(&self) -> bool {
        let lasting = matches!(self, ModelError::Auth { .. } | ModelError::NotConfigured { .. } | ModelError::NoModel(_));
        !lasting && !matches!(self, ModelError::BadRequest(_) | ModelError::ContextTooLong)
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
            ModelError::NoModel(_) => "no_model",
            ModelError::Misshapen(_) => "misshapen",
        }
    }

    /// The same error, with the name of the provider that refused.
    fn by(self, provider: &str) -> Self {
        match self {
            ModelError::Auth { .. } => ModelError::Auth { provider: provider.to_owned() },
            error => error,
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

impl Source {
    /// As search results are written everywhere; what is no address of a web page is no source.
    fn read(result: &Value, place: usize) -> Option<Self> {
        let text = |field: &str| result[field].as_str().unwrap_or_default().to_owned();
        let url = result.as_str().map_or_else(|| text("url"), str::to_owned);
        let page = reqwest::Url::parse(&url).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        let id = result["id"].as_i64().unwrap_or(place as i64 + 1);
        let date = result["date"].as_str().map(str::to_owned);
        page.then(|| Source { id, title: text("title"), url, snippet: text("snippet"), date })
    }

    fn read_all(results: &Value) -> Vec<Self> {
        let results = results.as_array().into_iter().flatten().enumerate();
        results.filter_map(|(place, result)| Source::read(result, place)).collect()
    }
}

/// What a call cost, in millionths of a US dollar, where the provider says so in its usage.
fn cost_micros(usage: &Value) -> Option<i64> {
    let cost = &usage["cost"];
    let dollars = cost.as_f64().or_else(|| cost["total_cost"].as_f64())?;
    Some((dollars * 1e6).round() as i64)
}

pub type ModelStream = BoxStream<'static, Result<ModelEvent, ModelError>>;

/// A chat model. Dropping the stream closes the connection to the provider.
pub trait ChatModel: Send + Sync {
    /// Ends after `Done` or the first error; an end without either never happens.
    fn stream(&self, model: &str, request: ChatRequest) -> ModelStream;
}
