//! A journey as a `useChat` client holds it: what such a client posts, which run it means, and the run as its stream.

use super::ui_stream::UiStream;
use crate::{
    engine::{
        flow::{Flow, Status},
        follow::{Follower, Signal},
        server::{Engine, sse},
    },
    error::AppError,
    http::{AppState, Client},
    rooms::simulate::flow::{Assistant, MAX_STEPS, Setup, Simulate},
    store::RunRow,
};
use axum::{
    http::{HeaderName, header},
    response::{IntoResponse, Response},
};
use futures::{Stream, StreamExt, stream};
use serde::Deserialize;
use serde_json::Value;
use std::{collections::BTreeMap, convert::Infallible, time::Instant};
use utoipa::ToSchema;
use uuid::Uuid;

/// Bytes that may be posted: a client sends the whole conversation each time.
pub const MAX_BODY: usize = 2 * 1024 * 1024;
/// Characters of a client's own id of a conversation.
const MAX_ID: usize = 255;

/// What npm `ai`'s `useChat` posts, with the persona in its extra body. Further fields are left alone.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SimulateRequest)]
pub struct Posted {
    /// The customer, in your own words. May be left out in a chat that has had a run.
    #[schema(max_length = 4000)]
    icp_persona: Option<String>,
    /// The customer's first question. Without it the last user message is.
    #[schema(max_length = 4000)]
    initial_query: Option<String>,
    /// Steps of the customer's at most, 1 to 15.
    #[schema(minimum = 1, maximum = 15)]
    max_steps: Option<u32>,
    /// The assistant under test, where it is not ours.
    #[serde(default)]
    assistant: Chosen,
    /// The client's own id of the conversation. While its run goes on, whatever is posted under it is answered with that
    /// run; afterwards a new run starts.
    #[schema(max_length = 255)]
    pub id: Option<String>,
    #[serde(default)]
    messages: Vec<Message>,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = AssistantUnderTest)]
struct Chosen {
    /// `provider:model`, or `rehearsal`.
    model: Option<String>,
    /// Its system instructions.
    #[schema(max_length = 4000)]
    instructions: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[schema(as = ChatMessage)]
struct Message {
    #[serde(default)]
    role: String,
    /// Of a user's message those of type `text` are read.
    #[serde(default)]
    #[schema(value_type = Vec<Object>)]
    parts: Vec<Value>,
}

impl Posted {
    /// The chat's id, if one was sent that can be kept.
    pub fn chat(&self) -> Result<Option<&str>, AppError> {
        match self.id.as_deref() {
            Some(id) if id.chars().count() > MAX_ID => Err(AppError::field("id", format!("The id has more than {MAX_ID} characters."))),
            id => Ok(id.filter(|id| !id.is_empty())),
        }
    }

    /// What it asks for; `earlier` is what the chat's last run was started with.
    pub fn setup(self, earlier: Option<Setup>, context_chars: u32) -> Result<Setup, AppError> {
        let query = self.initial_query.or_else(|| self.messages.iter().rev().find_map(Message::said));
        Ok(Setup {
            icp: self
                .icp_persona
                .or(earlier.map(|setup| setup.icp))
                .ok_or_else(|| AppError::field("icpPersona", "Describe the customer."))?,
            assistant: Assistant::chosen(self.assistant.model.unwrap_or_default(), self.assistant.instructions.unwrap_or_default()),
            query: query.ok_or_else(|| AppError::field("initialQuery", "Say what the customer asks first, here or as a user message."))?,
            max_steps: self.max_steps.unwrap_or(MAX_STEPS),
            context_chars,
        })
    }
}

impl Message {
    /// A user's words.
    fn said(&self) -> Option<String> {
        let texts = self.parts.iter().filter(|part| part["type"] == "text").filter_map(|part| part["text"].as_str());
        let text = texts.collect::<Vec<_>>().join("\n");
        (self.role == "user" && !text.trim().is_empty()).then_some(text)
    }
}

/// The run that this client knows under its own id: by its run token, else by its cookie.
pub async fn find(app: &AppState, client: &Client, chat: &str) -> Result<Option<RunRow>, AppError> {
    let store = app.engine.store();
    let named = |row: &RunRow| row.kind == Simulate::KIND && row.external_id.as_deref() == Some(chat);
    let by_token = match client.token() {
        Some(run) => store.run(run).await?.filter(named),
        None => None,
    };
    let found = match by_token {
        Some(row) => Some(row),
        None => store.external(&client.owner, Simulate::KIND, chat).await?,
    };
    Ok(found.filter(|row| row.deleted_at.is_none()))
}

/// Does it go on, so that there is something to follow?
pub fn goes_on(row: &RunRow) -> bool {
    row.status == Status::Running
}

/// The run as a UI message stream, from its first entry to its end.
pub async fn respond(app: &AppState, id: Uuid) -> Result<Response, AppError> {
    let watch = app.watch();
    let token = app.signer.run_token(id);
    let frames = chunks(app.engine.clone(), id, token.clone()).await?.map(Ok::<_, Infallible>);
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream".to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::LOCATION, format!("/api/runs/{id}")),
        (HeaderName::from_static("x-vercel-ai-ui-message-stream"), "v1".to_owned()),
        (HeaderName::from_static("x-accel-buffering"), "no".to_owned()),
        (HeaderName::from_static("colloquy-run-token"), token),
    ];
    let response = (headers, axum::body::Body::from_stream(frames)).into_response();
    Ok(watch.guard(BTreeMap::from([(id, false)]), response))
}

/// The frames from the run's first entry to its end; a keep-alive where the run's stream pings.
async fn chunks(engine: Engine, id: Uuid, token: String) -> Result<impl Stream<Item = String> + use<>, AppError> {
    let row = engine.store().run(id).await?.filter(|row| row.deleted_at.is_none()).ok_or_else(AppError::not_found)?;
    let mut snapshot = engine.snapshot(&row).await?;
    let known = snapshot.log.len() as i64;
    snapshot.log.truncate(1);
    let follower = Follower::new(snapshot).ok_or_else(AppError::internal)?;
    let (ui, opening) = UiStream::open(follower, known, &token);
    let signals = sse::follow(&engine, BTreeMap::from([(id, 1)]));
    let rest = stream::unfold(Some((ui, signals)), |reading| async move {
        let (mut ui, mut signals) = reading?;
        match signals.next().await {
            Some(Signal::Ping) => Some((": ping\n\n".to_owned(), Some((ui, signals)))),
            Some(signal) => match ui.take(signal, Instant::now()) {
                Ok(chunks) if ui.is_over() => Some((frames(&chunks) + "data: [DONE]\n\n", None)),
                Ok(chunks) => Some((frames(&chunks), Some((ui, signals)))),
                Err(_) => Some((broken(), None)),
            },
            None => Some((broken(), None)),
        }
    });
    Ok(stream::once(async move { frames(&opening) }).chain(rest).filter(|frame| std::future::ready(!frame.is_empty())))
}

fn frames(chunks: &[Value]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect()
}

/// The run goes on; only this view of it ends.
fn broken() -> String {
    let error = serde_json::json!({ "type": "error", "errorText": "The connection to the run was lost. Read it again under /api/runs." });
    format!("data: {error}\n\ndata: [DONE]\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(posted: Value, earlier: Option<&str>, expect: Result<(&str, &str), &str>) {
        let posted: Posted = serde_json::from_value(posted).expect("a body");
        let setup =
            |icp: &str| Setup { icp: icp.into(), query: "old".into(), assistant: Assistant::default(), max_steps: 3, context_chars: 1 };
        match (posted.setup(earlier.map(setup), 7), expect) {
            (Ok(setup), expect) => assert_eq!(Ok((setup.icp.as_str(), setup.query.as_str())), expect),
            (Err(error), Err(pointer)) => assert_eq!(error.errors[0].pointer, pointer),
            (Err(error), Ok(_)) => panic!("{error}"),
        }
    }

    #[test]
    fn what_a_client_asks_for() {
        let user = |text: &str| json!({ "id": "m", "role": "user", "parts": [{ "type": "file" }, { "type": "text", "text": text }] });
        let assistant = json!({ "role": "assistant", "parts": [{ "type": "text", "text": "no" }] });
        check(json!({ "icpPersona": "Marta", "initialQuery": "Which?", "trigger": "x", "more": null }), None, Ok(("Marta", "Which?")));
        let messages = json!([user("first"), assistant, user("last"), assistant]);
        check(json!({ "icpPersona": "Marta", "messages": messages }), None, Ok(("Marta", "last")));
        check(json!({ "icpPersona": "Marta", "initialQuery": "Which?", "messages": messages }), None, Ok(("Marta", "Which?")));
        check(json!({ "icpPersona": "Marta", "messages": [assistant, user(" ")] }), None, Err("/initialQuery"));
        check(json!({ "messages": messages }), None, Err("/icpPersona"));
        check(json!({ "messages": messages }), Some("Ben"), Ok(("Ben", "last")));
    }
}
