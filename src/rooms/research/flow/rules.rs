//! What a model's answers amount to, and what begins by itself.

use super::{
    Call, Called, Choice, Data, Event, Field, Floor, Known, Question, Section, Source, Stage, State, Told, Turn, commands::again,
    field::FIELD_CHARS,
};
use crate::engine::flow::words::one_line;
use serde::{Deserialize, Serialize};

/// Options of a question, and characters of each.
const MAX_OPTIONS: usize = 8;
const MAX_OPTION_CHARS: usize = 80;
/// Characters of what the interviewer says in one go, and of what it asks.
const MAX_WORDS: usize = 2_000;
const MAX_QUESTION: usize = 500;

/// Words as a field's value: on one line, and not longer than a field may be.
pub fn value(words: &str) -> String {
    one_line(words).chars().take(FIELD_CHARS).collect()
}

fn cut(text: &str, most: usize) -> String {
    text.trim().chars().take(most).collect::<String>().trim_end().to_owned()
}

/// What was understood of a person's message. The field they were asked for is answered in any case, unless they asked
/// something themselves.
pub fn understood(state: &State, message: u32, reply: Reply, found: Vec<Known>) -> Event {
    let mut known: Vec<Known> = Vec::new();
    let corrected = state.unread.as_ref().map_or(&[][..], |unread| &unread.corrected);
    for Known { field, value: said } in found {
        let said = value(&said);
        let is_new = !known.iter().any(|known| known.field == field) && state.answer(field) != Some(said.as_str());
        if !said.is_empty() && is_new && !corrected.contains(&field) {
            known.push(Known { field, value: said });
        }
    }
    let asked = state.unread.as_ref().and_then(|unread| unread.asked).filter(|_| reply != Reply::Question);
    if let Some(field) = asked.filter(|field| !known.iter().any(|known| known.field == *field) && state.answer(*field).is_none()) {
        let said = if reply == Reply::Skip { String::new() } else { value(&state.unread_words()) };
        known.push(Known { field, value: said });
    }
    Event::Understood { message, known, question: reply == Reply::Question }
}

/// The interviewer's turn, each of its calls judged by the state and by the calls before it. Sections that it calls begin.
pub fn turn(state: &State, words: &str, tools: Vec<(String, Tool)>, told: Vec<Section>) -> Vec<Event> {
    let (mut calls, mut begun): (Vec<Call>, Vec<Section>) = (Vec::new(), Vec::new());
    for (raw, tool) in tools {
        let is_asked = calls.iter().any(|call: &Call| matches!(call.called, Called::Question(_)));
        let called = match tool {
            Tool::AskUser(_) if is_asked => Err("One question at a time: ask this one later.".to_owned()),
            Tool::AskUser(question) => asked(state, question).map(Called::Question),
            Tool::RunResearch(section) => called(state, section.as_str(), &begun).map(Called::Research),
            Tool::Unusable(why) => Err(why),
        };
        if let Ok(Called::Research(section)) = &called {
            begun.push(*section);
        }
        calls.push(Call { raw, called: called.unwrap_or_else(Called::Refused) });
    }
    let question =
        calls.iter().find_map(|call| if let Called::Question(question) = &call.called { Some(&question.question) } else { None });
    let said = cut(words, MAX_WORDS);
    let words = match question {
        // Some models say the question and ask it as well.
        Some(question) if !said.ends_with(question.as_str()) => [said, question.clone()].join("\n\n").trim().to_owned(),
        _ => said,
    };
    let turn = Turn { number: state.turns, words, calls, told };
    let begun = begun.into_iter().flat_map(|section| match state.may_retry(section) {
        true => again(state, section),
        false => vec![begin(state, section)],
    });
    begun.chain([Event::Turned(turn)]).collect()
}

fn asked(state: &State, asked: AskUser) -> Result<Question, String> {
    let AskUser { question, field, options, multi, allow_other } = asked;
    let field = Field::parse(&field).ok_or_else(|| format!("There is no field “{field}”."))?;
    if let Some(answer) = state.answer(field) {
        let answer = if answer.is_empty() { "the person does not know" } else { answer };
        return Err(format!("{} is answered already: {answer}. Ask for something else.", field.slug()));
    }
    let question = cut(&question, MAX_QUESTION);
    if question.is_empty() {
        return Err("The question is empty.".to_owned());
    }
    let mut offered: Vec<Choice> = Vec::new();
    for Choice { label, value: said } in options {
        let (label, value) = (cut(&value(&label), MAX_OPTION_CHARS), cut(&value(&said), MAX_OPTION_CHARS));
        let choice = Choice { value: if value.is_empty() { label.clone() } else { value }, label };
        if !choice.label.is_empty() && !offered.iter().any(|known| known.label == choice.label) {
            offered.push(choice);
        }
    }
    offered.truncate(MAX_OPTIONS);
    Ok(Question { question, field, options: offered, multi, allow_other })
}

/// May the interviewer have this researched now? Once more only where the person may just have asked for it.
fn called(state: &State, slug: &str, begun: &[Section]) -> Result<Section, String> {
    let section = Section::parse(slug).ok_or_else(|| format!("There is no section “{slug}”."))?;
    let study = state.study(section);
    match () {
        () if !state.is_idle(section) || begun.contains(&section) => Err(format!("{slug} is being researched already.")),
        () if state.may_retry(section) && state.is_addressed() => Ok(section),
        () if state.may_retry(section) => Err(format!("{slug} is researched again only when the person asks for it.")),
        () if study.result.is_some() => Err(format!("{slug} has been researched already, and nothing it rests on has changed.")),
        () if state.may_begin(section) => Ok(section),
        () => Err(format!("{slug} needs {}. Ask for it, or wait for it.", state.lacks(section).join(", "))),
    }
}

/// Sections that have all they need begin by themselves, unless the interviewer may be about to call them. What a person wants
/// again waits for nobody.
pub fn begins(state: &State) -> Vec<Event> {
    let is_called_first = state.unread.is_some() || (state.floor == Floor::Interviewer && !state.at_step_limit());
    let ready = state.ready().into_iter().filter(|section| !is_called_first || state.study(*section).due);
    ready.map(|section| begin(state, section)).collect()
}

/// Where nobody could say anything of what it would go by, nothing is looked up.
fn begin(state: &State, section: Section) -> Event {
    if !state.is_barren(section) {
        return Event::ResearchBegan { section };
    }
    let open = section.needs().iter().filter(|field| state.answer(**field) == Some(""));
    let names: Vec<&str> = open.map(|field| field.name()).collect();
    let error = format!("Nothing to go by: these were left open: {}. Answer one of them, and try again.", names.join(", "));
    Event::ResearchFailed { section, error }
}

/// What came of putting a section into its form. A draft that does not fit goes back once.
pub fn drafted(state: &State, section: Section, draft: String, data: Result<Box<Data>, String>) -> Event {
    let stage = state.study(section).work.as_ref().map(|work| &work.stage);
    let (sources, repaired): (&[_], _) = match stage {
        Some(Stage::Synthesise { sources, .. }) => (sources, false),
        Some(Stage::Repair { sources, .. }) => (sources, true),
        _ => (&[], true),
    };
    match data.and_then(|data| fitted(section, *data, sources)) {
        Ok((data, dropped)) => Event::Found { told: Told::new(&data), dropped },
        Err(why) if !repaired => Event::Misfit { section, draft, why },
        Err(why) => Event::ResearchFailed { section, error: format!("What was found could not be put in order. {why}") },
    }
}

/// The data that is left where only these are sources, and how many references were taken out; or why it is not what the section is
/// to hold.
pub fn fitted(section: Section, mut data: Data, sources: &[Source]) -> Result<(Data, u32), String> {
    let dropped = data.keep_to(sources);
    fits(section, &data).map(|()| (data, dropped))
}

fn fits(section: Section, data: &Data) -> Result<(), String> {
    if data.section() != section {
        return Err(format!("This is not the form of {}.", section.slug()));
    }
    let Data::CrossAnalysis(cross) = data else { return Ok(()) };
    let shares: Vec<i64> = cross.channels.iter().filter_map(|channel| channel.share).collect();
    let is_part = |share: &i64| (0..=100).contains(share);
    match () {
        () if shares.is_empty() => Ok(()),
        () if shares.len() != cross.channels.len() => Err("Either each channel has a share of the budget, or none has.".to_owned()),
        () if !shares.iter().all(is_part) => Err("A share of the budget is not between 0 and 100.".to_owned()),
        () if shares.iter().sum::<i64>() != 100 => Err(format!("The shares of the budget make {}, not 100.", shares.iter().sum::<i64>())),
        () => Ok(()),
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Extracted {
        reply: Reply,
        known: Vec<Known>,
    },
    /// Each call as the provider wrote it and as it was read; `told`: the sections whose findings the prompt brought for the first time.
    Turned {
        words: String,
        tools: Vec<(String, Tool)>,
        told: Vec<Section>,
    },
    Gathered {
        text: String,
        sources: Vec<Source>,
    },
    /// A section as the model wrote it, and read: in its form, or what is wrong with it.
    Drafted {
        draft: String,
        data: Result<Box<Data>, String>,
    },
    Summarised(String),
}

/// What a person's message is to the question before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reply {
    Answer,
    /// They do not know, or would rather not say.
    Skip,
    /// They ask something themselves.
    Question,
}

/// A tool call, syntax checked; whether it is allowed is judged in `settle`.
#[derive(Clone, Debug, PartialEq)]
pub enum Tool {
    AskUser(AskUser),
    RunResearch(String),
    /// An unknown tool, or arguments that are not what the tool takes; the sentence says which.
    Unusable(String),
}

/// What the interviewer asks, as its model has worded it.
#[derive(Clone, Debug, PartialEq)]
pub struct AskUser {
    pub question: String,
    pub field: String,
    pub options: Vec<Choice>,
    pub multi: bool,
    pub allow_other: bool,
}
