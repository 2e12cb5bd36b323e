//! What a journey is started with.

use crate::engine::flow::read::{Json, Read, get, read};
use serde::{Deserialize, Serialize};

/// Simulator steps in one run, the first question included.
pub const MAX_STEPS: u32 = 15;
/// Characters in a persona, a query or an assistant's instructions.
pub const MAX_CHARS: usize = 4_000;
/// The conversation's size, in characters, past which older turns are summarised; about 6,000 tokens.
pub const CONTEXT_CHARS: u32 = 24_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Setup {
    /// The customer, in the person's own words.
    pub icp: String,
    pub query: String,
    #[serde(default, skip_serializing_if = "Assistant::is_ours")]
    pub assistant: Assistant,
    #[serde(default = "max_steps")]
    pub max_steps: u32,
    /// See [`CONTEXT_CHARS`].
    #[serde(default = "context_chars")]
    pub context_chars: u32,
}

/// The assistant the customer talks to, as far as a person has chosen it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Assistant {
    /// The name of its model as the log says it; `None`: the one that plays the assistant anyway.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// What it is told it is; `None`: our own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
}

impl Assistant {
    /// Where nothing is written, nothing is chosen.
    pub fn chosen(model: String, instructions: String) -> Self {
        let some = |text: String| Some(text).filter(|text| !text.trim().is_empty());
        Assistant { model: some(model), instructions: some(instructions) }
    }

    fn is_ours(&self) -> bool {
        *self == Assistant::default()
    }
}

fn max_steps() -> u32 {
    MAX_STEPS
}

fn context_chars() -> u32 {
    CONTEXT_CHARS
}

impl Read for Setup {
    fn read(json: &Json) -> Option<Self> {
        let field = |name| Read::read(get(json, name));
        let number = |name, usual| Option::read(get(json, name)).map(|given: Option<u32>| given.unwrap_or(usual));
        Some(Setup {
            icp: field("icp")?,
            query: field("query")?,
            assistant: Read::read(get(json, "assistant"))?,
            max_steps: number("maxSteps", MAX_STEPS)?,
            context_chars: number("contextChars", CONTEXT_CHARS)?,
        })
    }
}

read!(struct Assistant { model, instructions });
