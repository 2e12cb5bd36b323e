//! An answer in a form: JSON that satisfies a schema, by whatever way of asking for it a provider understands.
//! What comes back is always judged here, and a wrong answer is sent back once, with what is wrong with it.

use super::{Call, CallError};
use crate::models::{ChatRequest, Completion, Format, Message, ModelError, Route};
use jsonschema::Validator;
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

/// So many faults are named; more would only confuse.
const FAULTS: usize = 5;

/// The ways of asking, the best first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Rung {
    /// The provider is given the schema.
    #[default]
    Schema,
    /// The provider is asked for JSON, the model for the schema.
    Json,
    /// The model is asked for both.
    Prompt,
}

impl Rung {
    fn below(self) -> Option<Rung> {
        match self {
            Rung::Schema => Some(Rung::Json),
            Rung::Json => Some(Rung::Prompt),
            Rung::Prompt => None,
        }
    }
}

/// Where each model stands that does not understand the best way, by its route's name.
#[derive(Default)]
pub struct Ladder(Mutex<HashMap<String, Rung>>);

impl Ladder {
    fn with<T>(&self, work: impl FnOnce(&mut HashMap<String, Rung>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn rung(&self, route: &Route) -> Rung {
        self.with(|rungs| rungs.get(&route.name).copied().unwrap_or_default())
    }

    fn stand(&self, route: &Route, rung: Rung) {
        self.with(|rungs| rungs.insert(route.name.clone(), rung));
    }
}

/// What is wrong with an answer.
enum Fault {
    NoJson {
        cut: bool,
    },
    /// Where, and what, in words that may repeat the answer.
    Misfit(Vec<(String, String)>),
}

/// What came of asking for a form.
#[derive(Clone, Debug, PartialEq)]
pub enum Formed {
    Fits(Value),
    Misfit {
        /// The answer as it was given.
        draft: String,
        /// What is wrong with it, for the model to read; may repeat the answer.
        why: String,
        /// Where it is wrong, without a word of the answer; what [`ModelError::Misshapen`] holds.
        place: String,
    },
}

/// What is said behind the messages of a request whose answer was a [`Formed::Misfit`].
pub fn repair(draft: &str, why: &str) -> Vec<Message> {
    let draft = (!draft.is_empty()).then(|| Message::Assistant { text: draft.to_owned(), calls: vec![] });
    let told = format!("That answer cannot be used: {why}. Give the whole JSON object again, corrected, and nothing else.");
    draft.into_iter().chain([Message::User(told)]).collect()
}

impl Call {
    /// Asks for JSON that satisfies the schema; nobody sees it being written. A second answer that does not
    /// satisfy it either is a [`ModelError::Misshapen`].
    pub async fn object(&self, route: &Route, mut request: ChatRequest, name: &'static str, schema: &Value) -> Result<Value, CallError> {
        match self.form(route, &request, name, schema).await? {
            Formed::Fits(value) => return Ok(value),
            Formed::Misfit { draft, why, .. } => request.messages.extend(repair(&draft, &why)),
        }
        match self.form(route, &request, name, schema).await? {
            Formed::Fits(value) => Ok(value),
            Formed::Misfit { place, .. } => Err(CallError { error: ModelError::Misshapen(place), begun: true }),
        }
    }

    /// Asks once for JSON that satisfies the schema; nobody sees it being written.
    pub async fn form(&self, route: &Route, request: &ChatRequest, name: &'static str, schema: &Value) -> Result<Formed, CallError> {
        let ours =
            |_| CallError { error: ModelError::BadRequest("the form that was asked for is no JSON Schema".to_owned()), begun: false };
        let validator = jsonschema::validator_for(schema).map_err(ours)?;
        let answer = self.ask(route, request, name, schema).await?;
        let fault = match judge(&validator, &answer) {
            Ok(value) => return Ok(Formed::Fits(value)),
            Err(fault) => fault,
        };
        // Words where JSON was asked for: the provider takes no notice of the format, so the model has to be told.
        let ladder = &self.engine.0.ladder;
        if let (Fault::NoJson { cut: false }, Some(below)) = (&fault, ladder.rung(route).below()) {
            ladder.stand(route, below);
        }
        Ok(Formed::Misfit { draft: answer.text, why: why(&fault), place: place(&fault) })
    }

    /// One call, on the rung the model is known to stand on; one down for each that is refused.
    async fn ask(&self, route: &Route, request: &ChatRequest, name: &'static str, schema: &Value) -> Result<Completion, CallError> {
        let ladder = &self.engine.0.ladder;
        let mut rung = ladder.rung(route);
        loop {
            let said = self.chat(route, asking(request, rung, name, schema), |_| None).await;
            // Each provider refuses a format in words of its own, so any refusal may be one.
            let refused = matches!(&said, Err(CallError { error: ModelError::BadRequest(_), begun: false }));
            match rung.below().filter(|_| refused) {
                Some(below) => rung = below,
                None => {
                    if said.is_ok() {
                        ladder.stand(route, rung);
                    }
                    return said;
                }
            }
        }
    }
}

fn asking(request: &ChatRequest, rung: Rung, name: &'static str, schema: &Value) -> ChatRequest {
    let mut request = request.clone();
    request.format = match rung {
        Rung::Schema => Some(Format::Schema { name, schema: schema.clone() }),
        Rung::Json => Some(Format::Json),
        Rung::Prompt => None,
    };
    if rung != Rung::Schema {
        let told = format!(
            "Answer with one JSON object and nothing else, neither Markdown nor words around it. It satisfies this JSON Schema:\n{schema}"
        );
        // Not every server takes a second system message.
        match request.messages.first_mut() {
            Some(Message::System(text)) => *text = format!("{text}\n\n{told}"),
            _ => request.messages.insert(0, Message::System(told)),
        }
    }
    request
}

fn judge(validator: &Validator, answer: &Completion) -> Result<Value, Fault> {
    let value = json_in(&answer.text).ok_or(Fault::NoJson { cut: answer.cut })?;
    let fault = |error: jsonschema::ValidationError<'_>| (error.instance_path().to_string(), error.to_string());
    let faults: Vec<_> = validator.iter_errors(&value).take(FAULTS).map(fault).collect();
    if faults.is_empty() { Ok(value) } else { Err(Fault::Misfit(faults)) }
}

/// The answer, or the object in the middle of it: some models cannot help a word before and a fence around.
fn json_in(text: &str) -> Option<Value> {
    let object = || text.get(text.find('{')?..=text.rfind('}')?);
    serde_json::from_str(text.trim()).ok().or_else(|| serde_json::from_str(object()?).ok())
}

fn why(fault: &Fault) -> String {
    match fault {
        Fault::NoJson { cut: true } => "it was too long and was cut off; say less".to_owned(),
        Fault::NoJson { cut: false } => "it is not JSON".to_owned(),
        Fault::Misfit(faults) => faults.iter().map(|(place, what)| format!("at {}: {what}", named(place))).collect::<Vec<_>>().join("; "),
    }
}

fn place(fault: &Fault) -> String {
    match fault {
        Fault::NoJson { cut: true } => "it was cut off".to_owned(),
        Fault::NoJson { cut: false } => "it is not JSON".to_owned(),
        Fault::Misfit(faults) => {
            format!("it does not fit at {}", faults.iter().map(|(place, _)| named(place)).collect::<Vec<_>>().join(", "))
        }
    }
}

fn named(place: &str) -> &str {
    if place.is_empty() { "the top" } else { place }
}

#[cfg(test)]
mod tests;
