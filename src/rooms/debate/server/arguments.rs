//! What the tools take: each argument's name, schema and check, in one place.

use super::routes::PostedPersona;
use crate::{
    error::{AppError, Code},
    http::pointer,
    rooms::debate::flow::{DebateState, MOST_ROUNDS, Persona, ROUNDS, Setup, TOPIC, TOPIC_CHARS, persona, tools},
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use utoipa::PartialSchema;

/// Characters of what is told back of something that was not understood.
const ECHO: usize = 160;

#[derive(Clone, Copy, PartialEq)]
pub enum Argument {
    State,
    /// The default debate where it is left out.
    StateIfAny,
    Persona,
    Text,
    Round,
    NewPhase,
    /// These three may be left out.
    Rounds,
    Topic,
    Personas,
}

/// What a debate is started with.
pub const START: &[Argument] = &[Argument::Rounds, Argument::Topic, Argument::Personas];

/// What was given; where something was left out, or is not taken, its default.
pub struct Given {
    pub state: DebateState,
    pub persona_id: String,
    pub text: String,
    pub round: u32,
    pub new_phase: String,
    pub setup: Setup,
}

/// What `arguments`, an object, hold of what is taken. An argument that is null is one that is left out. Faults name the argument:
/// unknown, missing, of another type, or a state that these tools cannot have made.
pub fn read(taken: &[Argument], arguments: Value) -> Result<Given, AppError> {
    let Value::Object(mut arguments) = arguments else {
        return Err(AppError::new(Code::Invalid, format!("Send the arguments as an object: {}.", names(taken))));
    };
    if let Some(unknown) = arguments.keys().find(|key| !taken.iter().any(|argument| argument.name() == *key)) {
        let unknown = clipped(unknown);
        return Err(AppError::field(&unknown, format!("There is no argument “{unknown}” here. This tool takes {}.", names(taken))));
    }
    let setup = Setup::default();
    let state = tools::create_initial_state(setup.max_exchange_rounds, &setup.topic, &setup.personas)?;
    let mut given = Given { state, persona_id: String::new(), text: String::new(), round: 0, new_phase: String::new(), setup };
    for argument in taken {
        match arguments.remove(argument.name()).filter(|value| !value.is_null()) {
            Some(value) => argument.take(value, &mut given)?,
            None if argument.is_required() => {
                let name = argument.name();
                return Err(AppError::field(name, format!("{name} is missing. This tool takes {}.", names(taken))));
            }
            None => {}
        }
    }
    Ok(given)
}

/// The JSON Schema of an object with these.
pub fn schema(taken: &[Argument]) -> Value {
    let properties: Map<String, Value> = taken.iter().map(|argument| (argument.name().to_owned(), argument.schema())).collect();
    let required: Vec<&str> = taken.iter().filter(|argument| argument.is_required()).map(|argument| argument.name()).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

impl Argument {
    fn name(self) -> &'static str {
        match self {
            Argument::State | Argument::StateIfAny => "state_dict",
            Argument::Persona => "persona_id",
            Argument::Text => "text",
            Argument::Round => "round",
            Argument::NewPhase => "new_phase",
            Argument::Rounds => "max_exchange_rounds",
            Argument::Topic => "topic",
            Argument::Personas => "personas",
        }
    }

    fn is_required(self) -> bool {
        !START.contains(&self) && self != Argument::StateIfAny
    }

    fn schema(self) -> Value {
        match self {
            Argument::State | Argument::StateIfAny => json!({
                "type": "object", "description": "The debate’s state, unchanged, as the tool answered it that last created or changed it.",
            }),
            Argument::Persona => json!({
                "type": "string", "maxLength": persona::NAME_CHARS, "description": "A debater’s id, as napoleon, gandhi, alexander.",
            }),
            Argument::Text => json!({
                "type": "string", "minLength": 1, "maxLength": tools::MESSAGE_CHARS, "description": "The words that were said.",
            }),
            Argument::Round => json!({
                "type": "integer", "minimum": 1, "maximum": MOST_ROUNDS, "description": "The exchange round, from 1.",
            }),
            Argument::NewPhase => json!({
                "type": "string", "enum": ["DEFENCE", "EXCHANGE", "REFLECTION", "SUMMARY", "DONE"],
                "description": "The phase behind the one that the debate is in.",
            }),
            Argument::Rounds => json!({
                "type": "integer", "minimum": 1, "maximum": MOST_ROUNDS, "default": ROUNDS, "description": "Exchange rounds there will be.",
            }),
            Argument::Topic => json!({
                "type": "string", "minLength": 1, "maxLength": TOPIC_CHARS, "default": TOPIC, "description": "The motion.",
            }),
            Argument::Personas => personas(),
        }
    }

    fn take(self, value: Value, given: &mut Given) -> Result<(), AppError> {
        match self {
            Argument::State | Argument::StateIfAny => given.state = tools::get_debate_state(&self.parse(value)?)?,
            Argument::Persona => given.persona_id = self.word(value)?,
            Argument::Text => given.text = self.parse(value)?,
            Argument::Round => given.round = self.whole(&value)?,
            Argument::NewPhase => given.new_phase = self.word(value)?,
            Argument::Rounds => given.setup.max_exchange_rounds = self.whole(&value)?,
            Argument::Topic => given.setup.topic = self.parse(value)?,
            Argument::Personas => {
                let posted: Vec<PostedPersona> = self.parse(value)?;
                given.setup.personas = posted.into_iter().map(Persona::from).collect();
            }
        }
        Ok(())
    }

    fn parse<T: DeserializeOwned>(self, value: Value) -> Result<T, AppError> {
        let kind = kind(&value);
        let needed = match self {
            Argument::State | Argument::StateIfAny => "an object",
            Argument::Personas => "an array",
            _ => "a string",
        };
        if kind != needed {
            return Err(self.fault(format!("has to be {needed}, and was {kind}")));
        }
        serde_path_to_error::deserialize(value).map_err(|fault| {
            let place = format!("{}/{}", self.name(), pointer(fault.path()));
            let place = place.trim_end_matches('/');
            AppError::field(place, format!("{place} is not what it has to be: {}.", clipped(&fault.inner().to_string())))
        })
    }

    /// A short string.
    fn word(self, value: Value) -> Result<String, AppError> {
        let word: String = self.parse(value)?;
        let most = persona::NAME_CHARS;
        if word.chars().count() > most { Err(self.fault(format!("has at most {most} characters"))) } else { Ok(word) }
    }

    /// A number of rounds; JSON does not tell 3.0 from 3.
    fn whole(self, value: &Value) -> Result<u32, AppError> {
        let number = value.as_f64().filter(|number| number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number));
        let was = || if value.is_number() { value.to_string() } else { kind(value).to_owned() };
        number
            .map(|number| number as u32)
            .ok_or_else(|| self.fault(format!("has to be a whole number from 1 to {MOST_ROUNDS}, and was {}", was())))
    }

    fn fault(self, what: String) -> AppError {
        AppError::field(self.name(), format!("{} {what}.", self.name()))
    }
}

fn personas() -> Value {
    json!({
        "type": "array", "items": PostedPersona::schema(), "minItems": persona::FEWEST, "maxItems": persona::MOST + 1,
        "description": "Two to six debaters in the order in which they speak; the summariser may be among them. \
            Napoleon, Gandhi and Alexander where it is left out.",
    })
}

fn names(taken: &[Argument]) -> String {
    taken.iter().map(|argument| argument.name()).collect::<Vec<_>>().join(", ")
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn clipped(text: &str) -> String {
    match text.char_indices().nth(ECHO) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
