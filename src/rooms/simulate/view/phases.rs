//! The phases of a journey, as the stepper on the desk shows them.

use crate::{
    engine::shown::Shown,
    rooms::simulate::flow::{Phase, Simulate, State},
    ui::{self, StepStage, Stepper},
};
use leptos::prelude::*;

#[component]
pub fn Phases(shown: Shown<Simulate>) -> impl IntoView {
    view! { <Stepper label="Journey phases" steps=Signal::derive(move || shown.run.with(|run| steps(&run.state))) /> }
}

fn steps(state: &State) -> Vec<ui::Step> {
    let current = state.phase();
    let step = |phase: Phase| {
        let (questions, insights) = (state.queries(phase), state.insights(phase));
        let stage = match (insights, current == Some(phase)) {
            (Some(_), _) => StepStage::Complete,
            (None, true) => StepStage::Now,
            (None, false) => StepStage::Ahead,
        };
        let note = match questions {
            0 => String::new(),
            1 => "1 question".to_owned(),
            many => format!("{many} questions"),
        };
        ui::Step { name: phase.name(), hue: phase.slug(), stage, note, findings: insights.unwrap_or_default().to_vec() }
    };
    Phase::ALL.into_iter().map(step).collect()
}
