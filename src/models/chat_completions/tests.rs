//! The dialect against raw bytes on loopback: first what each server is known to send, row by row, then the
//! rules that hold for all of them. Frames as such, refusals and waits are tested in `wire` and `refusal`.

use super::*;
use crate::models::{
    Completion, ModelError, ModelEvent, Source,
    loopback::{Loopback, OK, hangs_up, refusal},
};
use futures::StreamExt;
use std::time::Duration;

fn request() -> ChatRequest {
    let messages = vec![Message::User("Hello".into())];
    ChatRequest { messages, tools: vec![], tool_required: false, max_tokens: 9, format: None, rehearsal: Default::default() }
}

fn chat(url: &str) -> ChatCompletions {
    let endpoint =
        Endpoint { client: reqwest::Client::new(), provider: "Local".into(), base_url: format!("{url}/v1/"), key: Some("key".into()) };
    ChatCompletions { endpoint, limit: "max_tokens" }
}

/// Everything the adapter makes of a response that comes in these pieces.
async fn hear(pieces: &[&[u8]]) -> Vec<Result<ModelEvent, ModelError>> {
    let loopback = Loopback::open().await;
    let stream = chat(&loopback.url).stream("m", request());
    let (asked, events) = tokio::join!(loopback.answer(pieces), stream.collect());
    assert!(asked.head.starts_with("post /v1/chat/completions http/1.1") && asked.head.contains("authorization: bearer key"));
    events
}

/// The end of a stream of these bytes.
async fn check(stream: &str, expect: Result<Completion, ModelError>) {
    let end = hear(&[OK, stream.as_bytes()]).await.pop().expect("an end");
    let end = end.map(|event| if let ModelEvent::Done(done) = event { done } else { panic!("no end: {event:?}") });
    assert_eq!(end, expect, "{stream}");
}

/// Chunks as frames, and the end of the stream.
fn chunks(chunks: &[Value]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).chain(["data: [DONE]\n\n".to_owned()]).collect()
}

fn delta(delta: Value, finish: Option<&str>) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] })
}

fn usage(input: i64, output: i64) -> Value {
    json!({ "prompt_tokens": input, "completion_tokens": output })
}

fn said(text: &str) -> Completion {
    Completion { text: text.into(), ..Completion::default() }
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall { id: id.into(), name: name.into(), arguments: arguments.into(), ..ToolCall::default() }
}

fn function(name: &str, arguments: &str) -> Value {
    json!({ "name": name, "arguments": arguments })
}

const BUSY: ModelError = ModelError::Overloaded { retry_after: None };

// Rows: what each server sends.

#[tokio::test]
async fn openai() {
    // The usage chunk has no choices.
    let text = [
        delta(json!({ "role": "assistant", "content": "", "refusal": null }), None),
        delta(json!({ "content": "Good day" }), None),
        delta(json!({}), Some("stop")),
        json!({ "choices": [], "usage": usage(7, 2) }),
    ];
    check(&chunks(&text), Ok(Completion { tokens: Some((7, 2)), ..said("Good day") })).await;
    // Index, id and name first, arguments in pieces, two calls interleaved.
    let calls = [
        delta(json!({ "tool_calls": [{ "index": 0, "id": "a", "type": "function", "function": function("say", "") }] }), None),
        delta(json!({ "tool_calls": [{ "index": 0, "function": { "arguments": "{\"x\"" } }] }), None),
        delta(json!({ "tool_calls": [{ "index": 1, "id": "b", "type": "function", "function": function("go", "") }] }), None),
        delta(json!({ "tool_calls": [{ "index": 0, "function": { "arguments": ":1}" } }] }), None),
        delta(json!({ "tool_calls": [{ "index": 1, "function": { "arguments": "{}" } }] }), None),
        delta(json!({}), Some("tool_calls")),
    ];
    let expect = Completion { calls: vec![call("a", "say", "{\"x\":1}"), call("b", "go", "{}")], ..Completion::default() };
    check(&chunks(&calls), Ok(expect)).await;
}

#[tokio::test]
async fn anthropic_compatible() {
    // Speaks the standard; its own texts and its own status come as refusals.
    check(&chunks(&[delta(json!({ "content": "Hi" }), None), delta(json!({}), Some("stop"))]), Ok(said("Hi"))).await;
    let body = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    assert_eq!(hear(&[&refusal("529 Overloaded", "", body)]).await, [Err(BUSY)]);
}

#[tokio::test]
async fn gemini_compatible() {
    // No index, whole arguments in one delta, `stop` in spite of calls, and a signature that must be echoed.
    let signature = json!({ "google": { "thought_signature": "s" } });
    let calls = json!([
        { "id": "", "type": "function", "function": function("say", "{\"x\":1}"), "extra_content": signature },
        { "id": "", "type": "function", "function": function("go", "{}") },
    ]);
    let mut first = call("call_0", "say", "{\"x\":1}");
    first.extra.insert("extra_content".into(), signature.clone());
    let expect = Completion { calls: vec![first.clone(), call("call_1", "go", "{}")], ..Completion::default() };
    check(&chunks(&[delta(json!({ "role": "assistant", "tool_calls": calls }), Some("stop"))]), Ok(expect)).await;
    let echoed = message(&Message::Assistant { text: String::new(), calls: vec![first] });
    assert_eq!(echoed["tool_calls"][0]["extra_content"], signature);
    // Its errors are sometimes a list.
    let list = r#"[{"error":{"code":400,"message":"Bad schema","status":"INVALID_ARGUMENT"}}]"#;
    assert_eq!(hear(&[&refusal("400 Bad Request", "", list)]).await, [Err(ModelError::BadRequest("Bad schema".into()))]);
    check(&format!("data: {list}\n\n"), Err(ModelError::BadRequest("Bad schema".into()))).await;
}

#[tokio::test]
async fn ollama() {
    // The role on every chunk, reasoning in a field of its own, parallel calls that all have index 0.
    let chunk = |delta: Value, finish| {
        let mut delta = delta;
        delta["role"] = json!("assistant");
        super::tests::delta(delta, finish)
    };
    let calls = json!([
        { "id": "a", "index": 0, "type": "function", "function": function("say", "{\"x\":1}") },
        { "id": "b", "index": 0, "type": "function", "function": function("say", "{\"x\":2}") },
    ]);
    let stream = [
        chunk(json!({ "content": "", "reasoning": "Hm." }), None),
        chunk(json!({ "content": "", "tool_calls": calls }), None),
        chunk(json!({ "content": "" }), Some("tool_calls")),
        json!({ "choices": [], "usage": usage(3, 4) }),
    ];
    let calls = vec![call("a", "say", "{\"x\":1}"), call("b", "say", "{\"x\":2}")];
    check(&chunks(&stream), Ok(Completion { calls, tokens: Some((3, 4)), ..Completion::default() })).await;
    let missing = r#"{"error":{"message":"model 'x' not found","type":"not_found_error","param":null,"code":null}}"#;
    let expect = [Err(ModelError::BadRequest("model 'x' not found".into()))];
    assert_eq!(hear(&[&refusal("404 Not Found", "", missing)]).await, expect);
}

#[tokio::test]
async fn vllm() {
    // The finish shares the last chunk, there is no usage, and errors come in two forms.
    check(&chunks(&[delta(json!({ "content": "Hi" }), Some("stop"))]), Ok(said("Hi"))).await;
    let half = delta(json!({ "content": "Ha" }), None);
    check(&chunks(&[half.clone(), json!({ "error": { "message": "boom", "type": "x", "code": 500 } })]), Err(BUSY)).await;
    check(&chunks(&[half, json!({ "object": "error", "message": "boom", "code": 500 })]), Err(BUSY)).await;
}

#[tokio::test]
async fn llama_cpp() {
    // Pings as comments, the id only on the first piece, replacement characters, timings, numbers as codes.
    let calls = |call: Value| delta(json!({ "tool_calls": [call] }), None);
    let stream = [
        calls(json!({ "index": 0, "id": "a", "type": "function", "function": function("say", "{\"x\":\"\u{fffd}") })),
        calls(json!({ "index": 0, "function": { "arguments": "\u{fffd}\"}" } })),
        json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }], "timings": { "predicted_n": 2 }, "usage": usage(1, 2) }),
    ];
    let expect =
        Completion { calls: vec![call("a", "say", "{\"x\":\"\u{fffd}\u{fffd}\"}")], tokens: Some((1, 2)), ..Completion::default() };
    check(&format!(":\n\n: ping\n\n{}", chunks(&stream)), Ok(expect)).await;
    let long = r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#;
    assert_eq!(hear(&[&refusal("400 Bad Request", "", long)]).await, [Err(ModelError::ContextTooLong)]);
}

#[tokio::test]
async fn openrouter() {
    // Comments while it waits, reasoning, what the call cost; and errors under HTTP 200.
    let stream = [
        delta(json!({ "content": "", "reasoning": "Hm." }), None),
        delta(json!({ "content": "Hi" }), Some("stop")),
        json!({ "choices": [{ "index": 0, "delta": { "content": "" }, "finish_reason": null }],
                "usage": { "prompt_tokens": 1, "completion_tokens": 2, "cost": 0.0000125 } }),
    ];
    let expect = Completion { tokens: Some((1, 2)), cost_micros: Some(13), ..said("Hi") };
    check(&format!(": OPENROUTER PROCESSING\n\n{}", chunks(&stream)), Ok(expect)).await;
    let error =
        json!({ "error": { "code": "429", "message": "slow" }, "choices": [{ "index": 0, "delta": {}, "finish_reason": "error" }] });
    check(&chunks(&[error]), Err(ModelError::RateLimited { retry_after: None })).await;
}

#[tokio::test]
async fn litellm() {
    // The type on every delta, usage on a chunk with an empty delta, no finish reason there.
    let calls = |call: Value| delta(json!({ "tool_calls": [call] }), None);
    let stream = [
        calls(json!({ "index": 0, "id": "a", "type": "function", "function": function("say", "{\"x\"") })),
        calls(json!({ "index": 0, "id": null, "type": "function", "function": { "name": null, "arguments": ":1}" } })),
        delta(json!({}), Some("tool_calls")),
        json!({ "choices": [{ "index": 0, "delta": {} }], "usage": usage(5, 6) }),
    ];
    let expect = Completion { calls: vec![call("a", "say", "{\"x\":1}")], tokens: Some((5, 6)), ..Completion::default() };
    check(&chunks(&stream), Ok(expect)).await;
    assert_eq!(hear(&[&refusal("500 Internal Server Error", "", "Internal Server Error")]).await, [Err(BUSY)]);
    let text = r#"{"error":{"message":"no","type":"None","param":"None","code":"400"}}"#;
    assert_eq!(hear(&[&refusal("400 Bad Request", "", text)]).await, [Err(ModelError::BadRequest("no".into()))]);
}

#[tokio::test]
async fn gateways_that_search() {
    let addresses = delta(json!({ "content": "So [1]." }), Some("stop"));
    let with = |fields: Value| {
        let mut chunk = addresses.clone();
        chunk.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
        chunks(&[chunk])
    };
    let source = |id, title: &str| Source { id, title: title.into(), url: "https://a.example/".into(), ..Source::default() };
    let citations = json!({ "citations": ["https://a.example/", "javascript:alert(1)"] });
    check(&with(citations), Ok(Completion { sources: vec![source(1, "")], ..said("So [1].") })).await;
    let both = json!({ "citations": ["https://b.example/"], "search_results": [{ "title": "A", "url": "https://a.example/", "date": null }],
                       "usage": { "prompt_tokens": 1, "completion_tokens": 2, "cost": { "total_cost": 0.005 } } });
    let expect = Completion { sources: vec![source(1, "A")], tokens: Some((1, 2)), cost_micros: Some(5_000), ..said("So [1].") };
    check(&with(both), Ok(expect)).await;
}

// Rules: what holds for every server.

#[tokio::test]
async fn the_end_counts_only_after_a_finish_reason() {
    let (half, finish) = (delta(json!({ "content": "a" }), None), delta(json!({}), Some("stop")));
    let frame = |chunk: &Value| format!("data: {chunk}\n\n");
    check(&frame(&half), Err(ModelError::Truncated)).await;
    check(&chunks(std::slice::from_ref(&half)), Err(ModelError::Truncated)).await;
    check("", Err(ModelError::Truncated)).await;
    check(&frame(&delta(json!({ "content": "a" }), Some(""))), Err(ModelError::Truncated)).await;
    check(&(frame(&half) + &frame(&finish)), Ok(said("a"))).await;
    // Nothing is read behind [DONE].
    check(&(chunks(&[half.clone(), finish]) + "data: {broken\n\n"), Ok(said("a"))).await;
    check(&chunks(&[half, delta(json!({}), Some("length"))]), Ok(Completion { cut: true, ..said("a") })).await;
    // A connection that breaks in the middle of a body whose length was announced.
    let chunked: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\nff\r\ndata: {";
    assert_eq!(hear(&[chunked]).await.pop(), Some(Err(ModelError::Truncated)));
}

#[tokio::test]
async fn bytes_may_be_cut_anywhere() {
    let euro = "data: {\"choices\":[{\"delta\":\r\ndata: {\"content\":\"5 €\"}}]}\r\n\r\n".as_bytes();
    let cut = euro.iter().position(|byte| *byte == 0xe2).expect("a euro sign") + 1;
    let end = chunks(&[delta(json!({}), Some("stop"))]);
    let events = hear(&[OK, b": a comment\r\n\r\n", &euro[..cut], &euro[cut..], end.as_bytes()]).await;
    assert_eq!(events.last(), Some(&Ok(ModelEvent::Done(said("5 €")))));
    check("data: {broken\n\n", Err(ModelError::Decode)).await;
}

#[tokio::test]
async fn a_line_of_10_mb_is_refused_before_it_has_come() {
    let loopback = Loopback::open().await;
    let stream = chat(&loopback.url).stream("m", request());
    let line = vec![b'x'; 10 * 1024 * 1024];
    let answering = async {
        let (_, mut connection) = loopback.call().await;
        let write = async {
            tokio::io::AsyncWriteExt::write_all(&mut connection, &[OK, b"data: "].concat()).await?;
            tokio::io::AsyncWriteExt::write_all(&mut connection, &line).await
        };
        write.await
    };
    let reading = async {
        let events = stream.collect::<Vec<_>>().await;
        events.into_iter().find(|event| *event != Ok(ModelEvent::Thinking))
    };
    let (written, end) = tokio::join!(answering, reading);
    assert_eq!(end, Some(Err(ModelError::Decode)));
    assert!(written.is_err(), "all of it was taken");
}

#[tokio::test]
async fn tool_calls_of_every_shape() {
    let piece = |call: Value| delta(json!({ "tool_calls": [call] }), None);
    let cases = [
        // The name repeated on every piece.
        (
            vec![
                json!({ "index": 0, "id": "a", "function": function("say", "{\"x\"") }),
                json!({ "index": 0, "function": function("say", ":1}") }),
            ],
            vec![call("a", "say", "{\"x\":1}")],
        ),
        // A new id under an index that is taken.
        (
            vec![
                json!({ "index": 0, "id": "a", "function": function("say", "{}") }),
                json!({ "index": 0, "id": "b", "function": function("say", "{\"y\"") }),
                json!({ "index": 0, "function": { "arguments": ":2}" } }),
            ],
            vec![call("a", "say", "{}"), call("b", "say", "{\"y\":2}")],
        ),
        // No index, by id.
        (
            vec![
                json!({ "id": "a", "function": function("say", "{\"x\"") }),
                json!({ "id": "b", "function": function("go", "{}") }),
                json!({ "id": "a", "function": { "arguments": ":1}" } }),
            ],
            vec![call("a", "say", "{\"x\":1}"), call("b", "go", "{}")],
        ),
        // Neither index nor id: a name begins a call, the rest goes on with the last one.
        (
            vec![
                json!({ "function": function("say", "{\"x\"") }),
                json!({ "function": { "arguments": ":1}" } }),
                json!({ "function": { "name": "go", "arguments": { "y": 2 } } }),
            ],
            vec![call("call_0", "say", "{\"x\":1}"), call("call_1", "go", "{\"y\":2}")],
        ),
        // Empty arguments, null, and none at all.
        (
            vec![
                json!({ "index": 0, "id": "a", "function": function("say", "") }),
                json!({ "index": 1, "id": "b", "function": { "name": "say", "arguments": null } }),
                json!({ "index": 2, "id": "c", "function": { "name": "say" } }),
            ],
            vec![call("a", "say", "{}"), call("b", "say", "{}"), call("c", "say", "{}")],
        ),
        // The first index is not 0.
        (vec![json!({ "index": 1, "id": "a", "function": function("say", "{}") })], vec![call("a", "say", "{}")]),
    ];
    for (pieces, calls) in cases {
        let mut stream: Vec<Value> = pieces.into_iter().map(piece).collect();
        stream.push(delta(json!({}), Some("stop")));
        check(&chunks(&stream), Ok(Completion { calls, ..Completion::default() })).await;
    }
}

#[tokio::test]
async fn each_calls_arguments_are_told_as_they_come() {
    let piece =
        |index: i64, id: &str, function: Value| delta(json!({ "tool_calls": [{ "index": index, "id": id, "function": function }] }), None);
    let stream = [
        piece(0, "a", function("say", "{\"x\"")),
        piece(1, "b", function("go", "{")),
        piece(0, "a", json!({ "arguments": ":1}" })),
        piece(1, "b", json!({ "arguments": "}" })),
        delta(json!({}), Some("tool_calls")),
    ];
    let mut events = hear(&[OK, chunks(&stream).as_bytes()]).await;
    events.pop();
    let told = |call, tool: &str, piece: &str| Ok(ModelEvent::Arguments { call, tool: tool.into(), piece: piece.into() });
    let expect = [told(0, "say", "{\"x\""), told(1, "go", "{"), told(0, "say", ":1}"), told(1, "go", "}"), Ok(ModelEvent::Thinking)];
    assert_eq!(events, expect);
}

#[tokio::test]
async fn usage_may_come_anywhere_and_the_last_one_counts() {
    let with = |mut chunk: Value, usage: Value| {
        chunk["usage"] = usage;
        chunk
    };
    let (text, end) = (delta(json!({ "content": "a" }), None), delta(json!({}), Some("stop")));
    let cases = [
        (vec![with(text.clone(), usage(1, 2)), end.clone()], Some((1, 2))),
        (vec![with(text.clone(), usage(1, 2)), with(end.clone(), usage(3, 4))], Some((3, 4))),
        (vec![with(text.clone(), Value::Null), end.clone(), json!({ "choices": [], "usage": usage(5, 6) })], Some((5, 6))),
        (vec![text.clone(), end.clone(), with(delta(json!({}), None), usage(7, 8))], Some((7, 8))),
        (vec![with(text, usage(1, 2)), with(end.clone(), Value::Null)], Some((1, 2))),
        (vec![delta(json!({ "content": "a" }), None), end], None),
    ];
    for (stream, tokens) in cases {
        check(&chunks(&stream), Ok(Completion { tokens, ..said("a") })).await;
    }
}

#[tokio::test]
async fn content_may_be_text_null_empty_or_a_list() {
    let parts = json!([{ "type": "thinking", "thinking": [] }, { "type": "text", "text": "d" }, { "type": "text", "text": "ay" }]);
    let stream = [json!("Good "), Value::Null, json!(""), json!([]), parts];
    let mut stream: Vec<Value> = stream.into_iter().map(|content| delta(json!({ "content": content }), None)).collect();
    stream.push(delta(json!({}), Some("stop")));
    check(&chunks(&stream), Ok(said("Good day"))).await;
}

#[tokio::test]
async fn reasoning_is_thinking_and_never_text() {
    for field in ["reasoning", "reasoning_content", "reasoning_details"] {
        let stream = chunks(&[delta(json!({ "content": "", field: "Hm." }), None), delta(json!({ "content": "a" }), Some("stop"))]);
        let events: Vec<_> = hear(&[OK, stream.as_bytes()]).await.into_iter().map(|event| event.expect("no error")).collect();
        assert_eq!(events.first(), Some(&ModelEvent::Thinking), "{field}");
        assert_eq!(events.last(), Some(&ModelEvent::Done(said("a"))), "{field}");
    }
}

#[tokio::test]
async fn refusals_name_the_provider_and_say_how_long_to_wait() {
    let refused = [Err(ModelError::Auth { provider: "Local".into() })];
    assert_eq!(hear(&[&refusal("401 Unauthorized", "", "no")]).await, refused);
    check("data: {\"error\":{\"message\":\"no\",\"code\":\"invalid_api_key\"}}\n\n", Err(ModelError::Auth { provider: "Local".into() }))
        .await;
    let json =
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{\"error\":{\"message\":\"no\",\"code\":401}}";
    assert_eq!(hear(&[json]).await, refused, "an error that is no stream");
    let busy = |after: Duration| [Err(ModelError::RateLimited { retry_after: Some(after) })];
    assert_eq!(hear(&[&refusal("429 Too Many Requests", "retry-after: 7\r\n", "busy")]).await, busy(Duration::from_secs(7)));
    let both = "retry-after: 7\r\nretry-after-ms: 20\r\n";
    assert_eq!(hear(&[&refusal("429 Too Many Requests", both, "busy")]).await, busy(Duration::from_millis(20)));
    let quota = r#"{"error":{"message":"Pay first","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}"#;
    let never = hear(&[&refusal("429 Too Many Requests", "", quota)]).await.pop().expect("an end").expect_err("refused");
    assert!(!never.is_transient(), "{never:?} would be tried again");
    // A body that does not end costs no more than its beginning.
    let endless = [b"HTTP/1.1 500 X\r\nconnection: close\r\n\r\n".as_slice(), &vec![b'x'; 4 * 1024 * 1024]].concat();
    assert_eq!(hear(&[&endless]).await, [Err(BUSY)]);
}

#[tokio::test]
async fn nobody_there_is_a_network_error() {
    let events = chat("http://127.0.0.1:9").stream("m", request()).collect::<Vec<_>>().await;
    assert_eq!(events, [Err(ModelError::Network)]);
}

#[tokio::test]
async fn a_dropped_stream_closes_the_socket_within_200_ms() {
    let loopback = Loopback::open().await;
    let mut stream = chat(&loopback.url).stream("m", request());
    let served = async {
        let (_, mut connection) = loopback.call().await;
        let bytes = [OK, b"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"].concat();
        tokio::io::AsyncWriteExt::write_all(&mut connection, &bytes).await.expect("written");
        connection
    };
    let (mut connection, first) = tokio::join!(served, stream.next());
    assert_eq!(first, Some(Ok(ModelEvent::Text("a".into()))));
    drop(stream);
    assert!(hangs_up(&mut connection).await);
}

#[test]
fn what_is_asked() {
    let tool = ToolSpec { name: "say", description: "Says it.", parameters: json!({ "type": "object" }) };
    let foreign =
        ToolCall { extra: [(ECHOED[0].to_owned(), json!(1)), ("x".to_owned(), json!(2))].into_iter().collect(), ..call("a", "say", "{}") };
    let messages = vec![
        Message::System("Be brief.".into()),
        Message::Assistant { text: String::new(), calls: vec![foreign] },
        Message::Tool { id: "a".into(), text: "done".into() },
    ];
    let request = ChatRequest { messages, tools: vec![tool], tool_required: true, format: Some(Format::Json), ..request() };
    let expect = json!({
        "model": "m",
        "messages": [
            { "role": "system", "content": "Be brief." },
            { "role": "assistant", "content": null,
              "tool_calls": [{ "id": "a", "type": "function", "function": { "name": "say", "arguments": "{}" }, "x": 2 }] },
            { "role": "tool", "tool_call_id": "a", "content": "done" },
        ],
        "max_completion_tokens": 9,
        "stream": true,
        "stream_options": { "include_usage": true },
        "tools": [{ "type": "function", "function": { "name": "say", "description": "Says it.", "parameters": { "type": "object" } } }],
        "tool_choice": "required",
        "response_format": { "type": "json_object" },
    });
    assert_eq!(body("m", "max_completion_tokens", &request), expect);
    let schema = Format::Schema { name: "answer", schema: json!({ "type": "object" }) };
    let expect = json!({ "type": "json_schema", "json_schema": { "name": "answer", "schema": { "type": "object" } } });
    assert_eq!(response_format(&schema), expect);
}
