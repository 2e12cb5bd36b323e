//! The rules, played without a clock, a model or a disk.

use super::*;

mod commands;
mod conversation;
mod findings;
mod golden;
mod property;
mod research;
mod sources;

fn apply(state: State, events: &[Event]) -> State {
    let seq = state.studies.iter().map(|study| i64::from(study.attempts)).sum::<i64>() + 2;
    (seq..).zip(events).fold(state, |state, (seq, event)| Research::apply(state, Stamp { seq, at: seq * 1_000 }, event))
}

fn resumed(state: State) -> State {
    Research::resumed(state, Stamp { seq: 0, at: 0 })
}

fn begun(opening: &str) -> State {
    Research::begin(&Setup { opening: opening.to_owned(), ..Setup::default() }).expect("a setup that is accepted")
}

fn decide(state: State, command: Command) -> State {
    let events = Research::decide(&state, command).expect("a command that is carried out");
    apply(state, &events)
}

fn settle(state: State, ask: Ask, outcome: Outcome) -> State {
    assert!(Research::wants(&state).contains(&ask), "{ask:?} is not wanted, but {:?}", Research::wants(&state));
    let events = Research::settle(&state, &ask, outcome);
    assert!(!events.is_empty());
    apply(state, &events)
}

fn known(field: Field, value: &str) -> Known {
    Known { field, value: value.to_owned() }
}

fn know(state: State, fields: &[Field]) -> State {
    fields.iter().fold(state, |state, field| apply(state, &[Event::Corrected { known: known(*field, "x") }]))
}

fn say(state: State, text: &str) -> State {
    decide(state, Command::Say { text: text.to_owned() })
}

/// What was said last is understood as that.
fn extract(state: State, reply: Reply, known: Vec<Known>) -> State {
    let message = state.messages - 1;
    settle(state, Ask::Extract { message }, Outcome::Extracted { reply, known })
}

fn turn(state: State, words: &str, tools: Vec<Tool>) -> State {
    let tools = tools.into_iter().map(|tool| ("{}".to_owned(), tool)).collect();
    let (ask, told) = (Ask::Interview { turn: state.turns }, state.fresh.clone());
    settle(state, ask, Outcome::Turned { words: words.to_owned(), tools, told })
}

fn ask_user(field: &str, options: &[&str], multi: bool) -> Tool {
    let options = options.iter().map(|option| Choice { label: (*option).to_owned(), value: option.to_lowercase() }).collect();
    Tool::AskUser(AskUser { question: "Which?".to_owned(), field: field.to_owned(), options, multi, allow_other: true })
}

fn asked(state: State, field: Field, options: &[&str], multi: bool) -> State {
    turn(state, "", vec![ask_user(field.slug(), options, multi)])
}

/// The last turn's calls, as they were judged.
fn calls(state: &State) -> Vec<Called> {
    let turn = state.thread.iter().rev().find_map(|item| if let Item::Turn(turn) = item { Some(turn) } else { None });
    turn.expect("a turn").calls.iter().map(|call| call.called.clone()).collect()
}

fn nothing(section: Section) -> Data {
    match section {
        Section::IndustryMarket => Data::IndustryMarket(Default::default()),
        Section::Competitors => Data::Competitors(Default::default()),
        Section::IcpValidation => Data::IcpValidation(Default::default()),
        Section::OfferAnalysis => Data::OfferAnalysis(Default::default()),
        Section::CrossAnalysis => Data::CrossAnalysis(Default::default()),
    }
}

fn source(id: i64, url: &str) -> Source {
    Source { id, title: format!("Page {id}"), url: url.to_owned(), date: None }
}

fn gather(state: State, section: Section) -> State {
    let attempt = state.study(section).attempts;
    settle(
        state,
        Ask::Gather { section, attempt },
        Outcome::Gathered { text: "Notes.".into(), sources: vec![source(7, "https://a.example/x")] },
    )
}

fn drafted(state: State, section: Section, data: Result<Data, String>) -> State {
    let attempt = state.study(section).attempts;
    let is_repair = state.study(section).work.as_ref().is_some_and(|work| matches!(work.stage, Stage::Repair { .. }));
    let ask = if is_repair { Ask::Repair { section, attempt } } else { Ask::Synthesise { section, attempt } };
    settle(state, ask, Outcome::Drafted { draft: "{".into(), data: data.map(Box::new) })
}

fn find(state: State, section: Section) -> State {
    drafted(gather(state, section), section, Ok(nothing(section)))
}

/// Everything answered, and that found which there is enough for.
fn complete() -> State {
    let mut state = turn(know(begun(""), &Field::ALL), "Thank you.", vec![]);
    while let Some(study) = state.under_way().first() {
        let section = study.section;
        state = find(state, section);
    }
    state
}

fn summarised() -> State {
    let state = complete();
    let turn = state.turns;
    settle(state, Ask::Summary { turn }, Outcome::Summarised("All is well.".into()))
}
