//! The fourteen tools on plain JSON, so that other programs can hold a debate with them: each takes its arguments as an object,
//! leaves them as they are and answers a new value.

use super::{
    arguments::{
        self,
        Argument::{NewPhase, Persona, Round, State, StateIfAny, Text},
        Given, START,
    },
    prompt,
};
use crate::{
    error::AppError,
    rooms::debate::flow::{DebateState, Refusal, Setup, tools},
};
use serde_json::Value;

/// A tool as it is offered.
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    takes: &'static [arguments::Argument],
    answers: Answers,
}

enum Answers {
    /// The debate's state, as it is then.
    State(fn(&Given) -> Result<DebateState, Refusal>),
    /// A text for whoever is to speak.
    Prompt(fn(&Given) -> Result<String, Refusal>),
}

impl Tool {
    /// The JSON Schema of what it takes.
    pub fn arguments(&self) -> Value {
        arguments::schema(self.takes)
    }

    /// Does it answer a state? Else it is a text.
    pub fn answers_state(&self) -> bool {
        matches!(self.answers, Answers::State(_))
    }

    /// Faults name the argument; see [`arguments::read`] and [`Refusal`].
    pub fn call(&self, arguments: Value) -> Result<Value, AppError> {
        let given = arguments::read(self.takes, arguments)?;
        let answer = match self.answers {
            Answers::State(change) => serde_json::to_value(change(&given)?),
            Answers::Prompt(build) => Ok(Value::String(build(&given)?)),
        };
        answer.map_err(|_| AppError::internal())
    }
}

pub const TOOLS: [Tool; 14] = [
    Tool {
        name: "create_initial_state",
        title: "Create a debate",
        description: "A debate before its first word, in OPENING. Without personas: Napoleon, Gandhi, Alexander and the summariser.",
        takes: START,
        answers: Answers::State(|Given { setup: Setup { max_exchange_rounds, topic, personas }, .. }| {
            tools::create_initial_state(*max_exchange_rounds, topic, personas)
        }),
    },
    Tool {
        name: "get_debate_state",
        title: "Check a state",
        description: "The state as it came, if it is one of a debate.",
        takes: &[State],
        answers: Answers::State(|given| Ok(given.state.clone())),
    },
    Tool {
        name: "build_opening_prompt",
        title: "Prompt an opening",
        description: "What a debater is told for the opening statement. Without a state: the default panel and motion.",
        takes: &[Persona, StateIfAny],
        answers: Answers::Prompt(|given| prompt::build_opening_prompt(&given.persona_id, &given.state)),
    },
    Tool {
        name: "build_defence_prompt",
        title: "Prompt a defence",
        description: "What a debater is told for the defence: every opening.",
        takes: &[Persona, State],
        answers: Answers::Prompt(|given| prompt::build_defence_prompt(&given.persona_id, &given.state)),
    },
    Tool {
        name: "build_exchange_prompt",
        title: "Prompt an exchange message",
        description: "What a debater is told for an exchange round: the last 50 messages.",
        takes: &[Persona, State, Round],
        answers: Answers::Prompt(|given| prompt::build_exchange_prompt(&given.persona_id, &given.state, given.round)),
    },
    Tool {
        name: "build_reflection_prompt",
        title: "Prompt a reflection",
        description: "What a debater is told for the reflection: the whole debate.",
        takes: &[Persona, State],
        answers: Answers::Prompt(|given| prompt::build_reflection_prompt(&given.persona_id, &given.state)),
    },
    Tool {
        name: "build_summary_prompt",
        title: "Prompt the summary",
        description: "What the summariser is told: all phases, each message with its number.",
        takes: &[State],
        answers: Answers::Prompt(|given| prompt::build_summary_prompt(&given.state)),
    },
    Tool {
        name: "record_opening",
        title: "Record an opening",
        description: "Adds a debater’s opening statement, in OPENING.",
        takes: &[Persona, Text, State],
        answers: Answers::State(|given| tools::record_opening(&given.state, &given.persona_id, &given.text)),
    },
    Tool {
        name: "record_defence",
        title: "Record a defence",
        description: "Adds a debater’s defence, in DEFENCE.",
        takes: &[Persona, Text, State],
        answers: Answers::State(|given| tools::record_defence(&given.state, &given.persona_id, &given.text)),
    },
    Tool {
        name: "record_exchange_message",
        title: "Record an exchange message",
        description: "Adds what a debater says in an exchange round, in EXCHANGE.",
        takes: &[Persona, Text, State, Round],
        answers: Answers::State(|given| tools::record_exchange_message(&given.state, &given.persona_id, &given.text, given.round)),
    },
    Tool {
        name: "record_reflection",
        title: "Record a reflection",
        description: "Adds a debater’s reflection, in REFLECTION.",
        takes: &[Persona, Text, State],
        answers: Answers::State(|given| tools::record_reflection(&given.state, &given.persona_id, &given.text)),
    },
    Tool {
        name: "record_summary",
        title: "Record the summary",
        description: "Adds the summariser’s summary, in SUMMARY.",
        takes: &[Text, State],
        answers: Answers::State(|given| tools::record_summary(&given.state, &given.text)),
    },
    Tool {
        name: "advance_phase",
        title: "Begin the next phase",
        description: "Goes on to the phase that follows, once everybody has spoken in this one.",
        takes: &[State, NewPhase],
        answers: Answers::State(|given| tools::advance_phase(&given.state, &given.new_phase)),
    },
    Tool {
        name: "advance_exchange_round",
        title: "Begin the next round",
        description: "Begins the next exchange round, in EXCHANGE, once those before it are complete.",
        takes: &[State],
        answers: Answers::State(|given| tools::advance_exchange_round(&given.state)),
    },
];
