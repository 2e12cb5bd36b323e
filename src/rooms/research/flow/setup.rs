//! What a run is started with: a person's first words, or a conversation that a program brings along.

use super::{Field, Known, Source, Told, event::is_zero};
use crate::engine::flow::read::read;
use serde::Serialize;

/// What a run is started with.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Setup {
    /// The person's first words. Empty: the interviewer begins.
    pub opening: String,
    #[serde(skip_serializing_if = "Imported::is_empty")]
    pub imported: Imported,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub posted: Option<Posting>,
}

/// How a program that holds the conversation in messages of its own knows what it has posted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Posting {
    /// The program's own: what is posted under it once more is nothing new.
    pub id: String,
    /// The message of the interviewer's that goes on; else a new one begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A conversation that a caller brings along; what it claims is the caller's word.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Imported {
    pub said: Vec<Quoted>,
    pub known: Vec<Known>,
    pub results: Vec<Claim>,
    /// What the opening answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<Field>,
    /// So many of the last words are the person's and were not read yet: they are read together with the opening.
    #[serde(skip_serializing_if = "is_zero")]
    pub unread: u32,
}

/// Words of a conversation that was held elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quoted {
    /// The person's, else the interviewer's.
    pub person: bool,
    pub text: String,
}

/// What a caller says was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    pub told: Told,
    pub sources: Vec<Source>,
    /// References to sources that it does not name, which were taken out.
    #[serde(skip_serializing_if = "is_zero")]
    pub dropped: u32,
}

impl Imported {
    pub fn is_empty(&self) -> bool {
        *self == Imported::default()
    }
}

read!(struct Setup { opening, imported, posted });
read!(struct Posting { id, message });
read!(struct Imported { said, known, results, asked, unread });
read!(struct Quoted { person, text });
read!(struct Claim { told, sources, dropped });
