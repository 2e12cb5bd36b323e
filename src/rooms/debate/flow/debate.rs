//! A debate as it goes over the wire, and what can be read off it. It is changed by `tools` alone.

use super::persona::{HUES, PORTRAITS, Persona, panel};
use crate::engine::flow::{
    read::{Json, Read},
    words::one_line,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub const TOPIC: &str = "How to achieve peace and prosperity";
pub const TOPIC_CHARS: usize = 300;
/// Exchange rounds, where nothing else is said, and at most.
pub const ROUNDS: u32 = 3;
pub const MOST_ROUNDS: u32 = 6;
/// Messages that a debater in an exchange remembers.
pub const RECENT: usize = 50;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Phase {
    Opening,
    Defence,
    Exchange,
    Reflection,
    Summary,
    Done,
}

impl Phase {
    pub const ALL: [Phase; 6] = [Phase::Opening, Phase::Defence, Phase::Exchange, Phase::Reflection, Phase::Summary, Phase::Done];

    /// As people read it.
    pub fn name(self) -> &'static str {
        ["Opening", "Defence", "Exchange", "Reflection", "Summary", "Done"][self as usize]
    }

    /// As the wire has it.
    pub fn word(self) -> &'static str {
        ["OPENING", "DEFENCE", "EXCHANGE", "REFLECTION", "SUMMARY", "DONE"][self as usize]
    }

    pub fn parse(word: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.word() == word)
    }

    /// `None` after the last.
    pub fn next(self) -> Option<Phase> {
        Phase::ALL.get(self as usize + 1).copied()
    }
}

impl Read for Phase {
    fn read(json: &Json) -> Option<Self> {
        Phase::parse(json.as_str()?)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DebateMessage {
    pub author_id: String,
    pub author_name: String,
    pub content: String,
    /// From 1 in EXCHANGE, 0 elsewhere.
    pub round_index: u32,
    pub phase: Phase,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DebateState {
    pub phase: Phase,
    /// Everything that was said, in order; the summary is the last.
    pub messages: Vec<DebateMessage>,
    /// By persona.
    pub openings: BTreeMap<String, String>,
    /// Rounds that have begun; at the end the maximum.
    pub exchange_rounds: u32,
    pub max_exchange_rounds: u32,
    /// By persona.
    pub reflections: BTreeMap<String, String>,
    pub summary: String,
    #[serde(default = "topic", skip_serializing_if = "is_topic")]
    pub topic: String,
    /// The debaters in the order in which they speak, then the summariser.
    #[serde(default = "panel", skip_serializing_if = "is_panel")]
    pub personas: Vec<Persona>,
}

pub(super) fn topic() -> String {
    TOPIC.to_owned()
}

pub(super) fn is_topic(topic: &str) -> bool {
    topic == TOPIC
}

pub(super) fn is_panel(personas: &[Persona]) -> bool {
    *personas == panel()
}

impl DebateState {
    pub fn debaters(&self) -> impl Iterator<Item = &Persona> {
        self.personas.iter().filter(|persona| !persona.is_summariser())
    }

    pub fn get(&self, id: &str) -> Option<&Persona> {
        self.personas.iter().find(|persona| persona.id == id)
    }

    /// Their place at the table.
    fn place(&self, id: &str) -> usize {
        self.personas.iter().position(|persona| persona.id == id).unwrap_or_default()
    }

    /// The name of their hue.
    pub fn hue(&self, id: &str) -> &str {
        self.get(id).map_or(HUES[0], |persona| persona.hue_at(self.place(id)))
    }

    /// The name of their portrait.
    pub fn portrait(&self, id: &str) -> &'static str {
        self.get(id).map_or(PORTRAITS[0], |persona| persona.portrait_at(self.place(id)))
    }

    pub fn has_spoken(&self, id: &str, phase: Phase, round: u32) -> bool {
        self.messages.iter().any(|message| message.author_id == id && message.phase == phase && message.round_index == round)
    }

    /// Those who have not spoken yet in that phase and round, in order.
    pub fn missing(&self, phase: Phase, round: u32) -> impl Iterator<Item = &Persona> {
        self.debaters().filter(move |persona| !self.has_spoken(&persona.id, phase, round))
    }

    /// The round that is under way; 0 outside EXCHANGE.
    pub fn round(&self) -> u32 {
        if self.phase == Phase::Exchange { self.exchange_rounds } else { 0 }
    }

    /// Whose turn it is; the summariser's in SUMMARY, nobody's when it is over.
    pub fn due(&self) -> Option<&Persona> {
        match self.phase {
            Phase::Summary => self.personas.iter().find(|persona| persona.is_summariser()),
            Phase::Done => None,
            phase => self.missing(phase, self.round()).next(),
        }
    }

    /// Messages of the whole debate, the summary included.
    pub fn expected(&self) -> usize {
        self.debaters().count() * (3 + self.max_exchange_rounds as usize) + 1
    }

    /// The openings, each with its speaker's name, as prompts have them.
    pub fn openings_text(&self) -> String {
        let lines = self.debaters().filter_map(|persona| Some(format!("{}: {}", persona.name, one_line(self.openings.get(&persona.id)?))));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The last messages, a line each.
    pub fn transcript_for_context(&self, last: usize) -> String {
        let from = self.messages.len().saturating_sub(last);
        self.messages[from..].iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// Everything that was said, phase by phase, with each message's number.
    pub fn numbered_transcript(&self) -> String {
        let (mut text, mut part) = (String::new(), None);
        for (number, message) in (1..).zip(&self.messages) {
            let now = (message.phase, message.round_index);
            if part.replace(now) != Some(now) {
                let round = if message.round_index > 0 { format!(", round {}", message.round_index) } else { String::new() };
                text.push_str(&format!("{}{}{round}\n", if text.is_empty() { "" } else { "\n" }, message.phase.word()));
            }
            text.push_str(&format!("[{number}] {}\n", line(message)));
        }
        text.trim_end().to_owned()
    }
}

/// Who said what, on a line.
fn line(message: &DebateMessage) -> String {
    format!("{}: {}", one_line(&message.author_name), one_line(&message.content))
}
