//! Routes that programs call, wherever they stand: whatever goes wrong there is told as a problem.

use super::*;
use axum::Json;
use utoipa_axum::routes;

const JSON: (&str, &str) = ("content-type", "application/json");

/// A room's route outside `/api`, which leaves its errors to others.
#[utoipa::path(post, path = "/elsewhere/run", tag = "rooms", responses((status = 200, description = "A number."), Problems))]
async fn run(Json(number): Json<u32>) -> String {
    assert_ne!(number, 0, "nought");
    number.to_string()
}

#[tokio::test]
async fn a_room_answers_programs_outside_the_api_as_well() {
    let (state, folder) = state("", &[]).await;
    let engine = state.engine.clone();
    let server = Server { router: router(state, OpenApiRouter::new().routes(routes!(run))), engine, _folder: folder };
    let post = async |headers: &[(&str, &str)], body: String| server.send(Method::POST, "/elsewhere/run", headers, body).await;
    assert_eq!(text(post(&[JSON], "7".into()).await).await, "7");
    problem(server.get("/elsewhere/run", &[]).await, 405, "method_not_allowed").await;
    problem(post(&[], "7".into()).await, 415, "unsupported_media_type").await;
    problem(post(&[JSON], "7".repeat(MAX_BODY + 1)).await, 413, "too_large").await;
    problem(post(&[JSON], "seven".into()).await, 400, "invalid").await;
    problem(post(&[JSON], "\"seven\"".into()).await, 422, "invalid").await;
    problem(post(&[JSON], "0".into()).await, 500, "internal").await;
    problem(post(&[JSON, ("origin", "https://evil.example")], "7".into()).await, 403, "forbidden").await;
}

#[tokio::test]
async fn pages_and_what_they_call_tell_errors_in_their_own_way() {
    let server = server(&[]).await;
    for (method, path, status) in [
        (Method::GET, "/elsewhere/run", StatusCode::NOT_FOUND),
        (Method::GET, "/runs/x", StatusCode::NOT_FOUND),
        (Method::POST, "/demo", StatusCode::METHOD_NOT_ALLOWED),
        (Method::GET, "/settings/models", StatusCode::UNAUTHORIZED),
        (Method::POST, "/api/fn/recent_runs/x", StatusCode::NOT_FOUND),
    ] {
        let response = server.send(method, path, &[], "").await;
        let kind = value(&response, "content-type");
        assert_eq!((response.status(), kind.contains("problem")), (status, path.starts_with("/api/")), "{path}: {kind}");
    }
}
