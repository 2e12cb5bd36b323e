//! A journey is recorded with a provider of the test's own, and played again without it: no key, no network.

use crate::process::{Run, Server};
use axum::{
    Json, Router,
    body::{Body, Bytes},
    response::{IntoResponse, Response},
    routing::post,
};
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use std::{convert::Infallible, fs, path::Path, time::Duration};
use tokio::task::JoinHandle;

const KEY: &str = "sk-a-key-of-the-tests";
const ICP: &str = "Marta, 41, runs a bakery.";

/// Asks one question in each phase and answers in a sentence, piece by piece.
async fn provider() -> (JoinHandle<std::io::Result<()>>, String) {
    async fn chat(Json(request): Json<Value>) -> Response {
        let tools = request["tools"].as_array().cloned().unwrap_or_default();
        let deltas = match tools.last() {
            Some(tool) => call(&tool["function"]),
            None => "A **reader** with a flat fee, then.".split_inclusive(' ').map(|word| json!({ "content": word })).collect(),
        };
        let chunks = deltas.into_iter().map(|delta| json!({ "choices": [{ "delta": delta }] }));
        let end =
            json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }], "usage": { "prompt_tokens": 20, "completion_tokens": 7 } });
        let frames: Vec<String> =
            chunks.chain([end]).map(|chunk| format!("data: {chunk}\n\n")).chain(["data: [DONE]\n\n".to_owned()]).collect();
        let paced = stream::iter(frames).then(async |frame| {
            tokio::time::sleep(Duration::from_millis(12)).await;
            Ok::<_, Infallible>(Bytes::from(frame))
        });
        ([("content-type", "text/event-stream")], Body::from_stream(paced)).into_response()
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    let router = Router::new().route("/v1/chat/completions", post(chat));
    (tokio::spawn(axum::serve(listener, router).into_future()), url)
}

/// A call of that tool in the phase that is open, its arguments in pieces.
fn call(tool: &Value) -> Vec<Value> {
    let phase = &tool["parameters"]["properties"]["phase"]["enum"][0];
    let arguments = match tool["name"].as_str() {
        Some("sendQuery") => json!({ "query": format!("And what about {}?", phase.as_str().unwrap_or("it")), "phase": phase }),
        _ => json!({ "phase": phase, "insightsGathered": ["A flat fee matters."] }),
    }
    .to_string();
    let piece = |text: &str| json!({ "tool_calls": [{ "index": 0, "function": { "arguments": text } }] });
    let opening = json!({ "tool_calls": [{ "index": 0, "id": "call_1", "type": "function", "function": { "name": tool["name"], "arguments": "" } }] });
    [opening].into_iter().chain(arguments.split_inclusive(' ').map(piece)).collect()
}

async fn server(folder: &Path, environment: &[(&str, &str)]) -> Server {
    Server::start(folder, environment).await
}

/// Runs a journey to its end; its log.
async fn journey(server: &Server, icp: &str) -> (Value, Vec<Value>) {
    let run = Run::journey(server, icp).await;
    run.until_over(server).await;
    (run.read(server).await, run.log(server).await)
}

fn room(log: &[Value]) -> Vec<&Value> {
    log.iter().filter_map(|body| body.get("room")).collect()
}

#[tokio::test]
async fn a_recorded_journey_is_played_without_its_provider() {
    let (studio, stage) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let (provider, url) = provider().await;
    let environment = [("OPENAI_BASE_URL", url.as_str()), ("OPENAI_API_KEY", KEY), ("COLLOQUY_MODEL", "openai:tiny")];
    let recording = server(studio.path(), &[&environment[..], &[("COLLOQUY_CASSETTE", "record")]].concat()).await;
    let (read, recorded) = journey(&recording, ICP).await;
    assert_eq!((&read["status"], &read["model"]), (&json!("done"), &json!("openai:tiny")), "{read}");
    // What was heard is on the disk when the server ends.
    recording.stop().await;
    provider.abort();

    let cassette = fs::read_to_string(studio.path().join("var/cassette.jsonl")).expect("a cassette");
    assert!(!cassette.contains(KEY));
    let exchanges: Vec<Value> = cassette.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let last = |exchange: &Value| exchange["events"].as_array().and_then(|events| events.last()?[0].as_i64());
    let spoken: i64 = exchanges.iter().filter_map(last).sum();
    assert!(exchanges.len() >= 8 && spoken > 0, "{} exchanges", exchanges.len());

    fs::create_dir_all(stage.path().join("var")).expect("a folder");
    fs::write(stage.path().join("var/cassette.jsonl"), &cassette).expect("written");
    let playing = server(stage.path(), &[("COLLOQUY_CASSETTE", "replay")]).await;
    let (read, played) = journey(&playing, ICP).await;
    assert_eq!(room(&played), room(&recorded));
    let model = read["model"].as_str().expect("a model");
    assert!(model.starts_with("openai:tiny, recorded on "), "{model}");
    assert_eq!((&read["status"], &read["rehearsal"], &read["usage"]["inputTokens"].is_i64()), (&json!("done"), &json!(false), &true));
    // In the pace in which it was recorded.
    let took: i64 = played.iter().filter_map(|body| body["run"]["usage"]["ms"].as_i64()).sum();
    assert!(took >= spoken, "{took} ms instead of {spoken}");

    let (read, _) = journey(&playing, "Somebody else.").await;
    assert_eq!(read["status"], "failed");
    assert!(read["reason"].as_str().is_some_and(|why| why.contains("differs from the recorded one")), "{}", read["reason"]);
    playing.stop().await;
}
