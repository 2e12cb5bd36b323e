//! What can be done to a run, and what is known of it at a glance: Stop and Continue, its state, what it took, and the
//! bar at the bottom.

use super::Watch;
use crate::{
    engine::{flow::Status, live::Link},
    runs::{CommandRun, Verb, command_run},
    ui::{Elapsed, When, focus_soon},
};
use leptos::{ev::SubmitEvent, html::Div, prelude::*, server_fn::ServerFn};

/// With `stop` Stop while something goes on; Continue where that would set it going again, Replay once it is over.
#[component]
pub fn Buttons(watch: Watch, class: &'static str, stop: Signal<bool>) -> impl IntoView {
    let again = Signal::derive(move || watch.mine && !watch.is_gone() && watch.readout.with(|readout| readout.can_continue));
    let running = Signal::derive(move || watch.status() == Status::Running);
    let stoppable = Signal::derive(move || stop.get() && watch.mine && running.get());
    let over = Signal::derive(move || !watch.is_gone() && !matches!(watch.status(), Status::Running | Status::Waiting));
    // The button that was pressed goes: its place is taken by the other one, as soon as that can be pressed.
    let node = NodeRef::<Div>::new();
    Effect::new(move |before: Option<bool>| {
        let now = running.get();
        if watch.command.pending.get() {
            return before.unwrap_or(now);
        }
        if before.is_some_and(|before| before != now) && node.get_untracked().is_some_and(|node| node.offset_parent().is_some()) {
            focus_soon(&format!(".{class} button"));
        }
        now
    });
    view! {
        <div class=format!("buttons {class}") node_ref=node>
            <When when=stoppable><Button watch=watch verb=Verb::Stop class="btn stop" word="Stop" /></When>
            <When when=again><Button watch=watch verb=Verb::Continue class="btn primary" word="Continue" /></When>
            <When when=over><a class="btn" href=format!("{}/replay", watch.href())>"Replay"</a></When>
        </div>
    }
}

/// A form, so that it works before and without JavaScript.
#[component]
fn Button(watch: Watch, verb: Verb, class: &'static str, word: &'static str) -> impl IntoView {
    let pending: Signal<bool> = watch.command.pending.into();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        watch.command.send(command_run(watch.id.get_value(), verb));
    };
    view! {
        <form method="post" action=CommandRun::url() on:submit=submit>
            <input type="hidden" name="id" value=watch.id.get_value() />
            <input type="hidden" name="verb" value=verb.slug() />
            <button type="submit" class=class disabled=pending>{word}</button>
        </form>
    }
}

/// How far it has come, what it took, and how long.
#[component]
pub fn Counters(watch: Watch) -> impl IntoView {
    let text = Signal::derive(move || watch.readout.with(|readout| format!("{} · {}", readout.words.count, readout.taken)));
    let from = Signal::derive(move || watch.readout.with(|readout| readout.from));
    let until = Signal::derive(move || watch.readout.with(|readout| readout.until));
    view! { <p class="meta counters">{text}" · "<Elapsed from=from until=until /></p> }
}

/// The run's state, and where it stands.
#[component]
pub fn Subtitle(watch: Watch) -> impl IntoView {
    let word = Signal::derive(move || {
        let word = if watch.is_gone() { "Gone" } else { ["Running", "Waiting", "Done", "Stopped", "Failed"][watch.status() as usize] };
        word.to_owned()
    });
    let slug = Signal::derive(move || watch.status().word().to_owned());
    let rest = Signal::derive(move || watch.readout.with(|readout| format!(" · {}", readout.words.place)));
    view! { <span role="status" aria-label="Run state" class="state" data-state=slug>{word}</span>{rest} }
}

/// What is to be said of the run at the foot of its page.
pub fn standing(watch: Watch) -> String {
    match watch.connection.link.get() {
        Link::Reconnecting => "Reconnecting…".to_owned(),
        Link::Gone => "This conversation is no longer here".to_owned(),
        Link::Connected => watch.readout.with(|readout| match readout.status {
            Status::Running => readout.words.doing.clone(),
            Status::Waiting => "Waiting for you".to_owned(),
            Status::Done => watch.room.complete.to_owned(),
            Status::Stopped => "Stopped".to_owned(),
            Status::Failed => "This did not work out".to_owned(),
        }),
    }
}

/// Stands where other rooms have their composer.
#[component]
pub fn RunBar(watch: Watch) -> impl IntoView {
    view! {
        <footer class="run-bar">
            <p class="run-bar-text">{Signal::derive(move || standing(watch))}</p>
            <Buttons watch=watch class="phone-only" stop=Signal::stored(true) />
        </footer>
    }
}
