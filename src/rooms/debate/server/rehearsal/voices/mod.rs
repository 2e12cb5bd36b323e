//! Manners of speaking. The default panel's are written by hand, so that each is known by its first line; everybody else has one that
//! goes with their name, and no two of a panel the same.
//!
//! A turn is a riposte, one sentence on what somebody else just said, and an argument that goes with the stage of the debate. A riposte is
//! used once; so nothing is said twice. `word` is what the motion is about; `motion` stands before a comma or a colon, since its own question mark would end the sentence.
//! What can be quoted well stands between `|`.

use crate::{
    models::seed,
    rooms::debate::flow::persona::panel,
    rooms::debate::flow::{DebateState, Persona},
};

mod alexander;
mod gandhi;
mod manners;
mod napoleon;

/// What a debater is about to do: arguments are written for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    Defence,
    Challenge,
    Example,
    Consequence,
    Question,
    Concession,
    Terms,
}

/// One more than there are rounds: the defence has its riposte, too.
pub const RIPOSTES: usize = 7;

pub struct Voice {
    /// As the summary has it; where it is empty, a quotation says it.
    pub stands_for: &'static str,
    /// Two or three sentences with the motion.
    pub openings: &'static [&'static str],
    /// One sentence with `other`, or `you` where it is spoken to, and `quote`; `third` is empty where there are two debaters.
    pub ripostes: [&'static str; RIPOSTES],
    /// By [`Stage`], each one or two sentences.
    pub arguments: [&'static [&'static str]; 7],
    /// Two or three sentences with `other` and `quote`.
    pub reflections: &'static [&'static str],
}

impl Voice {
    /// What is marked as worth quoting.
    pub fn marked(&self) -> impl Iterator<Item = &'static str> {
        let scripts = self.arguments.iter().chain([&self.openings, &self.reflections]).copied().flatten();
        scripts.flat_map(|script| script.split('|').skip(1).step_by(2))
    }
}

const BY_HAND: [&Voice; 3] = [&napoleon::VOICE, &gandhi::VOICE, &alexander::VOICE];

impl Stage {
    /// A debate of few rounds leaves out what is in the middle; which, follows from the seed. Somebody gives way in each that has two.
    pub fn of(round: u32, rounds: u32, seed: u64) -> Stage {
        const MIDDLE: [Stage; 3] = [Stage::Example, Stage::Consequence, Stage::Question];
        match round {
            1 => Stage::Challenge,
            6 => Stage::Terms,
            round if round == rounds.min(5) => Stage::Concession,
            round => MIDDLE[(round as usize + seed as usize % 3) % 3],
        }
    }
}

/// The voices of a panel's debaters, in their order.
pub fn of_panel(debate: &DebateState) -> Vec<&'static Voice> {
    let mut free: Vec<&Voice> = manners::MANNERS.iter().collect();
    debate.debaters().map(|persona| by_hand(persona).unwrap_or_else(|| taken(&mut free, persona))).collect()
}

/// Whoever has the name and the beliefs of one of the default panel speaks as they do.
fn by_hand(persona: &Persona) -> Option<&'static Voice> {
    let known = panel().into_iter().zip(BY_HAND);
    known.into_iter().find(|(known, _)| known.name == persona.name && known.philosophy == persona.philosophy).map(|(_, voice)| voice)
}

/// There are as many manners as debaters, at most.
fn taken(free: &mut Vec<&'static Voice>, persona: &Persona) -> &'static Voice {
    let at = seed(&[&persona.name]) as usize % free.len().max(1);
    if free.is_empty() { BY_HAND[0] } else { free.remove(at) }
}
