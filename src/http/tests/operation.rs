//! `/metrics`, for whom it is meant.

use super::*;
use crate::telemetry::metrics;

const TOKEN: &str = "an administrator's token";

#[tokio::test]
async fn figures_name_no_run_and_no_owner() {
    metrics::install().expect("a recorder");
    let server = server(&[]).await;
    let (run, token) = server.journey().await;
    let bearer = format!("Bearer {token}");
    server.get(&run, &[("authorization", &bearer)]).await;
    server.get("/nowhere/at/all", &[]).await;
    server.send(Method::from_bytes(b"BREW").expect("a method"), "/health", &[], "").await;
    let response = server.get("/metrics", &[]).await;
    assert_eq!(value(&response, "content-type"), "text/plain; version=0.0.4; charset=utf-8");
    let figures = text(response).await;
    for line in [
        r#"colloquy_http_requests_total{method="GET",route="/api/runs/{id}",status="200"}"#,
        r#"colloquy_http_requests_total{method="GET",route="other",status="404"}"#,
        r#"colloquy_http_requests_total{method="other",route="/health",status="405"}"#,
        r#"colloquy_http_request_seconds_bucket{method="POST",route="/api/simulate",status="200",le="0.005"}"#,
        r#"colloquy_runs_started_total{room="simulate"}"#,
        r#"colloquy_runs_ended_total{room="simulate",status="done"}"#,
        r#"colloquy_runs_running{room="simulate"}"#,
        r#"colloquy_model_calls_total{provider="rehearsal",model="rehearsal",outcome="ok"}"#,
        r#"colloquy_model_call_seconds_count{provider="rehearsal",model="rehearsal"}"#,
        r#"colloquy_model_first_word_seconds_count{provider="rehearsal",model="rehearsal"}"#,
        r#"colloquy_model_tokens_total{provider="rehearsal",model="rehearsal",direction="output"}"#,
        "colloquy_store_append_seconds_count",
        "colloquy_sse_followers",
        "colloquy_uptime_seconds",
        "colloquy_build_info{version=",
    ] {
        assert!(figures.contains(line), "{line} is missing from\n{figures}");
    }
    let id = run.rsplit('/').next().expect("an id");
    assert!(!figures.contains(id) && !figures.contains("Marta"));
}

#[tokio::test]
async fn strangers_need_the_administrators_token() {
    metrics::install().expect("a recorder");
    let public = server(&[("COLLOQUY_PUBLIC_URL", "https://colloquy.example"), ("COLLOQUY_ADMIN_TOKEN", TOKEN)]).await;
    let status = async |headers: &[(&str, &str)]| public.get("/metrics", headers).await.status();
    assert_eq!(status(&[("authorization", &format!("Bearer {TOKEN}"))]).await, StatusCode::OK);
    for wrong in ["Bearer another token, too long", "Bearer ", TOKEN] {
        assert_eq!(status(&[("authorization", wrong)]).await, StatusCode::UNAUTHORIZED, "{wrong}");
    }
    problem(public.get("/metrics", &[]).await, 401, "unauthorized").await;
    // Without a token there is no administrator, and a run's token is none.
    let public = server(&[("COLLOQUY_PUBLIC_URL", "https://colloquy.example")]).await;
    let (_, token) = public.journey().await;
    problem(public.get("/metrics", &[("authorization", &format!("Bearer {token}"))]).await, 401, "unauthorized").await;
}
