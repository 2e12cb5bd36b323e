//! `/settings/models` and its JSON, for whoever has the admin token.

use super::*;
use axum::routing::post;
use tokio::sync::Semaphore;

const TOKEN: &str = "the-admin-token-of-the-tests";
const PAGE: &str = "/settings/models";
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const BEARER: (&str, &str) = ("authorization", "Bearer the-admin-token-of-the-tests");

async fn administered(more: &[(&str, &str)]) -> Server {
    server(&[&[("COLLOQUY_ADMIN_TOKEN", TOKEN)], more].concat()).await
}

impl Server {
    async fn log_in(&self, token: &str) -> Response<HttpBody> {
        self.send(Method::POST, "/settings/login", &[FORM], format!("token={token}")).await
    }

    async fn json(&self, method: Method, path: &str) -> Value {
        serde_json::from_str(&text(self.send(method, path, &[BEARER], "").await).await).expect("JSON")
    }
}

fn mark(response: &Response<HttpBody>) -> String {
    let lines = response.headers().get_all("set-cookie").iter().filter_map(|line| line.to_str().ok());
    lines.filter(|line| line.starts_with("colloquy_admin=")).map(str::to_owned).next().unwrap_or_default()
}

/// A local provider of chat completions: says when it is called, and answers when it may.
async fn provider(called: Arc<Semaphore>, go: Arc<Semaphore>) -> String {
    const ANSWER: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"ready\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let answer = async move || {
        called.add_permits(1);
        go.acquire().await.expect("open").forget();
        ([("content-type", "text/event-stream")], ANSWER)
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    tokio::spawn(axum::serve(listener, Router::new().route("/v1/chat/completions", post(answer))).into_future());
    url
}

#[tokio::test]
async fn the_token_opens_the_page_for_twelve_hours() {
    let server = administered(&[]).await;
    let locked = server.get(PAGE, &[]).await;
    assert_eq!(locked.status(), StatusCode::UNAUTHORIZED);
    let html = text(locked).await;
    assert!(html.contains(r#"<label for="token">Admin token"#) && !html.contains("Simulator") && !html.contains("<script"));

    let wrong = server.log_in("not-the-token-of-the-tests").await;
    assert_eq!((wrong.status(), mark(&wrong)), (StatusCode::UNAUTHORIZED, String::new()));
    assert!(text(wrong).await.contains("This is not the admin token."));

    let response = server.log_in(TOKEN).await;
    assert_eq!((response.status(), value(&response, "location").as_str()), (StatusCode::SEE_OTHER, PAGE));
    let mark = mark(&response);
    assert!(mark.contains("HttpOnly; SameSite=Strict") && mark.contains("Max-Age=43200") && !mark.contains(TOKEN), "{mark}");
    let cookie = mark.split(';').next().expect("a cookie");
    let page = server.get(PAGE, &[("cookie", cookie)]).await;
    assert_eq!(page.status(), StatusCode::OK);
    let html = text(page).await;
    for part in [
        "simulator",
        "assistant",
        "interviewer",
        "synthesist",
        "debater",
        "summariser",
        "Falls back to",
        "Needs none",
        "a wrong key fails the run",
        r#"aria-label="Test simulator""#,
    ] {
        assert!(html.contains(part), "{part} is missing from {html}");
    }
    assert!(!html.contains("<script") && !html.contains(" style=\""));
    // A token that was changed, and one that nobody gave.
    let changed = server_with("another-token-of-the-tests").await;
    for cookie in [cookie, "colloquy_admin=9999999999999.AAAA", "colloquy_admin="] {
        assert_eq!(changed.get(PAGE, &[("cookie", cookie)]).await.status(), StatusCode::UNAUTHORIZED);
    }
}

async fn server_with(token: &str) -> Server {
    server(&[("COLLOQUY_ADMIN_TOKEN", token)]).await
}

#[tokio::test]
async fn wrong_tokens_are_refused_and_slowed_down() {
    let server = administered(&[]).await;
    for _ in 0..5 {
        problem(server.get("/api/settings/models", &[("authorization", "Bearer x.y")]).await, 401, "unauthorized").await;
        assert_eq!(server.log_in("wrong").await.status(), StatusCode::UNAUTHORIZED);
    }
    problem(server.get("/api/settings/models", &[BEARER]).await, 429, "too_many").await;
    assert_eq!(server.log_in(TOKEN).await.status(), StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn nobody_gets_in_where_there_is_no_token() {
    let server = super::server(&[]).await;
    problem(server.get("/api/settings/models", &[BEARER]).await, 401, "unauthorized").await;
    problem(server.send(Method::POST, "/api/settings/models/simulator/test", &[], "").await, 401, "unauthorized").await;
    assert_eq!(server.get(PAGE, &[]).await.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(server.log_in("").await.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn programs_read_who_plays_which_role_and_never_a_key() {
    let server = administered(&[("OPENAI_API_KEY", "sk-secret"), ("COLLOQUY_MODEL", "groq:llama")]).await;
    let all = server.json(Method::GET, "/api/settings/models").await;
    assert_eq!(all["roles"][0], json!({ "role": "simulator", "model": "groq:llama", "key": "missing", "fallback": "rehearsal" }));
    let names = all["roles"].as_array().expect("roles").iter().filter_map(|role| role["role"].as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["simulator", "assistant", "interviewer", "researcher", "synthesist", "debater", "summariser"]);
    assert!(!all.to_string().contains("sk-secret"));
    for (environment, key) in [
        (("OPENAI_API_KEY", "sk-secret"), "present"),
        (("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"), "missing"),
        (("COLLOQUY_MODEL", "rehearsal"), "not_needed"),
    ] {
        let server = administered(&[("COLLOQUY_MODEL", "openai:gpt-4o"), environment]).await;
        assert_eq!(server.json(Method::GET, "/api/settings/models").await["roles"][1]["key"], key, "{environment:?}");
    }
}

#[tokio::test]
async fn a_test_is_one_call_and_a_second_one_meanwhile_is_none() {
    let (called, go) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let url = provider(called.clone(), go.clone()).await;
    let server = administered(&[("OPENAI_BASE_URL", &url), ("COLLOQUY_MODEL", "openai:gpt-4o")]).await;
    let path = "/api/settings/models/assistant/test";
    let mut first = std::pin::pin!(server.json(Method::POST, path));
    tokio::select! {
        early = first.as_mut() => panic!("it was answered before the provider spoke: {early}"),
        _ = called.acquire() => {}
    }
    let second = server.json(Method::POST, path).await;
    assert_eq!((&second["ok"], &second["error"]), (&json!(false), &json!("This role is being tested already.")));
    go.add_permits(2);
    let first = first.await;
    assert_eq!((&first["ok"], &first["model"], &first["role"]), (&json!(true), &json!("openai:gpt-4o"), &json!("assistant")));
    assert!(first["ms"].as_u64() >= first["firstMs"].as_u64() && first["firstMs"].is_u64());
    assert_eq!(server.json(Method::POST, path).await["ok"], true, "the turn was given back");
    problem(server.send(Method::POST, "/api/settings/models/nobody/test", &[BEARER], "").await, 404, "not_found").await;
}

#[tokio::test]
async fn a_test_that_fails_says_what_to_do_on_the_same_page() {
    let server = administered(&[("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"), ("COLLOQUY_MODEL", "openai:gpt-4o")]).await;
    let response = server.send(Method::POST, "/settings/models/simulator/test", &[BEARER], "").await;
    assert_eq!(response.status(), StatusCode::OK);
    let html = text(response).await;
    for part in ["The model cannot be reached.", "http://127.0.0.1:9/v1 can be reached", "OPENAI_BASE_URL", r#"data-tone="bad""#] {
        assert!(html.contains(part), "{part} is missing from {html}");
    }
    let rehearsed = administered(&[]).await;
    let html = text(rehearsed.send(Method::POST, "/settings/models/simulator/test", &[BEARER], "").await).await;
    assert!(html.contains("simulator answered in 0.0") && html.contains(r#"data-tone="good""#), "{html}");
}
