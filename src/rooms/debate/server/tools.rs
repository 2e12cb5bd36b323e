//! The fourteen tools on plain JSON, so that other programs can hold a debate with them: each takes its arguments as an object,
//! leaves them as they are and answers a new value.

use super::prompt;
use crate::{
    error::AppError,
    rooms::debate::flow::{DebateState, Refusal, Setup, tools},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// A tool as it is offered; `arguments` is the JSON Schema of what it takes.
pub struct Tool {
    pub name: &'static str,
    pub description: &'static str,
    pub arguments: fn() -> Value,
    call: fn(Value) -> Result<Value, AppError>,
}

impl Tool {
    pub fn named(name: &str) -> Option<&'static Tool> {
        TOOLS.iter().find(|tool| tool.name == name)
    }

    /// Faults name the argument; see [`Refusal`].
    pub fn call(&self, arguments: Value) -> Result<Value, AppError> {
        (self.call)(arguments)
    }
}

pub const TOOLS: [Tool; 14] = [
    Tool {
        name: "create_initial_state",
        description: "A debate before its first word. Without personas: Napoleon, Gandhi, Alexander and the summariser.",
        arguments: || object(json!({ "max_exchange_rounds": rounds(), "topic": topic(), "personas": personas() }), &[]),
        call: |arguments| {
            let Setup { max_exchange_rounds, topic, personas } = read(arguments)?;
            answer(tools::create_initial_state(max_exchange_rounds, &topic, &personas))
        },
    },
    Tool {
        name: "get_debate_state",
        description: "The state as it came, if it is one that these tools could have made.",
        arguments: || object(json!({ "state_dict": state() }), &["state_dict"]),
        call: |arguments| answer(tools::get_debate_state(&read::<OfState>(arguments)?.state_dict)),
    },
    Tool {
        name: "build_opening_prompt",
        description: "What a debater is told for the opening statement. Without a state: the default panel and motion.",
        arguments: || object(json!({ "persona_id": persona(), "state_dict": state() }), &["persona_id"]),
        call: |arguments| {
            let Opening { persona_id, state_dict } = read(arguments)?;
            let Setup { max_exchange_rounds, topic, personas } = Setup::default();
            let state = state_dict.map_or_else(|| tools::create_initial_state(max_exchange_rounds, &topic, &personas), Ok);
            answer(state.and_then(|state| prompt::build_opening_prompt(&persona_id, &state)))
        },
    },
    Tool {
        name: "build_defence_prompt",
        description: "What a debater is told for the defence: every opening.",
        arguments: || object(json!({ "persona_id": persona(), "state_dict": state() }), &["persona_id", "state_dict"]),
        call: |arguments| {
            let OfPersona { persona_id, state_dict } = read(arguments)?;
            answer(prompt::build_defence_prompt(&persona_id, &state_dict))
        },
    },
    Tool {
        name: "build_exchange_prompt",
        description: "What a debater is told for an exchange round: the last 50 messages.",
        arguments: || {
            object(json!({ "persona_id": persona(), "state_dict": state(), "round": round() }), &["persona_id", "state_dict", "round"])
        },
        call: |arguments| {
            let OfRound { persona_id, state_dict, round } = read(arguments)?;
            answer(prompt::build_exchange_prompt(&persona_id, &state_dict, round))
        },
    },
    Tool {
        name: "build_reflection_prompt",
        description: "What a debater is told for the reflection: the whole debate.",
        arguments: || object(json!({ "persona_id": persona(), "state_dict": state() }), &["persona_id", "state_dict"]),
        call: |arguments| {
            let OfPersona { persona_id, state_dict } = read(arguments)?;
            answer(prompt::build_reflection_prompt(&persona_id, &state_dict))
        },
    },
    Tool {
        name: "build_summary_prompt",
        description: "What the summariser is told: all phases, each message with its number.",
        arguments: || object(json!({ "state_dict": state() }), &["state_dict"]),
        call: |arguments| answer(prompt::build_summary_prompt(&read::<OfState>(arguments)?.state_dict)),
    },
    Tool {
        name: "record_opening",
        description: "Adds a debater's opening statement.",
        arguments: spoken,
        call: |arguments| record(arguments, tools::record_opening),
    },
    Tool {
        name: "record_defence",
        description: "Adds a debater's defence.",
        arguments: spoken,
        call: |arguments| record(arguments, tools::record_defence),
    },
    Tool {
        name: "record_exchange_message",
        description: "Adds what a debater says in an exchange round.",
        arguments: || {
            let properties = json!({ "persona_id": persona(), "text": text(), "state_dict": state(), "round": round() });
            object(properties, &["persona_id", "text", "state_dict", "round"])
        },
        call: |arguments| {
            let Exchanged { persona_id, text, state_dict, round } = read(arguments)?;
            answer(tools::record_exchange_message(&state_dict, &persona_id, &text, round))
        },
    },
    Tool {
        name: "record_reflection",
        description: "Adds a debater's reflection.",
        arguments: spoken,
        call: |arguments| record(arguments, tools::record_reflection),
    },
    Tool {
        name: "record_summary",
        description: "Adds the summariser's summary.",
        arguments: || object(json!({ "text": text(), "state_dict": state() }), &["text", "state_dict"]),
        call: |arguments| {
            let Summarised { text, state_dict } = read(arguments)?;
            answer(tools::record_summary(&state_dict, &text))
        },
    },
    Tool {
        name: "advance_phase",
        description: "Goes on to the phase that follows, once everybody has spoken in this one.",
        arguments: || {
            let phase = json!({ "type": "string", "enum": ["DEFENCE", "EXCHANGE", "REFLECTION", "SUMMARY", "DONE"] });
            object(json!({ "state_dict": state(), "new_phase": phase }), &["state_dict", "new_phase"])
        },
        call: |arguments| {
            let Advance { state_dict, new_phase } = read(arguments)?;
            answer(tools::advance_phase(&state_dict, &new_phase))
        },
    },
    Tool {
        name: "advance_exchange_round",
        description: "Begins the next exchange round, once those before it are complete.",
        arguments: || object(json!({ "state_dict": state() }), &["state_dict"]),
        call: |arguments| answer(tools::advance_exchange_round(&read::<OfState>(arguments)?.state_dict)),
    },
];

#[derive(Deserialize)]
struct OfState {
    state_dict: DebateState,
}

#[derive(Deserialize)]
struct Opening {
    persona_id: String,
    state_dict: Option<DebateState>,
}

#[derive(Deserialize)]
struct OfPersona {
    persona_id: String,
    state_dict: DebateState,
}

#[derive(Deserialize)]
struct OfRound {
    persona_id: String,
    state_dict: DebateState,
    round: u32,
}

#[derive(Deserialize)]
struct Spoken {
    persona_id: String,
    text: String,
    state_dict: DebateState,
}

#[derive(Deserialize)]
struct Exchanged {
    persona_id: String,
    text: String,
    state_dict: DebateState,
    round: u32,
}

#[derive(Deserialize)]
struct Summarised {
    text: String,
    state_dict: DebateState,
}

#[derive(Deserialize)]
struct Advance {
    state_dict: DebateState,
    new_phase: String,
}

/// The arguments as the tool takes them; a state among them is one that these tools could have made.
fn read<T: DeserializeOwned>(mut arguments: Value) -> Result<T, AppError> {
    if let Some(state) = arguments.get_mut("state_dict").filter(|state| !state.is_null()) {
        let parsed: DebateState = serde_json::from_value(state.take())
            .map_err(|error| AppError::field("state_dict", format!("state_dict is not a debate's state: {error}.")))?;
        *state = to_json(tools::get_debate_state(&parsed)?)?;
    }
    serde_json::from_value(arguments)
        .map_err(|error| AppError::new(crate::error::Code::Invalid, format!("The arguments do not fit: {error}.")))
}

fn record(arguments: Value, record: fn(&DebateState, &str, &str) -> Result<DebateState, Refusal>) -> Result<Value, AppError> {
    let Spoken { persona_id, text, state_dict } = read(arguments)?;
    answer(record(&state_dict, &persona_id, &text))
}

fn answer<T: Serialize>(result: Result<T, Refusal>) -> Result<Value, AppError> {
    to_json(result?)
}

fn to_json<T: Serialize>(value: T) -> Result<Value, AppError> {
    serde_json::to_value(value).map_err(|_| AppError::internal())
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

fn spoken() -> Value {
    object(json!({ "persona_id": persona(), "text": text(), "state_dict": state() }), &["persona_id", "text", "state_dict"])
}

fn rounds() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": 6, "default": 3 })
}

fn round() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": 6, "description": "The exchange round, from 1." })
}

fn topic() -> Value {
    json!({ "type": "string", "maxLength": 300, "default": "How to achieve peace and prosperity" })
}

fn persona() -> Value {
    json!({ "type": "string", "description": "A persona's id, as napoleon, gandhi, alexander." })
}

fn text() -> Value {
    json!({ "type": "string", "description": "What was said." })
}

fn state() -> Value {
    json!({ "type": "object", "description": "The debate's state, as these tools answer it." })
}

fn personas() -> Value {
    let persona = json!({
        "type": "object",
        "properties": {
            "id": { "type": "string" }, "name": { "type": "string" }, "philosophy": { "type": "string" }, "icon_hint": { "type": "string" },
            "hue": { "type": "string" }, "model": { "type": "string" },
        },
        "required": ["name", "philosophy"],
    });
    json!({ "type": "array", "items": persona, "minItems": 2, "maxItems": 7, "description": "Two to six debaters; the summariser may be among them." })
}
