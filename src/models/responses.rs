//! The Responses dialect as Perplexity's Agent API speaks it: an answer that rests on pages it has read.
//! It plays the researcher, who has no tools of ours: tools are not sent, and a tool that the answer
//! mentions has already been used by the provider.

use super::{
    ChatModel, ChatRequest, Completion, Message, ModelError, ModelEvent, ModelStream, Source,
    chat_completions::response_format,
    cost_micros,
    refusal::{classify, error_in, status_of},
    wire::{Assemble, Endpoint},
};
use serde_json::{Value, json};

pub struct Responses {
    pub endpoint: Endpoint,
}

impl ChatModel for Responses {
    fn stream(&self, model: &str, request: ChatRequest) -> ModelStream {
        self.endpoint.stream::<Assembler>("agent", &body(model, &request))
    }
}

/// A name with a slash is a model, which is told to search; any other is a preset, which knows how.
fn body(model: &str, request: &ChatRequest) -> Value {
    let systems =
        request.messages.iter().filter_map(|message| if let Message::System(text) = message { Some(text.as_str()) } else { None });
    let mut body = json!({
        "instructions": systems.collect::<Vec<_>>().join("\n\n"),
        "input": request.messages.iter().filter_map(input).collect::<Vec<_>>(),
        "max_output_tokens": request.max_tokens,
        "stream": true,
    });
    if model.contains('/') {
        body["model"] = json!(model);
        body["tools"] = json!([{ "type": "web_search" }]);
    } else {
        body["preset"] = json!(model);
    }
    if let Some(format) = &request.format {
        body["response_format"] = response_format(format);
    }
    body
}

fn input(message: &Message) -> Option<Value> {
    let (role, text) = match message {
        Message::User(text) => ("user", text),
        Message::Assistant { text, .. } if !text.is_empty() => ("assistant", text),
        _ => return None,
    };
    Some(json!({ "type": "message", "role": role, "content": text }))
}

#[derive(Default)]
pub struct Assembler {
    done: Completion,
    over: bool,
}

impl Assemble for Assembler {
    fn take(&mut self, frame: &Value) -> Result<Vec<ModelEvent>, ModelError> {
        let event = match frame["type"].as_str().unwrap_or_default() {
            "response.output_text.delta" => {
                let text = frame["delta"].as_str().unwrap_or_default();
                self.done.text.push_str(text);
                ModelEvent::Text(text.to_owned())
            }
            "response.completed" => return Ok(self.finish(&frame["response"])),
            "response.incomplete" => {
                self.done.cut = true;
                return Ok(self.finish(&frame["response"]));
            }
            // Also under HTTP 200.
            "response.failed" => return Err(failed(frame)),
            "error" if frame["error"].is_null() => return Err(classify(status_of(frame), frame, None)),
            other => {
                if let Some(error) = error_in(frame) {
                    return Err(error);
                }
                match other {
                    "response.reasoning.search_queries" => searching(frame),
                    "response.reasoning.search_results" => self.found(&frame["results"]),
                    // The same once more, or, from some models, for the first time.
                    "response.output_item.done" => self.found(&frame["item"]["results"]),
                    _ => ModelEvent::Thinking,
                }
            }
        };
        Ok(vec![event])
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn end(self) -> Result<Completion, ModelError> {
        if self.over { Ok(self.done) } else { Err(ModelError::Truncated) }
    }
}

impl Assembler {
    /// The whole answer, once more: its usage and sources, and its text if no piece of it came before.
    fn finish(&mut self, response: &Value) -> Vec<ModelEvent> {
        self.over = true;
        let usage = &response["usage"];
        self.done.tokens = usage["input_tokens"].as_i64().zip(usage["output_tokens"].as_i64());
        self.done.cost_micros = cost_micros(usage);
        let mut text = String::new();
        for item in response["output"].as_array().into_iter().flatten() {
            match item["type"].as_str().unwrap_or_default() {
                "search_results" => {
                    self.found(&item["results"]);
                }
                "message" => text.extend(item["content"].as_array().into_iter().flatten().filter_map(|part| part["text"].as_str())),
                _ => {}
            }
        }
        if self.done.text.is_empty() && !text.is_empty() {
            self.done.text.clone_from(&text);
            return vec![ModelEvent::Text(text)];
        }
        vec![ModelEvent::Thinking]
    }

    /// Each result once, by the number the text calls it by. Says how many there are where there are more now.
    fn found(&mut self, results: &Value) -> ModelEvent {
        let sources = &mut self.done.sources;
        let before = sources.len();
        for source in Source::read_all(results) {
            if sources.iter().all(|known| known.id != source.id) {
                sources.push(source);
            }
        }
        if sources.len() > before { ModelEvent::Reading(sources.len()) } else { ModelEvent::Thinking }
    }
}

/// Queries are texts, or objects that hold one; a single one may stand for itself.
fn searching(frame: &Value) -> ModelEvent {
    let text = |query: &Value| query.as_str().or_else(|| query["query"].as_str()).map(|query| query.trim().to_owned());
    let single = std::slice::from_ref(&frame["query"]);
    let queries = frame["queries"].as_array().map_or(single, Vec::as_slice);
    let queries: Vec<String> = queries.iter().filter_map(text).filter(|query| !query.is_empty()).collect();
    if queries.is_empty() { ModelEvent::Thinking } else { ModelEvent::Searching(queries) }
}

/// The error stands in the response, or beside it.
fn failed(frame: &Value) -> ModelError {
    let error = [&frame["response"]["error"], &frame["error"]].into_iter().find(|error| !error.is_null()).unwrap_or(frame);
    classify(status_of(error), &json!({ "error": error }), None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::loopback::{Loopback, OK, refusal};
    use futures::StreamExt;

    fn request() -> ChatRequest {
        let messages = vec![
            Message::System("Cite.".into()),
            Message::User("Who?".into()),
            Message::Assistant { text: "Them.".into(), calls: vec![] },
            Message::User("Since when?".into()),
        ];
        ChatRequest { messages, tools: vec![], tool_required: false, max_tokens: 9, format: None, rehearsal: Default::default() }
    }

    async fn hear(bytes: &[&[u8]]) -> (Value, Vec<Result<ModelEvent, ModelError>>) {
        let loopback = Loopback::open().await;
        let base_url = format!("{}/v1", loopback.url);
        let endpoint = Endpoint { client: reqwest::Client::new(), provider: "Local".into(), base_url, key: Some("key".into()) };
        let stream = Responses { endpoint }.stream("low", request());
        let (asked, events) = tokio::join!(loopback.answer(bytes), stream.collect());
        assert!(asked.head.starts_with("post /v1/agent ") && asked.head.contains("authorization: bearer key"), "{}", asked.head);
        (asked.body, events)
    }

    fn frames(events: &[Value]) -> String {
        events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())).collect()
    }

    async fn check(events: &[Value], expect: Result<Completion, ModelError>) {
        let (_, mut heard) = hear(&[OK, frames(events).as_bytes()]).await;
        let end =
            heard.pop().expect("an end").map(|event| if let ModelEvent::Done(done) = event { done } else { panic!("no end: {event:?}") });
        assert_eq!(end, expect, "{events:?}");
    }

    fn delta(text: &str) -> Value {
        json!({ "type": "response.output_text.delta", "delta": text })
    }

    fn result(id: i64) -> Value {
        json!({ "id": id, "title": "A", "url": format!("https://a.example/{id}"), "snippet": "s", "date": "2026-11-01" })
    }

    fn source(id: i64) -> Source {
        Source { id, title: "A".into(), url: format!("https://a.example/{id}"), snippet: "s".into(), date: Some("2026-11-01".into()) }
    }

    fn said(text: &str) -> Completion {
        Completion { text: text.into(), ..Completion::default() }
    }

    #[tokio::test]
    async fn an_answer_with_its_sources_and_its_cost() {
        let output = json!([
            { "type": "search_results", "queries": ["q"], "results": [result(1), result(7), { "id": 8, "url": "javascript:x" }] },
            { "type": "function_call", "name": "search_web", "call_id": "c", "status": "completed", "arguments": "{}" },
            { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "Since 2020 [7]." }] },
        ]);
        let usage = json!({ "input_tokens": 7, "output_tokens": 5, "cost": { "currency": "USD", "total_cost": 0.0123 } });
        let done = json!({ "type": "response.completed", "response": { "status": "completed", "output": output, "usage": usage } });
        let begun = [
            json!({ "type": "response.created", "response": { "status": "in_progress", "error": null } }),
            json!({ "type": "response.reasoning.search_queries", "queries": ["q"] }),
            json!({ "type": "response.reasoning.search_results", "results": [result(7)] }),
        ];
        let expect =
            Completion { tokens: Some((7, 5)), cost_micros: Some(12_300), sources: vec![source(7), source(1)], ..said("Since 2020 [7].") };
        let streamed = [begun.to_vec(), vec![delta("Since "), delta("2020 [7].")], vec![done.clone()]].concat();
        check(&streamed, Ok(expect.clone())).await;
        check(&[begun.to_vec(), vec![done]].concat(), Ok(expect)).await;
        let (_, events) = hear(&[OK, frames(&streamed).as_bytes()]).await;
        let told = events.iter().filter_map(|event| if let Ok(ModelEvent::Text(text)) = event { Some(text.as_str()) } else { None });
        assert_eq!(told.collect::<String>(), "Since 2020 [7].", "each word once");
    }

    #[tokio::test]
    async fn ends_of_every_kind() {
        let ended = |kind: &str, response: Value| json!({ "type": kind, "response": response });
        check(&[delta("a"), ended("response.completed", json!({ "output": [] }))], Ok(said("a"))).await;
        check(&[delta("a"), ended("response.incomplete", json!({}))], Ok(Completion { cut: true, ..said("a") })).await;
        check(&[delta("a")], Err(ModelError::Truncated)).await;
        check(&[], Err(ModelError::Truncated)).await;
        let busy = ModelError::Overloaded { retry_after: None };
        let failed = |error: Value| ended("response.failed", json!({ "status": "failed", "error": error }));
        check(&[delta("a"), failed(json!({ "message": "boom", "code": "server_error" }))], Err(busy.clone())).await;
        check(&[failed(json!({ "message": "slow", "type": "rate_limit_error" }))], Err(ModelError::RateLimited { retry_after: None }))
            .await;
        check(&[json!({ "type": "response.failed", "error": { "message": "no", "code": 400 } })], Err(ModelError::BadRequest("no".into())))
            .await;
        check(&[json!({ "type": "error", "message": "boom", "code": null })], Err(busy)).await;
        check(&[json!({ "error": { "message": "no", "code": 401 } })], Err(ModelError::Auth { provider: "Local".into() })).await;
        let (_, events) = hear(&[&refusal("401 Unauthorized", "", "no")]).await;
        assert_eq!(events, [Err(ModelError::Auth { provider: "Local".into() })]);
    }

    #[tokio::test]
    async fn what_is_searched_and_found_is_told() {
        let reasoning = |what: &str, fields: Value| {
            let mut frame = json!({ "type": format!("response.reasoning.{what}") });
            frame.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
            frame
        };
        let searching = |queries: &[&str]| ModelEvent::Searching(queries.iter().map(|query| (*query).to_owned()).collect());
        let item =
            |results: Value| json!({ "type": "response.output_item.done", "item": { "type": "search_results", "results": results } });
        let rows = [
            (reasoning("started", json!({ "thought": "Hm." })), ModelEvent::Thinking),
            (reasoning("search_queries", json!({ "queries": ["a b", "c"] })), searching(&["a b", "c"])),
            (reasoning("search_queries", json!({ "queries": [{ "query": "d" }, { "text": 1 }, " "] })), searching(&["d"])),
            (reasoning("search_queries", json!({ "query": "e" })), searching(&["e"])),
            (reasoning("search_queries", json!({ "queries": [] })), ModelEvent::Thinking),
            (reasoning("search_queries", json!({ "queries": null })), ModelEvent::Thinking),
            (reasoning("search_results", json!({ "results": [result(1), result(7)] })), ModelEvent::Reading(2)),
            (item(json!([result(7)])), ModelEvent::Thinking),
            (item(json!([result(7), result(8)])), ModelEvent::Reading(3)),
            (reasoning("search_results", json!({ "results": [] })), ModelEvent::Thinking),
            (reasoning("search_results", json!({})), ModelEvent::Thinking),
            (reasoning("fetch_url_queries", json!({ "urls": ["https://a.example/9"] })), ModelEvent::Thinking),
        ];
        let stream: Vec<Value> = rows.iter().map(|(frame, _)| frame.clone()).collect();
        let (_, events) = hear(&[OK, frames(&stream).as_bytes()]).await;
        let expect = rows.map(|(_, event)| Ok(event)).into_iter().chain([Err(ModelError::Truncated)]);
        assert_eq!(events, expect.collect::<Vec<_>>());
        assert!(events.iter().flatten().all(|event| !event.is_word()), "nothing of the answer has come");
    }

    #[tokio::test]
    async fn what_is_asked() {
        let (asked, _) = hear(&[OK]).await;
        let item = |role: &str, text: &str| json!({ "type": "message", "role": role, "content": text });
        let input = [item("user", "Who?"), item("assistant", "Them."), item("user", "Since when?")];
        let expect = json!({ "instructions": "Cite.", "input": input, "max_output_tokens": 9, "stream": true, "preset": "low" });
        assert_eq!(asked, expect);
        let asked = body("perplexity/sonar", &request());
        assert_eq!(
            (&asked["model"], &asked["tools"][0]["type"], asked.get("preset")),
            (&json!("perplexity/sonar"), &json!("web_search"), None)
        );
    }
}
