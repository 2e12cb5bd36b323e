//! The whole router, as clients meet it, on the rehearsal model and a store of its own.

use super::*;
use crate::{
    engine::server::{Room, Seat},
    rooms::{debate::server as debate, research::server as research, simulate::server as simulate},
    settings::Environment,
    store::story,
};
use axum::{
    body::Body as HttpBody,
    http::{Method, Request, Response, StatusCode, header},
};
use serde_json::{Value, json};
use tower::ServiceExt;

mod admin;
mod chat;
mod debate_bench;
mod debate_run;
mod door;
mod fork;
mod history;
mod interview;
mod interview_page;
mod journey_chat;
mod machine;
mod mcp;
mod openapi;
mod operation;
mod pwa;
mod report;
mod share;
mod spending;

struct Server {
    router: Router,
    engine: Engine,
    _folder: tempfile::TempDir,
}

/// A server as it would start in an empty folder with that environment.
async fn server(environment: &[(&str, &str)]) -> Server {
    server_with("", environment).await
}

/// The same, with that `Leptos.toml`.
async fn server_with(file: &str, environment: &[(&str, &str)]) -> Server {
    let (state, folder) = state(file, environment).await;
    let tools = super::mcp::routes(&state, vec![debate::mcp::offer()]);
    let rooms = simulate::routes::routes()
        .merge(debate::routes::routes())
        .merge(research::chat::routes())
        .merge(research::report::routes())
        .merge(tools);
    Server { engine: state.engine.clone(), router: router(state, rooms), _folder: folder }
}

async fn state(file: &str, environment: &[(&str, &str)]) -> (AppState, tempfile::TempDir) {
    let (store, folder) = story::sqlite().await;
    std::fs::write(folder.path().join("Leptos.toml"), file).expect("written");
    let mut values = Environment::default();
    [("COLLOQUY_REHEARSAL_PACE", "0")].iter().chain(environment).for_each(|(key, value)| values.set(*key, *value, "environment"));
    let settings = Settings::load(folder.path(), &values).expect("settings");
    let models = Arc::new(Models::new(&settings.models));
    let rooms: Vec<Arc<dyn Room>> = vec![
        Arc::new(Seat(Arc::new(simulate::Simulator { models: models.clone() }))),
        Arc::new(Seat(Arc::new(debate::Coordinator { models: models.clone() }))),
        Arc::new(Seat(Arc::new(research::Researcher { models: models.clone() }))),
    ];
    let engine = Engine::new(Arc::new(store), rooms, settings.limits.clone(), "build".into());
    (AppState::new(engine, settings, models, Signer::new(b"a secret of the tests")), folder)
}

impl Server {
    async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: impl Into<HttpBody>) -> Response<HttpBody> {
        let request = Request::builder().method(method).uri(path).header(header::HOST, "127.0.0.1:3000");
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        self.router.clone().oneshot(request.body(body.into()).expect("a request")).await.expect("an answer")
    }

    async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Response<HttpBody> {
        self.send(Method::GET, path, headers, "").await
    }

    async fn simulate(&self, body: Value, headers: &[(&str, &str)]) -> Response<HttpBody> {
        let headers = [&[("content-type", "application/json")], headers].concat();
        self.send(Method::POST, "/api/simulate", &headers, body.to_string()).await
    }

    /// Runs a journey to its end; its run's address and token.
    async fn journey(&self) -> (String, String) {
        let response = self.simulate(marta(), &[]).await;
        let found = (value(&response, "location"), value(&response, "colloquy-run-token"));
        text(response).await;
        found
    }
}

/// A new owner's cookie.
async fn owner(server: &Server) -> String {
    let cookie = value(&server.get("/api/runs", &[]).await, "set-cookie");
    cookie.split(';').next().expect("a cookie").to_owned()
}

async fn json(response: Response<HttpBody>) -> Value {
    assert_eq!(response.status(), StatusCode::OK);
    serde_json::from_str(&text(response).await).expect("JSON")
}

fn marta() -> Value {
    json!({ "icpPersona": "Marta, 41, runs a bakery in Leeds.", "initialQuery": "Which card reader?" })
}

fn value(response: &Response<HttpBody>, name: &str) -> String {
    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

async fn text(response: Response<HttpBody>) -> String {
    let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    String::from_utf8(bytes.to_vec()).expect("text")
}

async fn problem(response: Response<HttpBody>, status: u16, code: &str) -> Value {
    assert_eq!((response.status().as_u16(), value(&response, "content-type").as_str()), (status, "application/problem+json"));
    let problem: Value = serde_json::from_str(&text(response).await).expect("JSON");
    assert_eq!((&problem["status"], &problem["code"]), (&json!(status), &json!(code)), "{problem}");
    assert!(
        ["type", "title", "detail", "instance", "request_id"]
            .iter()
            .all(|field| problem[field].as_str().is_some_and(|text| !text.is_empty())),
        "{problem}"
    );
    problem
}

/// The chunks of a UI message stream; it must end with `[DONE]`.
async fn chunks(response: Response<HttpBody>) -> Vec<Value> {
    assert_eq!((response.status(), value(&response, "x-vercel-ai-ui-message-stream").as_str()), (StatusCode::OK, "v1"));
    let text = text(response).await;
    let frames: Vec<&str> = text.split("\n\n").filter_map(|frame| frame.strip_prefix("data: ")).collect();
    let (last, frames) = frames.split_last().expect("frames");
    assert_eq!(*last, "[DONE]");
    frames.iter().map(|frame| serde_json::from_str(frame).expect("JSON")).collect()
}

#[tokio::test]
async fn a_journey_is_answered_as_a_ui_message_stream() {
    let server = server(&[]).await;
    let response = server.simulate(json!({ "icpPersona": "Marta, a baker.", "initialQuery": "Which one?", "id": "chat", "messages": [], "trigger": "submit-message" }), &[]).await;
    assert!(value(&response, "location").starts_with("/api/runs/"));
    let chunks = chunks(response).await;
    let kinds: Vec<&str> = chunks.iter().filter_map(|chunk| chunk["type"].as_str()).collect();
    assert_eq!((kinds[0], kinds[1], kinds[kinds.len() - 1]), ("start", "start-step", "finish"));
    assert!(chunks[0]["messageMetadata"]["runToken"].is_string() && chunks[0]["messageMetadata"]["rehearsal"] == true);
    // Every step is opened and closed, the last one speaks.
    assert_eq!(kinds.iter().filter(|kind| **kind == "start-step").count(), kinds.iter().filter(|kind| **kind == "finish-step").count());
    assert_eq!(kinds[kinds.len() - 5..], ["text-start", "text-delta", "text-end", "finish-step", "finish"]);
    // Every call has its input before its output, is run by the server, and nothing is null.
    let of = |kind: &str| {
        chunks
            .iter()
            .filter(|chunk| chunk["type"] == kind && chunk["preliminary"] != true)
            .map(|chunk| chunk["toolCallId"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("tool-input-available"), of("tool-output-available"));
    assert_eq!(of("tool-input-start"), of("tool-input-available"));
    assert!(chunks.iter().filter(|chunk| chunk["toolCallId"].is_string()).all(|chunk| chunk["providerExecuted"] == true));
    assert!(chunks.iter().all(|chunk| chunk.as_object().is_some_and(|fields| fields.values().all(|value| !value.is_null()))));
    let phases: Vec<String> = chunks
        .iter()
        .filter(|chunk| chunk["type"] == "data-phase")
        .map(|chunk| format!("{} {}", chunk["data"]["phase"].as_str().unwrap_or(""), chunk["data"]["status"].as_str().unwrap_or("")))
        .collect();
    assert_eq!(
        phases,
        [
            "discovery active",
            "discovery complete",
            "consideration active",
            "consideration complete",
            "activation active",
            "activation complete"
        ]
    );
    assert_eq!(chunks[chunks.len() - 1]["messageMetadata"]["status"], "done");
}

#[tokio::test]
async fn the_step_limit_is_told_and_is_not_success() {
    let server = server(&[]).await;
    let mut body = marta();
    body["maxSteps"] = json!(2);
    let response = server.simulate(body, &[]).await;
    let (run, token) = (value(&response, "location"), value(&response, "colloquy-run-token"));
    let chunks = chunks(response).await;
    let metadata = &chunks[chunks.len() - 1]["messageMetadata"];
    assert_eq!((&metadata["status"], &metadata["reason"]), (&json!("stopped"), &json!("step_limit")));
    let bearer = format!("Bearer {token}");
    let read: Value = serde_json::from_str(&text(server.get(&run, &[("authorization", &bearer)]).await).await).expect("JSON");
    assert_eq!((&read["status"], &read["reason"]), (&json!("stopped"), &json!("step_limit")));
}

#[tokio::test]
async fn bad_input_is_refused_with_the_field_and_starts_nothing() {
    let server = server(&[]).await;
    for (body, pointer) in [
        (json!({ "icpPersona": " ", "initialQuery": "q" }), "/icpPersona"),
        (json!({ "icpPersona": "x".repeat(4001), "initialQuery": "q" }), "/icpPersona"),
        (json!({ "icpPersona": "x", "initialQuery": "\u{1}" }), "/initialQuery"),
        (json!({ "icpPersona": "x", "initialQuery": "q", "maxSteps": 16 }), "/maxSteps"),
    ] {
        let problem = problem(server.simulate(body, &[]).await, 422, "invalid").await;
        assert_eq!(problem["errors"][0]["pointer"], pointer);
    }
    for (body, pointer) in [
        (json!({ "icpPersona": 5 }), "/icpPersona"),
        (json!({ "assistant": { "model": ["x"] } }), "/assistant/model"),
        (json!({ "messages": [{}, { "role": 1 }] }), "/messages/1/role"),
    ] {
        let problem = problem(server.simulate(body, &[]).await, 422, "invalid").await;
        assert_eq!(problem["errors"][0]["pointer"], pointer);
    }
    problem(server.simulate(json!([]), &[]).await, 422, "invalid").await;
    problem(server.send(Method::POST, "/api/simulate", &[], "{}").await, 415, "unsupported_media_type").await;
    problem(server.send(Method::POST, "/api/simulate", &[("content-type", "application/json")], "{").await, 422, "invalid").await;
    problem(server.simulate(json!({ "icpPersona": "x".repeat(3_000_000) }), &[]).await, 413, "too_large").await;
    problem(server.get("/api/simulate", &[]).await, 405, "method_not_allowed").await;
    problem(server.get("/api/nowhere", &[]).await, 404, "not_found").await;
    assert_eq!(server.engine.store().spent(None, 0).await.expect("read").runs, 0);
}

#[tokio::test]
async fn without_a_model_nothing_starts_and_it_says_what_to_do() {
    let server = server_with("[models]\nrehearsal = \"off\"\n", &[]).await;
    let problem = problem(server.simulate(marta(), &[]).await, 503, "no_model").await;
    assert!(problem["remedy"].as_str().is_some_and(|remedy| remedy.contains("OPENAI_API_KEY")));
    assert_eq!(server.get("/readyz", &[]).await.status(), StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn a_run_belongs_to_its_owner_by_cookie_or_token() {
    let server = server(&[]).await;
    let (run, token) = server.journey().await;
    let bearer = format!("Bearer {token}");
    let json: Value = serde_json::from_str(&text(server.get(&run, &[("authorization", &bearer)]).await).await).expect("JSON");
    assert_eq!((&json["kind"], &json["status"], &json["rehearsal"]), (&json!("simulate"), &json!("done"), &json!(true)));
    assert_eq!(json["events"][0]["body"]["run"]["started"]["setup"], json["setup"]);
    for path in [run.clone(), format!("{run}/events")] {
        problem(server.get(&path, &[]).await, 404, "not_found").await;
        problem(server.get(&path, &[("authorization", "Bearer x.y")]).await, 401, "unauthorized").await;
    }
    problem(server.send(Method::POST, &format!("{run}/stop"), &[], "").await, 404, "not_found").await;
    assert_eq!(server.send(Method::POST, &format!("{run}/stop"), &[("authorization", &bearer)], "").await.status(), StatusCode::NO_CONTENT);
    problem(server.send(Method::POST, &format!("{run}/continue"), &[("authorization", &bearer)], "").await, 409, "conflict").await;
    // Another run's token opens only that one.
    let (_, other) = server.journey().await;
    problem(server.get(&run, &[("authorization", &format!("Bearer {other}"))]).await, 404, "not_found").await;
}

#[tokio::test]
async fn an_idempotency_key_makes_a_repeated_start_harmless() {
    let server = server(&[]).await;
    let cookie = value(&server.get("/api/nowhere", &[]).await, "set-cookie");
    let cookie = cookie.split(';').next().expect("a cookie");
    let start = async |body: Value, headers: &[(&str, &str)]| value(&server.simulate(body, headers).await, "location");
    let mine = [("cookie", cookie), ("idempotency-key", "one")];
    let first = start(marta(), &mine).await;
    assert_eq!(start(marta(), &mine).await, first);
    assert_ne!(start(marta(), &[("idempotency-key", "one")]).await, first, "a short key counts for its owner only");
    let mut other = marta();
    other["initialQuery"] = json!("Another?");
    problem(server.simulate(other, &mine).await, 422, "key_reused").await;
    // Without an owner, a key that cannot be guessed is itself the capability.
    let uuid = [("idempotency-key", "3f0c9b9e-8f3a-4a35-9d47-0d2b3e5f7a11")];
    assert_eq!(start(marta(), &uuid).await, start(marta(), &uuid).await);
}

#[tokio::test]
async fn a_repeated_start_tells_the_whole_run_past_an_earlier_stop() {
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "1")]).await;
    let key = [("idempotency-key", "3f0c9b9e-8f3a-4a35-9d47-0d2b3e5f7a12")];
    let first = server.simulate(marta(), &key).await;
    let (run, token) = (value(&first, "location"), value(&first, "colloquy-run-token"));
    let bearer = format!("Bearer {token}");
    for verb in ["stop", "continue"] {
        assert_eq!(
            server.send(Method::POST, &format!("{run}/{verb}"), &[("authorization", &bearer)], "").await.status(),
            StatusCode::NO_CONTENT
        );
    }
    let chunks = chunks(server.simulate(marta(), &key).await).await;
    assert_eq!(chunks[chunks.len() - 1]["messageMetadata"]["status"], "done");
}

#[tokio::test]
async fn foreign_origins_and_foreign_names_are_refused() {
    let server = server(&[]).await;
    let post = async |origin: &str| server.simulate(marta(), &[("origin", origin)]).await.status();
    assert_eq!(post("http://127.0.0.1:3000").await, StatusCode::OK);
    for origin in ["https://evil.example", "http://127.0.0.1:3001", "null"] {
        assert_eq!(post(origin).await, StatusCode::FORBIDDEN, "{origin}");
    }
    let request = Request::builder().uri("/health").header(header::HOST, "evil.example").body(HttpBody::empty()).expect("a request");
    problem(server.router.clone().oneshot(request).await.expect("an answer"), 403, "forbidden").await;
    let public = super::tests::server(&[("COLLOQUY_PUBLIC_URL", "https://colloquy.example")]).await;
    assert_eq!(public.simulate(marta(), &[("origin", "https://colloquy.example")]).await.status(), StatusCode::OK);
    let secure = public.simulate(marta(), &[]).await;
    assert!(value(&secure, "set-cookie").contains("; Secure"));
}

#[tokio::test]
async fn probes_and_policies() {
    let server = server(&[]).await;
    let health = server.get("/health", &[]).await;
    assert_eq!(value(&health, "cache-control"), "no-store");
    assert!(value(&health, "set-cookie").is_empty());
    assert_eq!(text(health).await, format!(r#"{{"status":"ok","version":"{}"}}"#, env!("CARGO_PKG_VERSION")));
    assert_eq!(server.get("/readyz", &[]).await.status(), StatusCode::OK);
    let page = server.get("/", &[]).await;
    let policy = value(&page, "content-security-policy");
    let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).expect("a nonce").to_owned();
    assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe-inline"));
    let html = text(page).await;
    assert!(html.contains(&format!("nonce=\"{nonce}\"")) && !html.contains(" style=\""));
}

#[tokio::test]
async fn a_finished_run_is_a_whole_page_without_javascript() {
    let server = server(&[]).await;
    let response = server.simulate(marta(), &[]).await;
    let (run, cookie) = (value(&response, "location"), value(&response, "set-cookie"));
    text(response).await;
    let cookie = cookie.split(';').next().expect("a cookie").to_owned();
    let id = run.rsplit('/').next().expect("an id");
    let page = server.get(&format!("/demo/{id}"), &[("cookie", &cookie)]).await;
    assert_eq!(page.status(), StatusCode::OK);
    let html = text(page).await;
    for part in [
        "Which card reader?",
        "Marta, simulated customer",
        "Rehearsal: scripted answers",
        "The journey is complete",
        "Activation complete",
        "<strong>",
    ] {
        assert!(html.contains(part), "{part} is missing");
    }
    assert_eq!(server.get(&format!("/demo/{id}"), &[]).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(server.get("/nowhere", &[]).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn hostile_text_is_shown_as_text() {
    let server = server(&[]).await;
    let body = json!({ "icpPersona": "<script>alert(1)</script>, hates <img src=x onerror=alert(2)>", "initialQuery": "</script><script>alert(3)</script>?" });
    let response = server.simulate(body, &[]).await;
    let (run, cookie) = (value(&response, "location"), value(&response, "set-cookie"));
    text(response).await;
    let id = run.rsplit('/').next().expect("an id").to_owned();
    let html = text(server.get(&format!("/demo/{id}"), &[("cookie", cookie.split(';').next().expect("a cookie"))]).await).await;
    for raw in ["<script>alert", "<img src=x"] {
        let at = html.find(raw);
        assert_eq!(at.map(|at| &html[at.saturating_sub(200)..at + 40]), None);
    }
}

#[tokio::test]
async fn streams_resume_by_header_and_end_with_204() {
    let server = server(&[]).await;
    let (run, token) = server.journey().await;
    let bearer = format!("Bearer {token}");
    let id = run.rsplit('/').next().expect("an id");
    let seq = server.engine.store().run(id.parse().expect("a UUID")).await.expect("read").expect("there").seq;
    for path in [format!("{run}/events?after={seq}"), format!("/api/events?run={id}:{seq}")] {
        assert_eq!(server.get(&path, &[("authorization", &bearer)]).await.status(), StatusCode::NO_CONTENT, "{path}");
    }
    let last = (seq.to_string(), format!("{id}:{seq}"));
    assert_eq!(
        server.get(&format!("{run}/events"), &[("authorization", &bearer), ("last-event-id", &last.0)]).await.status(),
        StatusCode::NO_CONTENT
    );
    assert_eq!(
        server.get(&format!("/api/events?run={id}:0"), &[("authorization", &bearer), ("last-event-id", &last.1)]).await.status(),
        StatusCode::NO_CONTENT
    );
    for bad in ["/api/events", "/api/events?run=x", &format!("/api/events?run={id}:-1")] {
        problem(server.get(bad, &[("authorization", &bearer)]).await, 422, "invalid").await;
    }
    // The facts behind the cursor come with their ids.
    let response = server.get(&format!("{run}/events?after={}", seq - 1), &[("authorization", &bearer)]).await;
    let mut body = response.into_body().into_data_stream();
    let first = futures::StreamExt::next(&mut body).await.expect("a frame").expect("bytes");
    assert!(String::from_utf8_lossy(&first).starts_with(&format!("id: {seq}\nevent: fact\ndata: ")));
}
