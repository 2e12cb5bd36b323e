//! The thread: what customer and assistant said, phase by phase, with what is being written at its end.

use crate::{
    engine::{
        entry::{Run, Usage, ask_json},
        flow::Status,
        progress::Halted,
        shown::Shown,
    },
    rooms::simulate::flow::{Ask, Phase, Simulate, Step},
    ui::{Bubble, Glyph, Icon, Meta, Notice, Side, Thread, countdown},
};
use leptos::prelude::*;

/// A place in the thread. What stands there may still be being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Item {
    Divider(Phase),
    Query(u32),
    Answer(u32),
    Completed(u32),
    Corrected(u32),
}

/// `edit` is the address below which the customer's turns can be put into other words, for whoever may.
#[component]
pub fn Conversation(shown: Shown<Simulate>, edit: Option<String>) -> impl IntoView {
    let items = Memo::new(move |_| shown.run.with(items));
    let edit = StoredValue::new(edit);
    view! {
        <Thread label="Conversation">
            <For each=move || items.get() key=|item| *item let:item>{show(shown, edit, item)}</For>
            <Endings shown=shown />
        </Thread>
        <Announcer shown=shown />
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
                if answer.is_some() || is_open(run, &Ask::Assistant { step: i }) {
                    items.push(Item::Answer(i));
                }
            }
            Step::Completed { .. } => items.push(Item::Completed(i)),
            Step::Corrected { .. } => items.push(Item::Corrected(i)),
        }
    }
    let next = run.state.steps_taken();
    if is_open(run, &Ask::Customer { step: next }) {
        if let Some(phase) = run.state.phase().filter(|phase| run.state.queries(*phase) == 0) {
            divide(&mut items, phase);
        }
        items.push(Item::Query(next));
    }
    items
}

/// Is that being written, or was it when the run was halted?
fn is_open(run: &Run<Simulate>, ask: &Ask) -> bool {
    let ask = ask_json(ask);
    run.progress.step(&ask).is_some() || halted(run, &ask).is_some_and(|halted| !halted.text.is_empty())
}

fn halted<'a>(run: &'a Run<Simulate>, ask: &serde_json::Value) -> Option<&'a Halted> {
    run.progress.halt.as_ref()?.partial.iter().find(|partial| partial.ask == *ask)
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
    let mine = side == Side::Me;
    let ask = if mine { Ask::Customer { step } } else { Ask::Assistant { step } };
    let line = Memo::new(move |_| shown.run.with(|run| Line::read(run, &ask, mine)));
    let text = Signal::derive(move || {
        line.with(|line| match line.message {
            Some(message) => shown
                .texts
                .with(|texts| texts.iter().find(|open| open.message == message).map(|open| open.text.clone()))
                .unwrap_or_default(),
            None => line.text.clone(),
        })
    });
    let writing = Signal::derive(move || line.with(|line| line.message.is_some()));
    let mark = Signal::derive(move || line.with(|line| line.mark.to_owned()));
    let meta = Signal::derive(move || line.with(|line| line.meta.clone()));
    let who = if mine { shown.run.with_untracked(|run| run.state.setup.label()) } else { "Assistant".to_owned() };
    let number = step as usize * 2 + if mine { 1 } else { 2 };
    view! { <Bubble side=side number=number who=who text=text writing=writing meta=meta mark=mark edit=edit /> }
}

/// A bubble's words, or the step that is still writing them.
#[derive(Clone, Debug, Default, PartialEq)]
struct Line {
    text: String,
    message: Option<i64>,
    mark: &'static str,
    meta: String,
}

impl Line {
    fn read(run: &Run<Simulate>, ask: &Ask, mine: bool) -> Self {
        let key = ask_json(ask);
        let (Ask::Customer { step } | Ask::Assistant { step } | Ask::Summary { through: step }) = *ask;
        let meta = run.progress.calls.iter().rev().find(|call| call.ask == key).map(|call| measured(call).sentence()).unwrap_or_default();
        match run.state.steps.get(step as usize) {
            Some(Step::Asked { query, .. }) if mine => Line { text: query.clone(), meta, ..Line::default() },
            Some(Step::Asked { answer: Some(answer), .. }) if !mine => {
                let mark = if answer.cut { "cut off at the length limit" } else { "" };
                Line { text: answer.text.clone(), mark, meta, ..Line::default() }
            }
            _ => match halted(run, &key) {
                Some(halted) => Line { text: halted.text.clone(), mark: "stopped", ..Line::default() },
                None => Line { message: run.progress.step(&key).map(|step| step.seq), ..Line::default() },
            },
        }
    }
}

fn measured(call: &Usage) -> Meta {
    Meta {
        model: call.model.clone(),
        first_ms: call.first_ms,
        ms: call.ms,
        tokens: call.input_tokens.zip(call.output_tokens),
        cost_micros: call.cost_micros,
        rehearsal: call.model == crate::engine::entry::REHEARSAL,
    }
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

/// What stands under the last message: a wait, a stop, a fault, or that it is done.
#[component]
fn Endings(shown: Shown<Simulate>) -> impl IntoView {
    let ending = Memo::new(move |_| shown.run.with(ending));
    move || {
        let (tone, words, until) = ending.get()?;
        let left = until.map(countdown);
        let left =
            Signal::derive(move || left.and_then(|left| left()).map(|left| format!(" Trying again in {left} s.")).unwrap_or_default());
        Some(view! { <Notice tone=tone>{words}{left}</Notice> })
    }
}

/// Its tone, its words, and until when it lasts.
type Ending = (&'static str, String, Option<i64>);

fn ending(run: &Run<Simulate>) -> Option<Ending> {
    let why = run.progress.halt.as_ref().map(|halt| halt.why.clone()).or_else(|| run.state.failure.clone()).unwrap_or_default();
    let (tone, words) = match run.status() {
        Status::Running => {
            let backoff = run.progress.backoff.as_ref()?;
            return Some(("wait", format!("Taking a moment… {}", backoff.why), Some(backoff.until)));
        }
        Status::Done => ("good", format!("The journey is complete, in {} steps.", run.state.steps_taken())),
        Status::Stopped if run.state.at_step_limit() => {
            ("wait", format!("Stopped at the limit of {} steps, before the journey was complete.", run.state.setup.max_steps))
        }
        // Of a run that is gone nobody knows why it ended.
        Status::Stopped if why.is_empty() => return None,
        Status::Stopped => ("quiet", why),
        Status::Waiting => ("wait", why),
        Status::Failed => ("bad", why),
    };
    Some((tone, words, None))
}

/// Says finished messages, one at a time, to those who hear the page.
#[component]
fn Announcer(shown: Shown<Simulate>) -> impl IntoView {
    let last = Memo::new(move |_| {
        shown.run.with(|run| match run.state.steps.last()? {
            Step::Asked { answer: Some(answer), .. } => Some(format!("Assistant: {}", answer.text)),
            Step::Asked { query, .. } => Some(format!("{}: {query}", run.state.setup.name())),
            Step::Completed { phase, .. } => Some(format!("{} complete", phase.name())),
            Step::Corrected { .. } => None,
        })
    });
    let heard = RwSignal::new(String::new());
    // Nothing is announced of what was there when the page was opened.
    Effect::new(move |before: Option<Option<String>>| {
        let now = last.get();
        if before.is_some_and(|before| before != now) {
            heard.set(now.clone().unwrap_or_default());
        }
        now
    });
    view! { <p class="sr-only" aria-live="polite">{heard}</p> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{
        entry::{Entry, RunEvent},
        flow::{Flow, Stamp},
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
        assert_eq!(ending(&run), None);
        assert_eq!(Simulate::wants(&run.state), [Ask::Assistant { step: 0 }]);
    }
}
