//! The chat-completions dialect over HTTP: what OpenAI and everything compatible with it speak.

use super::{
    ChatModel, ChatRequest, Message, ModelError, ModelEvent, ModelStream, ToolCall,
    completion::{Assembler, classify},
};
use eventsource_stream::Eventsource;
use futures::{StreamExt, stream};
use reqwest::{Response, header::HeaderMap};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};

pub struct ChatCompletions {
    pub client: reqwest::Client,
    /// How people know the provider.
    pub provider: String,
    /// Up to and including `/v1`.
    pub base_url: String,
    pub key: Option<String>,
}

impl ChatModel for ChatCompletions {
    fn stream(&self, model: &str, request: ChatRequest) -> ModelStream {
        let url = format!("{}/chat/completions", self.base_url.trim_end_matches('/'));
        let mut call = self.client.post(url).json(&body(model, &request));
        if let Some(key) = &self.key {
            call = call.bearer_auth(key);
        }
        let provider = self.provider.clone();
        let opened = async move {
            let response = call.send().await.map_err(|error| {
                tracing::warn!(error = %error.without_url(), "no answer from the model");
                ModelError::Network
            })?;
            if response.status().is_success() { Ok(response) } else { Err(refusal(response, provider).await) }
        };
        stream::once(opened)
            .flat_map(|opened| match opened {
                Ok(response) => events(response),
                Err(error) => stream::once(async { Err(error) }).boxed(),
            })
            .boxed()
    }
}

fn body(model: &str, request: &ChatRequest) -> Value {
    let mut body = json!({
        "model": model,
        "messages": request.messages.iter().map(message).collect::<Vec<_>>(),
        "max_tokens": request.max_tokens,
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    if !request.tools.is_empty() {
        let tool = |tool: &super::ToolSpec| json!({ "type": "function", "function": { "name": tool.name, "description": tool.description, "parameters": tool.parameters } });
        body["tools"] = request.tools.iter().map(tool).collect();
        body["tool_choice"] = json!(if request.tool_required { "required" } else { "auto" });
    }
    body
}

fn message(message: &Message) -> Value {
    match message {
        Message::System(text) => json!({ "role": "system", "content": text }),
        Message::User(text) => json!({ "role": "user", "content": text }),
        Message::Assistant { text, calls } if calls.is_empty() => json!({ "role": "assistant", "content": text }),
        Message::Assistant { text, calls } => {
            let content = if text.is_empty() { Value::Null } else { json!(text) };
            json!({ "role": "assistant", "content": content, "tool_calls": calls.iter().map(tool_call).collect::<Vec<_>>() })
        }
        Message::Tool { id, text } => json!({ "role": "tool", "tool_call_id": id, "content": text }),
    }
}

fn tool_call(call: &ToolCall) -> Value {
    let mut json = json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": call.arguments } });
    for (name, value) in &call.extra {
        json[name] = value.clone();
    }
    json
}

async fn refusal(response: Response, provider: String) -> ModelError {
    let (status, retry_after) = (response.status().as_u16(), retry_after(response.headers()));
    let text = response.text().await.unwrap_or_default();
    let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
    tracing::warn!(status, %provider, "the model refused a request");
    match classify(status, &body, retry_after) {
        ModelError::Auth { .. } => ModelError::Auth { provider },
        error => error,
    }
}

/// `retry-after-ms`, then `Retry-After` as seconds or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok();
    if let Some(ms) = text("retry-after-ms").and_then(|ms| ms.trim().parse().ok()) {
        return Some(Duration::from_millis(ms));
    }
    let after = text("retry-after")?.trim();
    match after.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => httpdate::parse_http_date(after).ok()?.duration_since(SystemTime::now()).ok(),
    }
}

/// What is still to come of an answer.
enum Reading<S> {
    Frames(S, Assembler),
    Over,
}

/// The answer's events; success only after a finish reason.
fn events(response: Response) -> ModelStream {
    let reading = Reading::Frames(response.bytes_stream().eventsource(), Assembler::default());
    stream::unfold(reading, |reading| async move {
        let Reading::Frames(mut frames, mut assembler) = reading else { return None };
        let step: Vec<Result<ModelEvent, ModelError>> = match frames.next().await {
            Some(Ok(frame)) if frame.data.trim() != "[DONE]" => match read(&mut assembler, &frame.data) {
                Ok(events) => return Some((events.into_iter().map(Ok).collect(), Reading::Frames(frames, assembler))),
                Err(error) => vec![Err(error)],
            },
            Some(Err(eventsource_stream::EventStreamError::Transport(_))) => vec![Err(ModelError::Truncated)],
            Some(Err(_)) => vec![Err(ModelError::Decode)],
            Some(Ok(_)) | None => vec![assembler.end().map(ModelEvent::Done)],
        };
        Some((step, Reading::Over))
    })
    .flat_map(stream::iter)
    .boxed()
}

fn read(assembler: &mut Assembler, data: &str) -> Result<Vec<ModelEvent>, ModelError> {
    let chunk = serde_json::from_str(data).map_err(|_| ModelError::Decode)?;
    assembler.take(&chunk)
}
