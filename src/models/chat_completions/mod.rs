//! The chat-completions dialect: what OpenAI and everything compatible with it speak.

use super::{ChatModel, ChatRequest, Format, Message, ModelStream, ToolCall, ToolSpec, native::ECHOED, wire::Endpoint};
use completion::Assembler;
use serde_json::{Value, json};

mod completion;
#[cfg(test)]
mod tests;

pub struct ChatCompletions {
    pub endpoint: Endpoint,
    /// What the provider calls the limit of an answer's tokens.
    pub limit: &'static str,
}

impl ChatModel for ChatCompletions {
    fn stream(&self, model: &str, request: ChatRequest) -> ModelStream {
        self.endpoint.stream::<Assembler>("chat/completions", &body(model, self.limit, &request))
    }
}

fn body(model: &str, limit: &str, request: &ChatRequest) -> Value {
    let mut body = json!({
        "model": model,
        "messages": request.messages.iter().map(message).collect::<Vec<_>>(),
        limit: request.max_tokens,
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
        body["tool_choice"] = json!(if request.tool_required { "required" } else { "auto" });
    }
    if let Some(format) = &request.format {
        body["response_format"] = response_format(format);
    }
    body
}

fn tool(tool: &ToolSpec) -> Value {
    json!({ "type": "function", "function": { "name": tool.name, "description": tool.description, "parameters": tool.parameters } })
}

pub fn response_format(format: &Format) -> Value {
    match format {
        Format::Schema { name, schema } => json!({ "type": "json_schema", "json_schema": { "name": name, "schema": schema } }),
        Format::Json => json!({ "type": "json_object" }),
    }
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
    let foreign = |name: &String| ECHOED.contains(&name.as_str());
    for (name, value) in call.extra.iter().filter(|(name, _)| !foreign(name)) {
        json[name] = value.clone();
    }
    json
}
