//! What can happen in a conversation and in its research: the lines of the log.

use super::{Known, Posting, Section, Source, Told, Turn};
use crate::engine::flow::read::read;
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// What comes next was posted by a program.
    Posted(Posting),
    /// A person's words. They close an open question.
    Said {
        text: String,
    },
    /// Of the options of the question of that turn, by their places from 0.
    Chose {
        question: u32,
        options: Vec<u32>,
    },
    /// What was made of a person's message (from 0); `question`: they asked something themselves.
    Understood {
        message: u32,
        known: Vec<Known>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        question: bool,
    },
    Corrected {
        known: Known,
    },
    Turned(Turn),
    ResearchBegan {
        section: Section,
    },
    Gathered {
        section: Section,
        text: String,
        sources: Vec<Source>,
    },
    /// The draft did not have its section's form.
    Misfit {
        section: Section,
        draft: String,
        why: String,
    },
    Found {
        told: Told,
        /// References to sources that nobody returned.
        #[serde(skip_serializing_if = "is_zero")]
        dropped: u32,
    },
    ResearchFailed {
        section: Section,
        error: String,
    },
    /// A person wants these again.
    Requested {
        sections: Vec<Section>,
    },
    Summarised {
        text: String,
    },
    /// The run cannot go on by itself.
    GaveUp {
        why: String,
    },
}

pub(super) fn is_zero(number: &u32) -> bool {
    *number == 0
}

read!(enum Event {
    "posted" => Posted (_),
    "said" => Said { text },
    "chose" => Chose { question, options },
    "understood" => Understood { message, known, question },
    "corrected" => Corrected { known },
    "turned" => Turned (_),
    "research_began" => ResearchBegan { section },
    "gathered" => Gathered { section, text, sources },
    "misfit" => Misfit { section, draft, why },
    "found" => Found { told, dropped },
    "research_failed" => ResearchFailed { section, error },
    "requested" => Requested { sections },
    "summarised" => Summarised { text },
    "gave_up" => GaveUp { why },
});
