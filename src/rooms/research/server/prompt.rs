//! What each model is told: the prompts beside this file, what is known and found, and the conversation as the interviewer knows it.

use super::{
    brief::{brief, lines},
    conversation::conversation,
    tools::may_begin,
};
use crate::{
    engine::server::repair,
    models::Message,
    rooms::research::flow::{Field, Item, Section, Source, Stage, State, extract_top_findings},
};
use minijinja::{Environment, context};

const INTERVIEWER: &str = include_str!("prompts/interviewer.md");
const EXTRACT: &str = include_str!("prompts/extract.md");
const GATHER: &str = include_str!("prompts/gather.md");
const SYNTHESISE: &str = include_str!("prompts/synthesise.md");
const SUMMARY: &str = include_str!("prompts/summary.md");

/// Who it is, what is known and found by now, and the conversation so far.
pub fn interview(state: &State) -> Vec<Message> {
    let begin: Vec<Section> = Section::ALL.into_iter().filter(|section| may_begin(state, *section)).collect();
    let welcome = Field::ALL.into_iter().filter(|field| !field.is_required() && state.answer(*field).is_none());
    let told = render(
        INTERVIEWER,
        context! {
            missing => slugs(state.missing()), welcome => slugs(welcome), known => fenced("known", &lines(&state.known)),
            may_begin => !begin.is_empty(), stale_only => begin.iter().all(|section| state.is_stale(*section)),
            research => standings(state), fresh => fresh(state),
        },
    );
    std::iter::once(Message::System(told)).chain(conversation(state)).collect()
}

/// The message that nobody has made anything of yet, and the question before it.
pub fn extract(state: &State) -> Vec<Message> {
    let asked = state.unread.as_ref().and_then(|unread| unread.asked);
    let question = asked.map_or("none".to_owned(), |field| format!("the one for {}, “{}”", field.slug(), question_of(state, field)));
    let told = render(EXTRACT, context! { known => fenced("known", &lines(&state.known)), question });
    vec![Message::System(told), Message::User(fenced("message", &state.unread_words()))]
}

pub fn gather(state: &State, section: Section) -> Vec<Message> {
    let told = render(GATHER, context! { section => section.slug(), name => section.name() });
    vec![Message::System(told), Message::User(brief(state, section))]
}

/// What was gathered, and at a repair the draft that did not fit, with what is wrong with it.
pub fn synthesise(state: &State, section: Section) -> Vec<Message> {
    let (text, sources, mended) = match state.study(section).work.as_ref().map(|work| &work.stage) {
        Some(Stage::Synthesise { text, sources }) => (text.as_str(), sources.as_slice(), vec![]),
        Some(Stage::Repair { text, sources, draft, why }) => (text.as_str(), sources.as_slice(), repair(draft, why.trim_end_matches('.'))),
        _ => ("", [].as_slice(), vec![]),
    };
    let budget = state.answer(Field::MonthlyBudget).filter(|budget| !budget.is_empty());
    let told = render(
        SYNTHESISE,
        context! {
            section => section.slug(), name => section.name(), has_budget => budget.is_some(),
            budget => budget.map_or("what they have".to_owned(), |budget| format!("the stated monthly budget, {}", plain(budget))),
        },
    );
    let material = [brief(state, section), fenced("notes", text), fenced("sources", &listed(sources))].join("\n\n");
    [Message::System(told), Message::User(material)].into_iter().chain(mended).collect()
}

/// What is known, and what the five sections found.
pub fn summary(state: &State) -> Vec<Message> {
    let found = Section::ALL.into_iter().filter_map(|section| findings(state, section)).collect::<Vec<_>>().join("\n\n");
    let material = format!("{}\n\n{found}", fenced("known", &lines(&state.known)));
    vec![Message::System(render(SUMMARY, context! {})), Message::User(material)]
}

/// A text of others, which cannot close its own fence.
pub fn fenced(tag: &str, text: &str) -> String {
    format!("<{tag}>\n{}\n</{tag}>", plain(text))
}

fn plain(text: &str) -> String {
    text.replace("</", "< /")
}

fn slugs(fields: impl Iterator<Item = Field>) -> String {
    fields.map(Field::slug).collect::<Vec<_>>().join(", ")
}

/// The last question that was asked for that field.
fn question_of(state: &State, field: Field) -> String {
    let asked = state.thread.iter().rev().find_map(|item| match item {
        Item::Turn(turn) => turn.question().filter(|question| question.field == field),
        _ => None,
    });
    asked.map(|question| plain(&question.question)).unwrap_or_default()
}

/// Each section with where it stands.
fn standings(state: &State) -> String {
    Section::ALL.into_iter().map(|section| format!("- {}: {}", section.slug(), standing(state, section))).collect::<Vec<_>>().join("\n")
}

/// Where a section stands, for the interviewer.
pub fn standing(state: &State, section: Section) -> String {
    let study = state.study(section);
    let lacks = state.lacks(section);
    match () {
        () if study.work.is_some() => "being researched".to_owned(),
        () if state.is_stale(section) => "found, but what it went by has changed since; the person can have it researched again".to_owned(),
        () if study.result.as_ref().is_some_and(|found| found.is_imported()) => "found before, as the caller claims".to_owned(),
        () if study.result.is_some() => "found".to_owned(),
        () if study.error.is_some() => "came to nothing; the person can have it tried again".to_owned(),
        () if lacks.is_empty() => "can begin now".to_owned(),
        () => format!("needs {}", lacks.join(", ")),
    }
}

/// The top findings of the sections that were found since the last question.
fn fresh(state: &State) -> String {
    state.fresh.iter().filter_map(|section| findings(state, *section)).collect::<Vec<_>>().join("\n")
}

/// A section's top findings.
pub fn findings(state: &State, section: Section) -> Option<String> {
    let found = state.study(section).result.as_ref()?;
    let lines: Vec<String> = extract_top_findings(&found.data).iter().map(|point| format!("- {}", point.text)).collect();
    let claimed = if found.is_imported() { " (the caller’s claim, unchecked)" } else { "" };
    Some(format!("{}{claimed}:\n{}", section.slug(), fenced("findings", &lines.join("\n"))))
}

/// The sources by their numbers.
fn listed(sources: &[Source]) -> String {
    let line = |source: &Source| {
        let date = source.date.as_ref().map(|date| format!(", {date}")).unwrap_or_default();
        format!("[{}] {} ({}{date})", source.id, source.title, source.url)
    };
    if sources.is_empty() { "(none)".to_owned() } else { sources.iter().map(line).collect::<Vec<_>>().join("\n") }
}

/// The templates are part of the program; the tests render each of them.
fn render(template: &str, context: minijinja::Value) -> String {
    Environment::new().render_str(template, context).unwrap_or_default().trim().to_owned()
}
