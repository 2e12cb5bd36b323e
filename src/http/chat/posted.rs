//! What a `useChat` client posts, as values. Fields and parts that are unknown here are left alone.

use crate::error::AppError;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

/// Characters of a client's own id of a conversation, or of a message.
const MAX_ID: usize = 255;

/// The chat's id, if one was sent that can be kept.
pub fn chat_id(id: Option<&str>) -> Result<Option<&str>, AppError> {
    match id {
        Some(id) if is_long(id) => Err(AppError::field("id", format!("The id has more than {MAX_ID} characters."))),
        id => Ok(id.filter(|id| !id.is_empty())),
    }
}

/// May the messages' ids be kept?
pub fn check_ids(messages: &[Message]) -> Result<(), AppError> {
    match messages.iter().position(|message| message.id.as_deref().is_some_and(is_long)) {
        Some(at) => Err(AppError::field(&format!("messages/{at}/id"), format!("The message’s id has more than {MAX_ID} characters."))),
        None => Ok(()),
    }
}

fn is_long(id: &str) -> bool {
    id.chars().count() > MAX_ID
}

#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = ChatMessage)]
pub struct Message {
    /// The client's own.
    #[schema(max_length = 255)]
    pub id: Option<String>,
    /// `user` or `assistant`; others are left alone.
    #[serde(default)]
    pub role: String,
    /// Those of type `text`, and `tool-…` in assistants' messages, are read.
    #[serde(default)]
    #[schema(value_type = Vec<Object>)]
    pub parts: Vec<Part>,
}

impl Message {
    pub fn is_users(&self) -> bool {
        self.role == "user"
    }

    pub fn is_assistants(&self) -> bool {
        self.role == "assistant"
    }

    /// A user's words.
    pub fn said(&self) -> Option<String> {
        let texts = self.parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.as_str()) } else { None });
        let text = texts.collect::<Vec<_>>().join("\n");
        (self.is_users() && !text.trim().is_empty()).then_some(text)
    }

    /// An assistant's calls of tools, in the order in which they were made.
    pub fn calls(&self) -> impl Iterator<Item = &ToolPart> {
        let parts = if self.is_assistants() { self.parts.as_slice() } else { &[] };
        parts.iter().filter_map(|part| if let Part::Tool(tool) = part { Some(tool) } else { None })
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "Value")]
pub enum Part {
    Text(String),
    Tool(ToolPart),
    Other,
}

/// A call of a tool, as far as the client knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolPart {
    pub name: String,
    pub call_id: String,
    pub input: Value,
    pub state: ToolState,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ToolState {
    /// It has no result yet; a preliminary one is none.
    Open,
    Output(Value),
    Error(String),
}

impl From<Value> for Part {
    fn from(part: Value) -> Self {
        let text = |field: &str| part[field].as_str().map(str::to_owned);
        let kind = part["type"].as_str().unwrap_or_default();
        let read = match kind.strip_prefix("tool-") {
            Some(name) => text("toolCallId").map(|call_id| {
                Part::Tool(ToolPart { name: name.to_owned(), call_id, input: part["input"].clone(), state: ToolState::of(&part) })
            }),
            None if kind == "text" => text("text").map(Part::Text),
            None => None,
        };
        read.unwrap_or(Part::Other)
    }
}

impl ToolState {
    fn of(part: &Value) -> Self {
        match part["state"].as_str() {
            Some("output-available") if part["preliminary"] != true => ToolState::Output(part["output"].clone()),
            Some("output-error") => ToolState::Error(part["errorText"].as_str().unwrap_or_default().to_owned()),
            _ => ToolState::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn message(posted: Value) -> Message {
        serde_json::from_value(posted).expect("a message")
    }

    #[test]
    fn a_message_is_read_whatever_else_it_holds() {
        let parts = json!([
            { "type": "step-start" }, 7, { "type": "text" }, { "type": "text", "text": "One", "state": "done" },
            { "type": "tool-ask" }, { "type": "text", "text": "two" }, { "type": "data-x", "data": null }
        ]);
        let user = message(json!({ "id": "m1", "role": "user", "metadata": { "a": 1 }, "parts": parts }));
        assert_eq!((user.id.as_deref(), user.said().as_deref(), user.calls().count()), (Some("m1"), Some("One\ntwo"), 0));
        assert_eq!(message(json!({ "role": "assistant", "parts": parts })).said(), None);
        assert_eq!(message(json!({})).said(), None);
        assert_eq!(message(json!({ "id": null, "role": "user", "parts": [{ "type": "text", "text": " " }] })).said(), None);
    }

    #[test]
    fn a_call_has_a_result_or_is_open() {
        let call = |id: &str, more: Value| {
            let mut part = json!({ "type": "tool-ask", "toolCallId": id, "input": { "q": id } });
            part.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            part
        };
        let parts = json!([
            call("a", json!({ "state": "input-available" })),
            call("b", json!({ "state": "output-available", "output": ["x"] })),
            call("c", json!({ "state": "output-available", "output": "so far", "preliminary": true })),
            call("d", json!({ "state": "output-error", "errorText": "no" })),
            call("e", json!({})),
        ]);
        let assistant = message(json!({ "role": "assistant", "parts": parts }));
        let states: Vec<_> = assistant.calls().map(|call| (call.call_id.as_str(), call.input["q"].as_str(), call.state.clone())).collect();
        let expect = [
            ("a", ToolState::Open),
            ("b", ToolState::Output(json!(["x"]))),
            ("c", ToolState::Open),
            ("d", ToolState::Error("no".into())),
            ("e", ToolState::Open),
        ];
        assert_eq!(states, expect.map(|(id, state)| (id, Some(id), state)));
        assert_eq!(message(json!({ "role": "user", "parts": parts })).calls().count(), 0, "a user calls no tools");
    }
}
