//! Stages of something that goes forward, with what each has brought.

use super::{Glyph, Icon};
use leptos::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Ahead,
    Now,
    Complete,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub name: &'static str,
    /// Names its colour in the style sheet.
    pub hue: &'static str,
    pub stage: Stage,
    pub note: String,
    pub findings: Vec<String>,
}

#[component]
pub fn Stepper(#[prop(into)] label: String, #[prop(into)] steps: Signal<Vec<Step>>) -> impl IntoView {
    let item = |(i, step): (usize, Step)| {
        let word = match step.stage {
            Stage::Ahead => "ahead",
            Stage::Now => "now",
            Stage::Complete => "done",
        };
        let complete = step.stage == Stage::Complete;
        let findings = step.findings.into_iter().map(|finding| view! { <li>{finding}</li> }).collect_view();
        view! {
            <li class=word data-hue=step.hue aria-current=(step.stage == Stage::Now).then_some("step")>
                <span class="dot" aria-hidden="true">{if complete { view! { <Icon glyph=Glyph::Check size=14 /> }.into_any() } else { (i + 1).into_any() }}</span>
                <b>{step.name}</b>
                <span class="meta">{step.note}</span>
                <ul>{findings}</ul>
                {complete.then(|| view! { <span class="sr-only">"complete"</span> })}
            </li>
        }
    };
    view! { <ol class="phases" aria-label=label>{move || steps.get().into_iter().enumerate().map(item).collect_view()}</ol> }
}
