//! The debate as pure rules: phases in their order, everybody once in each, answers cut to measure. The state is changed
//! by the `tools` alone, in here as by programs outside.

use crate::engine::flow::{
    Flow, Stamp, Status,
    read::{Json, Read, get, read},
    words,
};
use serde::{Deserialize, Serialize};

pub mod debate;
pub mod figures;
pub mod persona;
pub mod sentences;

impl Read for Setup {
    fn read(json: &Json) -> Option<Self> {
        let usual = Setup::default();
        Some(Setup {
            max_exchange_rounds: Option::read(get(json, "max_exchange_rounds"))?.unwrap_or(usual.max_exchange_rounds),
            topic: Option::read(get(json, "topic"))?.unwrap_or(usual.topic),
            personas: Option::read(get(json, "personas"))?.unwrap_or(usual.personas),
        })
    }
}

read!(enum Event {
    "said" => Said { phase, round, persona, content, shortened },
    "round_began" => RoundBegan (),
    "phase_began" => PhaseBegan { phase },
    "summarised" => Summarised { text, support, shortened },
    "gave_up" => GaveUp { why },
});

#[cfg(test)]
mod tests;
pub mod tools;

pub use debate::{DebateMessage, DebateState, MOST_ROUNDS, Phase, ROUNDS, TOPIC, TOPIC_CHARS};
pub use persona::Persona;
pub use tools::Refusal;

/// Sentences of a turn, and of the summary.
pub const TURN_SENTENCES: usize = 3;
pub const SUMMARY_SENTENCES: usize = 5;

/// What a debate is started with; what is left out is the default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    #[serde(default = "rounds")]
    pub max_exchange_rounds: u32,
    #[serde(default = "debate::topic", skip_serializing_if = "debate::is_topic")]
    pub topic: String,
    #[serde(default = "persona::panel", skip_serializing_if = "debate::is_panel")]
    pub personas: Vec<Persona>,
}

fn rounds() -> u32 {
    ROUNDS
}

impl Default for Setup {
    fn default() -> Self {
        Setup { max_exchange_rounds: ROUNDS, topic: debate::topic(), personas: persona::panel() }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    pub debate: DebateState,
    /// Numbers (from 1) of the messages that were cut to measure.
    pub shortened: Vec<u32>,
    /// For each sentence of the summary the numbers of the messages it rests on; none: it is without support.
    pub support: Vec<Vec<u32>>,
    pub failure: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// `round` is 0 outside EXCHANGE; `shortened`: the model said more.
    Said {
        phase: Phase,
        round: u32,
        persona: String,
        content: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        shortened: bool,
    },
    RoundBegan,
    PhaseBegan {
        phase: Phase,
    },
    Summarised {
        text: String,
        support: Vec<Vec<u32>>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        shortened: bool,
    },
    GaveUp {
        why: String,
    },
}

/// A person can stop and continue a debate, which every run knows; nobody joins in.
#[derive(Serialize, Deserialize)]
pub enum Command {}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// A debater's turn; `round` is 0 outside EXCHANGE.
    Turn {
        phase: Phase,
        round: u32,
        persona: String,
    },
    Summary,
}

/// What a model said, as it said it; `cut`: its provider's length limit ended it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub text: String,
    pub cut: bool,
}

pub struct Debate;

impl Flow for Debate {
    const KIND: &'static str = "debate";
    type Setup = Setup;
    type State = State;
    type Event = Event;
    type Command = Command;
    type Ask = Ask;
    type Outcome = Outcome;
    type Refusal = Refusal;

    fn begin(setup: &Setup) -> Result<State, Refusal> {
        let debate = tools::create_initial_state(setup.max_exchange_rounds, &setup.topic, &setup.personas)?;
        Ok(State { debate, shortened: vec![], support: vec![], failure: None })
    }

    fn title(setup: &Setup) -> String {
        words::one_line(&setup.topic)
    }

    fn decide(_: &State, command: Command) -> Result<Vec<Event>, Refusal> {
        match command {}
    }

    fn settle(state: &State, ask: &Ask, outcome: Outcome) -> Vec<Event> {
        let said = match ask {
            Ask::Turn { phase, round, persona } => spoken(state, *phase, *round, persona, outcome),
            Ask::Summary => summarised(state, outcome),
        };
        match tried(&state.debate, &said) {
            Ok(after) => std::iter::once(said).chain(advances(after)).collect(),
            Err(refusal) => vec![Event::GaveUp { why: format!("This turn could not be taken up. {refusal}") }],
        }
    }

    fn apply(mut state: State, _: Stamp, event: &Event) -> State {
        // What this version's rules do not allow changes nothing.
        if let Ok(debate) = tried(&state.debate, event) {
            state.debate = debate;
            let number = state.debate.messages.len() as u32;
            match event {
                Event::Said { shortened: true, .. } => state.shortened.push(number),
                Event::Summarised { support, shortened, .. } => {
                    state.support = support.clone();
                    state.shortened.extend(shortened.then_some(number));
                }
                _ => {}
            }
        }
        if let Event::GaveUp { why } = event {
            state.failure = Some(why.clone());
        }
        state
    }

    /// Continue after a failure lets whoever is due speak once more.
    fn resumed(mut state: State, _: Stamp) -> State {
        state.failure = None;
        state
    }

    fn wants(state: &State) -> Vec<Ask> {
        let debate = &state.debate;
        let Some(persona) = debate.due().filter(|_| state.failure.is_none()) else { return vec![] };
        vec![match persona.is_summariser() {
            true => Ask::Summary,
            false => Ask::Turn { phase: debate.phase, round: debate.round(), persona: persona.id.clone() },
        }]
    }

    fn status(state: &State) -> Status {
        match () {
            () if state.debate.phase == Phase::Done => Status::Done,
            () if state.failure.is_some() => Status::Failed,
            () => Status::Running,
        }
    }

    fn written(event: &Event) -> Option<&str> {
        match event {
            Event::Said { content, .. } => Some(content),
            Event::Summarised { text, .. } => Some(text),
            _ => None,
        }
    }

    fn reason(state: &State) -> Option<String> {
        state.failure.clone()
    }
}

fn spoken(state: &State, phase: Phase, round: u32, persona: &str, outcome: Outcome) -> Event {
    let name = state.debate.get(persona).map_or("", |persona| &persona.name);
    let (content, shortened) = sentences::shorten(&sentences::plain(&outcome.text, name), TURN_SENTENCES, outcome.cut);
    Event::Said { phase, round, persona: persona.to_owned(), content, shortened }
}

fn summarised(state: &State, outcome: Outcome) -> Event {
    let name = state.debate.get(persona::SUMMARISER).map_or("", |persona| &persona.name);
    let (text, shortened) = sentences::shorten(&sentences::plain(&outcome.text, name), SUMMARY_SENTENCES, outcome.cut);
    let sentences = sentences::supported(&text, state.debate.messages.len());
    let text = sentences.iter().map(|sentence| sentence.text.as_str()).collect::<Vec<_>>().join(" ");
    Event::Summarised { text, support: sentences.into_iter().map(|sentence| sentence.messages).collect(), shortened }
}

/// The debate behind that event.
fn tried(debate: &DebateState, event: &Event) -> Result<DebateState, Refusal> {
    match event {
        Event::Said { phase: Phase::Opening, persona, content, .. } => tools::record_opening(debate, persona, content),
        Event::Said { phase: Phase::Defence, persona, content, .. } => tools::record_defence(debate, persona, content),
        Event::Said { phase: Phase::Reflection, persona, content, .. } => tools::record_reflection(debate, persona, content),
        Event::Said { persona, content, round, .. } => tools::record_exchange_message(debate, persona, content, *round),
        Event::RoundBegan => tools::advance_exchange_round(debate),
        Event::PhaseBegan { phase } => tools::advance_phase(debate, phase.word()),
        Event::Summarised { text, .. } => tools::record_summary(debate, text),
        Event::GaveUp { .. } => Ok(debate.clone()),
    }
}

/// What begins once everybody has spoken: the next round or phase, and with EXCHANGE its first round.
fn advances(debate: DebateState) -> Vec<Event> {
    if debate.phase != Phase::Summary && debate.due().is_some() {
        return vec![];
    }
    let began = |phase| Event::PhaseBegan { phase };
    match debate.phase {
        Phase::Defence => vec![began(Phase::Exchange), Event::RoundBegan],
        Phase::Exchange if debate.exchange_rounds < debate.max_exchange_rounds => vec![Event::RoundBegan],
        phase => phase.next().map(began).into_iter().collect(),
    }
}
