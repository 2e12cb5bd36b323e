//! The desk beside a debate: where it stands, its panel with the speaker lit, its phases and its figures.

use super::{
    figures::charts,
    portrait::portrait,
    words::{lede, round},
};
use crate::{
    engine::{entry::Run, flow::Status, shown::Shown},
    rooms::debate::flow::{Debate, DebateState, Persona, Phase, figures::figures},
    ui::{self, StepStage, Stepper, escaped},
};
use leptos::prelude::*;

/// Characters of a philosophy on a card, about.
const FIRST_WORDS: usize = 60;

/// A debater at the table.
pub struct Seat {
    pub id: String,
    pub name: String,
    pub hue: String,
    pub portrait: &'static str,
    /// The first words of what they believe.
    pub belief: String,
    pub speaking: bool,
}

/// The debaters, in the order of the figures.
fn seats(run: &Run<Debate>) -> Vec<Seat> {
    let debate = &run.state.debate;
    let due = debate.due().filter(|_| run.status() == Status::Running);
    let seat = |persona: &Persona| Seat {
        id: persona.id.clone(),
        name: persona.name.clone(),
        hue: debate.hue(&persona.id).to_owned(),
        portrait: debate.portrait(&persona.id),
        belief: first_words(&persona.philosophy),
        speaking: due == Some(persona),
    };
    debate.debaters().map(seat).collect()
}

/// Up to the first mark, where there is one in time.
pub fn first_words(philosophy: &str) -> String {
    let words: String = philosophy.chars().take(FIRST_WORDS).collect();
    words.split([':', '.', ';', ',', '—']).next().unwrap_or_default().trim().to_owned()
}

fn steps(debate: &DebateState) -> Vec<ui::Step> {
    let step = |phase: Phase| ui::Step {
        name: phase.name(),
        hue: "accent",
        stage: match phase.cmp(&debate.phase) {
            std::cmp::Ordering::Less => StepStage::Complete,
            std::cmp::Ordering::Equal => StepStage::Now,
            std::cmp::Ordering::Greater => StepStage::Ahead,
        },
        note: if phase == debate.phase { round(debate).unwrap_or_default() } else { String::new() },
        findings: vec![],
    };
    Phase::ALL[..5].iter().map(|phase| step(*phase)).collect()
}

/// Where the debate stands, and who sits at the table.
#[component]
pub fn Panel(shown: Shown<Debate>) -> impl IntoView {
    let cards = |run: &Run<Debate>| seats(run).iter().map(card).collect::<String>();
    view! {
        <p class="lede">{Signal::derive(move || shown.run.with(|run| lede(&run.state.debate)))}</p>
        <ul class="panel" aria-label="Panel" inner_html=Signal::derive(move || shown.run.with(cards))></ul>
    }
}

/// As HTML: see `figures`.
fn card(seat: &Seat) -> String {
    let (hue, name, belief) = (&seat.hue, escaped(&seat.name), escaped(&seat.belief));
    let (current, portrait) = (if seat.speaking { " aria-current=\"true\"" } else { "" }, portrait(seat.portrait));
    format!(
        "<li data-hue=\"{hue}\"{current}><span class=\"portrait\" aria-hidden=\"true\">{portrait}</span><b>{name}</b>\
         <span class=\"meta\">{belief}</span></li>"
    )
}

/// How far it has come.
#[component]
pub fn Progress(shown: Shown<Debate>) -> impl IntoView {
    view! { <Stepper label="Phases" steps=Signal::derive(move || shown.run.with(|run| steps(&run.state.debate))) /> }
}

/// How far it has come, and what it amounts to in figures.
#[component]
pub fn Instruments(shown: Shown<Debate>) -> impl IntoView {
    let figures = |run: &Run<Debate>| {
        let debate = &run.state.debate;
        charts(&seats(run), &figures(debate, &run.state.support), !debate.summary.is_empty())
    };
    view! {
        <Progress shown=shown />
        <div class="figures" inner_html=Signal::derive(move || shown.run.with(figures))></div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rooms::debate::view::held::{TURNS, begun, held, stopped};

    #[test]
    fn whoever_is_due_is_lit_while_the_debate_goes_on() {
        let lit = |run: &Run<Debate>| {
            let seats = seats(run).into_iter();
            seats.filter(|seat| seat.speaking).map(|seat| seat.name).collect::<Vec<_>>()
        };
        assert_eq!(lit(&held(0)), ["Ada"]);
        assert_eq!(lit(&begun(held(1))), ["Bao"]);
        assert!(lit(&stopped(begun(held(1)), "Half a")).is_empty());
        assert!(lit(&held(10)).is_empty() && lit(&held(TURNS)).is_empty());
    }

    #[test]
    fn a_card_shows_the_first_words_of_a_belief() {
        let check = |philosophy: &str, expect: &str| assert_eq!(first_words(philosophy), expect);
        check("Order and law: peace is made.", "Order and law");
        check("Tea", "Tea");
        check(&"ä ".repeat(40), "ä ".repeat(30).trim());
    }

    #[test]
    fn the_stepper_goes_through_the_phases_and_counts_rounds() {
        let now = |turns: usize| {
            let steps = steps(&held(turns).state.debate);
            let complete = steps.iter().filter(|step| step.stage == StepStage::Complete).count();
            let now = steps.iter().find(|step| step.stage == StepStage::Now).map(|step| (step.name, step.note.clone()));
            (steps.len(), complete, now)
        };
        assert_eq!(now(0), (5, 0, Some(("Opening", String::new()))));
        assert_eq!(now(7), (5, 2, Some(("Exchange", "round 2 of 2".to_owned()))));
        assert_eq!(now(TURNS), (5, 5, None));
    }
}
