//! The conversation as the interviewer's model lived it: its calls with their results, and what the person said.

use super::prompt::{findings, standing};
use crate::{
    models::{Message, ToolCall},
    rooms::research::flow::{Called, Item, Question, Section, State, Turn},
};
use serde_json::{Value, json};

/// Said where nobody has said anything yet, or nothing new: models answer a person, and begin with one.
const BEGIN: &str = "Begin.";
const GO_ON: &str = "Go on.";

pub fn conversation(state: &State) -> Vec<Message> {
    let mut messages = vec![];
    let mut items = state.thread.iter().peekable();
    while let Some(item) = items.next() {
        match item {
            Item::Said { text, .. } => messages.push(Message::User(text.clone())),
            Item::Turn(turn) => {
                let asks = turn.question().is_some();
                let mut answers = vec![];
                // Cards stand where they were begun, also between a question and its answer.
                while let Some(Item::Said { .. } | Item::Card { .. }) = items.peek().filter(|_| asks) {
                    if let Some(Item::Said { text, .. }) = items.next() {
                        answers.push(text.as_str());
                    }
                }
                messages.extend(turned(state, turn, &answers));
            }
            Item::Summary { text } => messages.push(Message::Assistant { text: text.clone(), calls: vec![] }),
            Item::Card { .. } => {}
        }
    }
    if !matches!(messages.first(), Some(Message::User(_))) {
        messages.insert(0, Message::User(BEGIN.to_owned()));
    }
    if let Some(Message::Assistant { .. }) = messages.last() {
        messages.push(Message::User(GO_ON.to_owned()));
    }
    messages
}

/// A turn with each of its calls, and behind it the result of each.
fn turned(state: &State, turn: &Turn, answers: &[&str]) -> Vec<Message> {
    let calls: Vec<(ToolCall, &Called)> =
        turn.calls.iter().filter_map(|call| Some((readable(serde_json::from_str(&call.raw).ok()?), &call.called))).collect();
    let question = turn.question().map_or("", |question| question.question.as_str());
    // What a call holds is not said beside it as well.
    let words = if calls.is_empty() { &turn.words } else { turn.words.strip_suffix(question).unwrap_or(&turn.words) };
    let results: Vec<Message> =
        calls.iter().map(|(call, called)| Message::Tool { id: call.id.clone(), text: result(state, call, called, answers) }).collect();
    let said = Message::Assistant { text: words.trim().to_owned(), calls: calls.into_iter().map(|(call, _)| call).collect() };
    std::iter::once(said).chain(results).collect()
}

/// Arguments that were cut off are no JSON, and servers choke on their own words.
fn readable(mut call: ToolCall) -> ToolCall {
    if serde_json::from_str::<serde::de::IgnoredAny>(&call.arguments).is_err() {
        call.arguments = "{}".to_owned();
    }
    call
}

/// What came of a call, as it stands now.
fn result(state: &State, call: &ToolCall, called: &Called, answers: &[&str]) -> String {
    match called {
        Called::Question(question) => answer(state, question, answers),
        Called::Research(section) => researched(state, *section),
        Called::Refused(why) => refused(call, why).to_string(),
    }
}

fn refused(call: &ToolCall, why: &str) -> Value {
    let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
    match arguments["section"].as_str() {
        Some(section) => json!({ "section": section, "status": "error", "error": why }),
        None => json!({ "status": "error", "error": why }),
    }
}

/// What the person said to it, whether it is an answer or not.
fn answer(state: &State, question: &Question, answers: &[&str]) -> String {
    match (answers, state.answer(question.field)) {
        ([], Some(value)) => json!({ "answer": value, "how": "They wrote it into the field themselves." }).to_string(),
        ([], None) => json!({ "answer": null, "how": "Nobody has answered." }).to_string(),
        (answers, _) => json!({ "said": answers.join("\n") }).to_string(),
    }
}

fn researched(state: &State, section: Section) -> String {
    let findings = findings(state, section).map(|findings| format!("\n{findings}")).unwrap_or_default();
    format!("{}: {}{findings}", section.slug(), standing(state, section))
}
