use super::*;
use crate::{
    engine::server::{Engine, call::Meter, tests::limits},
    models::{ChatCompletions, Endpoint, Rehearsal, Reply, loopback},
    store::story,
    telemetry::Span,
};
use serde_json::json;
use std::{sync::Arc, time::Duration};
use uuid::Uuid;

fn schema() -> Value {
    json!({ "type": "object", "properties": { "tone": { "type": "string" } }, "required": ["tone"], "additionalProperties": false })
}

/// A call of its own engine, whose ladder is new, to a provider on loopback.
struct Desk {
    call: Call,
    meter: Arc<Meter>,
    route: Route,
    provider: loopback::Loopback,
    _folder: tempfile::TempDir,
}

async fn desk() -> Desk {
    let (store, _folder) = story::sqlite().await;
    let provider = loopback::Loopback::open().await;
    let meter = Arc::new(Meter::default());
    let call = Call::new(Engine::new(Arc::new(store), vec![], limits(), "build".into()), Uuid::nil(), 1, meter.clone(), Span::default());
    let endpoint = Endpoint { client: reqwest::Client::new(), provider: "Local".into(), base_url: provider.url.clone(), key: None };
    let chat = Arc::new(ChatCompletions { endpoint, limit: "max_tokens" });
    Desk { call, meter, route: Route { name: "local:m".into(), model: "m".into(), chat }, provider, _folder }
}

fn request(rehearsal: &str) -> ChatRequest {
    let messages = vec![Message::System("Be brief.".into()), Message::User("Which tone?".into())];
    let rehearsal = Reply { text: rehearsal.into(), calls: vec![] };
    ChatRequest { messages, tools: vec![], tool_required: false, max_tokens: 9, format: None, rehearsal }
}

fn says(text: &str) -> Vec<u8> {
    let chunk = json!({ "choices": [{ "delta": { "content": text }, "finish_reason": "stop" }],
                        "usage": { "prompt_tokens": 3, "completion_tokens": 2 } });
    [loopback::OK, format!("data: {chunk}\n\ndata: [DONE]\n\n").as_bytes()].concat()
}

fn refuses() -> Vec<u8> {
    loopback::refusal("400 Bad Request", "", r#"{"error":{"message":"This response_format type is unavailable now"}}"#)
}

impl Desk {
    /// The provider is asked in these ways, answers so, and that is what comes of it; what it was asked.
    async fn check(&self, expect: Result<Value, ModelError>, calls: &[(Option<&str>, Vec<u8>)]) -> Vec<Value> {
        let schema = schema();
        let asking = self.call.object(&self.route, request(""), "answer", &schema);
        let answering = async {
            let mut bodies = Vec::new();
            for (format, answer) in calls {
                let body = self.provider.answer(&[answer]).await.body;
                assert_eq!(body["response_format"]["type"].as_str(), *format, "{body}");
                assert_eq!(
                    *format != Some("json_schema"),
                    body["messages"][0]["content"].as_str().is_some_and(|told| told.contains("JSON Schema"))
                );
                bodies.push(body);
            }
            bodies
        };
        let both = async { tokio::join!(asking, answering) };
        let (object, bodies) = tokio::time::timeout(Duration::from_secs(10), both).await.expect("as many calls as expected");
        assert_eq!(object.map_err(|failed| failed.error), expect);
        bodies
    }
}

const SCHEMA: Option<&str> = Some("json_schema");
const JSON: Option<&str> = Some("json_object");

#[tokio::test]
async fn a_right_answer_costs_one_call() {
    let bodies = desk().await.check(Ok(json!({ "tone": "calm" })), &[(SCHEMA, says(r#"{"tone":"calm"}"#))]).await;
    assert_eq!(bodies[0]["response_format"]["json_schema"], json!({ "name": "answer", "schema": schema() }));
}

#[tokio::test]
async fn what_is_refused_is_asked_in_another_way_and_remembered() {
    let desk = desk().await;
    let (calm, fenced) = (json!({ "tone": "calm" }), "Here it is:\n```json\n{ \"tone\": \"calm\" }\n```");
    desk.check(Ok(calm.clone()), &[(SCHEMA, refuses()), (JSON, refuses()), (None, says(fenced))]).await;
    desk.check(Ok(calm), &[(None, says(r#"{"tone":"calm"}"#))]).await;
    // At the bottom a refusal is a refusal.
    let refused = ModelError::BadRequest("This response_format type is unavailable now".into());
    desk.check(Err(refused), &[(None, refuses())]).await;
}

#[tokio::test]
async fn a_wrong_answer_is_sent_back_once() {
    let desk = desk().await;
    let (wrong, right) = (says(r#"{"tone":7}"#), says(r#"{"tone":"calm"}"#));
    let bodies = desk.check(Ok(json!({ "tone": "calm" })), &[(SCHEMA, wrong.clone()), (SCHEMA, right)]).await;
    let messages = bodies[1]["messages"].as_array().expect("messages");
    assert_eq!(messages[2], json!({ "role": "assistant", "content": r#"{"tone":7}"# }));
    assert!(messages[3]["content"].as_str().is_some_and(|told| told.contains("at /tone: 7 is not of type")), "{}", messages[3]);
    let usage = desk.meter.usage(Value::Null, "m".into(), Duration::ZERO);
    assert_eq!((usage.input_tokens, usage.output_tokens), (Some(6), Some(4)), "both calls count");
    let wrong_again = says(r#"{"tone":"calm","mood":1,"secret":2}"#);
    let misshapen = ModelError::Misshapen("it does not fit at the top".into());
    desk.check(Err(misshapen), &[(SCHEMA, wrong), (SCHEMA, wrong_again)]).await;
}

#[tokio::test]
async fn a_provider_that_takes_no_notice_of_the_format_is_told_in_words() {
    let desk = desk().await;
    let calm = json!({ "tone": "calm" });
    desk.check(Ok(calm.clone()), &[(SCHEMA, says("A calm one, I think.")), (JSON, says(r#"{"tone":"calm"}"#))]).await;
    desk.check(Ok(calm), &[(JSON, says(r#"{"tone":"calm"}"#))]).await;
    let misshapen = ModelError::Misshapen("it is not JSON".into());
    desk.check(Err(misshapen), &[(JSON, says("")), (None, says("Calm."))]).await;
}

#[tokio::test]
async fn a_single_try_says_what_is_wrong_and_how_to_put_it_right() {
    let desk = desk().await;
    let (schema, asked) = (schema(), request(""));
    let form = async |answer: Vec<u8>| {
        let pieces = [answer.as_slice()];
        let (formed, _) = tokio::join!(desk.call.form(&desk.route, &asked, "answer", &schema), desk.provider.answer(&pieces));
        formed.expect("an answer")
    };
    assert_eq!(form(says(r#"{"tone":"calm"}"#)).await, Formed::Fits(json!({ "tone": "calm" })));
    let Formed::Misfit { draft, why, place } = form(says(r#"{"tone":7}"#)).await else { panic!("it does not fit") };
    assert_eq!((draft.as_str(), place.as_str()), (r#"{"tone":7}"#, "it does not fit at /tone"));
    let told = repair(&draft, &why);
    let [Message::Assistant { text, .. }, Message::User(said)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((text, said.contains("at /tone: 7 is not of type")), (&draft, true), "{said}");
    assert_eq!(repair("", "it is not JSON").len(), 1, "nothing was said");
    let cut = json!({ "choices": [{ "delta": { "content": "{" }, "finish_reason": "length" }] });
    let cut = [loopback::OK, format!("data: {cut}\n\ndata: [DONE]\n\n").as_bytes()].concat();
    let Formed::Misfit { why, place, .. } = form(cut).await else { panic!("it does not fit") };
    assert_eq!((why.as_str(), place.as_str()), ("it was too long and was cut off; say less", "it was cut off"));
}

#[tokio::test]
async fn other_failures_are_what_they_are() {
    let refused = ModelError::Auth { provider: "Local".into() };
    desk().await.check(Err(refused), &[(SCHEMA, loopback::refusal("401 Unauthorized", "", "no"))]).await;
    let busy = ModelError::RateLimited { retry_after: None };
    desk().await.check(Err(busy), &[(SCHEMA, loopback::refusal("429 Too Many Requests", "", "later"))]).await;
}

#[tokio::test]
async fn rehearsal_answers_its_script() {
    let desk = desk().await;
    let chat = Arc::new(Rehearsal { pace: Duration::ZERO });
    let route = Route { name: "rehearsal".into(), model: "rehearsal".into(), chat };
    let object = desk.call.object(&route, request(r#"{"tone":"calm"}"#), "answer", &schema()).await;
    assert_eq!(object.map_err(|failed| failed.error), Ok(json!({ "tone": "calm" })));
}
