//! Chunks of a UI message stream. Clients refuse a field they do not know, and `null` where a field may be left out.

use serde::Serialize;
use serde_json::Value;
use std::ops::Not;

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Chunk {
    Start {
        message_id: String,
        message_metadata: Value,
    },
    StartStep,
    FinishStep,
    TextStart {
        id: String,
    },
    TextDelta {
        id: String,
        delta: String,
    },
    TextEnd {
        id: String,
    },
    ToolInputStart {
        tool_call_id: String,
        tool_name: &'static str,
        #[serde(skip_serializing_if = "Not::not")]
        provider_executed: bool,
    },
    ToolInputAvailable {
        tool_call_id: String,
        tool_name: &'static str,
        input: Value,
        #[serde(skip_serializing_if = "Not::not")]
        provider_executed: bool,
    },
    ToolOutputAvailable {
        tool_call_id: String,
        output: Value,
        #[serde(skip_serializing_if = "Not::not")]
        provider_executed: bool,
        #[serde(skip_serializing_if = "Not::not")]
        preliminary: bool,
    },
    ToolOutputError {
        tool_call_id: String,
        error_text: String,
        #[serde(skip_serializing_if = "Not::not")]
        provider_executed: bool,
    },
    /// Ends the message.
    Finish {
        finish_reason: FinishReason,
        message_metadata: Value,
    },
    /// Ends the message: a client reads nothing behind it.
    Error {
        error_text: String,
    },
    /// A part of the room's own kind, `data-…`; one with the same id takes its place.
    #[serde(untagged)]
    Data {
        #[serde(rename = "type")]
        kind: &'static str,
        id: String,
        data: Value,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FinishReason {
    Stop,
    ToolCalls,
}

impl Chunk {
    /// A text that is there at once.
    pub fn text(id: &str, words: String) -> [Chunk; 3] {
        let id = || id.to_owned();
        [Chunk::TextStart { id: id() }, Chunk::TextDelta { id: id(), delta: words }, Chunk::TextEnd { id: id() }]
    }

    pub fn ends_message(&self) -> bool {
        matches!(self, Chunk::Finish { .. } | Chunk::Error { .. })
    }
}

/// A call of a tool. A client makes the calls itself that are not marked as `provider_executed`, and posts what came of them.
pub struct ToolCall {
    pub id: String,
    pub name: &'static str,
    pub provider_executed: bool,
}

impl ToolCall {
    /// The call, whose input is there at once.
    pub fn opened(&self, input: Value) -> [Chunk; 2] {
        let (tool_call_id, tool_name, provider_executed) = (self.id.clone(), self.name, self.provider_executed);
        [
            Chunk::ToolInputStart { tool_call_id: tool_call_id.clone(), tool_name, provider_executed },
            Chunk::ToolInputAvailable { tool_call_id, tool_name, input, provider_executed },
        ]
    }

    pub fn output(&self, output: Value) -> Chunk {
        self.so_far(output, false)
    }

    /// What there is of the output; the next one takes its place.
    pub fn preliminary(&self, output: Value) -> Chunk {
        self.so_far(output, true)
    }

    fn so_far(&self, output: Value, preliminary: bool) -> Chunk {
        Chunk::ToolOutputAvailable { tool_call_id: self.id.clone(), output, provider_executed: self.provider_executed, preliminary }
    }

    pub fn failed(&self, error_text: String) -> Chunk {
        Chunk::ToolOutputError { tool_call_id: self.id.clone(), error_text, provider_executed: self.provider_executed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_chunk_holds_its_own_fields_and_nothing_empty() {
        let call = |provider_executed| ToolCall { id: "c".into(), name: "ask", provider_executed };
        let by_client = [
            json!({ "type": "tool-input-start", "toolCallId": "c", "toolName": "ask" }),
            json!({ "type": "tool-input-available", "toolCallId": "c", "toolName": "ask", "input": null }),
        ];
        assert_eq!(json!(call(false).opened(Value::Null)), json!(by_client));
        for (chunk, expect) in [
            (Chunk::StartStep, json!({ "type": "start-step" })),
            (
                Chunk::Start { message_id: "m".into(), message_metadata: json!({ "a": 1 }) },
                json!({ "type": "start", "messageId": "m", "messageMetadata": { "a": 1 } }),
            ),
            (call(false).output(json!(1)), json!({ "type": "tool-output-available", "toolCallId": "c", "output": 1 })),
            (
                call(true).preliminary(json!(1)),
                json!({ "type": "tool-output-available", "toolCallId": "c", "output": 1, "providerExecuted": true, "preliminary": true }),
            ),
            (
                call(true).failed("no".into()),
                json!({ "type": "tool-output-error", "toolCallId": "c", "errorText": "no", "providerExecuted": true }),
            ),
            (Chunk::Data { kind: "data-phase", id: "p".into(), data: json!([]) }, json!({ "type": "data-phase", "id": "p", "data": [] })),
            (
                Chunk::Finish { finish_reason: FinishReason::ToolCalls, message_metadata: json!({}) },
                json!({ "type": "finish", "finishReason": "tool-calls", "messageMetadata": {} }),
            ),
            (Chunk::Error { error_text: "no".into() }, json!({ "type": "error", "errorText": "no" })),
        ] {
            assert_eq!(json!(chunk), expect);
        }
        assert_eq!(json!(Chunk::text("t", "Hi".into()))[1], json!({ "type": "text-delta", "id": "t", "delta": "Hi" }));
    }
}
