//! The rules: what a person may start, and what the customer's model may do.

use super::{Call, Event, MAX_CHARS, MAX_STEPS, Phase, Said, State, Step, Tool};
use crate::engine::flow::words::{self, Fault};

/// Corrections in a row; the next misstep fails the run.
const MAX_CORRECTIONS: usize = 2;
/// Insights kept of one phase, and characters of each.
const MAX_INSIGHTS: usize = 12;
const MAX_INSIGHT_CHARS: usize = 400;

/// Why a journey does not start, or not go on from there. `field` is the form field to mend.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    #[error("{}", .0.with("Describe the customer in a sentence or two."))]
    Icp(Fault),
    #[error("{}", .0.with("Write the first question the customer asks."))]
    Query(Fault),
    #[error("{}", .0.with("Leave the instructions empty to use ours."))]
    Instructions(Fault),
    #[error("{}", .0.with("Write what the customer says instead."))]
    Turn(Fault),
    #[error("The customer has asked exactly this before.")]
    Again,
    #[error("The number of steps must be from 1 to {MAX_STEPS}.")]
    Steps,
}

impl Refusal {
    pub fn field(&self) -> &'static str {
        match self {
            Refusal::Icp(_) => "icp",
            Refusal::Query(_) => "query",
            Refusal::Instructions(_) => "instructions",
            Refusal::Turn(_) | Refusal::Again => "text",
            Refusal::Steps => "maxSteps",
        }
    }
}

fn corrections_in_a_row(state: &State) -> usize {
    state.steps.iter().rev().take_while(|step| matches!(step, Step::Corrected { .. })).count()
}

pub fn judge(state: &State, said: Said, tool: Tool) -> Event {
    match allow(state, tool, said.call.clone().unwrap_or_default()) {
        Ok(event) => event,
        Err(why) if corrections_in_a_row(state) < MAX_CORRECTIONS => Event::Corrected { said, why },
        Err(why) => Event::GaveUp { why: format!("The customer's model kept breaking the rules of the journey. The last time: {why}") },
    }
}

/// The rules. The sentence in `Err` is said to the model.
fn allow(state: &State, tool: Tool, call: Call) -> Result<Event, String> {
    let current = state.phase().ok_or("The journey is complete.")?;
    let in_phase = |slug: &str| match Phase::parse(slug) {
        Some(phase) if phase == current => Ok(phase),
        Some(phase) if phase < current => Err(format!("{} is already complete; the phase is {} now.", phase.name(), current.name())),
        Some(phase) => Err(format!("{} comes before {}: complete it first.", current.name(), phase.name())),
        None => Err(format!("“{slug}” is not a phase; the phase is {} now.", current.slug())),
    };
    match tool {
        Tool::SendQuery { query, phase } => {
            let phase = in_phase(&phase)?;
            match question(state, &query) {
                Err(Refusal::Turn(Fault::Empty)) => Err("The query is empty.".to_owned()),
                Err(Refusal::Again) => Err("You have asked exactly this before; ask something new or complete the phase.".to_owned()),
                Err(refusal) => Err(refusal.to_string()),
                Ok(query) => Ok(Event::Asked { phase, query, call: Some(call) }),
            }
        }
        Tool::RecordPhaseCompletion { phase, insights } => {
            let phase = in_phase(&phase)?;
            if state.queries(phase) == 0 {
                return Err(format!("Ask at least one question in {} before completing it.", phase.name()));
            }
            Ok(Event::PhaseCompleted { phase, insights: tidy_insights(insights), call })
        }
        Tool::Unusable(why) => Err(why),
    }
}

/// Is this a text of the length that all of a journey's have?
pub(super) fn check(text: &str) -> Result<(), Fault> {
    words::check(text, MAX_CHARS)
}

/// A question as the customer may ask it now, whoever has worded it.
pub(super) fn question(state: &State, words: &str) -> Result<String, Refusal> {
    check(words).map_err(Refusal::Turn)?;
    if was_asked(state, words) { Err(Refusal::Again) } else { Ok(words.trim().to_owned()) }
}

fn was_asked(state: &State, query: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    state.steps.iter().any(|step| matches!(step, Step::Asked { query: asked, .. } if plain(asked) == plain(query)))
}

fn tidy_insights(insights: Vec<String>) -> Vec<String> {
    let short = |text: String| text.trim().chars().take(MAX_INSIGHT_CHARS).collect::<String>();
    insights.into_iter().map(short).filter(|text| !text.is_empty()).take(MAX_INSIGHTS).collect()
}
