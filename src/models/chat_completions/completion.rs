//! Puts a chat completion together from the chunks of any dialect of it. Pure: JSON in, events out.

use crate::models::{Completion, ModelError, ModelEvent, Source, ToolCall, cost_micros, refusal::error_in, wire::Assemble};
use serde_json::{Map, Value};

/// Fields of a tool call's delta that are understood; all others are kept to be echoed.
const KNOWN: [&str; 4] = ["index", "id", "type", "function"];

#[derive(Default)]
pub struct Assembler {
    done: Completion,
    /// Each call with the index its provider gave it.
    calls: Vec<(Option<i64>, ToolCall)>,
    finish: Option<String>,
}

impl Assemble for Assembler {
    fn take(&mut self, chunk: &Value) -> Result<Vec<ModelEvent>, ModelError> {
        if let Some(error) = error_in(chunk) {
            return Err(error);
        }
        self.take_usage(chunk);
        self.take_sources(chunk);
        let mut events = Vec::new();
        let Some(choice) = chunk["choices"].get(0) else { return Ok(vec![ModelEvent::Thinking]) };
        if let Some(finish) = choice["finish_reason"].as_str().filter(|finish| !finish.is_empty()) {
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

    /// Without a finish reason the answer is truncated, whatever ended the stream.
    fn end(mut self) -> Result<Completion, ModelError> {
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
}

impl Assembler {
    fn take_usage(&mut self, chunk: &Value) {
        let usage = &chunk["usage"];
        if let (Some(input), Some(output)) = (usage["prompt_tokens"].as_i64(), usage["completion_tokens"].as_i64()) {
            self.done.tokens = Some((input, output));
        }
        if let Some(cost) = cost_micros(usage) {
            self.done.cost_micros = Some(cost);
        }
    }

    /// Gateways to models that search send what they found with every chunk; bare addresses where they know no more.
    fn take_sources(&mut self, chunk: &Value) {
        let found = ["search_results", "citations"].into_iter().map(|field| Source::read_all(&chunk[field]));
        if let Some(sources) = found.into_iter().find(|sources| !sources.is_empty()) {
            self.done.sources = sources;
        }
    }

    fn take_call(&mut self, delta: &Value) -> Option<ModelEvent> {
        let (index, id) = (delta["index"].as_i64(), delta["id"].as_str().unwrap_or_default());
        let named = delta["function"]["name"].as_str().is_some_and(|name| !name.is_empty());
        let at = match self.find(index, id, named) {
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
        let tool = call.name.clone();
        (!arguments.is_empty()).then_some(ModelEvent::Arguments { call: at, tool, piece: arguments })
    }

    /// By index, else by id; a new id under an index that is taken is a new call, and what has neither
    /// belongs to the last one, unless it has a name.
    fn find(&self, index: Option<i64>, id: &str, named: bool) -> Option<usize> {
        let same_id = |call: &ToolCall| id.is_empty() || call.id.is_empty() || call.id == id;
        match index {
            Some(_) => self.calls.iter().rposition(|(at, call)| *at == index && same_id(call)),
            None if id.is_empty() && named => None,
            None if id.is_empty() => self.calls.len().checked_sub(1),
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
