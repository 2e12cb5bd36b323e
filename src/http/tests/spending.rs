//! Budgets where strangers can reach a server that calls real models, and what is left of an owner who has deleted everything.

use super::*;

const JSON: (&str, &str) = ("content-type", "application/json");

/// Two runs a day for each owner; nobody answers where the model should be.
async fn public(limits: &str) -> Server {
    let real = [
        ("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"),
        ("COLLOQUY_MODEL", "openai:gpt-4o"),
        ("COLLOQUY_PUBLIC_URL", "http://127.0.0.1:3000"),
    ];
    server_with(&format!("[limits]\n{limits}\n"), &real).await
}

fn question(number: usize) -> Value {
    json!({ "icpPersona": "Marta", "initialQuery": format!("Question {number}?") })
}

#[tokio::test]
async fn starts_that_come_together_are_counted_one_by_one() {
    let server = public("runs_a_day_per_owner = 2").await;
    let owner = owner(&server).await;
    let starts = (0..16).map(|i| {
        let (server, owner) = (&server, owner.as_str());
        async move { server.simulate(question(i), &[("cookie", owner)]).await.status() }
    });
    let started = futures::future::join_all(starts).await;
    assert_eq!(started.iter().filter(|status| **status == StatusCode::OK).count(), 2);
    assert!(started.iter().all(|status| matches!(status.as_u16(), 200 | 429)));
}

#[tokio::test]
async fn a_repeated_start_is_found_when_the_budget_is_used_up() {
    let server = public("runs_a_day_per_owner = 1").await;
    let owner = owner(&server).await;
    let headers = [("cookie", owner.as_str()), ("idempotency-key", "k1")];
    let start = async || value(&server.simulate(question(1), &headers).await, "location");
    let starts = futures::future::join_all((0..8).map(|_| start())).await;
    assert!(starts[0].starts_with("/api/runs/") && starts.iter().all(|run| *run == starts[0]), "{starts:?}");
    assert_eq!(start().await, starts[0]);
    problem(server.simulate(question(2), &headers).await, 422, "key_reused").await;
    for other in [&[("cookie", owner.as_str())][..], &[("cookie", owner.as_str()), ("idempotency-key", "k2")]] {
        problem(server.simulate(question(1), other).await, 429, "budget").await;
    }
}

#[tokio::test]
async fn repeated_starts_take_nothing_from_an_addresss_budget() {
    let server = public("runs_a_day_per_address = 2").await;
    let headers = [("idempotency-key", "3f0c9b9e-8f3a-4a35-9d47-0d2b3e5f7a13")];
    for _ in 0..4 {
        assert_eq!(server.simulate(question(1), &headers).await.status(), StatusCode::OK);
    }
    for expect in [200, 429] {
        assert_eq!(server.simulate(question(2), &[]).await.status().as_u16(), expect);
    }
}

#[tokio::test]
async fn a_repeated_fork_is_found_when_the_budget_is_used_up() {
    let server = public("runs_a_day_per_owner = 2").await;
    let owner = owner(&server).await;
    let run = value(&server.simulate(question(1), &[("cookie", &owner)]).await, "location");
    let headers = [("cookie", owner.as_str()), ("idempotency-key", "k1"), JSON];
    let fork = async |text: &str| {
        let body = json!({ "step": 0, "text": text }).to_string();
        server.send(Method::POST, &format!("{run}/fork"), &headers, body).await
    };
    let first = fork("One?").await;
    assert_eq!(first.status(), StatusCode::CREATED);
    assert_eq!(value(&fork("One?").await, "location"), value(&first, "location"));
    problem(fork("Two?").await, 422, "key_reused").await;
}

#[tokio::test]
async fn a_run_token_spends_what_is_its_owners() {
    let server = public("runs_a_day_per_owner = 2").await;
    let owner = owner(&server).await;
    let first = server.simulate(question(1), &[("cookie", &owner)]).await;
    let (run, token) = (value(&first, "location"), format!("Bearer {}", value(&first, "colloquy-run-token")));
    let fork = |text: &str| json!({ "step": 0, "text": text }).to_string();
    let headers = [("authorization", token.as_str()), JSON];
    assert_eq!(server.send(Method::POST, &format!("{run}/fork"), &headers, fork("One?")).await.status(), StatusCode::CREATED);
    problem(server.send(Method::POST, &format!("{run}/fork"), &headers, fork("Two?")).await, 429, "budget").await;
    server.send(Method::POST, &format!("{run}/stop"), &headers, "").await;
    problem(server.send(Method::POST, &format!("{run}/continue"), &headers, "").await, 429, "budget").await;
}

#[tokio::test]
async fn only_the_proxys_own_line_says_where_a_request_came_from() {
    let server = public("runs_a_day_per_address = 2").await;
    for (i, expect) in [200, 200, 429].into_iter().enumerate() {
        let mine = format!("1.2.3.{i}");
        let headers = [("x-forwarded-for", mine.as_str()), ("x-forwarded-for", "8.8.8.8")];
        assert_eq!(server.simulate(question(i), &headers).await.status().as_u16(), expect);
    }
}

#[tokio::test]
async fn nothing_of_an_erased_owner_comes_back() {
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "1000")]).await;
    let owner = owner(&server).await;
    let started = server.simulate(question(1), &[("cookie", &owner)]).await;
    let (run, token) = (value(&started, "location"), format!("Bearer {}", value(&started, "colloquy-run-token")));
    assert_eq!(server.send(Method::DELETE, "/api/me", &[("cookie", &owner)], "").await.status(), StatusCode::NO_CONTENT);
    // The stream that was open ends.
    text(started).await;
    let bearer = [("authorization", token.as_str()), JSON];
    for (method, path) in [(Method::GET, ""), (Method::POST, "/undelete"), (Method::POST, "/continue"), (Method::PUT, "/share")] {
        problem(server.send(method, &format!("{run}{path}"), &bearer, "").await, 404, "not_found").await;
    }
}

#[tokio::test]
async fn the_key_of_a_deleted_run_starts_another() {
    let server = server(&[]).await;
    let owner = owner(&server).await;
    let headers = [("cookie", owner.as_str()), ("idempotency-key", "k1")];
    let start = async || value(&server.simulate(question(1), &headers).await, "location");
    let first = start().await;
    assert_eq!(start().await, first);
    assert_eq!(server.send(Method::DELETE, &first, &[("cookie", &owner)], "").await.status(), StatusCode::NO_CONTENT);
    let second = start().await;
    assert!(!second.is_empty() && second != first);
    assert_eq!(start().await, second);
}
