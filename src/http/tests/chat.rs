//! `/api/simulate` for a client that holds a chat of its own: one run at a time, resumed, begun anew, from other origins.

use super::*;
use crate::engine::flow::Status;

const CHAT: &str = "/api/simulate/chat-1/stream";

fn message(id: &str, text: &str) -> Value {
    json!({ "id": id, "role": "user", "parts": [{ "type": "text", "text": text }] })
}

/// As `useChat` posts it, with the persona in its extra body.
fn posted(trigger: &str, messages: Value) -> Value {
    json!({ "icpPersona": "Marta, 41, runs a bakery.", "id": "chat-1", "messages": messages, "trigger": trigger })
}

fn cookie(response: &Response<HttpBody>) -> String {
    value(response, "set-cookie").split(';').next().expect("a cookie").to_owned()
}

/// A server on which a journey goes on, and whose it is: cookie, run, token.
async fn running() -> (Server, String, String, String) {
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "50")]).await;
    let response = server.simulate(posted("submit-message", json!([message("m1", "Which card reader?")])), &[]).await;
    let found = (cookie(&response), value(&response, "location"), format!("Bearer {}", value(&response, "colloquy-run-token")));
    (server, found.0, found.1, found.2)
}

async fn stop(server: &Server, run: &str, bearer: &str) {
    let stopped = server.send(Method::POST, &format!("{run}/stop"), &[("authorization", bearer)], "").await;
    assert_eq!(stopped.status(), StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn a_chat_has_one_run_at_a_time() {
    let (server, cookie, run, bearer) = running().await;
    let messages = json!([message("m1", "Which card reader?")]);
    // A double submit, a retry by token alone, another trigger: while the run goes on all mean that run.
    for headers in [("cookie", &cookie), ("authorization", &bearer)] {
        for trigger in ["submit-message", "regenerate-message"] {
            let again = server.simulate(posted(trigger, messages.clone()), &[(headers.0, headers.1)]).await;
            assert_eq!((again.status(), value(&again, "location")), (StatusCode::OK, run.clone()), "{trigger} by {}", headers.0);
        }
    }
    // To somebody else the same id is a chat of their own.
    assert_ne!(value(&server.simulate(posted("submit-message", messages.clone()), &[]).await, "location"), run);
    stop(&server, &run, &bearer).await;
    let next = json!([messages[0], { "role": "assistant", "parts": [] }, message("m2", "And which is cheapest?")]);
    let second = server.simulate(posted("submit-message", next), &[("cookie", &cookie)]).await;
    assert_ne!(value(&second, "location"), run);
    let row = server.engine.store().run(value(&second, "location")[10..].parse().expect("a UUID")).await.expect("read").expect("there");
    assert_eq!(
        (row.setup["query"].as_str(), row.external_id.as_deref(), row.status),
        (Some("And which is cheapest?"), Some("chat-1"), Status::Running)
    );
    // The id has moved: the first run's token resumes nothing any more, the second's does.
    assert_eq!(server.get(CHAT, &[("authorization", &bearer)]).await.status(), StatusCode::NO_CONTENT);
    let second = format!("Bearer {}", value(&second, "colloquy-run-token"));
    assert_eq!(server.get(CHAT, &[("authorization", &second)]).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn simultaneous_submits_start_one_run() {
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "50")]).await;
    let cookie = cookie(&server.get("/api/nowhere", &[]).await);
    let submit = || server.simulate(posted("submit-message", json!([message("m1", "Which?")])), &[]);
    let mine = [("cookie", cookie.as_str())];
    let body = posted("submit-message", json!([message("m1", "Which?")]));
    let answers = futures::future::join_all((0..8).map(|_| server.simulate(body.clone(), &mine))).await;
    let first = value(&answers[0], "location");
    assert!(answers.iter().all(|answer| value(answer, "location") == first));
    assert_ne!(value(&submit().await, "location"), first);
}

#[tokio::test]
async fn a_later_run_of_a_chat_by_token_stays_with_its_owner() {
    let (server, cookie, run, bearer) = running().await;
    stop(&server, &run, &bearer).await;
    // The persona of the chat's last run is meant where none is sent.
    let body = json!({ "id": "chat-1", "messages": [message("m1", "Which?")], "trigger": "regenerate-message" });
    let second = server.simulate(body, &[("authorization", &bearer)]).await;
    assert_eq!(second.status(), StatusCode::OK);
    assert_eq!(server.get(&value(&second, "location"), &[("cookie", &cookie)]).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_stream_is_resumed_whole_or_not_at_all() {
    let (server, cookie, run, bearer) = running().await;
    for (name, right) in [("cookie", &cookie), ("authorization", &bearer)] {
        let resumed = server.get(CHAT, &[(name, right)]).await;
        assert_eq!((resumed.status(), value(&resumed, "location")), (StatusCode::OK, run.clone()), "{name}");
        let mut body = resumed.into_body().into_data_stream();
        let frame = futures::StreamExt::next(&mut body).await.expect("a frame").expect("bytes");
        let frame = String::from_utf8_lossy(&frame).into_owned();
        let start: Value =
            serde_json::from_str(frame.lines().next().and_then(|line| line.strip_prefix("data: ")).expect("a chunk")).expect("JSON");
        assert_eq!((&start["type"], start["messageId"].as_str()), (&json!("start"), run.rsplit('/').next()));
    }
    // Unknown, somebody else's, over: nothing.
    assert_eq!(server.get("/api/simulate/other/stream", &[("cookie", &cookie)]).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(server.get(CHAT, &[]).await.status(), StatusCode::NO_CONTENT);
    stop(&server, &run, &bearer).await;
    assert_eq!(server.get(CHAT, &[("cookie", &cookie)]).await.status(), StatusCode::NO_CONTENT);
    problem(server.get(CHAT, &[("authorization", "Bearer x.y")]).await, 401, "unauthorized").await;
}

#[tokio::test]
async fn wrong_chats_are_told_what_is_wrong() {
    let server = server(&[]).await;
    for (body, pointer) in [
        (json!({ "icpPersona": "x", "initialQuery": "q", "id": "i".repeat(256) }), "/id"),
        (json!({ "icpPersona": "x", "id": "c", "messages": [] }), "/initialQuery"),
        (json!({ "id": "c", "messages": [message("m", "Which?")] }), "/icpPersona"),
    ] {
        let problem = problem(server.simulate(body, &[]).await, 422, "invalid").await;
        assert_eq!(problem["errors"][0]["pointer"], pointer);
    }
    // A long conversation fits.
    let long = json!([message("m0", &"x".repeat(500_000)), message("m1", "Which?")]);
    assert_eq!(server.simulate(posted("submit-message", long), &[]).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn pages_of_this_machine_may_use_the_rooms_routes_where_nobody_says_otherwise() {
    let server = server(&[]).await;
    for (origin, allowed) in [
        ("http://localhost:3000", true),
        ("http://127.0.0.1:3000", true),
        ("http://localhost:3001", false),
        ("https://localhost:3000", false),
        ("http://localhost:3000.evil.example", false),
        ("null", false),
    ] {
        let answer = server.simulate(marta(), &[("origin", origin)]).await;
        let status = if allowed { StatusCode::OK } else { StatusCode::FORBIDDEN };
        let named = if allowed { origin } else { "" };
        assert_eq!((answer.status(), value(&answer, "access-control-allow-origin").as_str()), (status, named), "{origin}");
        // A foreign page may send what changes nothing, and is not told what came of it.
        let read = server.get(CHAT, &[("origin", origin)]).await;
        assert_eq!(value(&read, "access-control-allow-origin"), named, "{origin}");
    }
}

#[tokio::test]
async fn listed_origins_may_use_the_rooms_routes_and_no_others() {
    let server = server(&[("CORS_ORIGINS", "https://app.example, http://localhost:5173")]).await;
    let preflight = async |path: &str, origin: &str| {
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "authorization,content-type"),
        ];
        server.send(Method::OPTIONS, path, &headers, "").await
    };
    for path in ["/api/simulate", CHAT, "/api/journey/stream", "/api/journey/chat-1/stream"] {
        let allowed = preflight(path, "https://app.example").await;
        assert_eq!(allowed.status(), StatusCode::OK);
        assert_eq!(
            (value(&allowed, "access-control-allow-origin").as_str(), value(&allowed, "access-control-allow-credentials").as_str()),
            ("https://app.example", "true")
        );
        assert_eq!(value(&allowed, "access-control-allow-headers"), "authorization,content-type");
        assert_eq!(value(&preflight(path, "https://evil.example").await, "access-control-allow-origin"), "");
    }
    assert_eq!(value(&preflight("/api/events", "https://app.example").await, "access-control-allow-origin"), "");
    let answered = server.simulate(marta(), &[("origin", "http://localhost:5173")]).await;
    assert_eq!(answered.status(), StatusCode::OK);
    let exposed = value(&answered, "access-control-expose-headers");
    assert!(exposed.contains("location") && exposed.contains("colloquy-run-token"), "{exposed}");
    let (run, bearer) = (value(&answered, "location"), format!("Bearer {}", value(&answered, "colloquy-run-token")));
    assert_eq!(server.simulate(marta(), &[("origin", "https://evil.example")]).await.status(), StatusCode::FORBIDDEN);
    // A problem can be read as well; other routes stay closed.
    let refused = server.simulate(json!({}), &[("origin", "https://app.example")]).await;
    assert_eq!(value(&refused, "access-control-allow-origin"), "https://app.example");
    let headers = [("origin", "https://app.example"), ("authorization", &bearer)];
    problem(server.send(Method::POST, &format!("{run}/stop"), &headers, "").await, 403, "forbidden").await;
}
