//! A rehearsed interview and its research: questions that follow the person's words, and sections that have their shape and
//! nothing else. Scripted, and labelled so wherever it shows; nothing is looked up, and no figure and no source is made up.

use super::{
    order, schema,
    tools::{ASK_USER, RUN_RESEARCH, first},
};
use crate::{
    models,
    rooms::research::flow::{Ask, State},
};
use serde_json::json;

mod lines;
mod questions;
mod sections;
#[cfg(test)]
mod tests;
mod told;
mod words;

/// What a rehearsed researcher brings back.
pub const NOTHING: &str = "This is a rehearsal: the answers are scripted and no search was made, so nothing was looked up.";

pub fn reply(state: &State, ask: &Ask) -> models::Reply {
    let text = match *ask {
        Ask::Interview { .. } => return interview(state),
        Ask::Extract { .. } => schema::extraction_json(&told::read(state)),
        Ask::Gather { .. } => NOTHING.to_owned(),
        Ask::Synthesise { section, .. } | Ask::Repair { section, .. } => schema::section_json(&sections::data(state, section)),
        Ask::Summary { .. } => lines::summary(state),
    };
    models::Reply { text, calls: vec![] }
}

/// One question, and each section that has enough by now; once nothing is missing, words alone.
fn interview(state: &State) -> models::Reply {
    let Some(field) = order::missing(state).first().copied() else {
        return models::Reply { text: lines::closing(state), calls: vec![] };
    };
    let begun = first(state);
    let research = begun.iter().map(|section| (RUN_RESEARCH, json!({ "section": section.slug() })));
    let asked = (ASK_USER, questions::question(state, field));
    models::Reply { text: lines::before(state, &begun), calls: research.chain([asked]).collect() }
}
