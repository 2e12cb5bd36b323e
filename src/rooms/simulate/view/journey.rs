//! A journey under way, or over: instruments on the desk, the conversation on the phone.

use super::{bench::Form, conversation::Conversation};
use crate::{
    engine::{
        flow::Status,
        follow::Snapshot,
        live::{Link, Live},
    },
    error::AppError,
    rooms::simulate::flow::{Ask, MAX_CHARS, Phase, Simulate, State},
    runs::{CommandRun, Missing, Verb, command_run},
    ui::{self, AppBar, Badge, Elapsed, Field, Glyph, Icon, Stage, StepStage, Stepper, Submission, When, dollars, focus_soon},
};
use leptos::{ev::SubmitEvent, html::Div, prelude::*, server_fn::ServerFn};
use leptos_meta::Title;
use leptos_router::{NavigateOptions, hooks::use_navigate};

#[component]
pub fn Journey(snapshot: Snapshot, mine: bool, form: Form) -> impl IntoView {
    let Some(live) = Live::follow(snapshot) else {
        return view! { <Missing error=AppError::internal() room="Journey" href="/demo" /> }.into_any();
    };
    let controls = Controls { live, mine, command: Submission::default() };
    controls.nudge_when_done();
    let front = RwSignal::new("phone".to_owned());
    let left = view! { <Instruments controls=controls form=form front=front /> };
    let about = format!("/runs/{}/about", live.id.get_value());
    let end = view! {
        <a class="icon-button" href=about aria-label="About this conversation"><Icon glyph=Glyph::Info /></a>
        <button type="button" class="icon-button phone-only" aria-label="Show details" on:click=move |_| front.set("desk".to_owned())><Icon glyph=Glyph::Dots /></button>
    };
    let rehearsal = Signal::derive(move || live.run.with(|run| run.progress.rehearsal()));
    let only_rehearsal = Signal::derive(move || live.run.with(|run| run.progress.only_rehearsal()));
    // Whoever has just pressed Start looks at the conversation.
    if form.start.done.get_untracked() > 0 {
        focus_soon("[role=log]");
    }
    let right = view! {
        <AppBar title="Journey" back="/demo" end=end.into_any()><Subtitle live=live /></AppBar>
        <When when=rehearsal><Badge all=only_rehearsal /></When>
        <Conversation live=live />
        <RunBar controls=controls />
    };
    view! {
        <Title text=live.title.get_value() />
        <Stage front=front desk=left.into_any() phone=right.into_any() />
    }
    .into_any()
}

/// The run and what can be done to it; shown on the desk, and on a real phone in its bottom bar.
#[derive(Clone, Copy)]
pub struct Controls {
    pub live: Live<Simulate>,
    /// A guest only reads.
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
        Signal::derive(move || self.command.error.get().map(|error| error.detail).unwrap_or_default())
    }
}

fn status(live: Live<Simulate>) -> Status {
    live.run.with(|run| run.status())
}

#[component]
fn Instruments(controls: Controls, form: Form, front: RwSignal<String>) -> impl IntoView {
    let live = controls.live;
    let setup = live.run.with_untracked(|run| run.state.setup.clone());
    let (icp, query) = (RwSignal::new(setup.icp), RwSignal::new(setup.query));
    let nothing = Signal::stored(String::new());
    let navigate = use_navigate();
    let reset = move |_| {
        form.icp.value.set(icp.get_untracked());
        form.query.value.set(query.get_untracked());
        form.start.error.set(None);
        navigate("/demo", NavigateOptions::default());
    };
    view! {
        <button type="button" class="btn phone-only back-to-chat" on:click=move |_| front.set("phone".to_owned())>"Show conversation"</button>
        <h1>"Journey simulator"</h1>
        <Field name="icp" label="Customer (ICP)" placeholder="" value=icp max=MAX_CHARS rows=4 locked=true error=nothing />
        <Field name="query" label="First question" placeholder="" value=query max=MAX_CHARS rows=2 locked=true error=nothing />
        <div class="row">
            <Buttons controls=controls class="desk-only" />
            {controls.mine.then(|| view! { <button type="button" class="btn" on:click=reset>"Reset"</button> })}
            <span class="grow"></span>
            <Counters live=live />
        </div>
        <p class="field-error">{controls.failure()}</p>
        <Stepper label="Journey phases" steps=Signal::derive(move || live.run.with(|run| steps(&run.state))) />
    }
}

/// Stop while something goes on, Continue where that would set it going again.
#[component]
fn Buttons(controls: Controls, class: &'static str) -> impl IntoView {
    let Controls { live, mine, .. } = controls;
    let again = Signal::derive(move || mine && live.run.with(|run| run.can_continue()));
    let running = Signal::derive(move || mine && status(live) == Status::Running);
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
            <When when=running><Button controls=controls verb=Verb::Stop class="btn stop" word="Stop" /></When>
            <When when=again><Button controls=controls verb=Verb::Continue class="btn primary" word="Continue" /></When>
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
        live.run.with(|run| {
            let steps = format!("Step {} of {}", run.state.steps_taken(), run.state.setup.max_steps);
            if run.progress.only_rehearsal() {
                return format!("{steps} · no tokens, no cost");
            }
            let tokens = run.progress.tokens().map_or("tokens unknown".to_owned(), |(input, output)| format!("{} tokens", input + output));
            let cost = run.progress.cost_micros().map_or("cost unknown".to_owned(), dollars);
            format!("{steps} · {tokens} · {cost}")
        })
    });
    let from = Signal::derive(move || live.run.with(|run| run.progress.started_at));
    let until = Signal::derive(move || live.run.with(|run| (run.status() != Status::Running).then_some(run.progress.updated_at)));
    view! { <p class="meta counters">{text}" · "<Elapsed from=from until=until /></p> }
}

/// The phases as the stepper shows them.
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

#[component]
fn Subtitle(live: Live<Simulate>) -> impl IntoView {
    let word = Signal::derive(move || ["Running", "Waiting", "Done", "Stopped", "Failed"][status(live) as usize].to_owned());
    let slug = Signal::derive(move || status(live).word().to_owned());
    let rest = Signal::derive(move || {
        live.run.with(|run| {
            let place = run.state.phase().map_or("all phases", Phase::name);
            format!(" · {place} · step {} of {}", run.state.steps_taken(), run.state.setup.max_steps)
        })
    });
    view! { <span role="status" aria-label="Run state" class="state" data-state=slug>{word}</span>{rest} }
}

/// Where other rooms have their composer: nobody types in a journey.
#[component]
fn RunBar(controls: Controls) -> impl IntoView {
    let live = controls.live;
    let text = Signal::derive(move || match live.link.get() {
        Link::Reconnecting => "Reconnecting…".to_owned(),
        Link::Gone => "This conversation is no longer here".to_owned(),
        Link::Connected => live.run.with(|run| match run.status() {
            Status::Running if matches!(run.wants().first(), Some(Ask::Assistant { .. })) => "The assistant is answering…".to_owned(),
            Status::Running => {
                format!("{} is {}…", run.state.setup.name(), if live.texts.with(Vec::is_empty) { "thinking" } else { "writing" })
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
