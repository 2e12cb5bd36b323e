//! The rules: what a person may start, and what the customer's model may do.

use super::{Call, Event, MAX_CHARS, MAX_STEPS, Phase, Said, State, Step, Tool};

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
    #[error("The number of steps must be from 1 to {MAX_STEPS}.")]
    Steps,
}

#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    #[error("This is empty.")]
    Empty,
    #[error("This has {} characters; {} are the most.", thousands(*.0), thousands(MAX_CHARS))]
    Long(usize),
    #[error("This holds control characters, which no person types.")]
    Control,
    #[error("The customer has asked exactly this before.")]
    Again,
}

impl Fault {
    /// Where nothing was written, what to write.
    fn with(&self, remedy: &str) -> String {
        if *self == Fault::Empty { format!("{self} {remedy}") } else { self.to_string() }
    }
}

/// 4000 → 4,000
fn thousands(number: usize) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", thousands(number / 1000), number % 1000) }
}

/// Is this a text a person may hand in?
pub(super) fn check(text: &str) -> Result<(), Fault> {
    let chars = text.chars().count();
    match () {
        () if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) => Err(Fault::Control),
        () if text.chars().all(|c| c.is_whitespace() || is_invisible(c)) => Err(Fault::Empty),
        () if chars > MAX_CHARS => Err(Fault::Long(chars)),
        () => Ok(()),
    }
}

/// Zero-width characters, which `is_whitespace` does not count.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}')
}

impl Refusal {
    pub fn field(&self) -> &'static str {
        match self {
            Refusal::Icp(_) => "icp",
            Refusal::Query(_) => "query",
            Refusal::Instructions(_) => "instructions",
            Refusal::Turn(_) => "text",
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
                Err(Fault::Empty) => Err("The query is empty.".to_owned()),
                Err(Fault::Again) => Err("You have asked exactly this before; ask something new or complete the phase.".to_owned()),
                Err(fault) => Err(fault.to_string()),
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

/// A question as the customer may ask it now, whoever has worded it.
pub(super) fn question(state: &State, words: &str) -> Result<String, Fault> {
    check(words)?;
    if was_asked(state, words) { Err(Fault::Again) } else { Ok(words.trim().to_owned()) }
}

fn was_asked(state: &State, query: &str) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    state.steps.iter().any(|step| matches!(step, Step::Asked { query: asked, .. } if plain(asked) == plain(query)))
}

fn tidy_insights(insights: Vec<String>) -> Vec<String> {
    let short = |text: String| text.trim().chars().take(MAX_INSIGHT_CHARS).collect::<String>();
    insights.into_iter().map(short).filter(|text| !text.is_empty()).take(MAX_INSIGHTS).collect()
}
