//! Both dialects as their servers send them, in raw bytes on loopback, through genai.

use super::*;
use crate::models::loopback::{Loopback, OK, hangs_up, refusal};
use std::time::Duration;
use tokio::io::AsyncWriteExt;

fn native(kind: AdapterKind, url: &str) -> Native {
    let base_url = format!("{url}/v1");
    Native::new(kind, Endpoint { client: reqwest::Client::new(), provider: "Local".into(), base_url, key: Some("key".into()) })
        .expect("a client")
}

fn request() -> ChatRequest {
    let messages = vec![Message::System("Be brief.".into()), Message::User("Hello".into())];
    ChatRequest { messages, tools: vec![], tool_required: false, max_tokens: 9, format: None, rehearsal: Default::default() }
}

/// What was asked, and everything that was made of these bytes.
async fn hear(kind: AdapterKind, request: ChatRequest, pieces: &[&[u8]]) -> (Value, Vec<Result<ModelEvent, ModelError>>) {
    let loopback = Loopback::open().await;
    let stream = native(kind, &loopback.url).stream("m", request);
    let (asked, events) = tokio::join!(loopback.answer(pieces), stream.collect());
    let (path, key) = match kind {
        AdapterKind::Gemini => ("post /v1/models/m:streamgeneratecontent?alt=sse ", "x-goog-api-key: key"),
        _ => ("post /v1/messages ", "x-api-key: key"),
    };
    assert!(asked.head.starts_with(path) && asked.head.contains(key), "{}", asked.head);
    (asked.body, events)
}

async fn check(kind: AdapterKind, stream: &str, expect: Result<Completion, ModelError>) {
    let (_, mut events) = hear(kind, request(), &[OK, stream.as_bytes()]).await;
    let errors = events.iter().filter(|event| event.is_err()).count();
    let end =
        events.pop().expect("an end").map(|event| if let ModelEvent::Done(done) = event { done } else { panic!("no end: {event:?}") });
    assert_eq!(end, expect, "{stream}");
    assert_eq!(errors, usize::from(expect.is_err()), "it went on after an error");
}

/// Anthropic's events.
fn claude(events: &[Value]) -> String {
    events.iter().map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().expect("a type"))).collect()
}

fn begun() -> Value {
    json!({ "type": "message_start", "message": { "id": "x", "usage": { "input_tokens": 7, "output_tokens": 1 } } })
}

fn block(index: i64, block: Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn delta(index: i64, delta: Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn stop(index: i64) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn ended(reason: &str) -> Vec<Value> {
    vec![
        json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 5 } }),
        json!({ "type": "message_stop" }),
    ]
}

fn words(text: &str) -> Vec<Value> {
    let text = delta(0, json!({ "type": "text_delta", "text": text }));
    vec![begun(), block(0, json!({ "type": "text", "text": "" })), json!({ "type": "ping" }), text, stop(0)]
}

/// Gemini's chunks.
fn gemini(parts: Value, finish: Option<&str>) -> String {
    let mut chunk = json!({ "candidates": [{ "content": { "role": "model", "parts": parts } }],
                            "usageMetadata": { "promptTokenCount": 7, "candidatesTokenCount": 5 } });
    if let Some(finish) = finish {
        chunk["candidates"][0]["finishReason"] = json!(finish);
    }
    format!("data: {chunk}\r\n\r\n")
}

fn said(text: &str) -> Completion {
    Completion { text: text.into(), tokens: Some((7, 5)), ..Completion::default() }
}

const CLAUDE: AdapterKind = AdapterKind::Anthropic;
const GEMINI: AdapterKind = AdapterKind::Gemini;
const BUSY: ModelError = ModelError::Overloaded { retry_after: None };

#[tokio::test]
async fn words_and_their_end() {
    let cases = [
        ("end_turn", "STOP", Ok(said("5 €"))),
        ("max_tokens", "MAX_TOKENS", Ok(Completion { cut: true, ..said("5 €") })),
        ("refusal", "SAFETY", Ok(said("5 €"))),
        ("something_new", "MALFORMED_FUNCTION_CALL", Err(ModelError::Truncated)),
    ];
    for (claudes, geminis, expect) in cases {
        check(CLAUDE, &claude(&[words("5 €"), ended(claudes)].concat()), expect.clone()).await;
        check(GEMINI, &(gemini(json!([{ "text": "5 " }]), None) + &gemini(json!([{ "text": "€" }]), Some(geminis))), expect).await;
    }
}

#[tokio::test]
async fn a_stream_that_ends_early_is_truncated() {
    check(CLAUDE, &claude(&words("half")), Err(ModelError::Truncated)).await;
    check(CLAUDE, "", Err(ModelError::Truncated)).await;
    check(GEMINI, &gemini(json!([{ "text": "half" }]), None), Err(ModelError::Truncated)).await;
    check(GEMINI, "", Err(ModelError::Truncated)).await;
    let chunked = |text: &str| format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfff\r\n{text}").into_bytes();
    for (kind, text) in [(CLAUDE, claude(&words("half"))), (GEMINI, gemini(json!([{ "text": "half" }]), None))] {
        let (_, events) = hear(kind, request(), &[&chunked(&text)]).await;
        assert_eq!(events.last(), Some(&Err(ModelError::Truncated)), "{kind}");
    }
}

#[tokio::test]
async fn errors_in_the_stream_end_it() {
    let overloaded = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    check(CLAUDE, &claude(&[words("ha"), vec![overloaded], ended("end_turn")].concat()), Err(BUSY)).await;
    check(CLAUDE, "event: message_delta\ndata: {broken\n\n", Err(ModelError::Decode)).await;
    let unavailable = r#"data: {"error":{"code":503,"message":"later","status":"UNAVAILABLE"}}"#;
    check(GEMINI, &format!("{unavailable}\n\n{}", gemini(json!([]), Some("STOP"))), Err(BUSY)).await;
    check(GEMINI, "data: {broken\n\n", Err(ModelError::Decode)).await;
    check(GEMINI, "data: {\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}\n\n", Err(ModelError::Decode)).await;
}

#[tokio::test]
async fn refusals_and_how_long_to_wait() {
    let limited = ModelError::RateLimited { retry_after: Some(Duration::from_secs(7)) };
    let refused = ModelError::Auth { provider: "Local".into() };
    let invalid = r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}"#;
    let cases = [
        (
            CLAUDE,
            refusal("429 Too Many Requests", "retry-after: 7\r\n", r#"{"type":"error","error":{"type":"rate_limit_error"}}"#),
            limited.clone(),
        ),
        (CLAUDE, refusal("529 Overloaded", "", "{}"), BUSY),
        (
            CLAUDE,
            refusal("401 Unauthorized", "", r#"{"type":"error","error":{"type":"authentication_error","message":"no"}}"#),
            refused.clone(),
        ),
        (CLAUDE, refusal("400 Bad Request", "", r#"{"error":{"message":"prompt is too long: 9"}}"#), ModelError::ContextTooLong),
        (GEMINI, refusal("429 Too Many Requests", "retry-after: 7\r\n", "{}"), limited),
        (GEMINI, refusal("503 Unavailable", "", "later"), BUSY),
        (GEMINI, refusal("400 Bad Request", "", invalid), refused),
        (GEMINI, refusal("400 Bad Request", "", r#"{"error":{"message":"Bad schema"}}"#), ModelError::BadRequest("Bad schema".into())),
    ];
    for (kind, bytes, expect) in cases {
        assert_eq!(hear(kind, request(), &[&bytes]).await.1, [Err(expect)], "{kind}");
    }
    for kind in [CLAUDE, GEMINI] {
        let events = native(kind, "http://127.0.0.1:9").stream("m", request()).collect::<Vec<_>>().await;
        assert_eq!(events, [Err(ModelError::Network)], "nobody there");
    }
}

fn with_tool() -> ChatRequest {
    let parameters = json!({ "type": "object", "properties": { "x": { "type": "integer" } } });
    ChatRequest { tools: vec![ToolSpec { name: "say", description: "Says it.", parameters }], tool_required: true, ..request() }
}

/// The calls that were heard, after their arguments were told piece by piece.
fn calls(events: &[Result<ModelEvent, ModelError>], told: &[(usize, &str)]) -> Vec<ToolCall> {
    let pieces = events.iter().filter_map(|event| match event {
        Ok(ModelEvent::Arguments { call, tool, piece }) if tool == "say" => Some((*call, piece.as_str())),
        _ => None,
    });
    assert_eq!(pieces.collect::<Vec<_>>(), told, "{events:?}");
    match events.last() {
        Some(Ok(ModelEvent::Done(done))) => done.calls.clone(),
        other => panic!("no end: {other:?}"),
    }
}

/// The messages of the next turn, in which the call has been answered.
fn answered(call: &ToolCall) -> ChatRequest {
    let mut request = with_tool();
    request.messages.push(Message::Assistant { text: "So.".into(), calls: vec![call.clone()] });
    request.messages.push(Message::Tool { id: call.id.clone(), text: "done".into() });
    request
}

#[tokio::test]
async fn anthropics_tool_calls() {
    let stream = [
        vec![begun(), block(0, json!({ "type": "thinking", "thinking": "Hm.", "signature": "" }))],
        vec![delta(0, json!({ "type": "signature_delta", "signature": "sig" })), stop(0)],
        vec![block(1, json!({ "type": "tool_use", "id": "a", "name": "say", "input": {} }))],
        vec![delta(1, json!({ "type": "input_json_delta", "partial_json": "{\"x\"" }))],
        vec![delta(1, json!({ "type": "input_json_delta", "partial_json": ":1}" })), stop(1)],
        vec![block(2, json!({ "type": "tool_use", "id": "b", "name": "say", "input": {} }))],
        vec![delta(2, json!({ "type": "input_json_delta", "partial_json": "{\"x\":2}" })), stop(2)],
        ended("tool_use"),
    ];
    let (asked, events) = hear(CLAUDE, with_tool(), &[OK, claude(&stream.concat()).as_bytes()]).await;
    assert_eq!((&asked["tool_choice"], &asked["max_tokens"], &asked["stream"]), (&json!({ "type": "any" }), &json!(9), &json!(true)));
    assert_eq!((&asked["system"], &asked["tools"][0]["name"]), (&json!("Be brief."), &json!("say")));
    let heard = calls(&events, &[(0, "{\"x\""), (0, ":1}"), (1, "{\"x\":2}")]);
    assert_eq!(
        heard.iter().map(|call| (call.id.as_str(), call.arguments.as_str())).collect::<Vec<_>>(),
        [("a", "{\"x\":1}"), ("b", "{\"x\":2}")]
    );
    let (asked, _) = hear(CLAUDE, answered(&heard[0]), &[OK]).await;
    let expect = json!([
        { "role": "assistant", "content": [{ "type": "thinking", "thinking": "Hm.", "signature": "sig" }, { "type": "text", "text": "So." }, { "type": "tool_use", "id": "a", "name": "say", "input": { "x": 1 } }] },
        { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "a", "content": "done" }] },
    ]);
    assert_eq!(json!(asked["messages"].as_array().expect("messages")[1..]), expect);
}

#[tokio::test]
async fn geminis_tool_calls_and_their_signature() {
    let parts = json!([
        { "functionCall": { "name": "say", "args": { "x": 1 } }, "thoughtSignature": "sig" },
        { "functionCall": { "name": "say", "args": { "x": 2 } } },
    ]);
    let (asked, events) = hear(GEMINI, with_tool(), &[OK, gemini(parts, Some("STOP")).as_bytes()]).await;
    assert_eq!(asked["toolConfig"]["functionCallingConfig"]["mode"], json!("ANY"));
    assert_eq!(
        (&asked["generationConfig"]["maxOutputTokens"], &asked["systemInstruction"]["parts"][0]["text"]),
        (&json!(9), &json!("Be brief."))
    );
    let heard = calls(&events, &[(0, "{\"x\":1}"), (1, "{\"x\":2}")]);
    assert_eq!(heard.iter().map(|call| call.arguments.as_str()).collect::<Vec<_>>(), ["{\"x\":1}", "{\"x\":2}"]);
    assert_ne!(heard[0].id, heard[1].id);
    // Whether it calls is seen from the calls, not from the reason it stopped for.
    let call = json!([{ "functionCall": { "name": "say" } }]);
    let (_, events) = hear(GEMINI, with_tool(), &[OK, gemini(call, Some("FUNCTION_CALL")).as_bytes()]).await;
    assert_eq!(calls(&events, &[]).len(), 1);
    // Through the log and back.
    let kept: ToolCall = serde_json::from_value(json!(heard[0])).expect("it was written so");
    let (asked, _) = hear(GEMINI, answered(&kept), &[OK]).await;
    let turn = json!({ "role": "model", "parts": [{ "text": "So." }, { "functionCall": { "name": "say", "args": { "x": 1 } }, "thoughtSignature": "sig" }] });
    assert_eq!(asked["contents"][1], turn);
    assert_eq!(asked["contents"][2]["parts"][0]["functionResponse"]["name"], json!("say"));
    // What Gemini signed is nothing to Anthropic.
    let (asked, _) = hear(CLAUDE, answered(&kept), &[OK]).await;
    assert!(!asked.to_string().contains("sig"), "{asked}");
}

#[tokio::test]
async fn the_form_of_an_answer_is_asked_for() {
    let schema =
        json!({ "type": "object", "properties": { "tone": { "type": "string" } }, "required": ["tone"], "additionalProperties": false });
    let request = || ChatRequest { format: Some(Format::Schema { name: "answer", schema: schema.clone() }), ..request() };
    let (asked, _) = hear(CLAUDE, request(), &[OK]).await;
    assert_eq!(
        (&asked["output_config"]["format"]["type"], &asked["output_config"]["format"]["schema"]["required"]),
        (&json!("json_schema"), &json!(["tone"]))
    );
    let (asked, _) = hear(GEMINI, request(), &[OK]).await;
    assert_eq!(
        (&asked["generationConfig"]["responseMimeType"], &asked["generationConfig"]["responseJsonSchema"]),
        (&json!("application/json"), &schema)
    );
}

#[tokio::test]
async fn a_claude_thinks_only_where_its_name_asks_for_it() {
    let asked = async |model: &str| {
        let loopback = Loopback::open().await;
        let stream = native(CLAUDE, &loopback.url).stream(model, with_tool());
        tokio::join!(loopback.answer(&[OK]), stream.collect::<Vec<_>>()).0.body
    };
    let quiet = asked("claude-sonnet-5").await;
    assert_eq!((&quiet["thinking"]["type"], &quiet["tool_choice"]["type"]), (&json!("disabled"), &json!("any")));
    let thoughtful = asked("claude-sonnet-5-high").await;
    assert_eq!((&thoughtful["thinking"]["type"], &thoughtful["tool_choice"]["type"]), (&json!("adaptive"), &json!("auto")));
    assert_eq!(thoughtful["model"], json!("claude-sonnet-5"));
    assert!(asked("claude-sonnet-4-6").await["thinking"].is_null());
}

#[tokio::test]
async fn thinking_and_pings_are_signs_of_life() {
    let stream = [
        vec![begun(), json!({ "type": "ping" }), block(0, json!({ "type": "thinking", "thinking": "", "signature": "" }))],
        vec![delta(0, json!({ "type": "thinking_delta", "thinking": "Hm." })), stop(0)],
    ];
    let (_, events) = hear(CLAUDE, request(), &[OK, claude(&stream.concat()).as_bytes()]).await;
    assert_eq!(events, [Ok(ModelEvent::Thinking), Ok(ModelEvent::Thinking), Err(ModelError::Truncated)]);
    let (_, events) = hear(GEMINI, request(), &[OK, gemini(json!([{ "text": "Hm.", "thought": true }]), None).as_bytes()]).await;
    assert_eq!(events.first(), Some(&Ok(ModelEvent::Thinking)));
}

#[tokio::test]
async fn a_dropped_stream_closes_the_socket_within_200_ms() {
    for (kind, text) in [(CLAUDE, claude(&words("a"))), (GEMINI, gemini(json!([{ "text": "a" }]), None))] {
        let loopback = Loopback::open().await;
        let mut stream =
            native(kind, &loopback.url).stream("m", request()).filter(|event| std::future::ready(*event != Ok(ModelEvent::Thinking)));
        let served = async {
            let (_, mut connection) = loopback.call().await;
            connection.write_all(&[OK, text.as_bytes()].concat()).await.expect("written");
            connection
        };
        let (mut connection, first) = tokio::join!(served, stream.next());
        assert_eq!(first, Some(Ok(ModelEvent::Text("a".into()))));
        drop(stream);
        assert!(hangs_up(&mut connection).await, "{kind}");
    }
}
