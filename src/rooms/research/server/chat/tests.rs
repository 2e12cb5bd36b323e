//! A client's posts and what they amount to; a conversation and what is told of it.

use super::{claims::extract_research_results, heard::heard, imported::begun, *};
use crate::{
    engine::{
        entry::{Partial, Run, Usage, ask_json},
        flow::{Failure, Flow, Stamp, Status},
        follow::Follower,
    },
    http::chat::{
        Chunk, Message, Telling,
        tests::{assert_message, open_calls},
    },
    rooms::research::{
        flow::{
            Ask, AskUser, Choice, Claim, Command, Data, Field, Imported, Known, Outcome, Posting, Reply as Replied, Section, Source, Told,
            Tool,
            data::{IndustryMarket, Point},
        },
        held,
    },
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const RUN: Uuid = Uuid::from_u128(7);

fn messages(posted: Value) -> Vec<Message> {
    serde_json::from_value(posted).expect("messages")
}

fn user(id: &str, text: &str) -> Value {
    json!({ "id": id, "role": "user", "parts": [{ "type": "text", "text": text }] })
}

fn assistant(id: &str, parts: Value) -> Value {
    json!({ "id": id, "role": "assistant", "parts": parts })
}

/// A question's call as a client posts it; without an output it is open.
fn call(id: &str, field: &str, output: Value) -> Value {
    let options = json!([{ "label": "Businesses", "value": "B2B" }, { "label": "People", "value": "B2C" }]);
    let options = if field == "businessModel" { options } else { json!([]) };
    let mut part = json!({
        "type": "tool-askUser", "toolCallId": id, "state": "input-available",
        "input": { "question": format!("{field}?"), "field": field, "options": options },
    });
    if !output.is_null() {
        (part["state"], part["output"]) = (json!("output-available"), output);
    }
    part
}

fn research(output: Value) -> Value {
    json!({ "type": "tool-runResearch", "toolCallId": "r", "state": "output-available", "input": {}, "output": output })
}

fn market(overview: &str) -> Value {
    json!({
        "section": "industryMarket", "status": "complete", "durationMs": 9, "cost": null,
        "data": data(&Data::IndustryMarket(IndustryMarket {
            overview: Point { text: overview.into(), sources: vec![1, 9] }, ..IndustryMarket::default()
        })),
        "sources": [{ "id": 1, "title": "One", "url": "https://one.example" }, { "id": 9, "title": "Script", "url": "javascript:alert(1)" }],
    })
}

/// A section's data as it is put out.
fn data(of: &Data) -> Value {
    json!(Told::new(of).data)
}

/// What is taken of that claim.
fn claimed(section: Section, data: Value, sources: Value) -> Vec<Claim> {
    let output = json!({ "section": section, "status": "complete", "data": data, "sources": sources });
    extract_research_results(&messages(json!([assistant("a", json!([research(output)]))])))
}

#[test]
fn what_is_claimed_is_held_to_the_form_of_what_is_researched() {
    let check = |section: Section, pointer: &str, wrong: Value| {
        let mut data = data(&held::held(section).data);
        assert_eq!(claimed(section, data.clone(), json!([])).len(), 1, "{section:?}");
        *data.pointer_mut(pointer).expect("it is there") = wrong;
        assert_eq!(claimed(section, data.clone(), json!([])), [], "{section:?} {data}");
    };
    check(Section::IcpValidation, "/score", json!(999_999));
    check(Section::IcpValidation, "/verdict", json!("splendid"));
    check(Section::OfferAnalysis, "/scorecard/0/score", json!(-1));
    check(Section::Competitors, "/competitors/0/pricePerMonth", json!(-1));
    check(Section::IndustryMarket, "/trends", json!(vec![json!({ "text": "a", "sources": [] }); 50]));
    check(Section::IndustryMarket, "/overview", json!("words"));
    check(Section::CrossAnalysis, "/channels/0/share", json!(4_000_000_000_i64));
    // In its form, and yet against the rules: the shares do not make 100.
    check(Section::CrossAnalysis, "/channels/0/share", json!(0));
}

#[test]
fn what_is_claimed_names_each_source_once_and_only_pages() {
    let overview = Point { text: "Big [1], and [7] growing [3].".into(), sources: vec![-2, 1, 2, 3] };
    let data = data(&Data::IndustryMarket(IndustryMarket { overview, ..IndustryMarket::default() }));
    let source = |id: i64, url: &str| json!({ "id": id, "title": "", "url": url });
    let sources = [source(1, "https://a.example"), source(1, "https://b.example"), source(-2, "https://c.example"), source(3, "https://")];
    let claim = claimed(Section::IndustryMarket, data, json!(sources)).remove(0);
    assert_eq!(claim.sources.iter().map(|source| source.url.as_str()).collect::<Vec<_>>(), ["https://a.example"]);
    let Some(Data::IndustryMarket(market)) = claim.told.data() else { panic!("no data") };
    assert_eq!(market.overview, Point { text: "Big, and growing.".into(), sources: vec![1] });
    let results = vec![claim];
    let setup = Setup { imported: Imported { results, ..Imported::default() }, ..Setup::default() };
    let setup = Setup::read(&json!(setup)).expect("as the log holds it");
    let state = Research::begin(&setup).expect("a state");
    // −2, 2, 3, and the marks 7 and 3.
    assert_eq!(state.study(Section::IndustryMarket).result.as_ref().map(|found| found.dropped), Some(5));
}

#[test]
fn what_was_researched_here_is_taken_back_whatever_it_refers_to() {
    let sources: Vec<Value> = (1..=20).map(|id| json!({ "id": id, "title": "", "url": format!("https://a.example/{id}") })).collect();
    let overview = Point { text: "Big.".into(), sources: (1..=20).collect() };
    let data = data(&Data::IndustryMarket(IndustryMarket { overview, ..IndustryMarket::default() }));
    assert_eq!(claimed(Section::IndustryMarket, data, json!(sources)).len(), 1);
}

fn known(of: &[(Field, &str)]) -> Vec<Known> {
    of.iter().map(|(field, value)| Known { field: *field, value: (*value).to_owned() }).collect()
}

#[test]
fn results_are_taken_from_the_messages_the_last_of_each_section() {
    let posted = messages(json!([
        user("u", "hello"),
        assistant("a", json!([research(market("Old")), { "type": "text", "text": "x" }, research(json!({ "section": "competitors", "status": "error", "error": "no" }))])),
        assistant("b", json!([research(market("New [1]")), research(json!({ "section": "icpValidation", "status": "complete", "data": { "fit": 7 } }))])),
        assistant("c", json!([
            { "type": "tool-runResearch", "toolCallId": "p", "state": "output-available", "preliminary": true, "output": { "section": "offerAnalysis", "status": "running" } },
            research(json!({ "section": "weather", "status": "complete", "data": {} })), research(json!("odd")),
        ])),
        { "id": "d", "role": "user", "parts": [research(market("A user runs no tools"))] },
    ]));
    let claims = extract_research_results(&posted);
    let endless = messages(json!([assistant("e", json!([research(market(&"x".repeat(60_000)))]))]));
    assert_eq!(extract_research_results(&endless), []);
    let overview = Point { text: "New".into(), sources: vec![1] };
    let data = Data::IndustryMarket(IndustryMarket { overview, ..IndustryMarket::default() });
    assert_eq!(claims.iter().filter_map(|claim| claim.told.data()).collect::<Vec<_>>(), [data]);
    // What could run a script is no source, and what refers to it is dropped.
    assert_eq!(claims[0].sources.iter().map(|source| source.url.as_str()).collect::<Vec<_>>(), ["https://one.example"]);
}

#[test]
fn what_is_put_out_is_read_back() {
    let mut talk = Talk::begun(begun(&[]));
    talk.known(&[(Field::BusinessModel, "B2B"), (Field::Industry, "Payments")]);
    talk.research(Section::IndustryMarket);
    let told = talk.told();
    let output = told.iter().find(|chunk| chunk["type"] == "tool-output-available" && chunk["preliminary"] != true).expect("an output");
    let posted = messages(json!([assistant("a", json!([research(output["output"].clone())]))]));
    let finding = talk.run.state.study(Section::IndustryMarket).result.clone().expect("a result");
    let claims = extract_research_results(&posted);
    assert_eq!((&claims[0].told, &claims[0].sources), (&finding.told, &finding.sources));
}

#[test]
fn a_whole_conversation_is_folded() {
    let posted = messages(json!([
        user("u1", "We sell card readers."),
        assistant(
            "a1",
            json!([
                { "type": "step-start" }, { "type": "text", "text": "Good." }, call("q1", "businessModel", json!("people")), { "type": "step-start" },
                call("q2", "industry", json!({ "answer": " Payments\nfor shops " })), call("q3", "offerPricing", json!("I don't know")),
                research(market("Big")), call("q4", "companyName", json!(null)),
            ])
        ),
        user("u2", "Tilly"),
        assistant("a2", json!([call("q5", "competitors", json!(["Sum", "Square"]))])),
    ]));
    let setup = begun(&posted);
    let said: Vec<(bool, &str)> = setup.imported.said.iter().map(|quoted| (quoted.person, quoted.text.as_str())).collect();
    assert_eq!(
        said,
        [
            (true, "We sell card readers."),
            (false, "Good.\n\nbusinessModel?"),
            (true, "People"),
            (false, "industry?"),
            (true, "Payments\nfor shops"),
            (false, "offerPricing?"),
            (true, "Skip"),
            (false, "companyName?"),
            (true, "Tilly"),
            (false, "competitors?"),
        ]
    );
    let expect =
        [(Field::BusinessModel, "B2C"), (Field::Industry, "Payments for shops"), (Field::OfferPricing, ""), (Field::CompanyName, "Tilly")];
    assert_eq!(setup.imported.known, known(&expect));
    // The last answer is in words: they have to be read, and answer what was asked.
    assert_eq!((setup.opening.as_str(), setup.imported.asked), ("Sum, Square", Some(Field::Competitors)));
    assert_eq!(setup.posted, Some(Posting { id: "a2".into(), message: Some("a2".into()) }));
    assert_eq!(setup.imported.results.len(), 1);
    let state = Research::begin(&setup).expect("a state");
    assert_eq!(Research::wants(&state), [Ask::Extract { message: 5 }]);
    assert!(state.study(Section::IndustryMarket).result.as_ref().is_some_and(|found| found.is_imported()));
    assert!(state.is_fresh(Section::IndustryMarket), "what is claimed is not researched again");
}

#[test]
fn how_a_conversation_ends_says_what_has_to_be_read() {
    let asked = |output: Value| assistant("a", json!([call("q", "monthlyBudget", output)]));
    for (posted, opening, field, id) in [
        (json!([]), "", None, None),
        (json!([user("u", " Hello ")]), "Hello", None, Some("u")),
        (json!([user("u", "Hello"), user("v", "there")]), "Hello\n\nthere", None, Some("v")),
        (json!([asked(json!(null)), user("u", "About 500")]), "About 500", Some(Field::MonthlyBudget), Some("u")),
        (json!([asked(json!("500")), user("u", "Why?")]), "Why?", None, Some("u")),
        (json!([asked(json!("500"))]), "500", Some(Field::MonthlyBudget), Some("a")),
        (json!([asked(json!("500")), asked(json!(null)), user("u", "600")]), "600", Some(Field::MonthlyBudget), Some("u")),
        (json!([asked(json!("skip"))]), "", None, Some("a")),
        (json!([asked(json!(null))]), "", None, Some("a")),
    ] {
        let setup = begun(&messages(posted.clone()));
        let found = (setup.opening.as_str(), setup.imported.asked, setup.posted.as_ref().map(|posted| posted.id.as_str()));
        assert_eq!(found, (opening, field, id), "{posted}");
        assert!(!setup.imported.known.iter().any(|known| Some(known.field) == field), "{posted}: it is asked again, so it is not known");
    }
}

#[test]
fn a_conversation_is_named_after_its_first_words() {
    let spoken = assistant("a", json!([{ "type": "text", "text": "Good." }]));
    for (posted, title) in [
        (json!([]), "Market research"),
        (json!([user("u", "Card readers")]), "Card readers"),
        (json!([spoken, user("u", "Card readers"), spoken, user("v", "Go on")]), "Card readers"),
        (json!([spoken, user("v", "Go on")]), "Go on"),
    ] {
        assert_eq!(Research::title(&begun(&messages(posted.clone()))), title, "{posted}");
    }
}

#[test]
fn what_is_too_long_for_one_message_is_read_as_several() {
    let long = |c: &str| c.repeat(3_000);
    let asked = assistant("a", json!([call("q", "monthlyBudget", json!(null))]));
    let posted = messages(json!([user("u", "Hello"), asked, user("v", &long("x")), user("w", &long("y")), user("x", "That is all.")]));
    let setup = begun(&posted);
    assert_eq!(setup.opening, format!("{}\n\nThat is all.", long("y")));
    let setup = Setup::read(&json!(setup)).expect("as the log holds it");
    let state = Research::begin(&setup).expect("it is not refused");
    assert_eq!(state.unread_words(), format!("{}\n{}\n\nThat is all.", long("x"), long("y")));
    assert_eq!(state.unread.as_ref().and_then(|unread| unread.asked), Some(Field::MonthlyBudget));
    assert_eq!((state.message(1), state.messages), (Some(long("x").as_str()), 3));
    // Of very many the latest are read.
    let many: Vec<Value> = (0..30).map(|i| user(&i.to_string(), &long("z"))).collect();
    let state = Research::begin(&begun(&messages(json!(many)))).expect("it is not refused");
    assert_eq!(state.unread_words().matches(&long("z")).count(), 14);
}

#[test]
fn of_a_long_conversation_the_latest_is_quoted() {
    let said = |i: usize| user(&i.to_string(), &format!("{i:04}{}", "x".repeat(3_000)));
    let spoken = |i: usize| assistant(&i.to_string(), json!([{ "type": "text", "text": "Go on." }]));
    let long: Vec<Value> = (0..40).map(|i| if i % 2 == 0 { said(i) } else { spoken(i) }).collect();
    let setup = begun(&messages(json!(long)));
    let chars: usize = setup.imported.said.iter().map(|quoted| quoted.text.len()).sum();
    assert!((36_000..40_000).contains(&chars) && setup.imported.said.last().is_some_and(|last| last.text == "Go on."), "{chars}");
}

/// A conversation as a log grows of it, and what is told of it from its last words on.
struct Talk {
    run: Run<Research>,
    log: Vec<EventRow>,
    /// The last entry of each append.
    appends: Vec<i64>,
}

impl Talk {
    fn begun(setup: Setup) -> Self {
        let started = Entry::<Event>::Run(RunEvent::Started { setup: ask_json(&setup), model: "m".into() });
        let log = vec![EventRow { stamp: Stamp { seq: 1, at: 0 }, body: ask_json(&started) }];
        Talk { run: fold(&log).expect("a run"), log, appends: vec![] }
    }

    fn append(&mut self, entries: Vec<Entry<Event>>) {
        for entry in entries {
            let seq = self.run.seq + 1;
            let stamp = Stamp { seq, at: seq * 10 };
            self.log.push(EventRow { stamp, body: ask_json(&entry) });
            self.run = self.run.clone().apply(stamp, &entry);
        }
        self.appends.push(self.run.seq);
    }

    fn command(&mut self, command: Command) {
        let events = Research::decide(&self.run.state, command).expect("fine");
        self.append(events.into_iter().map(Entry::Room).collect());
    }

    fn settle(&mut self, ask: Ask, outcome: Outcome) {
        assert!(self.run.wants().contains(&ask), "{ask:?} is not wanted but {:?}", self.run.wants());
        self.append(vec![Entry::Run(RunEvent::StepStarted { ask: ask_json(&ask), model: "m".into() })]);
        let usage = Usage { ask: ask_json(&ask), cost_micros: Some(1_500), ..Usage::default() };
        let events = Research::settle(&self.run.state, &ask, outcome);
        self.append(std::iter::once(Entry::Run(RunEvent::Usage(usage))).chain(events.into_iter().map(Entry::Room)).collect());
    }

    fn turn(&mut self, words: &str, tools: Vec<Tool>) {
        let tools = tools.into_iter().map(|tool| (String::new(), tool)).collect();
        self.settle(Ask::Interview { turn: self.run.state.turns }, Outcome::Turned { words: words.into(), tools, told: vec![] });
    }

    fn ask(&mut self, field: Field) {
        self.turn("Thank you.", vec![question(field)]);
    }

    /// The interviewer learns this, and asks for the next.
    fn known(&mut self, of: &[(Field, &str)]) {
        for (field, value) in of {
            self.command(Command::Correct { field: *field, text: (*value).into() });
        }
        self.ask(Field::CompanyName);
    }

    fn research(&mut self, section: Section) {
        let attempt = self.run.state.study(section).attempts;
        let sources = vec![Source { id: 1, title: "One".into(), url: "https://one.example".into(), date: None }];
        self.settle(Ask::Gather { section, attempt }, Outcome::Gathered { text: "Much [1].".into(), sources });
        let data: Data =
            serde_json::from_value(json!({ section.slug(): { "overview": { "text": "Much", "sources": [1] } } })).expect("data");
        self.settle(Ask::Synthesise { section, attempt }, Outcome::Drafted { draft: String::new(), data: Ok(Box::new(data)) });
    }

    fn post(&mut self, posted: Value) -> usize {
        let entries = heard(RUN, &self.run, &messages(posted), false).expect("fine");
        let new = entries.len();
        self.append(entries);
        new
    }

    /// The id of the question that is open.
    fn asked(&self) -> String {
        ask_id(RUN, self.run.state.asked.expect("a question"))
    }

    /// The whole response of the present message: told all at once, or after each append.
    fn told_in(&self, each: bool) -> Vec<Value> {
        let (from, message) = present(&self.log);
        let before = fold::<Research>(&self.log[..from as usize]).expect("a run");
        let mut telling = UiStream::new(RUN, &before.state);
        let mut follower = Follower { id: RUN.to_string(), run: before, texts: vec![] };
        let mut chunks = vec![Chunk::Start { message_id: message.unwrap_or_default(), message_metadata: json!({}) }];
        for row in &self.log[from as usize..] {
            follower.run = follower.run.clone().take(row.stamp, &row.body);
            if let Some(Entry::Room(event)) = Entry::read(&row.body) {
                chunks.extend(telling.hear(&follower.run, &event));
            }
            if each && self.appends.contains(&row.stamp.seq) {
                chunks.extend(telling.tell(&follower, Instant::now()));
            }
            if chunks.last().is_some_and(Chunk::ends_message) {
                break;
            }
        }
        if !chunks.last().is_some_and(Chunk::ends_message) {
            chunks.extend(telling.tell(&follower, Instant::now()));
        }
        chunks.iter().map(|chunk| json!(chunk)).collect()
    }

    fn told(&self) -> Vec<Value> {
        self.told_in(false)
    }
}

fn question(field: Field) -> Tool {
    let options = [("Businesses", "B2B"), ("People", "B2C")].map(|(label, value)| Choice { label: label.into(), value: value.into() });
    let options = if field == Field::BusinessModel { options.to_vec() } else { vec![] };
    Tool::AskUser(AskUser { question: format!("{}?", field.slug()), field: field.slug().into(), options, multi: false, allow_other: true })
}

fn kinds(chunks: &[Value]) -> Vec<String> {
    chunks
        .iter()
        .map(|chunk| {
            format!(
                "{}{}",
                chunk["type"].as_str().unwrap_or(""),
                chunk["toolName"].as_str().map(|name| format!(" {name}")).unwrap_or_default()
            )
        })
        .collect()
}

#[test]
fn a_question_is_told_as_a_call_that_the_client_makes() {
    let mut talk = Talk::begun(begun(&[]));
    talk.turn("Welcome.\n\nbusinessModel?", vec![question(Field::BusinessModel)]);
    let told = talk.told();
    assert_message(&told);
    assert_eq!(
        kinds(&told),
        [
            "start",
            "start-step",
            "text-start",
            "text-delta",
            "text-end",
            "tool-input-start askUser",
            "tool-input-available askUser",
            "finish-step",
            "finish"
        ]
    );
    assert_eq!(told[3]["delta"], "Welcome.", "the call holds the question");
    assert_eq!(
        told[6]["input"],
        json!({ "question": "businessModel?", "field": "businessModel", "multi": false, "allowOther": true,
            "options": [{ "label": "Businesses", "value": "B2B" }, { "label": "People", "value": "B2C" }] })
    );
    assert_eq!((told[8]["finishReason"].as_str(), told[6].get("providerExecuted")), (Some("tool-calls"), None));
    assert_eq!(told[8]["messageMetadata"]["status"], "waiting");
}

#[test]
fn the_response_ends_when_all_it_has_begun_has_its_output() {
    let mut talk = Talk::begun(begun(&[]));
    talk.ask(Field::BusinessModel);
    talk.post(json!([assistant("m", json!([call(&talk.asked(), "businessModel", json!("B2B"))]))]));
    talk.ask(Field::Industry);
    talk.post(json!([assistant("m", json!([call(&talk.asked(), "industry", json!("Payments"))]))]));
    talk.settle(Ask::Extract { message: 1 }, Outcome::Extracted { reply: Replied::Answer, known: vec![] });
    talk.turn("I look into it.", vec![Tool::RunResearch("industryMarket".into()), question(Field::ProductDescription)]);
    // The question is out, and the response goes on.
    let so_far = talk.told();
    let (calls, last) = (open_calls(&so_far), so_far.last().expect("chunks"));
    assert_eq!((calls, last["type"].as_str()), (vec!["runResearch", "askUser"], Some("tool-input-available")));
    let context = &so_far.iter().find(|chunk| chunk["toolName"] == RUN_RESEARCH && chunk["input"].is_object()).expect("a call")["input"];
    assert_eq!(context, &json!({ "section": "industryMarket", "context": { "businessModel": "B2B", "industry": "Payments" } }));
    talk.research(Section::IndustryMarket);
    let told = talk.told();
    assert_message(&told);
    assert_eq!((open_calls(&told), told[0]["messageId"].as_str()), (vec!["askUser"], Some("m")));
    assert_eq!(told.last().expect("chunks")["finishReason"], "tool-calls");
    let output = &told.iter().find(|chunk| chunk["type"] == "tool-output-available").expect("an output")["output"];
    assert_eq!((&output["status"], &output["cost"], output["durationMs"].is_i64()), (&json!("complete"), &json!(0.003), true));
    assert!(told.iter().filter(|chunk| chunk["toolName"] == RUN_RESEARCH).all(|chunk| chunk["providerExecuted"] == true));
    // The step that the client waits in is the one with the question.
    let steps = told.iter().filter(|chunk| chunk["type"] == "start-step").count();
    assert_eq!(steps, 1);
    // Told as it happens or all at once, it is the same.
    assert_eq!(told, talk.told_in(true));
}

#[test]
fn research_that_begins_by_itself_stays_in_the_step_with_the_question() {
    let mut talk = Talk::begun(begun(&[]));
    talk.known(&[(Field::BusinessModel, "B2B"), (Field::Industry, "Payments"), (Field::IcpDescription, "Bakers")]);
    assert_eq!(talk.run.state.under_way().len(), 1);
    talk.research(Section::IndustryMarket);
    assert_eq!(talk.run.state.under_way()[0].section, Section::IcpValidation, "it builds on what was found");
    let failure = Failure { why: "The provider is down.".into(), cause: None };
    let failed = Research::failed(&talk.run.state, &Ask::Gather { section: Section::IcpValidation, attempt: 1 }, &failure);
    talk.append(failed.expect("events").into_iter().map(Entry::Room).collect());
    let told = talk.told();
    assert_message(&told);
    let outputs: Vec<&Value> = told.iter().filter(|chunk| chunk["type"] == "tool-output-available").map(|chunk| &chunk["output"]).collect();
    assert_eq!(
        (&outputs[0]["status"], outputs[1]),
        (&json!("complete"), &json!({ "section": "icpValidation", "status": "error", "error": "The provider is down." }))
    );
    let last_step = told.iter().rposition(|chunk| chunk["type"] == "start-step").expect("a step");
    assert!(told[last_step..].iter().any(|chunk| chunk["toolName"] == ASK_USER));
    assert_eq!(told, talk.told_in(true));
}

#[test]
fn what_goes_on_is_told_again_in_the_next_message_and_ends_there() {
    let mut talk = Talk::begun(begun(&[]));
    talk.known(&[(Field::BusinessModel, "B2B"), (Field::Industry, "Payments")]);
    // The person does not wait for what is under way.
    assert_eq!(talk.post(json!([user("u", "Why do you ask?")])), 2);
    talk.settle(Ask::Extract { message: 0 }, Outcome::Extracted { reply: Replied::Question, known: vec![] });
    talk.ask(Field::CompanyName);
    talk.research(Section::IndustryMarket);
    let told = talk.told();
    assert_message(&told);
    assert_eq!(open_calls(&told), ["askUser"]);
    assert_eq!(told.iter().filter(|chunk| chunk["toolName"] == RUN_RESEARCH && chunk["input"].is_object()).count(), 1);
}

#[test]
fn a_question_that_was_answered_elsewhere_has_its_output() {
    let mut talk = Talk::begun(begun(&[]));
    talk.ask(Field::Industry);
    let asked = talk.asked();
    talk.command(Command::Correct { field: Field::Industry, text: "Payments".into() });
    talk.ask(Field::BusinessModel);
    let told = talk.told();
    assert_message(&told);
    let output = told.iter().find(|chunk| chunk["type"] == "tool-output-available").expect("an output");
    assert_eq!((output["toolCallId"].as_str(), &output["output"]), (Some(asked.as_str()), &json!("Payments")));
    assert_eq!(open_calls(&told), ["askUser"]);
}

#[test]
fn where_nobody_is_asked_the_message_ends_in_words() {
    let said = |talk: &Talk| {
        let told = talk.told();
        assert_message(&told);
        let end = &told[told.len() - 5..];
        assert_eq!(kinds(end), ["text-start", "text-delta", "text-end", "finish-step", "finish"]);
        assert_eq!(end[4]["finishReason"], "stop");
        end[1]["delta"].as_str().expect("words").to_owned()
    };
    let mut talk = Talk::begun(begun(&messages(json!([user("u", "Hello")]))));
    talk.settle(Ask::Extract { message: 0 }, Outcome::Extracted { reply: Replied::Question, known: vec![] });
    talk.turn("Good day.", vec![]);
    assert_eq!(said(&talk), "Good day.");
    // The same once more changes nothing, and something new goes on.
    assert_eq!(talk.post(json!([user("u", "Hello")])), 0);
    assert_eq!(talk.post(json!([user("u", "Hello"), assistant("a", json!([])), user("v", "And now?")])), 2);
    talk.append(vec![Entry::Run(RunEvent::Stopped { partial: vec![], why: "Stopped by you.".into() })]);
    assert_eq!(said(&talk), "Stopped by you.");
    // A stopped conversation goes on with what is said next, or when it is asked for again.
    let again = |run: &Run<Research>, again| heard(RUN, run, &messages(json!([user("v", "And now?")])), again).expect("fine");
    assert_eq!((again(&talk.run, false), again(&talk.run, true)), (vec![], vec![Entry::Run(RunEvent::Continued)]));
    assert_eq!(talk.post(json!([user("w", "Go on")])), 3);
    assert_eq!(talk.run.status(), Status::Running);
    for turn in 0..20 {
        if turn == 0 {
            talk.settle(Ask::Extract { message: 2 }, Outcome::Extracted { reply: Replied::Question, known: vec![] });
        }
        talk.turn("", vec![Tool::Unusable("no".into())]);
    }
    assert_eq!(said(&talk), "I have taken 20 steps without hearing from you. Write something, and I go on.");
}

#[test]
fn a_halt_leaves_no_call_without_its_result() {
    for (halt, end) in [
        (RunEvent::Stopped { partial: vec![], why: "Stopped by you.".into() }, "finish"),
        (RunEvent::Failed { why: "The key was refused.".into(), cause: None }, "error"),
        (RunEvent::Waited { step: None, until: None, why: "The provider is down.".into(), cause: None }, "error"),
    ] {
        let mut talk = Talk::begun(begun(&[]));
        talk.known(&[(Field::BusinessModel, "B2B"), (Field::Industry, "Payments")]);
        talk.append(vec![Entry::Run(halt)]);
        let told = talk.told();
        assert_message(&told);
        assert_eq!((told.last().expect("chunks")["type"].as_str(), open_calls(&told)), (Some(end), vec!["askUser"]));
        // The question is still open, and its answer lets it all go on.
        let asked = talk.asked();
        assert_eq!(talk.post(json!([assistant("m", json!([call(&asked, "companyName", json!("skip"))]))])), 3);
        assert_eq!(talk.run.state.answer(Field::CompanyName), Some(""));
    }
}

#[test]
fn what_has_no_id_is_known_by_its_words_until_it_is_answered() {
    let plain = |text: &str| json!({ "role": "user", "parts": [{ "type": "text", "text": text }] });
    let mut talk = Talk::begun(begun(&messages(json!([plain("Hello "), plain("there")]))));
    assert_eq!(talk.post(json!([plain("Hello "), plain("there")])), 0);
    // A part of what was said is something else.
    assert_eq!(talk.post(json!([plain("Hello "), plain("there"), plain("the")])), 1);
    assert_eq!(talk.post(json!([plain("Hello "), plain("there"), plain("the")])), 0);
    talk.settle(Ask::Extract { message: 1 }, Outcome::Extracted { reply: Replied::Question, known: vec![] });
    assert_eq!(talk.post(json!([plain("there"), plain("the")])), 0, "it was read, and has no answer yet");
    talk.turn("Good day.", vec![]);
    assert_eq!(talk.post(json!([plain("there"), assistant("a", json!([])), plain("the")])), 1);
    // Under an id of its own it is said again.
    assert_eq!(talk.post(json!([user("u", "the")])), 2);
}

#[test]
fn an_answer_goes_to_its_question_once() {
    let mut talk = Talk::begun(begun(&[]));
    talk.ask(Field::BusinessModel);
    let asked = talk.asked();
    // Of another run, open, and in a user's message: none of them is an answer.
    let odd = json!([
        assistant("m", json!([call("00000000-0000-0000-0000-000000000001-ask-0", "businessModel", json!("B2B")), call(&asked, "businessModel", json!(null))])),
        { "role": "user", "parts": [call(&asked, "businessModel", json!("B2B"))] },
    ]);
    assert_eq!(talk.post(odd), 0);
    let answer = json!([assistant("m", json!([call(&asked, "businessModel", json!({ "answer": "people" }))]))]);
    assert_eq!(talk.post(answer.clone()), 2);
    assert_eq!((talk.run.state.answer(Field::BusinessModel), present(&talk.log)), (Some("B2C"), (talk.run.seq, Some("m".into()))));
    assert_eq!(talk.post(answer.clone()), 0);
    talk.ask(Field::Industry);
    assert_eq!(talk.post(answer.clone()), 0, "an earlier answer is not taken for this one's");
    // An answer and a message in one post are both heard, and the message has an answer of its own.
    let mut both = answer.as_array().expect("messages").clone();
    both[0]["parts"].as_array_mut().expect("parts").push(call(&talk.asked(), "industry", json!("skip")));
    both.push(user("u", "Tell me more"));
    assert_eq!(talk.post(json!(both)), 4);
    assert_eq!((talk.run.state.answer(Field::Industry), present(&talk.log)), (Some(""), (talk.run.seq, None)));
    assert_eq!(talk.post(json!(both)), 0);
}

#[test]
fn sub_steps_are_told_while_they_are_written() {
    let mut talk = Talk::begun(begun(&[]));
    talk.known(&[(Field::BusinessModel, "B2B"), (Field::Industry, "Payments")]);
    let ask = Ask::Gather { section: Section::IndustryMarket, attempt: 1 };
    talk.append(vec![Entry::Run(RunEvent::StepStarted { ask: ask_json(&ask), model: "m".into() })]);
    let mut telling = UiStream::new(RUN, &talk.run.state);
    let now = Instant::now();
    let step = talk.run.seq;
    let mut tell = |text: &str, after: u64| {
        let texts = vec![Partial { message: step, text: text.into() }];
        let follower = Follower { id: RUN.to_string(), run: talk.run.clone(), texts };
        let chunks = telling.tell(&follower, now + Duration::from_millis(after));
        chunks
            .iter()
            .map(|chunk| json!(chunk))
            .filter(|chunk| chunk["preliminary"] == true)
            .map(|chunk| chunk["output"]["steps"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(tell("Searching “card", 0), [json!(["Searching “card"])]);
    assert_eq!(tell("Searching “card readers”", 10), Vec::<Value>::new());
    assert_eq!(tell("Searching “card readers uk”", 300), [json!(["Searching “card readers uk”"])]);
    assert_eq!(tell("Searching “card readers uk”\nReading 6 sources", 310), [json!(["Searching “card readers uk”", "Reading 6 sources"])]);
    assert_eq!(tell("Searching “card readers uk”\nReading 6 sources", 900), Vec::<Value>::new());
}

#[test]
fn words_are_told_while_they_are_written_all_but_the_question() {
    let mut talk = Talk::begun(begun(&[]));
    let ask = Ask::Interview { turn: 0 };
    talk.append(vec![Entry::Run(RunEvent::StepStarted { ask: ask_json(&ask), model: "m".into() })]);
    let step = talk.run.seq;
    let (mut telling, mut told) =
        (UiStream::new(RUN, &talk.run.state), vec![json!({ "type": "start", "messageId": "m", "messageMetadata": {} })]);
    let mut tell = |text: &str| {
        let follower = Follower { id: RUN.to_string(), run: talk.run.clone(), texts: vec![Partial { message: step, text: text.into() }] };
        let chunks: Vec<Value> = telling.tell(&follower, Instant::now()).iter().map(|chunk| json!(chunk)).collect();
        told.extend(chunks.clone());
        kinds(&chunks)
    };
    assert_eq!(tell("Welcome"), Vec::<String>::new(), "it may be a question");
    assert_eq!(tell("Welcome.\n\nTwo"), ["start-step", "text-start", "text-delta"]);
    // It is said again from the start, in the same words.
    assert_eq!(tell("Wel"), Vec::<String>::new());
    assert_eq!(tell("Welcome.\n\nTwo things.\n\nindus"), ["text-delta"]);
    talk.turn("Welcome.\n\nTwo things.", vec![question(Field::Industry)]);
    let Some(Entry::Room(event)) = talk.log.last().and_then(|row| Entry::read(&row.body)) else { panic!("no event") };
    told.extend(telling.hear(&talk.run, &event).iter().map(|chunk| json!(chunk)));
    told.extend(
        telling
            .tell(&Follower { id: RUN.to_string(), run: talk.run.clone(), texts: vec![] }, Instant::now())
            .iter()
            .map(|chunk| json!(chunk)),
    );
    assert_message(&told);
    let words: String = told.iter().filter_map(|chunk| chunk["delta"].as_str()).collect();
    assert_eq!((words.as_str(), open_calls(&told)), ("Welcome.\n\nTwo things.", vec!["askUser"]));
}

#[test]
fn words_that_come_to_nothing_end_with_their_step() {
    let mut talk = Talk::begun(begun(&[]));
    let mut telling = UiStream::new(RUN, &talk.run.state);
    let mut told = vec![json!({ "type": "start", "messageId": "m", "messageMetadata": {} })];
    let mut tell = |talk: &mut Talk, text: &str, entry: Option<RunEvent>| {
        talk.append(Vec::from_iter(entry.map(Entry::Run)));
        let texts = talk.run.progress.open.iter().map(|step| Partial { message: step.seq, text: text.into() }).collect();
        let follower = Follower { id: RUN.to_string(), run: talk.run.clone(), texts };
        told.extend(telling.tell(&follower, Instant::now()).iter().map(|chunk| json!(chunk)));
    };
    let started = RunEvent::StepStarted { ask: ask_json(&Ask::Interview { turn: 0 }), model: "m".into() };
    tell(&mut talk, "Welcome.\n\n", Some(started));
    tell(&mut talk, "Good day.\n\n", None);
    tell(&mut talk, "", Some(RunEvent::Stopped { partial: vec![], why: "Stopped by you.".into() }));
    assert_message(&told);
    let words: Vec<&str> = told.iter().filter_map(|chunk| chunk["delta"].as_str()).collect();
    assert_eq!(words, ["Welcome.", "Good day.", "Stopped by you."]);
}

/// Numbers that look like chance, the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// Whatever is wanted happens in one of the ways in which it can.
fn happen(talk: &mut Talk, dice: &mut Dice, asks: bool) {
    let wants = talk.run.wants();
    let ask = wants[dice.below(wants.len())];
    match ask {
        Ask::Extract { .. } => {
            let reply = [Replied::Answer, Replied::Skip, Replied::Question][dice.below(3)];
            talk.settle(ask, Outcome::Extracted { reply, known: known(&[(Field::ALL[dice.below(12)], "something")]) });
        }
        Ask::Interview { .. } => {
            let section = Section::ALL[dice.below(5)].slug().to_owned();
            let missing = talk.run.state.missing().next();
            let mut tools = vec![Tool::RunResearch(section), Tool::Unusable("no".into())];
            tools.truncate(dice.below(3));
            tools.extend(missing.filter(|_| asks || dice.below(2) == 0).map(question));
            talk.turn(["", "Thank you."][dice.below(2)], tools);
        }
        Ask::Summary { .. } => talk.settle(ask, Outcome::Summarised("All in all.".into())),
        Ask::Gather { .. } | Ask::Synthesise { .. } | Ask::Repair { .. } if dice.below(4) == 0 => {
            let failed = Research::failed(&talk.run.state, &ask, &Failure { why: "It is down.".into(), cause: None });
            talk.append(failed.expect("events").into_iter().map(Entry::Room).collect());
        }
        Ask::Gather { .. } => talk.settle(ask, Outcome::Gathered { text: "Much.".into(), sources: vec![] }),
        Ask::Synthesise { section, .. } | Ask::Repair { section, .. } => {
            let data = serde_json::from_value(json!({ section.slug(): {} })).expect("data");
            talk.settle(ask, Outcome::Drafted { draft: String::new(), data: Ok(Box::new(data)) });
        }
    }
}

fn person(talk: &mut Talk, dice: &mut Dice) {
    let (section, field) = (Section::ALL[dice.below(5)], Field::ALL[dice.below(12)]);
    let command = match dice.below(6) {
        0 => Command::Say { text: "Something else".into() },
        1 => Command::Correct { field, text: format!("changed {}", talk.run.seq) },
        2 => Command::Refresh,
        3 => Command::StopSection { section },
        4 => Command::Retry { section },
        _ => Command::Choose { question: talk.run.state.asked.unwrap_or(0), options: vec![] },
    };
    let events = Research::decide(&talk.run.state, command).unwrap_or_default();
    talk.append(events.into_iter().map(Entry::Room).collect());
}

#[test]
fn whatever_happens_a_message_is_whole_and_only_a_question_is_left_open() {
    for seed in 0..120 {
        let (mut talk, mut dice) = (Talk::begun(begun(&[])), Dice(seed));
        for _ in 0..dice.below(60) {
            let running = talk.run.status() == Status::Running;
            if running && dice.below(3) > 0 { happen(&mut talk, &mut dice, false) } else { person(&mut talk, &mut dice) }
        }
        while talk.run.status() == Status::Running {
            happen(&mut talk, &mut dice, true);
        }
        for told in [talk.told(), talk.told_in(true)] {
            assert_message(&told);
            let asks = told.last().expect("chunks")["finishReason"] == "tool-calls";
            assert_eq!(open_calls(&told), if asks { vec![ASK_USER] } else { vec![] }, "seed {seed}");
        }
    }
}
