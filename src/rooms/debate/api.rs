//! The room's server functions: one line of work each, calling the engine.

use super::flow::{Debate, Persona, Refusal, Setup};
use crate::read;
use crate::{
    engine::flow::Flow,
    error::AppError,
    runs::{Card, Sent},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What is known before a debate is started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bench {
    /// The debaters' and the summariser's model; `None` when one of them has none.
    pub models: Option<Vec<String>>,
    /// The models that a debater could have, the one they have anyway first.
    pub debaters: Vec<String>,
    /// The newest debate that is not over.
    pub unfinished: Option<Card>,
    pub examples: Vec<Offer>,
    /// Who can be chosen, in the order in which they would speak.
    pub candidates: Vec<Candidate>,
    pub given: Given,
    /// Where the panel comes from, as the address says it; empty where it says nothing.
    pub source: String,
    /// Where somebody new is written.
    pub new_persona: String,
    /// Makes a repeated request harmless.
    pub key: String,
    /// What stood against the start, where it was asked for without JavaScript.
    pub refused: Option<AppError>,
}

/// A worked example; `href` is the bench with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    pub name: String,
    pub href: String,
    /// It is what the bench shows.
    pub shown: bool,
}

/// Somebody who could debate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// With a hue and without a model.
    pub persona: Persona,
    /// Empty for the one that debaters have anyway.
    pub model: String,
    pub chosen: bool,
    /// Where they are changed, or kept.
    pub href: String,
}

/// What the bench's address asks for; where it is silent, the draft stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Given {
    pub topic: Option<String>,
    pub rounds: Option<String>,
    /// The address says who is chosen.
    pub panel: bool,
    /// Whoever was kept just now.
    pub added: Option<String>,
    /// The one who closes, as JSON, where it is not the usual one.
    pub summariser: Option<String>,
}

/// A place at the table, as the form sends it: without a persona it stays empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Seat {
    /// A [`Persona`] as JSON.
    pub persona: String,
    /// Empty for the one that debaters have anyway.
    pub model: String,
}

/// A persona being written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// The name that it is kept under; empty for a new one.
    pub was: String,
    pub persona: Persona,
    /// The models that it could have.
    pub models: Vec<String>,
    /// What is wrong with it, where it was sent before.
    pub fault: Option<AppError>,
    /// Where the panel on the bench comes from, and the way back to it.
    pub source: String,
    pub back: String,
}

impl From<Refusal> for AppError {
    fn from(refusal: Refusal) -> Self {
        AppError::field(refusal.field(), refusal.to_string())
    }
}

/// What is wrong with each field of a form.
pub fn faults(setup: &Setup) -> Option<AppError> {
    let each = [
        Setup { topic: setup.topic.clone(), ..Setup::default() },
        Setup { personas: setup.personas.clone(), ..Setup::default() },
        Setup { max_exchange_rounds: setup.max_exchange_rounds, ..Setup::default() },
    ];
    let faults = each.iter().filter_map(|setup| Debate::begin(setup).err().map(AppError::from));
    faults.reduce(|first, second| AppError { errors: [first.errors, second.errors].concat(), ..first })
}

/// A [`Bench`]. `search` is the address's part behind its `?`.
#[server(prefix = "/api/fn", endpoint = "open_debate_bench")]
pub async fn open_bench(#[server(default)] search: String) -> Result<Sent, AppError> {
    Sent::pack(super::server::open::bench(&search).await)
}

/// Starts a debate and leads to its page. `key` makes a repeated request harmless; it may be empty. `source` is where the
/// panel comes from, so that a refused form is led back there.
#[server(prefix = "/api/fn", endpoint = "start_debate")]
pub async fn start_debate(
    topic: String,
    rounds: String,
    #[server(default)] seats: Vec<Seat>,
    #[server(default)] key: String,
    #[server(default)] source: String,
) -> Result<(), AppError> {
    use super::server::forms::{Filled, start};
    start(Filled { topic, rounds, seats, key, source }).await
}

/// A [`Sheet`]. `search` is the address's part behind its `?`.
#[server(prefix = "/api/fn", endpoint = "open_debate_persona")]
pub async fn open_sheet(#[server(default)] search: String) -> Result<Sent, AppError> {
    Sent::pack(super::server::personas::sheet(&search).await)
}

/// Keeps a persona and leads to the bench with it; `was` is the name it was kept under.
#[server(prefix = "/api/fn", endpoint = "save_debate_persona")]
pub async fn save_persona(
    #[server(default)] was: String,
    name: String,
    philosophy: String,
    #[server(default)] icon_hint: String,
    #[server(default)] hue: String,
    #[server(default)] model: String,
    #[server(default)] source: String,
) -> Result<(), AppError> {
    let given = |text: String| (!text.is_empty()).then_some(text);
    let (hue, model) = (given(hue), given(model));
    let persona = Persona { id: String::new(), name, philosophy, icon_hint, hue, model };
    super::server::personas::save(&was, persona, &source).await
}

/// `name` is the one that it was kept under.
#[server(prefix = "/api/fn", endpoint = "delete_debate_persona")]
pub async fn delete_persona(name: String, #[server(default)] source: String) -> Result<(), AppError> {
    super::server::personas::delete(&name, &source).await
}

/// A debate, as [`Opened`](crate::runs::Opened).
#[server(prefix = "/api/fn", endpoint = "open_debate")]
pub async fn open_debate(id: String) -> Result<Sent, AppError> {
    Sent::pack(crate::runs::server::opened::<Debate>(&id).await)
}

read!(struct Bench { models, debaters, unfinished, examples, candidates, given, source, new_persona, key, refused });
read!(struct Offer { name, href, shown });
read!(struct Candidate { persona, model, chosen, href });
read!(struct Given { topic, rounds, panel, added, summariser });
read!(struct Sheet { was, persona, models, fault, source, back });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_is_found_at_once() {
        let wrong = Setup { topic: " ".into(), max_exchange_rounds: 0, personas: vec![] };
        let error = faults(&wrong).expect("faults");
        assert!(["topic", "max_exchange_rounds", "personas"].iter().all(|field| error.at(field).is_some()), "{error:?}");
        assert_eq!(faults(&Setup::default()), None);
    }
}
