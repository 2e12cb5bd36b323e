//! A rehearsed panel: every turn is a function of the debate so far, so that a server that was restarted goes on alike.
//! Scripted, and labelled so wherever it shows; nobody in it says what anybody in history said, and nothing is researched.

use crate::{
    models::{Reply, seed},
    rooms::debate::flow::{Ask, DebateMessage, DebateState, Persona, Phase, State, debate::MOST_ROUNDS},
};
use creed::Creed;
use minijinja::{Environment, context};
use voices::{RIPOSTES, Stage, Voice};
use words::{Motion, capital, lower_first};

mod creed;
mod quote;
mod summary;
#[cfg(test)]
mod tests;
mod voices;
mod words;

pub fn reply(state: &State, ask: &Ask) -> Reply {
    let panel = Panel::of(&state.debate);
    let text = match ask {
        Ask::Turn { phase, round, persona } => {
            panel.seats.iter().position(|seat| seat.persona.id == *persona).map(|at| panel.turn(at, *phase, *round))
        }
        Ask::Summary => Some(summary::summary(&panel)),
    };
    Reply { text: text.unwrap_or_default(), calls: vec![] }
}

struct Panel<'a> {
    debate: &'a DebateState,
    motion: Motion,
    seats: Vec<Seat<'a>>,
    seed: u64,
}

struct Seat<'a> {
    persona: &'a Persona,
    name: String,
    voice: &'static Voice,
    creed: Creed,
    /// Goes with the motion and the name.
    seed: u64,
}

impl<'a> Panel<'a> {
    fn of(debate: &'a DebateState) -> Self {
        let seat = |(persona, voice): (&'a Persona, &'static Voice)| Seat {
            persona,
            name: words::name(&persona.name, &persona.id),
            voice,
            creed: Creed::read(persona),
            seed: seed(&[&debate.topic, &persona.name]),
        };
        let seats = debate.debaters().zip(voices::of_panel(debate)).map(seat).collect();
        Panel { debate, motion: Motion::read(&debate.topic), seats, seed: seed(&[&debate.topic]) }
    }

    fn turn(&self, at: usize, phase: Phase, round: u32) -> String {
        let seat = &self.seats[at];
        let turn = match phase {
            Phase::Opening => 0,
            Phase::Exchange => round as usize + 1,
            Phase::Defence => 1,
            _ => MOST_ROUNDS as usize + 2,
        };
        match phase {
            Phase::Opening => self.spoken(at, turn, pick(seat.voice.openings, seat.seed), None),
            Phase::Defence => self.answer(at, turn, Stage::Defence, self.heard(self.opponent(at), Phase::Opening)),
            Phase::Exchange => {
                self.answer(at, turn, Stage::of(round, self.debate.max_exchange_rounds, seat.seed), self.heard_last(at, round))
            }
            _ => self.spoken(at, turn, pick(seat.voice.reflections, seat.seed), self.heard(self.mover(at), Phase::Exchange)),
        }
    }

    /// A riposte and an argument.
    fn answer(&self, at: usize, turn: usize, stage: Stage, to: Option<&DebateMessage>) -> String {
        let Seat { voice, seed, .. } = &self.seats[at];
        // A stride that shares nothing with their number takes up each riposte once.
        let (start, stride) = (*seed as usize % RIPOSTES, 1 + (seed >> 8) as usize % (RIPOSTES - 1));
        let riposte = voice.ripostes[(start + turn * stride) % RIPOSTES];
        let argument = pick(voice.arguments[stage as usize], seed >> (4 * turn));
        self.spoken(at, turn, &format!("{riposte} {argument}"), to)
    }

    /// Fills in a script; what people entered is never taken for one.
    fn spoken(&self, at: usize, turn: usize, script: &str, to: Option<&DebateMessage>) -> String {
        let creed = &self.seats[at].creed;
        let seat = to.and_then(|message| self.seats.iter().position(|seat| seat.persona.id == message.author_id));
        let third = seat.and_then(|other| self.third(at, other, turn)).map(|third| &self.seats[third].name);
        let other = seat.map(|other| self.seats[other].name.as_str());
        let you = other.map(spoken_to);
        let quote = to.map(|message| format!("“{}”", self.quotation(message)));
        let motion = &self.motion.woven;
        let values = context! {
            motion, Motion => capital(motion), word => self.motion.word(at + turn), other, you, third, quote,
            Creed => creed.first, first => lower_first(&creed.first), creed => creed.clause(turn), key => creed.key(),
        };
        Environment::new().render_str(&script.replace('|', ""), values).unwrap_or_default()
    }

    /// What is best quoted of a message, and has not been quoted yet.
    fn quotation(&self, message: &DebateMessage) -> String {
        let quoted = |clause: &str| self.debate.messages.iter().any(|message| message.content.contains(&format!("“{clause}”")));
        self.saying(message, |clause| !quoted(clause))
    }

    /// Neither the motion nor somebody’s name is.
    fn may_quote(&self, clause: &str) -> bool {
        !self.motion.overlaps(clause) && !self.seats.iter().any(|seat| words::calls(clause, &seat.name))
    }

    /// What stands for a message: a belief of its speaker, a line that was written for it, or else what can be cut out of it.
    fn saying(&self, message: &DebateMessage, fit: impl Fn(&str) -> bool) -> String {
        let fit = |clause: &str| self.may_quote(clause) && fit(clause);
        let seat = self.seats.iter().find(|seat| seat.persona.id == message.author_id);
        let beliefs = seat.into_iter().flat_map(|seat| seat.creed.spoken()).map(|belief| quote::beginning(&belief).to_owned());
        let lines = seat.into_iter().flat_map(|seat| seat.voice.marked()).map(str::to_owned);
        let known = beliefs.chain(lines).find(|saying| message.content.contains(saying) && fit(saying));
        known.unwrap_or_else(|| quote::cut(&message.content, fit).to_owned())
    }

    /// Whom a debater answers in an exchange: the last speaker or, in every other round of three or more, the one before.
    fn heard_last(&self, at: usize, round: u32) -> Option<&'a DebateMessage> {
        let before = usize::from(self.seats.len() > 2 && (u64::from(round) + self.seed) % 2 == 1);
        self.debate.messages.iter().rev().filter(|message| message.author_id != self.seats[at].persona.id).nth(before)
    }

    /// What that debater said last in a phase.
    fn heard(&self, at: usize, phase: Phase) -> Option<&'a DebateMessage> {
        let id = &self.seats[at].persona.id;
        self.debate.messages.iter().rfind(|message| message.author_id == *id && message.phase == phase)
    }

    /// Whose opening a debater answers in the defence: each is answered once.
    fn opponent(&self, at: usize) -> usize {
        let others = self.seats.len() - 1;
        (at + 1 + self.seed as usize % others) % self.seats.len()
    }

    /// Whose argument moves a debater: somebody else than was answered first, where there are enough.
    fn mover(&self, at: usize) -> usize {
        let others = self.seats.len() - 1;
        (at + 1 + (self.seed as usize + 1) % others) % self.seats.len()
    }

    /// Somebody who is neither of the two.
    fn third(&self, one: usize, other: usize, turn: usize) -> Option<usize> {
        let rest: Vec<usize> = (0..self.seats.len()).filter(|at| *at != one && *at != other).collect();
        rest.get(turn % rest.len().max(1)).copied()
    }
}

/// A name that is called has no article.
fn spoken_to(name: &str) -> &str {
    ["The ", "the ", "A ", "An "].iter().find_map(|article| name.strip_prefix(article)).unwrap_or(name)
}

fn pick(from: &'static [&'static str], seed: u64) -> &'static str {
    from[seed as usize % from.len()]
}
