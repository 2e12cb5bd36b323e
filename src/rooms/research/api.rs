//! The room's server functions: one line of work each, calling the engine.

use super::flow::Refusal;
use crate::read;
use crate::{
    error::AppError,
    runs::{Card, Opened, Sent},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What is known before a conversation is started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bench {
    /// The interviewer's and the synthesist's model, and the researcher's where there is one; `None` when one of the others has none.
    pub models: Option<Vec<String>>,
    /// What to configure before anything can be looked up, where no researcher is configured.
    pub unresearched: Option<String>,
    /// The newest run that is not over.
    pub unfinished: Option<Card>,
    pub examples: Vec<Offer>,
    /// The first words that the address asks for; where it is silent, the draft stays.
    pub opening: Option<String>,
    /// Makes a repeated request harmless.
    pub key: String,
    /// What stood against the start, where it was asked for without JavaScript.
    pub refused: Option<AppError>,
}

/// A worked opening, which begins with one tap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    pub name: String,
    pub opening: String,
}

/// A run, and what was sent to it and refused, where that was done without JavaScript.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Held {
    pub opened: Opened,
    /// Makes a repeated request harmless.
    pub key: String,
    pub typed: Typed,
    pub refused: Option<AppError>,
}

/// Words that were refused: a message, or, where `field` names one, a field's value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Typed {
    pub text: String,
    pub field: String,
}

/// What a person does in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Deed {
    /// Says `text`.
    Say,
    /// Chooses `options` of the question `of` that turn.
    Choose,
    /// Leaves the question `of` that turn unanswered.
    Skip,
    /// Says that the field `of` that name is `text`.
    Correct,
    /// Has the section `of` that name researched once more.
    Retry,
    /// Has all researched once more that is stale.
    Refresh,
    /// Stops the research of the section `of` that name.
    Stop,
}

impl Deed {
    /// As forms spell it.
    pub fn slug(self) -> &'static str {
        ["say", "choose", "skip", "correct", "retry", "refresh", "stop"][self as usize]
    }
}

impl From<Refusal> for AppError {
    fn from(refusal: Refusal) -> Self {
        AppError::field(refusal.field(), refusal.to_string())
    }
}

/// A [`Bench`]. `search` is the address's part behind its `?`.
#[server(prefix = "/api/fn", endpoint = "open_research_bench")]
pub async fn open_bench(#[server(default)] search: String) -> Result<Sent, AppError> {
    Sent::pack(super::server::open::bench(&search).await)
}

/// Starts a conversation and leads to its page. Without an `opening` the interviewer begins. `key` makes a repeated request
/// harmless; it may be empty.
#[server(prefix = "/api/fn", endpoint = "start_research")]
pub async fn start_research(#[server(default)] opening: String, #[server(default)] key: String) -> Result<(), AppError> {
    super::server::start::start(opening, key).await
}

/// A [`Held`]. `search` is the address's part behind its `?`.
#[server(prefix = "/api/fn", endpoint = "open_research")]
pub async fn open_research(id: String, #[server(default)] search: String) -> Result<Sent, AppError> {
    Sent::pack(super::server::open::held(&id, &search).await)
}

/// Does something in a conversation; where it was stopped it goes on, but for a correction and a Stop. `key` makes words that are sent twice harmless; it
/// may be empty.
#[server(prefix = "/api/fn", endpoint = "tell_research")]
pub async fn tell(
    id: String,
    what: Deed,
    #[server(default)] of: String,
    #[server(default)] text: String,
    #[server(default)] options: Vec<u32>,
    #[server(default)] key: String,
) -> Result<(), AppError> {
    use super::server::forms::{Form, tell};
    tell(Form { id, what, of, text, options, key }).await
}

read!(struct Bench { models, unresearched, unfinished, examples, opening, key, refused });
read!(struct Offer { name, opening });
read!(struct Held { opened, key, typed, refused });
read!(struct Typed { text, field });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_a_field_that_its_request_has() {
        let fault = || crate::engine::flow::words::check("", 1).expect_err("nothing is written");
        for (refusal, fields) in [
            (Refusal::Opening(fault()), &["opening", "key"][..]),
            (Refusal::Message(fault()), TELLS),
            (Refusal::Field(fault()), TELLS),
            (Refusal::Options, TELLS),
            (Refusal::Question, TELLS),
            (Refusal::UpToDate("Offer"), TELLS),
        ] {
            assert!(fields.contains(&refusal.field()), "{refusal}");
        }
    }

    const TELLS: &[&str] = &["id", "what", "of", "text", "options", "key"];

    #[test]
    fn forms_spell_deeds_as_they_are_read() {
        for deed in [Deed::Say, Deed::Choose, Deed::Skip, Deed::Correct, Deed::Retry, Deed::Refresh, Deed::Stop] {
            assert_eq!(serde_json::to_value(deed).expect("a word"), deed.slug());
        }
    }
}
