//! The journey as pure rules: three phases in order, at most fifteen steps, corrections before failure.

use crate::engine::flow::{
    Flow, Retold, Stamp, Status,
    read::{Json, Read, read},
};
use serde::{Deserialize, Serialize};

mod rules;
mod setup;
mod state;

impl Read for Phase {
    fn read(json: &Json) -> Option<Self> {
        Phase::parse(json.as_str()?)
    }
}

read!(enum Event {
    "asked" => Asked { phase, query, call },
    "answered" => Answered { answer },
    "phase_completed" => PhaseCompleted { phase, insights, call },
    "corrected" => Corrected { said, why },
    "gave_up" => GaveUp { why },
    "summarised" => Summarised { summary },
});
read!(struct Answer { text, cut });
read!(struct Call { raw, surplus });
read!(struct Said { words, call });
read!(struct Summary { through, text });

#[cfg(test)]
mod tests;

pub use rules::Refusal;
pub use setup::{Assistant, CONTEXT_CHARS, MAX_CHARS, MAX_STEPS, Setup};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Discovery,
    Consideration,
    Activation,
}

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Discovery, Phase::Consideration, Phase::Activation];

    pub fn name(self) -> &'static str {
        ["Discovery", "Consideration", "Activation"][self as usize]
    }

    /// As tools and style sheets spell it.
    pub fn slug(self) -> &'static str {
        ["discovery", "consideration", "activation"][self as usize]
    }

    pub fn parse(slug: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.slug() == slug)
    }
}

/// One step of the customer's; together they are the conversation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Step {
    /// `answer` is what the assistant said, once it did.
    Asked {
        phase: Phase,
        query: String,
        call: Option<Call>,
        answer: Option<Answer>,
    },
    Completed {
        phase: Phase,
        insights: Vec<String>,
        call: Call,
    },
    /// The customer's model did something the rules do not allow and was told so.
    Corrected {
        said: Said,
        why: String,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    pub text: String,
    /// The provider's length limit cut it off.
    pub cut: bool,
}

/// A tool call as the model made it. `raw` is the provider's own JSON, to be echoed and never read;
/// `surplus` are further calls of the same turn, answered "one at a time".
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Call {
    pub raw: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub surplus: Vec<String>,
}

/// What a turn of the customer's model amounts to: words, and the first tool call if there was one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Said {
    pub words: String,
    pub call: Option<Call>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Steps it stands for, counted from the first.
    pub through: u32,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    pub setup: Setup,
    pub steps: Vec<Step>,
    pub summary: Option<Summary>,
    pub failure: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// `call` is the customer's model's; `None` where a person has put other words in the place of its own.
    Asked {
        phase: Phase,
        query: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<Call>,
    },
    Answered {
        answer: Answer,
    },
    PhaseCompleted {
        phase: Phase,
        insights: Vec<String>,
        call: Call,
    },
    Corrected {
        said: Said,
        why: String,
    },
    GaveUp {
        why: String,
    },
    Summarised {
        summary: Summary,
    },
}

/// A person can stop and continue a journey, which every run knows; there is nothing else to say in it.
#[derive(Serialize, Deserialize)]
pub enum Command {}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// The customer's next step, counted from 0.
    Customer {
        step: u32,
    },
    /// The assistant's answer to that step's query.
    Assistant {
        step: u32,
    },
    Summary {
        through: u32,
    },
}

#[derive(Clone)]
pub enum Outcome {
    Customer { said: Said, tool: Tool },
    Assistant(Answer),
    Summary(String),
}

/// The first tool call of a turn, syntax checked; whether it is allowed is judged in `settle`.
#[derive(Clone, Debug, PartialEq)]
pub enum Tool {
    SendQuery {
        query: String,
        phase: String,
    },
    RecordPhaseCompletion {
        phase: String,
        insights: Vec<String>,
    },
    /// No call, an unknown tool, or arguments that are not what the tool takes; the sentence says which.
    Unusable(String),
}

pub struct Simulate;

impl Flow for Simulate {
    const KIND: &'static str = "simulate";
    const TURN_CHARS: usize = MAX_CHARS;
    type Setup = Setup;
    type State = State;
    type Event = Event;
    type Command = Command;
    type Ask = Ask;
    type Outcome = Outcome;
    type Refusal = Refusal;

    /// The first question is the person's, word for word; no model writes it.
    fn begin(setup: &Setup) -> Result<State, Refusal> {
        rules::check(&setup.icp).map_err(Refusal::Icp)?;
        rules::check(&setup.query).map_err(Refusal::Query)?;
        setup.assistant.instructions.as_deref().map_or(Ok(()), rules::check).map_err(Refusal::Instructions)?;
        if !(1..=MAX_STEPS).contains(&setup.max_steps) {
            return Err(Refusal::Steps);
        }
        let first = Step::Asked { phase: Phase::Discovery, query: setup.query.clone(), call: None, answer: None };
        Ok(State { setup: setup.clone(), steps: vec![first], summary: None, failure: None })
    }

    fn title(setup: &Setup) -> String {
        setup.title()
    }

    fn decide(_: &State, command: Command) -> Result<Vec<Event>, Refusal> {
        match command {}
    }

    fn settle(state: &State, ask: &Ask, outcome: Outcome) -> Vec<Event> {
        vec![match (ask, outcome) {
            (Ask::Summary { through }, Outcome::Summary(text)) => Event::Summarised { summary: Summary { through: *through, text } },
            (Ask::Assistant { .. }, Outcome::Assistant(answer)) => Event::Answered { answer },
            (Ask::Customer { .. }, Outcome::Customer { said, tool }) => rules::judge(state, said, tool),
            (ask, _) => Event::GaveUp { why: format!("An answer came back that does not belong to {ask:?}.") },
        }]
    }

    fn apply(mut state: State, _: Stamp, event: &Event) -> State {
        match event.clone() {
            Event::Asked { phase, query, call } => state.steps.push(Step::Asked { phase, query, call, answer: None }),
            Event::PhaseCompleted { phase, insights, call } => state.steps.push(Step::Completed { phase, insights, call }),
            Event::Corrected { said, why } => state.steps.push(Step::Corrected { said, why }),
            Event::Answered { answer: given } => {
                if let Some(Step::Asked { answer, .. }) = state.steps.last_mut() {
                    *answer = Some(given);
                }
            }
            Event::GaveUp { why } => state.failure = Some(why),
            Event::Summarised { summary } => state.summary = Some(summary),
        }
        state
    }

    /// Continue after a failure gives the customer's model one more try.
    fn resumed(mut state: State, _: Stamp) -> State {
        state.failure = None;
        state
    }

    fn wants(state: &State) -> Vec<Ask> {
        if state.failure.is_some() || state.is_complete() {
            return Vec::new();
        }
        let step = state.steps_taken();
        if let Some(Step::Asked { answer: None, .. }) = state.steps.last() {
            return vec![Ask::Assistant { step: step - 1 }];
        }
        if step >= state.setup.max_steps {
            return Vec::new();
        }
        vec![state.due_summary().map_or(Ask::Customer { step }, |through| Ask::Summary { through })]
    }

    fn status(state: &State) -> Status {
        match () {
            () if state.failure.is_some() => Status::Failed,
            () if state.is_complete() => Status::Done,
            () if Self::wants(state).is_empty() => Status::Stopped,
            () => Status::Running,
        }
    }

    fn written(event: &Event) -> Option<&str> {
        match event {
            Event::Asked { query, .. } => Some(query),
            Event::Answered { answer } => Some(&answer.text),
            _ => None,
        }
    }

    /// A step in which the customer says something is such a turn.
    fn turn(state: &State, turn: u32) -> Option<&str> {
        match state.steps.get(turn as usize)? {
            Step::Asked { query, .. } => Some(query),
            _ => None,
        }
    }

    fn turn_ask(turn: u32) -> Option<Ask> {
        Some(Ask::Customer { step: turn })
    }

    /// The first question belongs to the setup; any other is asked in the phase that is under way.
    fn retell(before: &State, turn: u32, words: String) -> Result<Option<Retold<Self>>, Refusal> {
        if turn == 0 {
            rules::check(&words).map_err(Refusal::Turn)?;
            return Ok(Some(Retold::Setup(Setup { query: words, ..before.setup.clone() })));
        }
        let Some(phase) = before.phase().filter(|_| Self::wants(before) == [Ask::Customer { step: turn }]) else { return Ok(None) };
        let query = rules::question(before, &words)?;
        Ok(Some(Retold::Events(vec![Event::Asked { phase, query, call: None }])))
    }

    fn reason(state: &State) -> Option<String> {
        state.failure.clone().or_else(|| state.at_step_limit().then(|| "step_limit".to_owned()))
    }
}
