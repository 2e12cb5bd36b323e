//! What each speaker is told: the prompts beside this file. Each turn is a fresh call, so what is not in here is unknown to it.

use crate::rooms::debate::flow::{Ask, DebateState, Phase, Refusal, debate::RECENT, persona::SUMMARISER, tools::debater};
use minijinja::{Environment, context};

const OPENING: &str = include_str!("prompts/opening.md");
const DEFENCE: &str = include_str!("prompts/defence.md");
const EXCHANGE: &str = include_str!("prompts/exchange.md");
const REFLECTION: &str = include_str!("prompts/reflection.md");
const SUMMARY: &str = include_str!("prompts/summary.md");

type Prompt = Result<String, Refusal>;

pub fn build_opening_prompt(persona: &str, state: &DebateState) -> Prompt {
    let persona = debater(state, persona)?;
    Ok(render(OPENING, context! { persona, topic => state.topic }))
}

/// Holds every opening.
pub fn build_defence_prompt(persona: &str, state: &DebateState) -> Prompt {
    let persona = debater(state, persona)?;
    Ok(render(DEFENCE, context! { persona, topic => state.topic, openings => state.openings_text() }))
}

/// Holds the last [`RECENT`] messages.
pub fn build_exchange_prompt(persona: &str, state: &DebateState, round: u32) -> Prompt {
    let persona = debater(state, persona)?;
    if !(1..=state.max_exchange_rounds).contains(&round) {
        return Err(Refusal::Round { given: round, expected: format!("1 to {}", state.max_exchange_rounds) });
    }
    let (transcript, max_rounds) = (state.transcript_for_context(RECENT), state.max_exchange_rounds);
    Ok(render(EXCHANGE, context! { persona, topic => state.topic, round, max_rounds, transcript }))
}

/// Holds the whole debate.
pub fn build_reflection_prompt(persona: &str, state: &DebateState) -> Prompt {
    let persona = debater(state, persona)?;
    Ok(render(REFLECTION, context! { persona, topic => state.topic, transcript => state.transcript_for_context(usize::MAX) }))
}

/// Holds all phases, each message with its number.
pub fn build_summary_prompt(state: &DebateState) -> Prompt {
    let persona = state.get(SUMMARISER);
    Ok(render(SUMMARY, context! { persona, topic => state.topic, transcript => state.numbered_transcript() }))
}

/// The prompt of that ask.
pub fn build(state: &DebateState, ask: &Ask) -> Prompt {
    match ask {
        Ask::Turn { phase: Phase::Opening, persona, .. } => build_opening_prompt(persona, state),
        Ask::Turn { phase: Phase::Defence, persona, .. } => build_defence_prompt(persona, state),
        Ask::Turn { phase: Phase::Reflection, persona, .. } => build_reflection_prompt(persona, state),
        Ask::Turn { persona, round, .. } => build_exchange_prompt(persona, state, *round),
        Ask::Summary => build_summary_prompt(state),
    }
}

/// The templates are part of the program; the tests render each of them.
fn render(template: &str, context: minijinja::Value) -> String {
    Environment::new().render_str(template, context).unwrap_or_default().trim().to_owned()
}
