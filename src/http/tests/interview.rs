//! Interviews with research beside them: by forms alone, from the first question to the summary, put right half way, stopped, and
//! with providers that fail.

use super::*;
use crate::{
    engine::{
        entry::{Run, Usage},
        flow::Status,
    },
    models::loopback::{Loopback, OK, refusal},
    rooms::research::flow::{Field, Research, Section, State},
    runs::server::escape,
};
use futures::StreamExt;
use tokio::io::AsyncWriteExt;
use uuid::Uuid;

const OPENING: &str = "We are Crumbtill. We sell a card reader, to independent bakeries in the United Kingdom.";

/// A conversation of one person's.
struct Talk<'a> {
    server: &'a Server,
    cookie: String,
    id: Uuid,
}

fn body(fields: &[(&str, &str)]) -> String {
    fields.iter().map(|(name, value)| format!("{}={}", escape(name), escape(value))).collect::<Vec<_>>().join("&")
}

impl<'a> Talk<'a> {
    async fn begin(server: &'a Server, opening: &str) -> Self {
        let cookie = server.cookie().await;
        let led = server.form("start_research", &body(&[("opening", opening), ("key", "one")]), &cookie).await;
        let id = led.strip_prefix("/journey/").and_then(|id| id.parse().ok()).unwrap_or_else(|| panic!("it leads to {led}"));
        Talk { server, cookie, id }
    }

    /// Does something by a form without a script; answers where it leads.
    async fn tell(&self, fields: &[(&str, &str)]) -> String {
        let id = self.id.to_string();
        self.server.form("tell_research", &body(&[&[("id", id.as_str())], fields].concat()), &self.cookie).await
    }

    /// The same, where it is taken.
    async fn told(&self, fields: &[(&str, &str)]) {
        assert_eq!(self.tell(fields).await, format!("/journey/{}", self.id), "{fields:?}");
    }

    /// Says that message in other words; the run that goes on with them.
    async fn fork(&self, turn: u32, text: &str) -> Talk<'a> {
        let (id, turn) = (self.id.to_string(), turn.to_string());
        let led = self.server.form("fork_run", &body(&[("id", &id), ("turn", &turn), ("text", text)]), &self.cookie).await;
        let id = led.strip_prefix("/journey/").and_then(|id| id.parse().ok()).unwrap_or_else(|| panic!("it leads to {led}"));
        Talk { server: self.server, cookie: self.cookie.clone(), id }
    }

    async fn run(&self) -> Run<Research> {
        self.server.engine.load::<Research>(self.id).await.expect("it is there")
    }

    async fn rest(&self) -> Run<Research> {
        self.server.engine.rest::<Research>(self.id).await.expect("it rests")
    }

    /// Follows the run until that holds.
    async fn until(&self, holds: impl Fn(&Run<Research>) -> bool) -> Run<Research> {
        let mut runs = self.server.engine.follow::<Research>(self.id);
        let mut last = None;
        while let Some(run) = runs.next().await {
            let run = run.expect("it goes on");
            if holds(&run) {
                return run;
            }
            last = Some(run);
        }
        panic!("it rests before that: {last:#?}");
    }

    /// The open question's turn and field, once there is one.
    async fn asked(&self) -> (String, Field) {
        let run = self.until(|run| run.state.open_question().is_some()).await;
        let (turn, question) = run.state.open_question().expect("a question");
        (turn.to_string(), question.field)
    }

    /// Skips questions until that field has been asked for.
    async fn skip_to(&self, field: Field) {
        loop {
            let (turn, asked) = self.asked().await;
            if asked == field {
                return;
            }
            self.told(&[("what", "skip"), ("of", &turn)]).await;
        }
    }

    async fn get(&self, path: &str) -> Response<HttpBody> {
        self.server.get(path, &[("cookie", &self.cookie)]).await
    }

    async fn post(&self, path: &str, headers: &[(&str, &str)], body: String) -> Response<HttpBody> {
        let cookie = ("cookie", self.cookie.as_str());
        self.server.send(Method::POST, path, &[&[cookie], headers].concat(), body).await
    }
}

fn attempts(state: &State) -> Vec<u32> {
    state.studies.iter().map(|study| study.attempts).collect()
}

fn found(state: &State, section: Section) -> bool {
    state.study(section).result.is_some()
}

#[tokio::test]
async fn from_the_first_words_to_the_summary_by_forms_alone() {
    let server = server(&[]).await;
    let talk = Talk::begin(&server, OPENING).await;
    let mut options = 0;
    loop {
        let run = talk.rest().await;
        let Some((turn, question)) = run.state.open_question() else { break };
        let turn = turn.to_string();
        match question.options.is_empty() {
            true => talk.told(&[("what", "say"), ("text", "Those who cannot wait."), ("key", &run.state.messages.to_string())]).await,
            false if question.multi => talk.told(&[("what", "choose"), ("of", &turn), ("options[]", "0"), ("options[]", "1")]).await,
            false => talk.told(&[("what", "choose"), ("of", &turn), ("options[]", "0")]).await,
        }
        options += u32::from(!question.options.is_empty());
    }
    let run = talk.run().await;
    assert_eq!((run.status(), attempts(&run.state)), (Status::Done, vec![1; 5]));
    assert!(options >= 4 && run.state.is_summarised());
    // What programs do with any run.
    let path = format!("/api/runs/{}", talk.id);
    let read = json(talk.get(&path).await).await;
    assert_eq!((&read["kind"], &read["status"], &read["rehearsal"]), (&json!("research"), &json!("done"), &json!(true)));
    assert_eq!(read["state"]["thread"][0]["text"], OPENING);
    let markdown = text(talk.get(&format!("{path}/export.md")).await).await;
    for part in ["We are Crumbtill", "**Industry and market**", "**What it adds up to**", "Rehearsal: nothing was looked up"] {
        assert!(markdown.contains(part), "{part} is missing in {markdown}");
    }
    for step in [0, 2] {
        let fork = json!({ "step": step, "text": "We sell bread." }).to_string();
        let forked = talk.post(&format!("{path}/fork"), &[("content-type", "application/json")], fork).await;
        assert_eq!(forked.status(), StatusCode::CREATED);
        let fork = Talk { server: &server, cookie: talk.cookie.clone(), id: value(&forked, "location")[10..].parse().expect("an id") };
        let state = fork.rest().await.state;
        assert_eq!((state.message(step), state.open_question().is_some()), (Some("We sell bread."), true));
    }
    for (method, path, status) in [(Method::PUT, format!("{path}/share"), 200), (Method::DELETE, path, 204)] {
        assert_eq!(server.send(method, &path, &[("cookie", &talk.cookie)], "").await.status().as_u16(), status, "{path}");
    }
}

#[tokio::test]
async fn what_is_put_right_half_way_makes_sections_stale_and_one_button_mends_them() {
    let server = server(&[]).await;
    let talk = Talk::begin(&server, OPENING).await;
    talk.skip_to(Field::Industry).await;
    talk.told(&[("what", "say"), ("text", "Payments")]).await;
    talk.rest().await;
    talk.skip_to(Field::MonthlyBudget).await;
    let before = talk.rest().await.state;
    assert_eq!(attempts(&before), [1, 1, 1, 0, 0]);
    talk.told(&[("what", "correct"), ("of", "industry"), ("text", "Payment terminals")]).await;
    let stale = talk.rest().await.state;
    assert_eq!(stale.stale(), [Section::IndustryMarket, Section::Competitors, Section::IcpValidation]);
    assert!(found(&stale, Section::IndustryMarket), "it stays readable");
    talk.told(&[("what", "refresh")]).await;
    let fresh = talk.rest().await.state;
    assert_eq!((fresh.stale(), attempts(&fresh)), (vec![], vec![2, 2, 2, 0, 0]));
    talk.skip_to(Field::OfferPricing).await;
    talk.told(&[("what", "say"), ("text", "£29, once")]).await;
    let done = talk.rest().await;
    assert_eq!((done.status(), attempts(&done.state)), (Status::Done, vec![2, 2, 2, 1, 1]));
    // Once more at the end: the summary is written anew.
    talk.told(&[("what", "correct"), ("of", "offerPricing"), ("text", "£39, once")]).await;
    assert_eq!(talk.rest().await.status(), Status::Waiting);
    talk.told(&[("what", "refresh")]).await;
    let done = talk.rest().await;
    assert_eq!((done.status(), attempts(&done.state)), (Status::Done, vec![2, 2, 2, 2, 2]));
}

#[tokio::test]
async fn what_is_sent_twice_counts_once() {
    let server = server(&[]).await;
    let talk = Talk::begin(&server, "").await;
    let (turn, _) = talk.asked().await;
    talk.told(&[("what", "choose"), ("of", &turn), ("options[]", "0")]).await;
    talk.told(&[("what", "choose"), ("of", &turn), ("options[]", "0")]).await;
    let (_, field) = talk.asked().await;
    for _ in 0..2 {
        talk.told(&[("what", "say"), ("text", " Norway "), ("key", "one")]).await;
    }
    let state = talk.rest().await.state;
    assert_eq!((state.messages, state.answer(field)), (2, Some("Norway")));
    // From another page the same words are said once more.
    talk.told(&[("what", "say"), ("text", "Norway"), ("key", "two")]).await;
    assert_eq!(talk.rest().await.state.messages, 3);
    let again = server.form("start_research", &body(&[("opening", ""), ("key", "one")]), &talk.cookie).await;
    assert_eq!(again, format!("/journey/{}", talk.id));
}

#[tokio::test]
async fn what_is_refused_comes_back_as_it_was_typed_and_changes_nothing() {
    let server = server(&[]).await;
    let talk = Talk::begin(&server, "").await;
    let (turn, _) = talk.asked().await;
    let before = talk.rest().await;
    let (long, page) = ("å".repeat(4_001), format!("/journey/{}", talk.id));
    for (fields, text, field) in [
        (vec![("what", "say"), ("text", long.as_str())], long.as_str(), ""),
        (vec![("what", "say"), ("text", " ")], " ", ""),
        (vec![("what", "choose"), ("of", &turn)], "", ""),
        (vec![("what", "choose"), ("of", &turn), ("options[]", "99")], "", ""),
        (vec![("what", "choose"), ("of", "99"), ("options[]", "0")], "", ""),
        (vec![("what", "skip"), ("of", "x")], "", ""),
        (vec![("what", "correct"), ("of", "industry"), ("text", "\u{1}")], "\u{1}", "industry"),
        (vec![("what", "correct"), ("of", "mood"), ("text", "a & b")], "a & b", "mood"),
        (vec![("what", "retry"), ("of", "weather")], "", ""),
    ] {
        let led = talk.tell(&fields).await;
        assert_eq!(led, format!("{page}?text={}&field={}&__err=", escape(text), escape(field)), "{fields:?}");
    }
    assert_eq!(talk.run().await, before);
    // A page with JavaScript reads why.
    let body = body(&[("id", &talk.id.to_string()), ("what", "say"), ("text", "")]);
    let refused = talk.post("/api/fn/tell_research", &[("content-type", "application/x-www-form-urlencoded")], body).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(text(refused).await.contains("Write a message."));
    let search = format!("?text={}&field=industry", escape("a & b"));
    let asked = self::body(&[("id", &talk.id.to_string()), ("search", &search)]);
    let held = json(talk.post("/api/fn/open_research", &[("content-type", "application/x-www-form-urlencoded")], asked).await).await;
    assert_eq!((&held["typed"], &held["opened"]["mine"]), (&json!({ "text": "a & b", "field": "industry" }), &json!(true)));
    // Somebody else's run is not there.
    let other = Talk { server: &server, cookie: server.cookie().await, id: talk.id };
    assert!(other.tell(&[("what", "refresh")]).await.contains("__err"));
    let typed = server.form("start_research", &self::body(&[("opening", &long)]), &talk.cookie).await;
    assert_eq!(typed, format!("/journey?opening={}&__err=", escape(&long)));
}

#[tokio::test]
async fn a_stopped_run_goes_on_with_what_is_said() {
    let server = server(&[]).await;
    let talk = Talk::begin(&server, "").await;
    let (turn, field) = talk.asked().await;
    assert_eq!(talk.post(&format!("/api/runs/{}/stop", talk.id), &[], String::new()).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(talk.run().await.status(), Status::Stopped);
    // What comes to nothing leaves it alone.
    talk.told(&[("what", "refresh")]).await;
    assert_eq!(talk.run().await.status(), Status::Stopped);
    talk.told(&[("what", "choose"), ("of", &turn), ("options[]", "0")]).await;
    let run = talk.rest().await;
    assert!(run.status() == Status::Waiting && run.state.answer(field).is_some() && run.state.asked.is_some(), "{run:#?}");
    let log = server.engine.store().events(talk.id, 0).await.expect("read");
    assert_eq!(log.iter().filter(|row| row.body == json!({ "run": "continued" })).count(), 1);
}

const LOOKS_UP: &str = "[models.defaults]\nperplexity = \"low\"\n";

/// Whose researcher is that provider, and everybody else rehearsed.
async fn looking_up(provider: &Loopback) -> Server {
    let base = format!("{}/v1", provider.url);
    server_with(LOOKS_UP, &[("PERPLEXITY_API_KEY", "sk-secret"), ("PERPLEXITY_BASE_URL", &base)]).await
}

fn frame(event: &Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
}

fn delta(text: &str) -> String {
    frame(&json!({ "type": "response.output_text.delta", "delta": text }))
}

/// An answer with one source, which has used a tool of the provider's own.
fn answer() -> String {
    let pages = json!([
        { "id": 7, "title": "Card report", "url": "https://a.example/r", "date": "2026-11-01" },
        { "id": 8, "title": "No page", "url": "file:///etc/passwd" },
    ]);
    let output = json!([
        { "type": "search_results", "queries": ["q"], "results": pages },
        { "type": "function_call", "name": "search_web", "call_id": "c", "status": "completed", "arguments": "{}" },
        { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "It grows [7]." }] },
    ]);
    let usage = json!({ "input_tokens": 7, "output_tokens": 5, "cost": { "currency": "USD", "total_cost": 0.0123 } });
    frame(&json!({ "type": "response.completed", "response": { "status": "completed", "output": output, "usage": usage } }))
}

/// Up to where the market is being looked up, and the next question is open.
async fn looking(server: &Server) -> Talk<'_> {
    let talk = Talk::begin(server, "").await;
    // Of the rest nothing need be known, but of nothing nothing is looked up.
    talk.told(&[("what", "correct"), ("of", "industry"), ("text", "Payments")]).await;
    talk.skip_to(Field::IcpDescription).await;
    talk
}

#[tokio::test]
async fn what_is_looked_up_is_found_with_its_sources_while_questions_go_on() {
    let provider = Loopback::open().await;
    let server = looking_up(&provider).await;
    let talk = looking(&server).await;
    let (asked, mut connection) = provider.call().await;
    assert!(asked.head.contains("sk-secret") && asked.body["input"].to_string().contains("<known>"), "{asked:?}");
    let search = frame(&json!({ "type": "response.reasoning.search_queries", "queries": ["card readers uk"] }));
    connection.write_all(&[OK, search.as_bytes()].concat()).await.expect("written");
    let steps = async || server.engine.open_texts(talk.id).await.expect("read").into_iter().map(|open| open.text).collect::<String>();
    while steps().await.is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(steps().await, "Searching “card readers uk”");
    // The next question does not wait for it.
    talk.skip_to(Field::Competitors).await;
    connection.write_all(answer().as_bytes()).await.expect("written");
    drop(connection);
    let state = talk.until(|run| found(&run.state, Section::IndustryMarket)).await.state;
    let result = state.study(Section::IndustryMarket).result.as_ref().expect("found");
    let urls: Vec<&str> = result.sources.iter().map(|source| source.url.as_str()).collect();
    assert_eq!((urls, result.sources[0].id), (vec!["https://a.example/r"], 7));
    let told = serde_json::to_string(&result.told.data).expect("JSON");
    assert!(told.contains("has not been read") && !told.contains("nothing was looked up"), "{told}");
    // The customers' section is looked up by now, since it builds on this one: it asks for itself, and for no tool.
    let (asked, _) = provider.call().await;
    assert!(asked.body["tools"].is_null() && asked.body["input"].to_string().contains("<result>"), "{asked:?}");
}

/// What each call has cost that was not for nothing, in millionths of a dollar.
fn costs(calls: &[Usage]) -> Vec<i64> {
    calls.iter().filter_map(|call| call.cost_micros).filter(|cost| *cost > 0).collect()
}

#[tokio::test]
async fn a_fork_looks_up_what_its_parent_had_not_found_by_then_and_nothing_else() {
    let (provider, market) = (Loopback::open().await, Section::IndustryMarket);
    let server = looking_up(&provider).await;
    let talk = looking(&server).await;
    let (_, mut connection) = provider.call().await;
    let turn = talk.run().await.state.messages;
    talk.told(&[("what", "say"), ("text", "Bakers.")]).await;
    talk.asked().await;
    // The market is being looked up by the parent, for itself: so the fork does.
    let early = talk.fork(turn, "Grocers.").await;
    provider.answer(&[OK, answer().as_bytes()]).await;
    let run = early.until(|run| found(&run.state, market)).await;
    assert_eq!((run.state.message(turn), attempts(&run.state)[0]), (Some("Grocers."), 1));
    assert_eq!((costs(&run.progress.calls), costs(run.progress.own_calls())), (vec![12_300], vec![12_300]));
    assert!(!found(&talk.run().await.state, market), "the parent is as it was");

    connection.write_all(&[OK, answer().as_bytes()].concat()).await.expect("written");
    drop(connection);
    talk.until(|run| found(&run.state, market)).await;
    talk.told(&[("what", "say"), ("text", "Nobody.")]).await;
    // Now it is found, and paid for.
    let late = talk.fork(turn + 1, "Everybody.").await;
    let run = late.until(|run| run.state.open_question().is_some()).await;
    assert_eq!((run.state.message(turn), run.state.message(turn + 1)), (Some("Bakers."), Some("Everybody.")));
    assert_eq!((found(&run.state, market), attempts(&run.state)[0]), (true, 1));
    assert_eq!((costs(&run.progress.calls), costs(run.progress.own_calls())), (vec![12_300], vec![]));
    let again = run.progress.own_calls().iter().any(|call| call.ask.to_string().contains("industryMarket"));
    assert!(!again, "{:?}", run.progress.own_calls());
    assert!(!run.state.is_stale(market));
}

/// What the provider answers at first, and what the card says then; the interview goes on, and Retry mends it.
async fn check(pieces: &[&[&[u8]]], said: &str) {
    let provider = Loopback::open().await;
    let server = looking_up(&provider).await;
    let talk = looking(&server).await;
    for answer in pieces {
        provider.answer(answer).await;
    }
    let run = talk.rest().await;
    let (study, status) = (run.state.study(Section::IndustryMarket), run.status());
    let error = study.error.clone().unwrap_or_default();
    assert!(error.contains(said) && !error.contains("sk-secret"), "{error}");
    assert_eq!((status, study.result.is_some(), run.state.open_question().is_some()), (Status::Waiting, false, true));
    talk.skip_to(Field::Competitors).await;
    talk.told(&[("what", "retry"), ("of", "industryMarket")]).await;
    provider.answer(&[OK, answer().as_bytes()]).await;
    let state = talk.until(|run| found(&run.state, Section::IndustryMarket)).await.state;
    assert_eq!((attempts(&state)[0], state.study(Section::IndustryMarket).error.as_ref()), (2, None));
}

#[tokio::test]
async fn a_section_that_cannot_be_looked_up_says_so_and_can_be_tried_again() {
    let refused = refusal("401 Unauthorized", "", r#"{"error":{"message":"Incorrect key: sk-secret"}}"#);
    check(&[&[&refused]], "Perplexity refused the key.").await;
    // Longer than anybody is asked to wait.
    let busy = refusal("429 Too Many Requests", "retry-after: 61\r\n", "busy");
    check(&[&[&busy]], "The model is busy.").await;
    let failed =
        frame(&json!({ "type": "response.failed", "response": { "status": "failed", "error": { "message": "no", "code": 400 } } }));
    check(&[&[OK, failed.as_bytes()]], "The model did not accept the request: no").await;
    let cut = [OK, delta("It gr").as_bytes()].concat();
    check(&[&[&cut], &[&cut], &[&cut]], "The model’s answer broke off.").await;
}

#[tokio::test]
async fn what_fails_for_a_moment_waits_alone_and_is_made_again() {
    let provider = Loopback::open().await;
    let server = looking_up(&provider).await;
    let talk = looking(&server).await;
    provider.answer(&[&refusal("429 Too Many Requests", "retry-after: 1\r\n", "busy")]).await;
    talk.until(|run| run.progress.backoff().is_some()).await;
    talk.skip_to(Field::Competitors).await;
    provider.answer(&[OK, b"data: {\"type\": garbage\n\n"]).await;
    provider.answer(&[OK, answer().as_bytes()]).await;
    let run = talk.until(|run| found(&run.state, Section::IndustryMarket)).await;
    assert_eq!(attempts(&run.state)[0], 1);
    let log = server.engine.store().events(talk.id, 0).await.expect("read");
    let waits: Vec<i64> = log.iter().filter_map(|row| Some(row.body["run"]["waited"]["until"].as_i64()? - row.stamp.at)).collect();
    assert!(waits.len() == 2 && (900..=1_100).contains(&waits[0]), "{waits:?}");
    // What broke off has cost nothing that anybody knows of; the answer is counted once.
    assert_eq!(costs(&run.progress.calls), [12_300]);
}

#[tokio::test]
async fn a_section_that_is_stopped_leaves_the_others_alone() {
    let provider = Loopback::open().await;
    let server = looking_up(&provider).await;
    let talk = looking(&server).await;
    let (_, mut connection) = provider.call().await;
    talk.told(&[("what", "stop"), ("of", "industryMarket")]).await;
    assert!(crate::models::loopback::hangs_up(&mut connection).await, "its call goes on");
    let run = talk.rest().await;
    assert_eq!(run.state.study(Section::IndustryMarket).error.as_deref(), Some("Stopped by you."));
    assert_eq!((run.status(), run.state.open_question().is_some()), (Status::Waiting, true));
}

/// Everybody rehearsed but those two.
fn cast(researcher: &str, synthesist: &str) -> String {
    let rest = ["simulator", "assistant", "interviewer", "debater", "summariser"].map(|role| format!("{role} = \"rehearsal\"\n"));
    format!("[models]\nrehearsal = \"off\"\n{}{researcher}{synthesist}", rest.concat())
}

#[tokio::test]
async fn without_a_researcher_cards_say_what_to_configure_and_the_interview_goes_on() {
    let server = server_with(&cast("", "synthesist = \"rehearsal\"\n"), &[]).await;
    let talk = looking(&server).await;
    let run = talk.rest().await;
    let error = run.state.study(Section::IndustryMarket).error.clone().expect("an error");
    assert!(error.contains("Set PERPLEXITY_API_KEY"), "{error}");
    assert_eq!((run.status(), run.state.open_question().is_some()), (Status::Waiting, true));
}

/// A whole section as an OpenAI model would answer it.
fn chat(text: &str) -> String {
    let piece = json!({ "choices": [{ "delta": { "content": text }, "finish_reason": null }] });
    let end = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }], "usage": { "prompt_tokens": 3, "completion_tokens": 2 } });
    format!("data: {piece}\n\ndata: {end}\n\ndata: [DONE]\n\n")
}

fn market() -> Value {
    let point = json!({ "text": "It grows [7] and [9].", "sources": [] });
    let figure = json!({ "value": "", "basis": "Not found.", "sources": [] });
    json!({ "overview": point, "size": figure, "growth": figure, "trends": [], "buyingTriggers": [], "barriers": [] })
}

#[tokio::test]
async fn a_section_out_of_form_is_sent_back_once() {
    for (second, fits) in [(market().to_string(), true), (r#"{"size":"secret words"}"#.to_owned(), false)] {
        let provider = Loopback::open().await;
        let file = cast("researcher = \"rehearsal\"\n", "synthesist = \"openai:m\"\n");
        let server = server_with(&file, &[("OPENAI_API_KEY", "k"), ("OPENAI_BASE_URL", &provider.url)]).await;
        let talk = looking(&server).await;
        provider.answer(&[OK, chat(r#"{"size":"a draft"}"#).as_bytes()]).await;
        let repair = provider.answer(&[OK, chat(&second).as_bytes()]).await.body["messages"].to_string();
        assert!(repair.contains("a draft") && repair.contains("cannot be used"), "{repair}");
        let state = talk.until(|run| run.state.study(Section::IndustryMarket).work.is_none()).await.state;
        let study = state.study(Section::IndustryMarket);
        match fits {
            // Nobody returned a source: both marks are taken out, and counted.
            true => assert_eq!(study.result.as_ref().map(|found| found.dropped), Some(2)),
            false => {
                let error = study.error.clone().expect("an error");
                assert!(error.contains("did not have the form") && !error.contains("secret"), "{error}");
            }
        }
    }
}
