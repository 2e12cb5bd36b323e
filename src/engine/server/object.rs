//! An answer in a form: JSON that satisfies a schema, by whatever way of asking for it a provider understands.
//! What comes back is always judged here, and a wrong answer is sent back once, with what is wrong with it.

use super::{Call, CallError};
use crate::models::{ChatRequest, Completion, Format, Message, ModelError, Route};
use jsonschema::Validator;
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

/// So many faults are named; more would only confuse.
const FAULTS: usize = 5;

/// The ways of asking, the best first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Rung {
    /// The provider is given the schema.
    #[default]
    Schema,
    /// The provider is asked for JSON, the model for the schema.
    Json,
    /// The model is asked for both.
    Prompt,
}

impl Rung {
    fn below(self) -> Option<Rung> {
        match self {
            Rung::Schema => Some(Rung::Json),
            Rung::Json => Some(Rung::Prompt),
            Rung::Prompt => None,
        }
    }
}

/// Where each model stands that does not understand the best way, by its route's name.
#[derive(Default)]
pub struct Ladder(Mutex<HashMap<String, Rung>>);

impl Ladder {
    fn with<T>(&self, work: impl FnOnce(&mut HashMap<String, Rung>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn rung(&self, route: &Route) -> Rung {
        self.with(|rungs| rungs.get(&route.name).copied().unwrap_or_default())
    }

    fn stand(&self, route: &Route, rung: Rung) {
        self.with(|rungs| rungs.insert(route.name.clone(), rung));
    }
}

/// What is wrong with an answer.
enum Fault {
    NoJson {
        cut: bool,
    },
    /// Where, and what, in words that may repeat the answer.
    Misfit(Vec<(String, String)>),
}

/// What came of asking for a form.
#[derive(Clone, Debug, PartialEq)]
pub enum Formed {
    Fits(Value),
    Misfit {
        /// The answer as it was given.
        draft: String,
        /// What is wrong with it, for the model to read; may repeat the answer.
        why: String,
        /// Where it is wrong, without a word of the answer; what [`ModelError::Misshapen`] holds.
        place: String,
    },
}

/// What is said behind the messages of a request whose answer was a [`Formed::Misfit`].
pub fn repair(draft: &str, why: &str) -> Vec<Message> {
    let draft = (!draft.is_empty()).then(|| Message::Assistant { text: draft.to_owned(), calls: vec![] });
    let told = format!("That answer cannot be used: {why}. Give the whole JSON object again, corrected, and nothing else.");
    draft.into_iter().chain([Message::User(told)]).collect()
}

impl Call {
    /// Asks for JSON that satisfies the schema; nobody sees it being written. A second answer that does not
    /// satisfy it either is a [`ModelError::Misshapen`].
    pub async fn object(&self, route: &Route, mut request: ChatRequest, name: &'static str, schema: &Value) -> Result<Value, CallError> {
        match self.form(route, &request, name, schema).await? {
            Formed::Fits(value) => return Ok(value),
            Formed::Misfit { draft, why, .. } => request.messages.extend(repair(&draft, &why)),
        }
        match self.form(route, &request, name, schema).await? {
            Formed::Fits(value) => Ok(value),
            Formed::Misfit { place, .. } => Err(CallError { error: ModelError::Misshapen(place), begun: true }),
        }
    }

    /// Asks once for JSON that satisfies the schema; nobody sees it being written.
    pub async fn form(&self, route: &Route, request: &ChatRequest, name: &'static str, schema: &Value) -> Result<Formed, CallError> {
        let ours =
            |_| CallError { error: ModelError::BadRequest("the form that was asked for is no JSON Schema".to_owned()), begun: false };
        let validator = jsonschema::validator_for(schema).map_err(ours)?;
        let answer = self.ask(route, request, name, schema).await?;
        let fault = match judge(&validator, &answer) {
            Ok(value) => return Ok(Formed::Fits(value)),
            Err(fault) => fault,
        };
        // Words where JSON was asked for: the provider takes no notice of the format, so the model has to be told.
        let ladder = &self.engine.0.ladder;
        if let (Fault::NoJson { cut: false }, Some(below)) = (&fault, ladder.rung(route).below()) {
            ladder.stand(route, below);
        }
        Ok(Formed::Misfit { draft: answer.text, why: why(&fault), place: place(&fault) })
    }

    /// One call, on the rung the model is known to stand on; one down for each that is refused.
    async fn ask(&self, route: &Route, request: &ChatRequest, name: &'static str, schema: &Value) -> Result<Completion, CallError> {
        let ladder = &self.engine.0.ladder;
        let mut rung = ladder.rung(route);
        loop {
            let said = self.chat(route, asking(request, rung, name, schema), |_| None).await;
            // Each provider refuses a format in words of its own, so any refusal may be one.
            let refused = matches!(&said, Err(CallError { error: ModelError::BadRequest(_), begun: false }));
            match rung.below().filter(|_| refused) {
                Some(below) => rung = below,
                None => {
                    if said.is_ok() {
                        ladder.stand(route, rung);
                    }
                    return said;
                }
            }
        }
    }
}

fn asking(request: &ChatRequest, rung: Rung, name: &'static str, schema: &Value) -> ChatRequest {
    let mut request = request.clone();
    request.format = match rung {
        Rung::Schema => Some(Format::Schema { name, schema: schema.clone() }),
        Rung::Json => Some(Format::Json),
        Rung::Prompt => None,
    };
    if rung != Rung::Schema {
        let told = format!(
            "Answer with one JSON object and nothing else, neither Markdown nor words around it. It satisfies this JSON Schema:\n{schema}"
        );
        // Not every server takes a second system message.
        match request.messages.first_mut() {
            Some(Message::System(text)) => *text = format!("{text}\n\n{told}"),
            _ => request.messages.insert(0, Message::System(told)),
        }
    }
    request
}

fn judge(validator: &Validator, answer: &Completion) -> Result<Value, Fault> {
    let value = json_in(&answer.text).ok_or(Fault::NoJson { cut: answer.cut })?;
    let fault = |error: jsonschema::ValidationError<'_>| (error.instance_path().to_string(), error.to_string());
    let faults: Vec<_> = validator.iter_errors(&value).take(FAULTS).map(fault).collect();
    if faults.is_empty() { Ok(value) } else { Err(Fault::Misfit(faults)) }
}

/// The answer, or the object in the middle of it: some models cannot help a word before and a fence around.
fn json_in(text: &str) -> Option<Value> {
    let object = || text.get(text.find('{')?..=text.rfind('}')?);
    serde_json::from_str(text.trim()).ok().or_else(|| serde_json::from_str(object()?).ok())
}

fn why(fault: &Fault) -> String {
    match fault {
        Fault::NoJson { cut: true } => "it was too long and was cut off; say less".to_owned(),
        Fault::NoJson { cut: false } => "it is not JSON".to_owned(),
        Fault::Misfit(faults) => faults.iter().map(|(place, what)| format!("at {}: {what}", named(place))).collect::<Vec<_>>().join("; "),
    }
}

fn place(fault: &Fault) -> String {
    match fault {
        Fault::NoJson { cut: true } => "it was cut off".to_owned(),
        Fault::NoJson { cut: false } => "it is not JSON".to_owned(),
        Fault::Misfit(faults) => {
            format!("it does not fit at {}", faults.iter().map(|(place, _)| named(place)).collect::<Vec<_>>().join(", "))
        }
    }
}

fn named(place: &str) -> &str {
    if place.is_empty() { "the top" } else { place }
}

#[cfg(test)]
mod tests {
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
        let call =
            Call::new(Engine::new(Arc::new(store), vec![], limits(), "build".into()), Uuid::nil(), 1, meter.clone(), Span::default());
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
}
