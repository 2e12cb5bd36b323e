//! The access code, where strangers can reach a server that calls real models.

use super::*;

const CODE: &str = "open sesame";
const REAL: [(&str, &str); 2] = [("OPENAI_BASE_URL", "http://127.0.0.1:9/v1"), ("COLLOQUY_MODEL", "openai:gpt-4o")];
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

async fn public(more: &[(&str, &str)]) -> Server {
    let open = [("LEPTOS_SITE_ADDR", "0.0.0.0:3000"), ("COLLOQUY_ACCESS_CODE", CODE)];
    server(&[&open, &REAL, more].concat()).await
}

impl Server {
    async fn enter(&self, code: &str, from: &str) -> Response<HttpBody> {
        self.send(Method::POST, "/access", &[FORM], format!("code={code}&from={from}")).await
    }
}

fn cookies(response: &Response<HttpBody>) -> Vec<String> {
    let lines = response.headers().get_all("set-cookie").iter().filter_map(|line| line.to_str().ok());
    lines.filter_map(|line| Some(line.split(';').next()?.to_owned())).collect()
}

#[tokio::test]
async fn nothing_is_spent_before_the_code_was_entered_once() {
    let server = public(&[]).await;
    let problem = problem(server.simulate(marta(), &[]).await, 401, "access_code").await;
    assert!(problem["remedy"].as_str().is_some_and(|remedy| remedy.contains("/access")));
    assert_eq!(server.engine.store().spent(None, 0).await.expect("read").runs, 0);

    let response = server.enter("open+sesame", "%2Fdemo").await;
    assert_eq!((response.status(), value(&response, "location").as_str()), (StatusCode::SEE_OTHER, "/demo"));
    let whole = response
        .headers()
        .get_all("set-cookie")
        .iter()
        .filter_map(|line| line.to_str().ok())
        .find(|line| line.starts_with("colloquy_access="));
    assert!(whole.is_some_and(|cookie| cookie.contains("HttpOnly; SameSite=Lax")
        && cookie.contains("Max-Age=31536000")
        && !cookie.contains("sesame")));
    let jar = cookies(&response).join("; ");
    let started = server.simulate(marta(), &[("cookie", &jar), ("idempotency-key", "once")]).await;
    assert_eq!(started.status(), StatusCode::OK);

    // Continue and a fork ask as Start does; Stop and reading never do.
    let (run, owner) =
        (value(&started, "location"), jar.split("; ").find(|cookie| cookie.starts_with("colloquy_owner")).expect("an owner").to_owned());
    assert_eq!(server.send(Method::POST, &format!("{run}/stop"), &[("cookie", &owner)], "").await.status(), StatusCode::NO_CONTENT);
    super::problem(server.send(Method::POST, &format!("{run}/continue"), &[("cookie", &owner)], "").await, 401, "access_code").await;
    let fork = json!({ "step": 0, "text": "Which till, then?" }).to_string();
    let headers = [("cookie", owner.as_str()), ("content-type", "application/json")];
    super::problem(server.send(Method::POST, &format!("{run}/fork"), &headers, fork).await, 401, "access_code").await;
    let form = format!("id={}&turn=0&text=Which+till", run.trim_start_matches("/api/runs/"));
    let headers = [FORM, ("accept", "text/html"), ("cookie", owner.as_str())];
    let response = server.send(Method::POST, "/api/fn/fork_run", &headers, form).await;
    assert_eq!((response.status(), value(&response, "location").as_str()), (StatusCode::FOUND, "/access"));
    assert_eq!(server.engine.store().spent(None, 0).await.expect("read").runs, 1);
    assert_eq!(server.get(&run, &[("cookie", &owner)]).await.status(), StatusCode::OK);
    // What was started is found again by its key, without the code.
    let again = server.simulate(marta(), &[("cookie", &owner), ("idempotency-key", "once")]).await;
    assert_eq!((again.status(), value(&again, "location")), (StatusCode::OK, run));
}

#[tokio::test]
async fn programs_send_the_code_as_a_header() {
    let server = public(&[]).await;
    assert_eq!(server.simulate(marta(), &[("colloquy-access-code", CODE)]).await.status(), StatusCode::OK);
    problem(server.simulate(marta(), &[("colloquy-access-code", "open barley")]).await, 401, "access_code").await;
}

#[tokio::test]
async fn the_cookie_is_void_when_the_code_changes_and_cannot_be_made() {
    let jar = cookies(&public(&[]).await.enter("open+sesame", "/").await).join("; ");
    assert_eq!(public(&[]).await.simulate(marta(), &[("cookie", &jar)]).await.status(), StatusCode::OK);
    let changed = public(&[("COLLOQUY_ACCESS_CODE", "another code")]).await;
    for jar in [jar.as_str(), "colloquy_access=1795206000000.AAAA", "colloquy_access=", "colloquy_access=x.y.z"] {
        problem(changed.simulate(marta(), &[("cookie", jar)]).await, 401, "access_code").await;
    }
}

#[tokio::test]
async fn guesses_are_told_to_be_wrong_and_slowed_down() {
    let server = public(&[]).await;
    for _ in 0..10 {
        let response = server.enter("wrong", "/demo").await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
        let html = text(response).await;
        assert!(html.contains("This is not the access code.") && html.contains(r#"value="/demo""#) && !html.contains("<script"));
    }
    let silenced = server.enter("open+sesame", "/demo").await;
    assert_eq!(silenced.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(text(silenced).await.contains("Wait a minute"));
    problem(server.simulate(marta(), &[("colloquy-access-code", CODE)]).await, 429, "too_many").await;
}

#[tokio::test]
async fn only_a_public_server_with_a_real_model_asks() {
    for environment in [
        &[("COLLOQUY_ACCESS_CODE", CODE), ("LEPTOS_SITE_ADDR", "0.0.0.0:3000")][..],
        &[&[("COLLOQUY_ACCESS_CODE", CODE)], &REAL[..]].concat(),
        &[&[("LEPTOS_SITE_ADDR", "0.0.0.0:3000")], &REAL[..]].concat(),
    ] {
        let server = server(environment).await;
        assert_eq!(server.simulate(marta(), &[]).await.status(), StatusCode::OK, "{environment:?}");
        assert!(text(server.get("/access", &[]).await).await.contains("The door is open"));
        assert_eq!(server.enter("anything", "/demo").await.status(), StatusCode::SEE_OTHER);
    }
}

#[tokio::test]
async fn the_page_asks_in_words_and_leads_back_to_where_one_was_and_nowhere_else() {
    let server = public(&[]).await;
    let page = server.get("/access", &[("referer", "https://colloquy.example/demo?x=1"), ("cookie", "theme=dark")]).await;
    assert_eq!(page.status(), StatusCode::OK);
    let html = text(page).await;
    for part in [
        "<!DOCTYPE html>",
        r#"data-theme="dark""#,
        "<title>Access · Colloquy</title>",
        r#"<label for="code">Access code"#,
        r#"value="/demo?x=1""#,
        "/pkg/colloquy.css",
    ] {
        assert!(html.contains(part), "{part} is missing from {html}");
    }
    assert!(!html.contains("<script") && !html.contains(" style=\""));
    for (from, expect) in [
        ("/demo/a?b=c", "/demo/a?b=c"),
        ("//evil.example", "/"),
        ("https://evil.example", "/"),
        ("/\\evil.example", "/"),
        ("/access", "/"),
        ("", "/"),
    ] {
        assert_eq!(value(&server.enter("open+sesame", &from.replace('?', "%3F").replace('&', "%26")).await, "location"), expect, "{from}");
    }
}

#[tokio::test]
async fn a_start_without_javascript_is_led_to_the_door() {
    let server = public(&[]).await;
    let headers = [FORM, ("accept", "text/html"), ("referer", "http://127.0.0.1:3000/demo")];
    let response = server.send(Method::POST, "/api/fn/start_simulation", &headers, "icp=Marta&query=Which%3F&key=").await;
    assert_eq!((response.status(), value(&response, "location").as_str()), (StatusCode::FOUND, "/access"));
}
