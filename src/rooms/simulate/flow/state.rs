//! What can be read off a journey's state.

use super::{Phase, Simulate, State, Step};
use crate::engine::flow::{Flow, words::shortened};

/// Turns that stay word for word when older ones are summarised.
const KEPT_TURNS: usize = 2;

impl State {
    /// The first phase that is not complete; `None` when all are.
    pub fn phase(&self) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| self.insights(*phase).is_none())
    }

    /// A completed phase's insights.
    pub fn insights(&self, phase: Phase) -> Option<&[String]> {
        self.steps.iter().find_map(|step| match step {
            Step::Completed { phase: completed, insights, .. } if *completed == phase => Some(insights.as_slice()),
            _ => None,
        })
    }

    pub fn queries(&self, phase: Phase) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Asked { phase: asked, .. } if *asked == phase)).count()
    }

    pub fn is_complete(&self) -> bool {
        self.phase().is_none()
    }

    /// Simulator steps so far, the first question included.
    pub fn steps_taken(&self) -> u32 {
        self.steps.len() as u32
    }

    /// Ended at its last step with phases still open.
    pub fn at_step_limit(&self) -> bool {
        self.failure.is_none() && !self.is_complete() && Simulate::wants(self).is_empty()
    }

    /// Must the customer close the phase now for the journey to end within its steps?
    /// What is left then is one record for this phase, and a question and a record for each later one.
    pub fn must_complete(&self) -> bool {
        let Some(phase) = self.phase() else { return false };
        let later = 2 - phase as u32;
        let left = self.setup.max_steps.saturating_sub(self.steps_taken());
        self.queries(phase) > 0 && left <= 1 + 2 * later
    }

    /// Steps that should be summarised before the customer goes on, if the conversation has grown too long.
    pub(super) fn due_summary(&self) -> Option<u32> {
        let done = self.summary.as_ref().map_or(0, |summary| summary.through as usize);
        let chars: usize = self.steps[done..].iter().map(Step::chars).sum();
        let asked: Vec<usize> = (done..self.steps.len()).filter(|i| matches!(self.steps[*i], Step::Asked { .. })).collect();
        let through = *asked.get(asked.len().checked_sub(KEPT_TURNS)?)?;
        (chars > self.setup.context_chars as usize && through > done).then_some(through as u32)
    }
}

impl Step {
    fn chars(&self) -> usize {
        match self {
            Step::Asked { query, answer, .. } => query.len() + answer.as_ref().map_or(0, |answer| answer.text.len()),
            Step::Completed { insights, .. } => insights.iter().map(String::len).sum(),
            Step::Corrected { said, why } => said.words.len() + why.len(),
        }
    }
}

const NAMELESS: &str = "Customer";
/// Characters of a title, and of who it is about where they have no name.
const TITLE: usize = 80;
const WHO: usize = 32;

impl super::Setup {
    /// Who is speaking, as the conversation says it.
    pub fn label(&self) -> String {
        match self.name() {
            name if name == NAMELESS => "Simulated customer".to_owned(),
            name => format!("{name}, simulated customer"),
        }
    }

    /// Who asks what: “Marta: What is the most reliable card reader?”
    pub fn title(&self) -> String {
        let who = match self.name() {
            name if name == NAMELESS => shortened(self.icp.split(['.', ';', ',', '\n']).next().unwrap_or_default(), WHO),
            name => name,
        };
        shortened(&format!("{}: {}", if who.is_empty() { NAMELESS } else { &who }, self.query), TITLE)
    }

    /// What the customer is called: the name the persona opens with, if it opens with one.
    pub fn name(&self) -> String {
        const NO_NAMES: [&str; 12] = ["A", "An", "The", "I", "My", "We", "Our", "She", "He", "They", "You", "This"];
        let first = self.icp.split([',', '.', ';', ':', '(', '\n']).next().unwrap_or_default();
        let capital = |word: &&str| {
            word.chars().next().is_some_and(char::is_uppercase) && word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'))
        };
        let words: Vec<&str> = first.split_whitespace().take_while(capital).collect();
        match words.first() {
            Some(first) if words.len() <= 3 && !NO_NAMES.contains(first) => words.join(" "),
            _ => NAMELESS.to_owned(),
        }
    }
}
