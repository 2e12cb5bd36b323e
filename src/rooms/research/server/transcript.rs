//! The conversation for people who read it elsewhere: what was asked and answered, what each section found, and what it adds up to.

use crate::{
    engine::{
        entry::{Run, ask_json},
        server::Passage,
    },
    rooms::research::flow::{Ask, Item, Research, Section, State},
};

pub const INTERVIEWER: &str = "Interviewer";

pub fn transcript(run: &Run<Research>) -> Vec<Passage> {
    let state = &run.state;
    let conversation = state.thread.iter().filter_map(passage);
    let parts = std::iter::once(Passage::Part("Conversation".to_owned())).chain(conversation).chain(halted(run));
    let found: Vec<Passage> = Section::ALL.into_iter().filter_map(|section| findings(state, section)).collect();
    let heading = (!found.is_empty()).then(|| Passage::Part("Research".to_owned()));
    parts.chain(heading).chain(found).collect()
}

fn passage(item: &Item) -> Option<Passage> {
    match item {
        Item::Said { text, .. } => Some(said("You", text, false, None)),
        Item::Turn(turn) if turn.words.is_empty() => None,
        Item::Turn(turn) => Some(said(INTERVIEWER, &turn.words, true, None)),
        Item::Summary { text } => Some(said(INTERVIEWER, text, true, Some("summary"))),
        Item::Card { .. } => None,
    }
}

fn said(who: &str, text: &str, markdown: bool, mark: Option<&str>) -> Passage {
    Passage::Said { who: who.to_owned(), text: text.to_owned(), markdown, mark: mark.map(str::to_owned) }
}

/// The section's top findings, with what has to be said of them.
fn findings(state: &State, section: Section) -> Option<Passage> {
    let found = state.study(section).result.as_ref()?;
    let marks = [(found.is_imported(), "the caller’s claim"), (state.is_stale(section), "out of date")];
    let marks: Vec<&str> = marks.iter().filter(|(holds, _)| *holds).map(|(_, mark)| *mark).collect();
    let of = if marks.is_empty() { section.name().to_owned() } else { format!("{} ({})", section.name(), marks.join(", ")) };
    let cited = |number: &i64| found.sources.iter().find(|source| source.id == *number).map(|source| source.url.clone());
    let items = found.told.findings.iter().map(|point| {
        let urls: Vec<String> = point.sources.iter().filter_map(cited).collect();
        if urls.is_empty() { point.text.clone() } else { format!("{} ({})", point.text, urls.join(", ")) }
    });
    Some(Passage::Findings { of, items: items.collect() })
}

/// What a Stop cut off of the interviewer's words. A researcher's steps are no words.
fn halted(run: &Run<Research>) -> Vec<Passage> {
    let spoken = [ask_json(&Ask::Interview { turn: run.state.turns }), ask_json(&Ask::Summary { turn: run.state.turns })];
    let texts = run.progress.halt.iter().flat_map(|halt| &halt.partial);
    let words = texts.filter(|halted| spoken.contains(&halted.ask) && !halted.text.trim().is_empty());
    words.map(|halted| said(INTERVIEWER, &halted.text, true, Some("stopped"))).collect()
}
