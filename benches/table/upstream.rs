//! A provider of our own, in a process of its own: answers every chat completion with the same number of words at the
//! same pace. Each word is the time it was sent, so that whoever reads it knows how late it is.

use axum::{Router, body::Body, http::header, response::IntoResponse, routing::post, serve::ListenerExt};
use futures::{Stream, StreamExt, stream};
use serde_json::json;
use std::{
    convert::Infallible,
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use tokio::net::TcpListener;

/// Time between words.
pub const PACE: Duration = Duration::from_millis(20);
/// A word counts tenths of milliseconds.
pub const UNIT: f64 = 1e-4;

/// Seconds since 1970.
pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// `arguments`: the words of an answer, and the time from which they count.
pub async fn serve(arguments: &[String]) {
    let words: usize = arguments[0].parse().expect("a number of words");
    let epoch: f64 = arguments[1].parse().expect("a time");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("http://{}", listener.local_addr().expect("an address"));
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let router = Router::new().route("/v1/chat/completions", post(async move || answer(words, epoch)));
    axum::serve(listener, router).await.expect("served");
}

fn answer(words: usize, epoch: f64) -> impl IntoResponse {
    let frames = chunks(words, epoch).map(|chunk| Ok::<_, Infallible>(format!("data: {chunk}\n\n")));
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(frames))
}

fn chunks(words: usize, epoch: f64) -> impl Stream<Item = String> {
    let chunk = |delta, finish: Option<&str>| {
        json!({
            "id": "chatcmpl-Bz7mXu3vTq0Wc5", "object": "chat.completion.chunk", "created": 1_763_670_000, "model": "bench-2026-11-20",
            "choices": [{ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish }],
        })
        .to_string()
    };
    let mut ticks = tokio::time::interval(PACE);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Burst);
    let said = stream::unfold((ticks, 0), move |(mut ticks, said)| async move {
        if said == words {
            return None;
        }
        ticks.tick().await;
        Some((chunk(json!({ "content": format!("{} ", word(epoch)) }), None), (ticks, said + 1)))
    });
    let usage = json!({ "object": "chat.completion.chunk", "choices": [], "usage": { "prompt_tokens": 9, "completion_tokens": words } });
    said.chain(stream::iter([chunk(json!({}), Some("stop")), usage.to_string(), "[DONE]".to_owned()]))
}

/// Now, in base 36.
fn word(epoch: f64) -> String {
    let mut left = ((now() - epoch) / UNIT) as u64;
    let mut digits = Vec::new();
    while left > 0 || digits.is_empty() {
        digits.push(char::from_digit((left % 36) as u32, 36).unwrap_or('0'));
        left /= 36;
    }
    digits.iter().rev().collect()
}

/// When a word was sent, in seconds since 1970.
pub fn sent(word: &str, epoch: f64) -> Option<f64> {
    Some(epoch + u64::from_str_radix(word, 36).ok()? as f64 * UNIT)
}
