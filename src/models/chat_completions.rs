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

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpStream},
    };

    fn request() -> ChatRequest {
        let messages = vec![Message::User("Hello".into())];
        ChatRequest { messages, tools: vec![], tool_required: false, max_tokens: 9, rehearsal: Default::default() }
    }

    /// A provider that speaks raw bytes: the connection it gets, once the request has been read.
    async fn provider() -> (ChatCompletions, impl Future<Output = TcpStream>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base_url = format!("http://{}/v1/", listener.local_addr().expect("an address"));
        let chat = ChatCompletions { client: reqwest::Client::new(), provider: "Local".into(), base_url, key: Some("key".into()) };
        let connection = async move {
            let (mut connection, _) = listener.accept().await.expect("a call");
            let (mut read, mut buffer) = (Vec::new(), [0; 4096]);
            while !String::from_utf8_lossy(&read).contains("\"stream_options\"") {
                let count = connection.read(&mut buffer).await.expect("a request");
                read.extend_from_slice(&buffer[..count]);
            }
            let head = String::from_utf8_lossy(&read).to_lowercase();
            assert!(head.starts_with("post /v1/chat/completions http/1.1") && head.contains("authorization: bearer key"), "{head}");
            connection
        };
        (chat, connection)
    }

    /// What the adapter makes of a response that comes in these pieces.
    async fn check(pieces: &[&[u8]], expect: Result<&str, ModelError>) {
        let (chat, connection) = provider().await;
        let answering = async {
            let mut connection = connection.await;
            for piece in pieces {
                connection.write_all(piece).await.expect("written");
                connection.flush().await.expect("written");
                tokio::task::yield_now().await;
            }
        };
        let reading = chat.stream("m", request()).collect::<Vec<_>>();
        let (_, events) = tokio::join!(answering, reading);
        let last = events
            .into_iter()
            .last()
            .expect("an end")
            .map(|event| if let ModelEvent::Done(done) = event { done.text } else { format!("{event:?}") });
        assert_eq!(last, expect.map(str::to_owned));
    }

    const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

    #[tokio::test]
    async fn bytes_as_servers_really_send_them() {
        let euro = "data: {\"choices\":[{\"delta\":{\"content\":\"5 €\"}}]}\r\n\r\n".as_bytes();
        let cut = euro.iter().position(|byte| *byte == 0xe2).expect("a euro sign") + 1;
        let end: &[u8] = b"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
        check(&[OK, b": a comment\r\n\r\n", &euro[..cut], &euro[cut..], end], Ok("5 €")).await;
        let finished: &[u8] = b"data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n";
        check(&[OK, finished], Ok("a")).await;
        check(&[OK, euro], Err(ModelError::Truncated)).await;
        check(&[OK, b"data: {\"error\":{\"message\":\"no\",\"code\":\"400\"}}\n\n"], Err(ModelError::BadRequest("no".into()))).await;
        check(&[OK, b"data: {broken\n\n"], Err(ModelError::Decode)).await;
        let refused = b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\nno";
        check(&[refused], Err(ModelError::Auth { provider: "Local".into() })).await;
        let busy = b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 7\r\ncontent-length: 4\r\n\r\nbusy";
        check(&[busy], Err(ModelError::RateLimited { retry_after: Some(Duration::from_secs(7)) })).await;
    }

    #[tokio::test]
    async fn nobody_there_is_a_network_error() {
        let chat = ChatCompletions {
            client: reqwest::Client::new(),
            provider: "Local".into(),
            base_url: "http://127.0.0.1:9/v1".into(),
            key: None,
        };
        let events = chat.stream("m", request()).collect::<Vec<_>>().await;
        assert_eq!(events, [Err(ModelError::Network)]);
    }

    #[tokio::test]
    async fn a_dropped_stream_closes_the_socket_within_200_ms() {
        let (chat, connection) = provider().await;
        let mut stream = chat.stream("m", request());
        let served = async {
            let mut connection = connection.await;
            connection.write_all(OK).await.expect("written");
            connection.write_all(b"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n").await.expect("written");
            connection
        };
        let (mut connection, first) = tokio::join!(served, stream.next());
        assert_eq!(first, Some(Ok(ModelEvent::Text("a".into()))));
        drop(stream);
        let closed = tokio::time::timeout(Duration::from_millis(200), connection.read(&mut [0; 16])).await;
        assert!(matches!(closed, Ok(Ok(0) | Err(_))), "{closed:?}");
    }
}
