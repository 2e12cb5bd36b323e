//! The only door to a debate's state: value in, value out. What is against the rules is refused in words that say what to do.

use super::{
    debate::{DebateMessage, DebateState, MOST_ROUNDS, Phase, TOPIC_CHARS},
    persona::{FEWEST, MOST, PORTRAITS, Persona, SUMMARISER, slug, summariser},
};
use crate::engine::flow::words::one_line;
use std::collections::BTreeMap;

/// Characters of a message, at most.
pub const MESSAGE_CHARS: usize = 4_000;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("Write a motion of 1 to {TOPIC_CHARS} characters.")]
    Topic,
    #[error("Choose 1 to {MOST_ROUNDS} exchange rounds.")]
    Rounds,
    #[error("A debate needs {FEWEST} to {MOST} debaters; there are {0}.")]
    Debaters(usize),
    #[error("{0}")]
    Persona(String),
    #[error("There is no persona “{id}” in this debate. There are: {known}.")]
    Unknown { id: String, known: String },
    #[error("The summariser does not argue; it speaks in SUMMARY alone, by record_summary.")]
    NoDebater,
    #[error("This belongs into {needs}, and the debate is in {is}.")]
    Phase { is: &'static str, needs: &'static str },
    #[error("{name} has spoken already in {part}.")]
    SpokenAlready { name: String, part: String },
    #[error("{part} is not complete; still to speak: {names}.")]
    Incomplete { part: String, names: String },
    #[error("The round has to be {expected}; it was {given}.")]
    Round { given: u32, expected: String },
    #[error("All {0} exchange rounds have begun.")]
    RoundsOver(u32),
    #[error("After {is} comes {next}, not {given}.")]
    Order { is: &'static str, next: &'static str, given: String },
    #[error("The summary is not recorded yet.")]
    NoSummary,
    #[error("A state of this debate holds at most {0} messages, each by one of its personas and of at most {MESSAGE_CHARS} characters.")]
    Foreign(usize),
    #[error("Give the words that were said, 1 to {MESSAGE_CHARS} characters.")]
    Text,
}

impl Refusal {
    /// The argument that is at fault.
    pub fn field(&self) -> &'static str {
        match self {
            Refusal::Topic => "topic",
            Refusal::Rounds => "max_exchange_rounds",
            Refusal::Debaters(_) | Refusal::Persona(_) => "personas",
            Refusal::Unknown { .. } | Refusal::NoDebater | Refusal::SpokenAlready { .. } => "persona_id",
            Refusal::Round { .. } => "round",
            Refusal::Text => "text",
            Refusal::Order { .. } => "new_phase",
            Refusal::Phase { .. } | Refusal::Incomplete { .. } | Refusal::RoundsOver(_) | Refusal::NoSummary | Refusal::Foreign(_) => {
                "state_dict"
            }
        }
    }
}

type Changed = Result<DebateState, Refusal>;

/// A debate before its first word. Personas without an id, a portrait or a summariser among them are given one.
pub fn create_initial_state(max_exchange_rounds: u32, topic: &str, personas: &[Persona]) -> Changed {
    let topic = one_line(topic);
    if !(1..=TOPIC_CHARS).contains(&topic.chars().count()) {
        return Err(Refusal::Topic);
    }
    if !(1..=MOST_ROUNDS).contains(&max_exchange_rounds) {
        return Err(Refusal::Rounds);
    }
    let state = DebateState {
        phase: Phase::Opening,
        messages: vec![],
        openings: BTreeMap::new(),
        exchange_rounds: 0,
        max_exchange_rounds,
        reflections: BTreeMap::new(),
        summary: String::new(),
        topic,
        personas: seated(personas)?,
    };
    Ok(state)
}

/// The state as it is read from outside: as it came, if its panel, its rounds and the measure of its words are those of a debate.
pub fn get_debate_state(state: &DebateState) -> Changed {
    let fresh = create_initial_state(state.max_exchange_rounds, &state.topic, &state.personas)?;
    if state.exchange_rounds > state.max_exchange_rounds {
        return Err(Refusal::RoundsOver(state.max_exchange_rounds));
    }
    let most = fresh.expected();
    let named = |message: &DebateMessage| fresh.get(&message.author_id).is_some_and(|persona| persona.name == message.author_name);
    let mut kept = state.openings.iter().chain(&state.reflections);
    let fits = |text: &String| text.chars().count() <= MESSAGE_CHARS;
    let own = state.messages.len() <= most
        && state.messages.iter().all(|message| named(message) && fits(&message.content))
        && kept.all(|(id, text)| fresh.get(id).is_some() && fits(text))
        && fits(&state.summary);
    if own { Ok(DebateState { topic: fresh.topic, personas: fresh.personas, ..state.clone() }) } else { Err(Refusal::Foreign(most)) }
}

pub fn record_opening(state: &DebateState, persona: &str, text: &str) -> Changed {
    let mut next = said(state, Phase::Opening, persona, text, 0)?;
    next.openings.insert(persona.to_owned(), text.to_owned());
    Ok(next)
}

pub fn record_defence(state: &DebateState, persona: &str, text: &str) -> Changed {
    said(state, Phase::Defence, persona, text, 0)
}

/// `round` is the one that was begun last or, where the round is counted afterwards, the one behind it.
pub fn record_exchange_message(state: &DebateState, persona: &str, text: &str, round: u32) -> Changed {
    in_phase(state, Phase::Exchange)?;
    let expected = state.exchange_rounds.max(1)..=(state.exchange_rounds + 1).min(state.max_exchange_rounds);
    if !expected.contains(&round) {
        let (first, last) = (expected.start(), expected.end());
        let expected = if first == last { first.to_string() } else { format!("{first} or {last}") };
        return Err(Refusal::Round { given: round, expected });
    }
    complete(state, 1..round)?;
    said(state, Phase::Exchange, persona, text, round)
}

pub fn record_reflection(state: &DebateState, persona: &str, text: &str) -> Changed {
    let mut next = said(state, Phase::Reflection, persona, text, 0)?;
    next.reflections.insert(persona.to_owned(), text.to_owned());
    Ok(next)
}

pub fn record_summary(state: &DebateState, text: &str) -> Changed {
    in_phase(state, Phase::Summary)?;
    let author = find(state, SUMMARISER)?.clone();
    if !state.summary.is_empty() {
        return Err(Refusal::SpokenAlready { name: author.name, part: Phase::Summary.word().to_owned() });
    }
    let mut next = add_message(state, &author, Phase::Summary, text, 0)?;
    next.summary = text.to_owned();
    Ok(next)
}

/// To the phase that follows, once everybody has spoken in this one.
pub fn advance_phase(state: &DebateState, new_phase: &str) -> Changed {
    let order = |next: &'static str| Refusal::Order { is: state.phase.word(), next, given: new_phase.to_owned() };
    let next = state.phase.next().ok_or_else(|| order("nothing"))?;
    if Phase::parse(new_phase) != Some(next) {
        return Err(order(next.word()));
    }
    match state.phase {
        Phase::Exchange if state.exchange_rounds < state.max_exchange_rounds => {
            let part = format!("EXCHANGE, round {}", state.exchange_rounds + 1);
            let names = state.debaters().map(|persona| persona.name.clone()).collect::<Vec<_>>().join(", ");
            return Err(Refusal::Incomplete { part, names });
        }
        Phase::Exchange => complete(state, 1..state.max_exchange_rounds + 1)?,
        Phase::Summary if state.summary.is_empty() => return Err(Refusal::NoSummary),
        Phase::Summary | Phase::Done => {}
        phase => spoken(state, phase, 0)?,
    }
    Ok(DebateState { phase: next, ..state.clone() })
}

/// Begins the next round, once those before it are complete.
pub fn advance_exchange_round(state: &DebateState) -> Changed {
    in_phase(state, Phase::Exchange)?;
    if state.exchange_rounds >= state.max_exchange_rounds {
        return Err(Refusal::RoundsOver(state.max_exchange_rounds));
    }
    complete(state, 1..state.exchange_rounds + 1)?;
    Ok(DebateState { exchange_rounds: state.exchange_rounds + 1, ..state.clone() })
}

/// The debater of that id.
pub fn debater<'a>(state: &'a DebateState, id: &str) -> Result<&'a Persona, Refusal> {
    let persona = find(state, id)?;
    if persona.is_summariser() { Err(Refusal::NoDebater) } else { Ok(persona) }
}

fn find<'a>(state: &'a DebateState, id: &str) -> Result<&'a Persona, Refusal> {
    let known = || state.personas.iter().map(|persona| persona.id.clone()).collect::<Vec<_>>().join(", ");
    state.get(id).ok_or_else(|| Refusal::Unknown { id: id.to_owned(), known: known() })
}

fn in_phase(state: &DebateState, needs: Phase) -> Result<(), Refusal> {
    if state.phase == needs { Ok(()) } else { Err(Refusal::Phase { is: state.phase.word(), needs: needs.word() }) }
}

fn said(state: &DebateState, phase: Phase, id: &str, text: &str, round: u32) -> Changed {
    in_phase(state, phase)?;
    let author = debater(state, id)?;
    if state.has_spoken(id, phase, round) {
        return Err(Refusal::SpokenAlready { name: author.name.clone(), part: part(phase, round) });
    }
    add_message(state, author, phase, text, round)
}

fn add_message(state: &DebateState, author: &Persona, phase: Phase, text: &str, round_index: u32) -> Changed {
    if text.trim().is_empty() || text.chars().count() > MESSAGE_CHARS {
        return Err(Refusal::Text);
    }
    let message =
        DebateMessage { author_id: author.id.clone(), author_name: author.name.clone(), content: text.to_owned(), round_index, phase };
    let mut next = state.clone();
    next.messages.push(message);
    Ok(next)
}

fn part(phase: Phase, round: u32) -> String {
    if round > 0 { format!("{}, round {round}", phase.word()) } else { phase.word().to_owned() }
}

fn spoken(state: &DebateState, phase: Phase, round: u32) -> Result<(), Refusal> {
    let names: Vec<&str> = state.missing(phase, round).map(|persona| persona.name.as_str()).collect();
    if names.is_empty() { Ok(()) } else { Err(Refusal::Incomplete { part: part(phase, round), names: names.join(", ") }) }
}

fn complete(state: &DebateState, mut rounds: std::ops::Range<u32>) -> Result<(), Refusal> {
    rounds.try_for_each(|round| spoken(state, Phase::Exchange, round))
}

/// The panel at its table: checked, with what was left out filled in, the summariser last.
fn seated(personas: &[Persona]) -> Result<Vec<Persona>, Refusal> {
    // The summariser may be one of them.
    if personas.len() > MOST + 1 {
        return Err(Refusal::Debaters(personas.len()));
    }
    let mut seated: Vec<Persona> = Vec::new();
    for (place, persona) in personas.iter().enumerate() {
        let persona = introduced(persona, place)?;
        let known = seated.iter().find(|other| other.id == persona.id || other.name.eq_ignore_ascii_case(&persona.name));
        if let Some(other) = known {
            return Err(Refusal::Persona(format!(
                "“{}” and “{}” cannot be told apart. Give each a name of its own.",
                other.name, persona.name
            )));
        }
        seated.push(persona);
    }
    let closing = seated.iter().position(Persona::is_summariser).map_or_else(summariser, |at| seated.remove(at));
    if !(FEWEST..=MOST).contains(&seated.len()) {
        return Err(Refusal::Debaters(seated.len()));
    }
    seated.push(closing);
    Ok(seated)
}

/// A persona with everything that it needs to be called upon.
fn introduced(persona: &Persona, place: usize) -> Result<Persona, Refusal> {
    let mut persona = Persona { name: one_line(&persona.name), philosophy: one_line(&persona.philosophy), ..persona.clone() };
    if let Some((field, what)) = persona.fault() {
        let who = if field == "name" { format!("Debater {}", place + 1) } else { persona.name };
        return Err(Refusal::Persona(format!("{who}: {what}")));
    }
    if persona.id.is_empty() {
        persona.id = slug(&persona.name);
    }
    if persona.id.is_empty() {
        persona.id = format!("persona-{}", place + 1);
    }
    if persona.icon_hint.is_empty() {
        persona.icon_hint = PORTRAITS[place % PORTRAITS.len()].to_owned();
    }
    Ok(persona)
}
