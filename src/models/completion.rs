//! Puts a chat completion together from the chunks of any dialect of it. Pure: JSON in, events out.

use super::{Completion, ModelError, ModelEvent, ToolCall};
use serde_json::{Map, Value};
use std::time::Duration;

/// Fields of a tool call's delta that are understood; all others are kept to be echoed.
const KNOWN: [&str; 4] = ["index", "id", "type", "function"];

#[derive(Default)]
pub struct Assembler {
    done: Completion,
    /// Each call with the index its provider gave it.
    calls: Vec<(Option<i64>, ToolCall)>,
    finish: Option<String>,
}

impl Assembler {
    /// One chunk. An error inside an HTTP 200 comes back as an error.
    pub fn take(&mut self, chunk: &Value) -> Result<Vec<ModelEvent>, ModelError> {
        if let Some(error) = error_in(chunk) {
            return Err(error);
        }
        self.take_usage(chunk);
        let mut events = Vec::new();
        let Some(choice) = chunk["choices"].get(0) else { return Ok(vec![ModelEvent::Thinking]) };
        if let Some(finish) = choice["finish_reason"].as_str() {
            self.finish = Some(finish.to_owned());
        }
        let delta = &choice["delta"];
        if let Some(text) = text_of(&delta["content"]) {
            self.done.text.push_str(&text);
            events.push(ModelEvent::Text(text));
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            events.extend(self.take_call(call));
        }
        if events.is_empty() {
            events.push(ModelEvent::Thinking);
        }
        Ok(events)
    }

    /// The end of the stream; without a finish reason it is a truncation.
    pub fn end(mut self) -> Result<Completion, ModelError> {
        let finish = self.finish.ok_or(ModelError::Truncated)?;
        self.done.cut = finish == "length";
        self.done.calls = self.calls.into_iter().map(|(_, call)| call).collect();
        for (i, call) in self.done.calls.iter_mut().enumerate() {
            if call.id.is_empty() {
                call.id = format!("call_{i}");
            }
            if call.arguments.trim().is_empty() {
                call.arguments = "{}".to_owned();
            }
        }
        Ok(self.done)
    }

    fn take_usage(&mut self, chunk: &Value) {
        let usage = &chunk["usage"];
        if let (Some(input), Some(output)) = (usage["prompt_tokens"].as_i64(), usage["completion_tokens"].as_i64()) {
            self.done.tokens = Some((input, output));
        }
        // OpenRouter says what a call cost, in US dollars.
        if let Some(cost) = usage["cost"].as_f64() {
            self.done.cost_micros = Some((cost * 1e6).round() as i64);
        }
    }

    fn take_call(&mut self, delta: &Value) -> Option<ModelEvent> {
        let (index, id) = (delta["index"].as_i64(), delta["id"].as_str().unwrap_or_default());
        let at = match self.find(index, id) {
            Some(at) => at,
            None => {
                self.calls.push((index, ToolCall { id: id.to_owned(), ..ToolCall::default() }));
                self.calls.len() - 1
            }
        };
        let call = &mut self.calls[at].1;
        // The first name stays: some servers repeat it on every delta.
        if let Some(name) = delta["function"]["name"].as_str().filter(|_| call.name.is_empty()) {
            call.name = name.to_owned();
        }
        call.extra.extend(extra_fields(delta));
        let arguments = match &delta["function"]["arguments"] {
            Value::String(piece) => piece.clone(),
            Value::Null => return None,
            whole => whole.to_string(),
        };
        call.arguments.push_str(&arguments);
        (at == 0 && !arguments.is_empty()).then_some(ModelEvent::Arguments(arguments))
    }

    /// By index, else by id; a new id under an index that is taken is a new call.
    fn find(&self, index: Option<i64>, id: &str) -> Option<usize> {
        let same_id = |call: &ToolCall| id.is_empty() || call.id.is_empty() || call.id == id;
        match index {
            Some(_) => self.calls.iter().rposition(|(at, call)| *at == index && same_id(call)),
            None if id.is_empty() => None,
            None => self.calls.iter().position(|(_, call)| call.id == id),
        }
    }
}

fn extra_fields(delta: &Value) -> Map<String, Value> {
    let fields = delta.as_object().into_iter().flatten();
    fields.filter(|(name, _)| !KNOWN.contains(&name.as_str())).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Content may be text, null, or a list of parts.
fn text_of(content: &Value) -> Option<String> {
    let text = match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    };
    (!text.is_empty()).then_some(text)
}

/// An error sent as a chunk: `{error: …}`, `{object: "error", message}`, or a list of the former.
fn error_in(chunk: &Value) -> Option<ModelError> {
    let chunk = if chunk.is_array() { chunk.get(0)? } else { chunk };
    let error = match (&chunk["error"], &chunk["object"]) {
        (Value::Null, Value::String(object)) if object == "error" => chunk,
        (Value::Null, _) => return None,
        (error, _) => error,
    };
    let status = match &error["code"] {
        Value::Number(code) => code.as_u64(),
        Value::String(code) => code.parse().ok(),
        _ => None,
    };
    Some(classify(status.unwrap_or(500) as u16, chunk, None))
}

/// What an HTTP status and an error body (JSON, or a text as a JSON string) amount to.
pub fn classify(status: u16, body: &Value, retry_after: Option<Duration>) -> ModelError {
    let body = if body.is_array() { &body[0] } else { body };
    let message = [&body["error"]["message"], &body["error"], &body["message"], &body["detail"], body].into_iter().find_map(Value::as_str);
    let message: String = message.unwrap_or("no reason given").chars().filter(|c| !c.is_control()).take(300).collect();
    let lower = format!("{message} {}", body["error"]["code"]).to_lowercase();
    let too_long = ["context length", "context_length", "context size", "maximum context", "exceed_context", "too many tokens"];
    match status {
        401 | 403 => ModelError::Auth { provider: String::new() },
        429 if lower.contains("insufficient_quota") => ModelError::BadRequest(message),
        429 => ModelError::RateLimited { retry_after },
        _ if too_long.iter().any(|words| lower.contains(words)) => ModelError::ContextTooLong,
        408 | 409 | 500.. => ModelError::Overloaded { retry_after },
        _ => ModelError::BadRequest(message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(chunks: &[Value], expect: Result<Completion, ModelError>) {
        let mut assembler = Assembler::default();
        let taken = chunks.iter().try_for_each(|chunk| assembler.take(chunk).map(drop));
        assert_eq!(taken.and_then(|()| assembler.end()), expect, "{chunks:?}");
    }

    fn delta(delta: Value, finish: Option<&str>) -> Value {
        json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] })
    }

    fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
        ToolCall { id: id.into(), name: name.into(), arguments: arguments.into(), ..ToolCall::default() }
    }

    #[test]
    fn text_usage_and_cut() {
        let usage = json!({ "choices": [], "usage": { "prompt_tokens": 7, "completion_tokens": 2 } });
        let chunks = [delta(json!({ "role": "assistant", "content": null }), None), delta(json!({ "content": "Good " }), None)];
        let rest = [delta(json!({ "content": [{ "type": "text", "text": "day" }] }), Some("length")), usage];
        let expect = Completion { text: "Good day".into(), tokens: Some((7, 2)), cut: true, ..Completion::default() };
        check(&[chunks, rest].concat(), Ok(expect));
    }

    #[test]
    fn tool_calls_of_every_shape() {
        let f = |name: &str, arguments: &str| json!({ "name": name, "arguments": arguments });
        let cases = [
            // in pieces, the id only on the first, the name repeated
            (
                vec![
                    json!([{ "index": 0, "id": "a", "type": "function", "function": f("say", "{\"x\"") }]),
                    json!([{ "index": 0, "function": f("say", ":1}") }]),
                ],
                vec![call("a", "say", "{\"x\":1}")],
            ),
            // the same index twice with another id
            (
                vec![json!([{ "index": 0, "id": "a", "function": f("say", "{}") }, { "index": 0, "id": "b", "function": f("say", "{}") }])],
                vec![call("a", "say", "{}"), call("b", "say", "{}")],
            ),
            // no index, no id, whole arguments, none at all
            (
                vec![json!([{ "function": f("say", "") }]), json!([{ "function": { "name": "go", "arguments": { "y": 2 } } }])],
                vec![call("call_0", "say", "{}"), call("call_1", "go", "{\"y\":2}")],
            ),
        ];
        for (deltas, calls) in cases {
            let mut chunks: Vec<_> = deltas.into_iter().map(|calls| delta(json!({ "tool_calls": calls }), None)).collect();
            chunks.push(delta(json!({}), Some("stop")));
            check(&chunks, Ok(Completion { calls, ..Completion::default() }));
        }
    }

    #[test]
    fn unknown_fields_of_a_call_are_kept_to_be_echoed() {
        let extra = json!({ "google": { "thought_signature": "s" } });
        let mut assembler = Assembler::default();
        let call = json!([{ "id": "a", "function": { "name": "say", "arguments": "{}" }, "extra_content": extra }]);
        assembler.take(&delta(json!({ "tool_calls": call }), Some("stop"))).expect("a chunk");
        assert_eq!(assembler.end().expect("an end").calls[0].extra["extra_content"], extra);
    }

    #[test]
    fn errors_inside_a_stream_and_a_missing_finish() {
        check(&[delta(json!({ "content": "half" }), None)], Err(ModelError::Truncated));
        check(&[json!({ "error": { "message": "slow down", "code": 429 } })], Err(ModelError::RateLimited { retry_after: None }));
        check(&[json!({ "object": "error", "message": "boom" })], Err(ModelError::Overloaded { retry_after: None }));
        check(&[json!({ "error": { "message": "bad", "code": "400" } })], Err(ModelError::BadRequest("bad".into())));
        check(
            &[json!([{ "error": { "message": "This model's maximum context length is 1", "code": 400 } }])],
            Err(ModelError::ContextTooLong),
        );
    }

    #[test]
    fn plain_text_errors_are_understood() {
        assert_eq!(classify(500, &json!("Internal Server Error"), None), ModelError::Overloaded { retry_after: None });
        assert_eq!(classify(404, &json!({ "error": "model 'x' not found" }), None), ModelError::BadRequest("model 'x' not found".into()));
    }
}
