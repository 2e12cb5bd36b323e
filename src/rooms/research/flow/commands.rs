//! What a person may do, and what it amounts to.

use super::{Event, Field, Known, MESSAGE_CHARS, Question, Research, Section, Setup, State, field::FIELD_CHARS, rules::value};
use crate::engine::flow::{Flow, Retold, words};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a person may do, beyond Stop and Continue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// An answer, a question of their own, or anything else.
    Say {
        text: String,
    },
    /// Of the options of the question of that turn, by their places from 0; none: they skip the question.
    Choose {
        question: u32,
        options: Vec<u32>,
    },
    Correct {
        field: Field,
        text: String,
    },
    /// Once more, after it failed or was stopped, or since it is stale.
    Retry {
        section: Section,
    },
    /// All that is stale once more.
    Refresh,
    StopSection {
        section: Section,
    },
}

/// Why a person's command is not carried out.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error("{}", .0.with("Write a message."))]
    Opening(words::Fault),
    #[error("{}", .0.with("Write a message."))]
    Message(words::Fault),
    #[error("{}", .0.with("Write what is right."))]
    Field(words::Fault),
    #[error("Choose from the options that are on offer, or write your answer.")]
    Options,
    #[error("There is no such question.")]
    Question,
    #[error("{0} is up to date. It is researched again when something it rests on has changed.")]
    UpToDate(&'static str),
}

impl Refusal {
    /// The form's field to mend.
    pub fn field(&self) -> &'static str {
        match self {
            Refusal::Opening(_) => "opening",
            Refusal::Message(_) | Refusal::Field(_) => "text",
            Refusal::Options => "options",
            Refusal::Question | Refusal::UpToDate(_) => "of",
        }
    }
}

/// What people say who cannot or would not answer, without punctuation.
const SKIPS: [&str; 14] = [
    "skip",
    "skip this",
    "skip it",
    "pass",
    "i dont know",
    "dont know",
    "i do not know",
    "do not know",
    "no idea",
    "not sure",
    "im not sure",
    "i am not sure",
    "unknown",
    "idk",
];

/// Is this how people say that they do not know, or would rather not say?
pub fn is_skip(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphanumeric() || c.is_whitespace()).collect::<String>().to_lowercase();
    let plain = letters.split_whitespace().collect::<Vec<_>>().join(" ");
    SKIPS.contains(&plain.as_str())
}

/// Words that name options of the question are a choice; any others are read by a model, but for those of somebody who
/// does not know.
pub fn say(state: &State, text: String) -> Result<Vec<Event>, Refusal> {
    words::check(&text, MESSAGE_CHARS).map_err(Refusal::Message)?;
    let text = text.trim().to_owned();
    let Some((turn, question)) = state.open_question() else { return Ok(vec![Event::Said { text }]) };
    if let Some(options) = named(question, &text) {
        return Ok(vec![Event::Chose { question: turn, options }]);
    }
    let skipped = is_skip(&text).then(|| {
        let known = vec![Known { field: question.field, value: String::new() }];
        Event::Understood { message: state.messages, known, question: false }
    });
    Ok(std::iter::once(Event::Said { text }).chain(skipped).collect())
}

/// The options that these words name, if they name nothing else.
fn named(question: &Question, words: &str) -> Option<Vec<u32>> {
    let plain = |text: &str| value(text).to_lowercase();
    let place = |part: &str| {
        let mut options = question.options.iter();
        let same = options.position(|option| plain(&option.label) == plain(part) || plain(&option.value) == plain(part));
        same.map(|place| place as u32)
    };
    match place(words) {
        Some(place) => Some(vec![place]),
        None if question.multi => words.split(',').map(place).collect::<Option<_>>().map(BTreeSet::into_iter).map(Iterator::collect),
        None => None,
    }
}

/// A question that is answered already is not answered again: a double click is one click.
pub fn choose(state: &State, turn: u32, mut options: Vec<u32>) -> Result<Vec<Event>, Refusal> {
    let Some((_, question)) = state.open_question().filter(|(open, _)| *open == turn) else {
        return if turn < state.turns { Ok(vec![]) } else { Err(Refusal::Question) };
    };
    options.sort_unstable();
    options.dedup();
    let offered = options.iter().all(|option| (*option as usize) < question.options.len());
    if !offered || (options.len() > 1 && !question.multi) {
        return Err(Refusal::Options);
    }
    Ok(vec![Event::Chose { question: turn, options }])
}

pub fn correct(state: &State, field: Field, text: &str) -> Result<Vec<Event>, Refusal> {
    words::check(text, FIELD_CHARS).map_err(Refusal::Field)?;
    let value = if is_skip(text) { String::new() } else { value(text) };
    if state.answer(field) == Some(value.as_str()) {
        return Ok(vec![]);
    }
    Ok(vec![Event::Corrected { known: Known { field, value } }])
}

/// With what it builds on, where that has to be researched again first.
pub fn retry(state: &State, section: Section) -> Result<Vec<Event>, Refusal> {
    let study = state.study(section);
    if study.work.is_some() || study.is_untried() {
        return Ok(vec![]);
    }
    if study.error.is_none() && !study.due && !state.is_stale(section) {
        return Err(Refusal::UpToDate(section.name()));
    }
    Ok(again(state, section))
}

/// A section once more, and before it what it builds on and has to be researched again.
pub fn again(state: &State, section: Section) -> Vec<Event> {
    // What it waits for may have become stale since it was asked for.
    let below = section.builds_on().iter().copied().filter(|on| !state.is_settled(*on));
    requested(below.chain([section]).filter(|section| state.is_idle(*section)).collect())
}

pub fn refresh(state: &State) -> Vec<Event> {
    requested(state.stale().into_iter().filter(|section| state.is_idle(*section)).collect())
}

fn requested(sections: Vec<Section>) -> Vec<Event> {
    if sections.is_empty() { vec![] } else { vec![Event::Requested { sections }] }
}

/// Why nothing came of a section that a person has stopped.
pub const STOPPED: &str = "Stopped by you.";

pub fn stop(state: &State, section: Section) -> Vec<Event> {
    let study = state.study(section);
    if study.work.is_none() && !study.due {
        return vec![];
    }
    vec![Event::ResearchFailed { section, error: STOPPED.to_owned() }]
}

/// The opening belongs to the setup; any other message, and any choice, is said where the conversation stood just before it.
pub fn retell(before: &State, turn: u32, words: String) -> Result<Option<Retold<Research>>, Refusal> {
    match turn {
        0 if before.opened => {
            words::check(&words, MESSAGE_CHARS).map_err(Refusal::Message)?;
            Ok(Some(Retold::Setup(Setup { opening: words.trim().to_owned(), ..Setup::default() })))
        }
        _ if before.messages == turn => Research::decide(before, Command::Say { text: words }).map(|events| Some(Retold::Events(events))),
        _ => Ok(None),
    }
}
