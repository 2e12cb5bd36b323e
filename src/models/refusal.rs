//! What a provider's no amounts to: an HTTP status with headers and a body, or an error inside a stream.
//! Pure, and the same for every dialect.

use super::ModelError;
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::time::{Duration, SystemTime};

/// Letters of a provider's message that people are shown.
const MESSAGE: usize = 300;

/// Words that providers say where they give no number, and the HTTP status they stand for.
const WORDS: [(&str, u16); 12] = [
    ("insufficient_quota", 429),
    ("rate_limit", 429),
    ("resource_exhausted", 429),
    ("invalid_api_key", 401),
    ("authentication", 401),
    ("unauthenticated", 401),
    ("permission", 403),
    ("not_found", 404),
    ("context_length", 400),
    ("invalid_request", 400),
    ("invalid_argument", 400),
    ("overloaded", 529),
];

/// Ways to say that the conversation is too long.
const TOO_LONG: [&str; 8] = [
    "context length",
    "context_length",
    "context size",
    "maximum context",
    "exceed_context",
    "too many tokens",
    "prompt is too long",
    "exceeds the maximum number of tokens",
];

/// What an HTTP refusal amounts to. The body may be JSON, a list of JSON, or no JSON at all.
pub fn refusal(status: u16, headers: &HeaderMap, body: &str) -> ModelError {
    let body = serde_json::from_str(body).unwrap_or_else(|_| Value::String(body.to_owned()));
    classify(status, &body, retry_after(headers))
}

/// An error sent under HTTP 200: `{error: …}`, `{object: "error", message}`, or a list of the former.
pub fn error_in(body: &Value) -> Option<ModelError> {
    let body = first(body);
    let error = match (&body["error"], &body["object"]) {
        (Value::Null, Value::String(object)) if object == "error" => body,
        (Value::Null, _) => return None,
        (error, _) => error,
    };
    Some(classify(status_of(error), body, None))
}

/// The status an error stands for: its code as a number or a text, else what its words mean, else a fault of the server.
pub fn status_of(error: &Value) -> u16 {
    let code = match &error["code"] {
        Value::Number(code) => code.as_u64(),
        Value::String(code) => code.parse().ok(),
        _ => None,
    };
    let said = words(error);
    let meant = || WORDS.iter().find(|(word, _)| said.contains(word)).map(|(_, status)| *status);
    code.and_then(|code| u16::try_from(code).ok()).or_else(meant).unwrap_or(500)
}

pub fn classify(status: u16, body: &Value, retry_after: Option<Duration>) -> ModelError {
    let body = first(body);
    let message = [&body["error"]["message"], &body["error"], &body["message"], &body["detail"], body].into_iter().find_map(Value::as_str);
    let message: String = message.unwrap_or("no reason given").chars().filter(|c| !c.is_control()).take(MESSAGE).collect();
    let lower = format!("{} {} {}", message.to_lowercase(), words(&body["error"]), words(body));
    match status {
        401 | 403 => ModelError::Auth { provider: String::new() },
        // Google refuses a key in its own way.
        400 if lower.contains("api key not valid") => ModelError::Auth { provider: String::new() },
        429 if lower.contains("insufficient_quota") => ModelError::BadRequest(message),
        429 => ModelError::RateLimited { retry_after },
        _ if TOO_LONG.iter().any(|words| lower.contains(words)) => ModelError::ContextTooLong,
        408 | 409 | 500.. => ModelError::Overloaded { retry_after },
        _ => ModelError::BadRequest(message),
    }
}

fn first(body: &Value) -> &Value {
    if body.is_array() { &body[0] } else { body }
}

/// The words by which an error names itself.
fn words(error: &Value) -> String {
    let words: Vec<&str> = ["code", "type", "status"].into_iter().filter_map(|field| error[field].as_str()).collect();
    words.join(" ").to_lowercase()
}

/// `retry-after-ms`, then `Retry-After` as seconds or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok();
    if let Some(ms) = text("retry-after-ms").and_then(|ms| ms.trim().parse().ok()) {
        return Some(Duration::from_millis(ms));
    }
    let after = text("retry-after")?.trim();
    match after.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        Err(_) => httpdate::parse_http_date(after).ok()?.duration_since(SystemTime::now()).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn busy() -> ModelError {
        ModelError::Overloaded { retry_after: None }
    }

    fn bad(message: &str) -> ModelError {
        ModelError::BadRequest(message.into())
    }

    fn refused() -> ModelError {
        ModelError::Auth { provider: String::new() }
    }

    const LIMITED: ModelError = ModelError::RateLimited { retry_after: None };

    fn check(status: u16, body: &str, expect: ModelError) {
        assert_eq!(refusal(status, &HeaderMap::new(), body), expect, "{status} {body}");
    }

    #[test]
    fn retried_are_408_409_429_and_all_from_500() {
        for status in 400..600 {
            let expect = matches!(status, 408 | 409 | 429 | 500..);
            assert_eq!(refusal(status, &HeaderMap::new(), "").is_transient(), expect, "{status}");
        }
        assert!(ModelError::Network.is_transient(), "nobody there");
    }

    #[test]
    fn bodies_as_providers_write_them() {
        // OpenAI
        check(401, r#"{"error":{"message":"Incorrect API key provided: sk-…","code":"invalid_api_key"}}"#, refused());
        check(429, r#"{"error":{"message":"Slow down","type":"requests","code":"rate_limit_exceeded"}}"#, LIMITED);
        check(429, r#"{"error":{"message":"Pay first","type":"insufficient_quota","code":"insufficient_quota"}}"#, bad("Pay first"));
        check(429, r#"{"error":{"message":"Pay first","type":"insufficient_quota","code":null}}"#, bad("Pay first"));
        check(400, r#"{"error":{"message":"Too long","code":"context_length_exceeded"}}"#, ModelError::ContextTooLong);
        // Anthropic
        check(529, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#, busy());
        let long = r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens"}}"#;
        check(400, long, ModelError::ContextTooLong);
        // Google: a list, and a key that is refused with 400
        check(400, r#"[{"error":{"code":400,"message":"Bad schema","status":"INVALID_ARGUMENT"}}]"#, bad("Bad schema"));
        check(400, r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}"#, refused());
        // llama.cpp: a number
        check(400, r#"{"error":{"code":400,"message":"the request exceeds the available context size"}}"#, ModelError::ContextTooLong);
        // Ollama, Mistral, LiteLLM, and a proxy that knows no JSON
        check(404, r#"{"error":"model 'x' not found"}"#, bad("model 'x' not found"));
        check(422, r#"{"detail":"no such field"}"#, bad("no such field"));
        check(500, "Internal Server Error", busy());
        check(502, "<html>\n<b>Bad Gateway</b>", busy());
        check(400, "", bad(""));
        check(400, "{}", bad("no reason given"));
    }

    #[test]
    fn errors_under_http_200() {
        let check = |body: Value, expect: Option<ModelError>| assert_eq!(error_in(&body), expect, "{body}");
        check(json!({ "choices": [] }), None);
        check(json!({ "error": null }), None);
        check(json!({ "error": { "message": "slow", "code": 429 } }), Some(LIMITED));
        check(json!({ "error": { "message": "bad", "code": "400" } }), Some(bad("bad")));
        check(json!({ "error": { "message": "boom", "code": null } }), Some(busy()));
        check(json!({ "error": { "message": "no", "type": "insufficient_quota" } }), Some(bad("no")));
        check(json!({ "error": { "message": "no", "code": "invalid_api_key" } }), Some(refused()));
        check(json!({ "object": "error", "message": "boom", "code": 40303 }), Some(busy()));
        check(json!({ "object": "error", "message": "no", "code": 400 }), Some(bad("no")));
        check(json!({ "type": "error", "error": { "type": "overloaded_error", "message": "later" } }), Some(busy()));
        check(json!([{ "error": { "message": "bad", "code": 400 } }]), Some(bad("bad")));
    }

    #[test]
    fn how_long_to_wait() {
        let check = |headers: &[(&'static str, &str)], expect: Option<Duration>| {
            let headers: HeaderMap =
                headers.iter().map(|(name, value)| ((*name).parse().expect("a name"), value.parse().expect("a value"))).collect();
            let waits = classify(429, &Value::Null, retry_after(&headers)).retry_after();
            // A date is whole seconds away.
            let near = |waits: Duration, expect: Duration| waits <= expect && expect - waits <= Duration::from_secs(2);
            assert!(waits == expect || waits.zip(expect).is_some_and(|(waits, expect)| near(waits, expect)), "{headers:?}: {waits:?}");
        };
        let in_an_hour = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(3_600));
        check(&[], None);
        check(&[("retry-after", "7")], Some(Duration::from_secs(7)));
        check(&[("retry-after", "0.5")], Some(Duration::from_millis(500)));
        check(&[("retry-after", "7"), ("retry-after-ms", "20")], Some(Duration::from_millis(20)));
        check(&[("retry-after", &in_an_hour)], Some(Duration::from_secs(3_600)));
        check(&[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")], None);
        check(&[("retry-after", "soon")], None);
        check(&[("retry-after", "-1")], None);
    }
}
