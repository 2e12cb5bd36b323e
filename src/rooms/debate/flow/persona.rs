//! Who argues: the debaters of a panel, and the summariser who closes.

use crate::engine::flow::read::read;
use serde::{Deserialize, Serialize};

/// The one persona that does not argue.
pub const SUMMARISER: &str = "summariser";
/// Debaters of a panel.
pub const FEWEST: usize = 2;
pub const MOST: usize = 6;
/// Characters of a name, and of a philosophy.
pub const NAME_CHARS: usize = 40;
pub const PHILOSOPHY_CHARS: usize = 600;

/// The drawn portraits, as `icon_hint` names them.
pub const PORTRAITS: [&str; 12] =
    ["emperor", "sage", "conqueror", "scribe", "queen", "scholar", "merchant", "poet", "engineer", "physician", "farmer", "jester"];
/// The hues of debaters; whoever has chosen none gets the one of their place.
pub const HUES: [&str; 8] = ["indigo", "amber", "plum", "teal", "crimson", "moss", "azure", "umber"];

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Persona {
    /// Lower-case letters, digits, `-` and `_`; made from the name where it is empty.
    pub id: String,
    pub name: String,
    /// What they believe, as their prompts say it.
    pub philosophy: String,
    /// One of [`PORTRAITS`]; any other word is kept, and drawn as one of them.
    pub icon_hint: String,
    /// One of [`HUES`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hue: Option<String>,
    /// `provider:model`; `None`: the one that plays debaters anyway.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

impl Persona {
    pub fn is_summariser(&self) -> bool {
        self.id == SUMMARISER
    }

    /// The name of their hue, at that place of a table.
    pub fn hue_at(&self, place: usize) -> &str {
        if self.is_summariser() { "slate" } else { self.hue.as_deref().unwrap_or(HUES[place % HUES.len()]) }
    }

    /// The name of their portrait, at that place of a table.
    pub fn portrait_at(&self, place: usize) -> &'static str {
        PORTRAITS.into_iter().find(|portrait| *portrait == self.icon_hint).unwrap_or(PORTRAITS[place % PORTRAITS.len()])
    }

    /// What is wrong with them, whoever else is there: the field, and what to do about it.
    pub fn fault(&self) -> Option<(&'static str, String)> {
        let fits = |text: &str, most| (1..=most).contains(&text.trim().chars().count());
        if !fits(&self.name, NAME_CHARS) || self.name.trim().chars().any(char::is_control) {
            return Some(("name", format!("give a name of 1 to {NAME_CHARS} characters.")));
        }
        if !fits(&self.philosophy, PHILOSOPHY_CHARS) {
            return Some(("philosophy", format!("say what they believe, in 1 to {PHILOSOPHY_CHARS} characters.")));
        }
        let is_id = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
        if self.id.len() > NAME_CHARS || !self.id.chars().all(is_id) {
            return Some(("id", format!("an id has at most {NAME_CHARS} lower-case letters, digits, - and _.")));
        }
        if let Some(hue) = self.hue.as_deref().filter(|hue| !HUES.contains(hue)) {
            return Some(("hue", format!("there is no hue “{hue}”. There are: {}.", HUES.join(", "))));
        }
        (self.icon_hint.chars().count() > NAME_CHARS).then(|| ("icon_hint", format!("icon_hint has at most {NAME_CHARS} characters.")))
    }
}

/// The panel of a debate that brings none of its own: Napoleon, Gandhi, Alexander and the summariser.
pub fn panel() -> Vec<Persona> {
    let persona = |(id, name, philosophy, icon_hint): (&str, &str, &str, &str)| Persona {
        id: id.to_owned(),
        name: name.to_owned(),
        philosophy: philosophy.to_owned(),
        icon_hint: icon_hint.to_owned(),
        ..Persona::default()
    };
    PANEL.into_iter().map(persona).chain([summariser()]).collect()
}

pub fn summariser() -> Persona {
    Persona {
        id: SUMMARISER.to_owned(),
        name: "Summariser".to_owned(),
        philosophy: "Neutral: gives every position its due, takes no side and adds nothing that was not said.".to_owned(),
        icon_hint: "scribe".to_owned(),
        ..Persona::default()
    }
}

const PANEL: [(&str, &str, &str, &str); 3] = [
    (
        "napoleon",
        "Napoleon",
        "Order and law: peace is made by a strong centre, one code for everyone and careers open to talent. Prosperity follows \
         discipline, merit and institutions that outlast the man who built them.",
        "emperor",
    ),
    (
        "gandhi",
        "Gandhi",
        "Non-violence and truth: means and ends are the same thing, so peace cannot be won by force. Prosperity is self-reliant \
         villages, honest work and enough for everyone’s need.",
        "sage",
    ),
    (
        "alexander",
        "Alexander",
        "Union by boldness and exchange: peoples who trade, marry and learn from each other stop being strangers. Prosperity \
         comes to those who open roads, found cities and lead from the front.",
        "conqueror",
    ),
];

/// `Ada Lovelace` → `ada-lovelace`, as long as an id may be.
pub fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.to_ascii_lowercase().chars() {
        match c {
            'a'..='z' | '0'..='9' => slug.push(c),
            _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    slug.truncate(NAME_CHARS);
    slug.trim_end_matches('-').to_owned()
}

read!(struct Persona { id, name, philosophy, icon_hint, hue, model });
