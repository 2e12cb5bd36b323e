//! A journey under way, or over: instruments on the desk, the conversation on the phone.

use super::{
    conversation::Conversation,
    phases::{Phases, place},
};
use crate::{
    engine::{
        flow::Status,
        live::{Link, Live},
        voice,
    },
    error::AppError,
    rooms::simulate::{
        api,
        flow::{Ask, MAX_CHARS, Simulate},
    },
    runs::{Card, CommandRun, Verb, command_run},
    ui::{AppBar, Badge, Elapsed, Glyph, Icon, PlainField, Stage, Submission, When, dollars, focus_soon},
};
use leptos::{ev::SubmitEvent, html::Div, prelude::*, server_fn::ServerFn};
use leptos_meta::Title;
use leptos_router::hooks::use_location;

/// Fails where the log is not one of this room's.
pub fn journey(journey: api::Journey) -> Result<AnyView, AppError> {
    let api::Journey { snapshot, mine, parent, forks } = journey;
    let live = Live::follow(snapshot).ok_or_else(AppError::internal)?;
    let controls = Controls { live, mine, command: Submission::default() };
    controls.nudge_when_done();
    // Which side a real phone shows stands in the address, so that Back leads from one to the other.
    let search = use_location().search;
    let front = Signal::derive(move || if search.with(|search| search.contains("show=desk")) { "desk" } else { "phone" }.to_owned());
    let relatives = view! { <Relatives parent=parent forks=forks /> }.into_any();
    let left = view! { <Instruments controls=controls relatives=relatives /> };
    let about = format!("/runs/{}/about", live.id.get_value());
    let end = view! {
        <a class="icon-button" href=about aria-label="About this conversation"><Icon glyph=Glyph::Info /></a>
        <a class="icon-button phone-only" href="?show=desk" aria-label="Show details"><Icon glyph=Glyph::Dots /></a>
    };
    let run = live.shown.run;
    let badge = move || run.with(|run| voice::badge(&run.progress.models())).unwrap_or_default();
    let (badge_name, badge_words) = (Signal::derive(move || badge().0.to_owned()), Signal::derive(move || badge().1));
    let badged = Signal::derive(move || badge_words.with(|words| !words.is_empty()));
    // Whoever comes here from another page, as by Start, looks at the conversation.
    Effect::new(|| {
        if document().document_element().is_some_and(|root| root.has_attribute("data-hydrated")) {
            focus_soon("[role=log]");
        }
    });
    let edit = mine.then(|| format!("/demo/{}/edit", live.id.get_value()));
    let right = view! {
        <AppBar title="Journey" back=if mine { "/demo" } else { "/" } end=end.into_any()><Subtitle live=live /></AppBar>
        <When when=badged><Badge name=badge_name words=badge_words /></When>
        <Conversation shown=live.shown edit=edit />
        <RunBar controls=controls />
    };
    let page = view! {
        <Title text=live.title.get_value() />
        <Stage front=front desk=left.into_any() phone=right.into_any() />
    };
    Ok(page.into_any())
}

/// The run and what can be done to it; shown on the desk, and on a real phone in its bottom bar.
#[derive(Clone, Copy)]
pub struct Controls {
    pub live: Live<Simulate>,
    /// May whoever looks at it command it?
    mine: bool,
    command: Submission<AppError>,
}

impl Controls {
    /// A stream that had ended is opened again by a command.
    fn nudge_when_done(self) {
        Effect::new(move || {
            if self.command.done.get() > 0 {
                self.live.nudge();
            }
        });
    }

    /// What the server had against the last Stop or Continue.
    fn failure(self) -> Signal<String> {
        Signal::derive(move || self.command.error.get().map(|error| error.sentence()).unwrap_or_default())
    }
}

fn status(live: Live<Simulate>) -> Status {
    live.shown.run.with(|run| run.status())
}

fn is_gone(live: Live<Simulate>) -> bool {
    live.link.get() == Link::Gone
}

#[component]
fn Instruments(controls: Controls, relatives: AnyView) -> impl IntoView {
    let live = controls.live;
    let home = format!("/demo/{}", live.id.get_value());
    let setup = live.shown.run.with_untracked(|run| run.state.setup.clone());
    let assistant = [setup.assistant.model, setup.assistant.instructions].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let assistant =
        (!assistant.is_empty()).then(|| view! { <p class="chosen"><b>"Assistant"</b><span class="meta">{assistant}</span></p> });
    let reset = controls.mine.then(|| {
        let href = format!("/demo?from={}", live.id.get_value());
        view! { <a class="btn" href=href title="Run again with changes">"Reset"</a> }
    });
    view! {
        <a class="btn phone-only back-to-chat" href=home>"Show conversation"</a>
        <h1>"Journey simulator"</h1>
        {(!controls.mine).then(|| view! { <p class="lede">"Shared with you, to read."</p> })}
        <PlainField name="icp" label="Customer (ICP)" text=setup.icp max=MAX_CHARS rows=4 locked=true />
        <PlainField name="query" label="First question" text=setup.query max=MAX_CHARS rows=2 locked=true />
        {assistant}
        <div class="row">
            <Buttons controls=controls class="desk-only" />
            {reset}
            <span class="grow"></span>
            <Counters live=live />
        </div>
        <p class="field-error">{controls.failure()}</p>
        {relatives}
        <Phases shown=live.shown />
    }
}

/// The run that this one continues, and those that continue it.
#[component]
fn Relatives(parent: Option<Card>, forks: Vec<Card>) -> impl IntoView {
    let link =
        |words: &'static str, card: Card| view! { <li class="meta">{words}<a href=format!("/demo/{}", card.id)>{card.title}</a></li> };
    let links = parent.into_iter().map(|card| link("Continues from ", card)).collect_view();
    let forks = forks.into_iter().map(|card| link("Also went on as ", card)).collect_view();
    view! { <ul class="relatives">{links}{forks}</ul> }
}

/// Stop while something goes on, Continue where that would set it going again, Replay once it is over.
#[component]
fn Buttons(controls: Controls, class: &'static str) -> impl IntoView {
    let live = controls.live;
    let again = Signal::derive(move || controls.mine && !is_gone(live) && live.shown.run.with(|run| run.can_continue()));
    let running = Signal::derive(move || status(live) == Status::Running);
    let stoppable = Signal::derive(move || controls.mine && running.get());
    let over = Signal::derive(move || !is_gone(live) && !matches!(status(live), Status::Running | Status::Waiting));
    // The button that was pressed goes: its place is taken by the other one, as soon as that can be pressed.
    let node = NodeRef::<Div>::new();
    Effect::new(move |before: Option<bool>| {
        let now = running.get();
        if controls.command.pending.get() {
            return before.unwrap_or(now);
        }
        if before.is_some_and(|before| before != now) && node.get_untracked().is_some_and(|node| node.offset_parent().is_some()) {
            focus_soon(&format!(".{class} button"));
        }
        now
    });
    view! {
        <div class=format!("buttons {class}") node_ref=node>
            <When when=stoppable><Button controls=controls verb=Verb::Stop class="btn stop" word="Stop" /></When>
            <When when=again><Button controls=controls verb=Verb::Continue class="btn primary" word="Continue" /></When>
            <When when=over><a class="btn" href=format!("/demo/{}/replay", live.id.get_value())>"Replay"</a></When>
        </div>
    }
}

/// A form, so that it works before and without JavaScript.
#[component]
fn Button(controls: Controls, verb: Verb, class: &'static str, word: &'static str) -> impl IntoView {
    let Controls { live, command, .. } = controls;
    let pending: Signal<bool> = command.pending.into();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        command.send(command_run(live.id.get_value(), verb));
    };
    view! {
        <form method="post" action=CommandRun::url() on:submit=submit>
            <input type="hidden" name="id" value=live.id.get_value() />
            <input type="hidden" name="verb" value=verb.slug() />
            <button type="submit" class=class disabled=pending>{word}</button>
        </form>
    }
}

#[component]
fn Counters(live: Live<Simulate>) -> impl IntoView {
    let text = Signal::derive(move || {
        live.shown.run.with(|run| {
            let (taken, most) = (run.state.steps_taken(), run.state.setup.max_steps);
            let steps = if run.state.is_complete() { format!("{taken} steps") } else { format!("Step {taken} of {most}") };
            if run.progress.only_rehearsal() {
                return format!("{steps} · no tokens, no cost");
            }
            let tokens = run.progress.tokens().map_or("tokens unknown".to_owned(), |(input, output)| format!("{} tokens", input + output));
            let cost = run.progress.cost_micros().map_or("cost unknown".to_owned(), dollars);
            format!("{steps} · {tokens} · {cost}")
        })
    });
    let from = Signal::derive(move || live.shown.run.with(|run| run.progress.started_at));
    let until = Signal::derive(move || live.shown.run.with(|run| (run.status() != Status::Running).then_some(run.progress.updated_at)));
    view! { <p class="meta counters">{text}" · "<Elapsed from=from until=until /></p> }
}

#[component]
fn Subtitle(live: Live<Simulate>) -> impl IntoView {
    let word = Signal::derive(move || {
        let word = if is_gone(live) { "Gone" } else { ["Running", "Waiting", "Done", "Stopped", "Failed"][status(live) as usize] };
        word.to_owned()
    });
    let slug = Signal::derive(move || status(live).word().to_owned());
    let rest = Signal::derive(move || live.shown.run.with(|run| format!(" · {}", place(&run.state))));
    view! { <span role="status" aria-label="Run state" class="state" data-state=slug>{word}</span>{rest} }
}

/// Where other rooms have their composer: nobody types in a journey.
#[component]
fn RunBar(controls: Controls) -> impl IntoView {
    let live = controls.live;
    let text = Signal::derive(move || match live.link.get() {
        Link::Reconnecting => "Reconnecting…".to_owned(),
        Link::Gone => "This conversation is no longer here".to_owned(),
        Link::Connected => live.shown.run.with(|run| match run.status() {
            Status::Running if matches!(run.wants().first(), Some(Ask::Assistant { .. })) => "The assistant is answering…".to_owned(),
            Status::Running => {
                format!("{} is {}…", run.state.setup.name(), if live.shown.texts.with(Vec::is_empty) { "thinking" } else { "writing" })
            }
            Status::Waiting => "Waiting for you".to_owned(),
            Status::Done => "The journey is complete".to_owned(),
            Status::Stopped => "Stopped".to_owned(),
            Status::Failed => "This did not work out".to_owned(),
        }),
    });
    view! {
        <footer class="run-bar">
            <p class="run-bar-text">{text}</p>
            <Buttons controls=controls class="phone-only" />
        </footer>
    }
}
