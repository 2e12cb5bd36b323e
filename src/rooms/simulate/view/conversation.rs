//! The thread: what customer and assistant said, phase by phase, with what is being written at its end.

use crate::{
    engine::{
        entry::{Run, ask_json},
        shown::Shown,
    },
    rooms::simulate::flow::{Ask, Phase, Simulate, Step},
    runs::watch::{Conversation, Line, Placed, Readout},
    ui::{Bubble, Glyph, Icon, Markdown, Plain, Side},
};
use leptos::prelude::*;

/// A place in the thread. What stands there may still be being written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    Divider(Phase),
    Query(u32),
    Answer(u32),
    Completed(u32),
    Corrected(u32),
}

/// `edit` is the address below which the customer's turns can be put into other words, for whoever may.
#[component]
pub fn Thread(shown: Shown<Simulate>, readout: Memo<Readout>, edit: Option<String>) -> impl IntoView {
    let edit = StoredValue::new(edit);
    let placed = move |item: Item| Placed::new(item.key(), move || show(shown, edit, item));
    let placed = Signal::derive(move || shown.run.with(items).into_iter().map(placed).collect());
    view! { <Conversation readout=readout placed=placed /> }
}

impl Item {
    /// What tells it from all others.
    fn key(self) -> (u32, u32) {
        match self {
            Item::Divider(phase) => (0, phase as u32),
            Item::Query(i) => (1, i),
            Item::Answer(i) => (2, i),
            Item::Completed(i) => (3, i),
            Item::Corrected(i) => (4, i),
        }
    }
}

fn items(run: &Run<Simulate>) -> Vec<Item> {
    let (mut items, mut phase) = (Vec::new(), None);
    let mut divide = |items: &mut Vec<Item>, next: Phase| {
        if phase.replace(next) != Some(next) {
            items.push(Item::Divider(next));
        }
    };
    for (i, step) in (0..).zip(&run.state.steps) {
        match step {
            Step::Asked { phase, answer, .. } => {
                divide(&mut items, *phase);
                items.push(Item::Query(i));
                if answer.is_some() || is_begun(run, i, Side::Them) {
                    items.push(Item::Answer(i));
                }
            }
            Step::Completed { .. } => items.push(Item::Completed(i)),
            Step::Corrected { .. } => items.push(Item::Corrected(i)),
        }
    }
    let next = run.state.steps_taken();
    if is_begun(run, next, Side::Me) {
        if let Some(phase) = run.state.phase().filter(|phase| run.state.queries(*phase) == 0) {
            divide(&mut items, phase);
        }
        items.push(Item::Query(next));
    }
    items
}

fn show(shown: Shown<Simulate>, edit: StoredValue<Option<String>>, item: Item) -> AnyView {
    match item {
        Item::Divider(phase) => view! { <p class="divide" data-hue=phase.slug()>{phase.name()}</p> }.into_any(),
        Item::Query(i) => {
            view! { <Said shown=shown step=i side=Side::Me edit=edit.get_value().map(|edit| format!("{edit}/{i}")) /> }.into_any()
        }
        Item::Answer(i) => view! { <Said shown=shown step=i side=Side::Them edit=None /> }.into_any(),
        Item::Completed(i) => shown.run.with_untracked(|run| completed(run.state.steps.get(i as usize))),
        Item::Corrected(i) => shown.run.with_untracked(|run| corrected(run.state.steps.get(i as usize))),
    }
}

/// A query or an answer; the same bubble while it is written and ever after.
#[component]
fn Said(shown: Shown<Simulate>, step: u32, side: Side, edit: Option<String>) -> impl IntoView {
    let line = Memo::new(move |_| shown.run.with(|run| line(run, step, side)));
    let speech = Line::speech(line, shown.texts);
    let (who, number, words) = match side {
        Side::Me => (shown.run.with_untracked(|run| run.state.setup.label()), step * 2 + 1, view! { <Plain speech=speech /> }.into_any()),
        Side::Them => ("Assistant".to_owned(), step * 2 + 2, view! { <Markdown text=speech.text writing=speech.writing /> }.into_any()),
    };
    view! { <Bubble side=side number=number as usize who=who speech=speech words=words edit=edit /> }
}

fn line(run: &Run<Simulate>, step: u32, side: Side) -> Line {
    let (progress, ask) = (&run.progress, ask_json(&ask(step, side)));
    match (run.state.steps.get(step as usize), side) {
        (Some(Step::Asked { query, .. }), Side::Me) => Line::said(progress, &ask, query, ""),
        (Some(Step::Asked { answer: Some(answer), .. }), Side::Them) => {
            Line::said(progress, &ask, &answer.text, if answer.cut { "cut off at the length limit" } else { "" })
        }
        _ => Line::unsaid(progress, &ask),
    }
}

fn is_begun(run: &Run<Simulate>, step: u32, side: Side) -> bool {
    Line::is_begun(&run.progress, &ask_json(&ask(step, side)))
}

fn ask(step: u32, side: Side) -> Ask {
    if side == Side::Me { Ask::Customer { step } } else { Ask::Assistant { step } }
}

fn completed(step: Option<&Step>) -> AnyView {
    let Some(Step::Completed { phase, insights, .. }) = step.cloned() else { return ().into_any() };
    let count = match insights.len() {
        1 => "1 insight".to_owned(),
        many => format!("{many} insights"),
    };
    view! {
        <details class="tool-card" data-hue=phase.slug()>
            <summary><span class="ok"><Icon glyph=Glyph::Check size=13 /></span><b>{format!("{} complete", phase.name())}</b><span class="meta">{count}</span></summary>
            <ul>{insights.into_iter().map(|insight| view! { <li>{insight}</li> }).collect_view()}</ul>
        </details>
    }
    .into_any()
}

fn corrected(step: Option<&Step>) -> AnyView {
    let Some(Step::Corrected { why, .. }) = step.cloned() else { return ().into_any() };
    view! {
        <details class="tool-card" data-hue="correction">
            <summary><span class="ok"><Icon glyph=Glyph::Info size=13 /></span><b>"Corrected"</b><span class="meta">"not counted as said"</span></summary>
            <p>{why}</p>
        </details>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{
            entry::{Entry, RunEvent},
            flow::{Flow, Stamp},
        },
        rooms::simulate::view::words::words,
    };
    use serde_json::json;

    #[test]
    fn the_thread_opens_with_the_first_question_and_shows_what_is_being_written() {
        let setup = json!({ "icp": "Marta, a baker.", "query": "Which one?" });
        let entry = |entry: Entry<()>| serde_json::to_value(entry).expect("an entry");
        let log = [
            entry(Entry::Run(RunEvent::Started { setup, model: "rehearsal".into() })),
            entry(Entry::Run(RunEvent::StepStarted { ask: ask_json(&Ask::Assistant { step: 0 }), model: "rehearsal".into() })),
        ];
        let run = Run::<Simulate>::fold((1..).zip(&log).map(|(seq, body)| (Stamp { seq, at: 0 }, body))).expect("a run");
        assert_eq!(items(&run), [Item::Divider(Phase::Discovery), Item::Query(0), Item::Answer(0)]);
        assert_eq!(words(&run, false).end, None);
        assert_eq!(Simulate::wants(&run.state), [Ask::Assistant { step: 0 }]);
    }
}
