//! `POST /debate/run`: a whole debate in one request, found again, answered at once, and refused in words.

use super::*;
use crate::{
    engine::flow::Status,
    models::loopback::{Loopback, refusal},
    rooms::debate::flow::Debate,
};

const RUN: &str = "/debate/run";
const JSON: (&str, &str) = ("content-type", "application/json");
const LATER: (&str, &str) = ("prefer", "wait=5, Respond-Async");
const KEY: (&str, &str) = ("idempotency-key", "3f0c9b9e-8f3a-4a35-9d47-0d2b3e5f7a14");

impl Server {
    async fn debate(&self, body: &Value, headers: &[(&str, &str)]) -> Response<HttpBody> {
        self.send(Method::POST, RUN, &[&[JSON], headers].concat(), body.to_string()).await
    }

    /// The run at that address, by its token.
    async fn run_of(&self, response: &Response<HttpBody>) -> Value {
        json(self.get(&value(response, "location"), &[("authorization", &bearer(response))]).await).await
    }

    async fn runs(&self) -> i64 {
        self.engine.store().spent(None, 0).await.expect("read").runs
    }
}

fn bearer(response: &Response<HttpBody>) -> String {
    format!("Bearer {}", value(response, "colloquy-run-token"))
}

/// Whose model is that provider's.
async fn on(provider: &Loopback) -> Server {
    let real = [("OPENAI_API_KEY", "sk-secret"), ("OPENAI_BASE_URL", &provider.url), ("COLLOQUY_MODEL", "openai:gpt-4o")];
    server(&real).await
}

fn short() -> Value {
    json!({ "max_exchange_rounds": 1 })
}

#[tokio::test]
async fn a_whole_debate_is_one_request() {
    let server = server(&[]).await;
    let response = server.send(Method::POST, RUN, &[], "").await;
    let run = server.run_of(&response).await;
    assert_eq!((&run["kind"], &run["status"]), (&json!("debate"), &json!("done")));
    let debate = json(response).await;
    assert_eq!((&debate["phase"], &debate["exchange_rounds"], &debate["max_exchange_rounds"]), (&json!("DONE"), &json!(3), &json!(3)));
    assert_eq!(debate["messages"].as_array().map(Vec::len), Some(3 * (3 + 3) + 1));
    assert!(debate["summary"].as_str().is_some_and(|summary| !summary.is_empty()));
    for names in [&debate["openings"], &debate["reflections"]] {
        assert_eq!(names.as_object().expect("by persona").keys().collect::<Vec<_>>(), ["alexander", "gandhi", "napoleon"]);
    }
    assert!(debate.get("topic").is_none() && debate.get("personas").is_none(), "{debate}");
    // Whatever is sent of nothing is nothing.
    for (headers, body) in [(&[JSON][..], ""), (&[JSON], "{}"), (&[JSON], r#"{"topic":null}"#), (&[("content-type", "text/plain")], "")] {
        assert_eq!(server.send(Method::POST, RUN, headers, body).await.status(), StatusCode::OK, "{headers:?} {body}");
    }
}

#[tokio::test]
async fn motion_panel_and_length_are_chosen() {
    let server = server(&[]).await;
    let personas = json!([
        { "name": "Ada", "philosophy": "Count first.", "hue": "teal", "model": "rehearsal" },
        { "id": "bo", "name": "Bo", "philosophy": "Feel first.", "icon_hint": "poet" },
    ]);
    let body = json!({ "max_exchange_rounds": 2, "topic": "Tea or coffee?", "personas": personas });
    let debate = json(server.debate(&body, &[]).await).await;
    assert_eq!((&debate["topic"], &debate["exchange_rounds"]), (&json!("Tea or coffee?"), &json!(2)));
    assert_eq!(debate["messages"].as_array().map(Vec::len), Some(2 * (3 + 2) + 1));
    let ids: Vec<_> = debate["personas"].as_array().expect("a panel").iter().map(|persona| persona["id"].clone()).collect();
    assert_eq!(ids, ["ada", "bo", "summariser"]);
}

#[tokio::test]
async fn what_is_wrong_is_named_and_starts_nothing() {
    let server = server(&[]).await;
    let ada = json!({ "name": "Ada", "philosophy": "Count first." });
    for (body, pointer) in [
        (json!({ "max_exchange_rounds": 0 }), "/max_exchange_rounds"),
        (json!({ "max_exchange_rounds": 7 }), "/max_exchange_rounds"),
        (json!({ "max_exchange_rounds": -1 }), "/max_exchange_rounds"),
        (json!({ "max_exchange_rounds": "3" }), "/max_exchange_rounds"),
        (json!({ "topic": " " }), "/topic"),
        (json!({ "topic": "x".repeat(301) }), "/topic"),
        (json!({ "rounds": 3 }), "/rounds"),
        (json!({ "personas": [ada] }), "/personas"),
        (json!({ "personas": [ada, ada] }), "/personas"),
        (json!({ "personas": [ada, { "name": "Bo", "philosphy": "x" }] }), "/personas/1/philosphy"),
        (json!({ "personas": [ada, { "name": "Bo", "philosophy": "x", "model": "openai:gpt-9" }] }), "/personas/1/model"),
    ] {
        let problem = problem(server.debate(&body, &[]).await, 422, "invalid").await;
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{body}: {problem}");
    }
    let post = async |headers: &[(&str, &str)], body: String| server.send(Method::POST, RUN, headers, body).await;
    problem(post(&[JSON], "{".into()).await, 422, "invalid").await;
    problem(post(&[], "{}".into()).await, 415, "unsupported_media_type").await;
    problem(post(&[JSON], " ".repeat(MAX_BODY + 1)).await, 413, "too_large").await;
    problem(server.get(RUN, &[]).await, 405, "method_not_allowed").await;
    problem(server.debate(&short(), &[("origin", "https://evil.example")]).await, 403, "forbidden").await;
    assert_eq!(server.runs().await, 0);
}

#[tokio::test]
async fn whoever_does_not_wait_is_answered_at_once_and_finds_it_again() {
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "60000")]).await;
    let first = server.debate(&short(), &[LATER, KEY]).await;
    assert_eq!((first.status(), value(&first, "preference-applied").as_str()), (StatusCode::ACCEPTED, "respond-async"));
    assert_eq!(server.run_of(&first).await["status"], "running");
    let (run, bearer) = (value(&first, "location"), bearer(&first));
    let debate: Value = serde_json::from_str(&text(first).await).expect("JSON");
    assert_eq!((&debate["phase"], &debate["messages"]), (&json!("OPENING"), &json!([])));
    let again = server.debate(&short(), &[LATER, KEY]).await;
    assert_eq!((again.status(), value(&again, "location")), (StatusCode::ACCEPTED, run.clone()));
    problem(server.debate(&json!({}), &[LATER, KEY]).await, 422, "key_reused").await;
    // Whoever waits is told when somebody stops it.
    let headers = [("authorization", bearer.as_str())];
    let (body, stop) = (short(), format!("{run}/stop"));
    let (waited, stopped) = tokio::join!(server.debate(&body, &[KEY]), server.send(Method::POST, &stop, &headers, ""));
    assert_eq!((stopped.status(), value(&waited, "location")), (StatusCode::NO_CONTENT, run));
    let problem = problem(waited, 409, "conflict").await;
    assert!(problem["remedy"].as_str().is_some_and(|remedy| remedy.contains("/continue")), "{problem}");
    assert_eq!(server.runs().await, 1);
}

#[tokio::test]
async fn a_repeated_request_waits_for_the_debate_it_began() {
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "1")]).await;
    let first = server.debate(&short(), &[LATER, KEY]).await;
    let again = server.debate(&short(), &[KEY]).await;
    assert_eq!((again.status(), value(&again, "location")), (StatusCode::OK, value(&first, "location")));
    assert_eq!(json(again).await["phase"], "DONE");
    // It is over: there is nothing to answer before the end.
    let over = server.debate(&short(), &[LATER, KEY]).await;
    assert_eq!((over.status(), value(&over, "preference-applied").as_str()), (StatusCode::OK, ""));
    assert_eq!(server.runs().await, 1);
}

#[tokio::test]
async fn a_caller_that_goes_away_stops_nothing() {
    let server = server(&[("COLLOQUY_REHEARSAL_PACE", "1")]).await;
    let body = short();
    let mut calling = Box::pin(server.debate(&body, &[]));
    let id = loop {
        assert!(futures::poll!(&mut calling).is_pending(), "it is over already");
        match server.engine.store().running().await.expect("read").pop() {
            Some((id, _)) => break id,
            None => tokio::task::yield_now().await,
        }
    };
    drop(calling);
    assert_eq!(server.engine.rest::<Debate>(id).await.expect("it goes on").status(), Status::Done);
}

#[tokio::test]
async fn a_refused_key_is_said_and_never_shown() {
    let provider = Loopback::open().await;
    let server = on(&provider).await;
    let refused = refusal("401 Unauthorized", "", r#"{"error":{"message":"Incorrect API key provided: sk-secret"}}"#);
    let (body, pieces) = (short(), [refused.as_slice()]);
    let (asked, response) = tokio::join!(provider.answer(&pieces), server.debate(&body, &[]));
    assert!(asked.head.contains("sk-secret"));
    let run = server.run_of(&response).await;
    assert_eq!((&run["status"], &run["cause"]), (&json!("failed"), &json!("auth")));
    let problem = problem(response, 403, "key_refused").await;
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.starts_with("OpenAI refused the key.")), "{problem}");
    assert!(!problem.to_string().contains("sk-secret") && !run.to_string().contains("sk-secret"));
}

#[tokio::test]
async fn a_provider_that_is_down_leaves_the_debate_waiting() {
    let provider = Loopback::open().await;
    let server = on(&provider).await;
    // Longer than anybody is asked to wait.
    let down = refusal("503 Service Unavailable", "retry-after: 61\r\n", "down");
    let (body, pieces) = (short(), [down.as_slice()]);
    let (_, response) = tokio::join!(provider.answer(&pieces), server.debate(&body, &[KEY]));
    let run = server.run_of(&response).await;
    assert_eq!((&run["status"], &run["cause"]), (&json!("waiting"), &json!("overloaded")));
    let location = value(&response, "location");
    let told = problem(response, 503, "unavailable").await;
    assert!(told["detail"].as_str().is_some_and(|detail| detail.starts_with("The model is overloaded.")), "{told}");
    // It is found again as it is, and nobody is called for that.
    let again = server.debate(&body, &[KEY]).await;
    assert_eq!(value(&again, "location"), location);
    problem(again, 503, "unavailable").await;
}

#[tokio::test]
async fn what_a_model_cannot_do_is_the_servers_fault() {
    let provider = Loopback::open().await;
    let server = on(&provider).await;
    let refused = refusal("400 Bad Request", "", r#"{"error":{"message":"No such model."}}"#);
    let (body, pieces) = (short(), [refused.as_slice()]);
    let (_, response) = tokio::join!(provider.answer(&pieces), server.debate(&body, &[]));
    assert!(!value(&response, "location").is_empty());
    let problem = problem(response, 500, "internal").await;
    assert_eq!(problem["detail"], "The model did not accept the request: No such model.");
}

#[tokio::test]
async fn without_a_model_it_says_how_to_set_one_up() {
    let server = server_with("[models]\nrehearsal = \"off\"\n", &[]).await;
    let problem = problem(server.debate(&short(), &[]).await, 503, "no_model").await;
    assert!(problem["remedy"].as_str().is_some_and(|remedy| remedy.contains("OPENAI_API_KEY")));
    assert_eq!(server.runs().await, 0);
}

#[tokio::test]
async fn pages_of_listed_origins_may_hold_debates() {
    let server = server(&[]).await;
    let origin = ("origin", "http://localhost:3000");
    let asked = [origin, ("access-control-request-method", "POST"), ("access-control-request-headers", "content-type,prefer")];
    let allowed = server.send(Method::OPTIONS, RUN, &asked, "").await;
    let answered = server.debate(&short(), &[origin]).await;
    for response in [&allowed, &answered] {
        let (allows, credentials) = (value(response, "access-control-allow-origin"), value(response, "access-control-allow-credentials"));
        assert_eq!((response.status(), allows.as_str(), credentials.as_str()), (StatusCode::OK, origin.1, "true"));
    }
    assert!(value(&answered, "access-control-expose-headers").contains("preference-applied"));
    // A problem can be read as well.
    let refused = server.debate(&json!({ "topic": 1 }), &[origin]).await;
    assert_eq!(value(&refused, "access-control-allow-origin"), origin.1);
}

#[tokio::test]
async fn its_description_names_what_it_answers() {
    let server = server(&[]).await;
    let api = json(server.get("/openapi.json", &[]).await).await;
    let schema = &api["components"]["schemas"]["DebateState"];
    let answered = json(server.debate(&json!({ "max_exchange_rounds": 1, "topic": "Tea?" }), &[]).await).await;
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<std::collections::BTreeSet<_>>();
    let named: std::collections::BTreeSet<String> = serde_json::from_value(schema["required"].clone()).expect("names");
    assert_eq!(keys(&schema["properties"]), named.iter().cloned().chain(["topic".into(), "personas".into()]).collect());
    assert_eq!(keys(&answered), named.into_iter().chain(["topic".into()]).collect());
    assert_eq!(keys(&answered["messages"][0]), keys(&schema["properties"]["messages"]["items"]["properties"]));
}
