//! Before the start: the customer, the first question, four examples, and what it will take.

use crate::{
    engine::{entry::REHEARSAL, flow::Flow},
    error::AppError,
    rooms::simulate::{
        api::{Desk, StartSimulation, start_simulation},
        examples::{EXAMPLES, Example},
        flow::{CONTEXT_CHARS, MAX_CHARS, MAX_STEPS, Setup, Simulate},
    },
    ui::{AppBar, Badge, Draft, Field, Glyph, Icon, Notice, Stage, Submission, focus_soon},
};
use leptos::{ev::SubmitEvent, prelude::*, server_fn::ServerFn};
use leptos_meta::Title;

/// What is typed here, and the action that starts with it. Outlives the journey that comes of it.
#[derive(Clone, Copy)]
pub struct Form {
    pub icp: Draft,
    pub query: Draft,
    pub start: Submission<AppError>,
}

impl Form {
    fn setup(&self) -> Setup {
        Setup {
            icp: self.icp.value.get_untracked(),
            query: self.query.value.get_untracked(),
            max_steps: MAX_STEPS,
            context_chars: CONTEXT_CHARS,
        }
    }

    fn fill(&self, example: &Example) {
        self.icp.value.set(example.icp.to_owned());
        self.query.value.set(example.query.to_owned());
    }
}

#[component]
pub fn Bench(desk: Desk, form: Form) -> impl IntoView {
    let rehearsed = |models: &Vec<String>| models.iter().filter(|model| *model == REHEARSAL).count();
    let badge =
        desk.models.as_ref().filter(|models| rehearsed(models) > 0).map(|models| view! { <Badge all=rehearsed(models) == models.len() /> });
    let unfinished = desk.unfinished.map(|card| {
        view! {
            <a class="resume" href=format!("/demo/{}", card.id)>
                <Icon glyph=Glyph::Play size=18 />
                <span><b>"Continue where you were"</b><span class="meta">{format!("{} · {}", card.title, card.status.word())}</span></span>
            </a>
        }
    });
    let left = view! {
        <h1>"Journey simulator"</h1>
        <p class="lede">"Describe a customer. Watch them find out, weigh up and decide, in conversation with an assistant."</p>
        {unfinished}
        {desk.refused.map(|error| view! { <Notice tone="bad">{error.to_string()}</Notice> })}
        <StartForm form=form models=desk.models />
    };
    let right = view! {
        <AppBar title="Journey" back="/">"Ready when you are"</AppBar>
        {badge}
        <div class="empty">
            <span class="empty-face" data-room="simulate"><Icon glyph=Glyph::Simulate size=40 /></span>
            <p><b>"Nobody is talking yet."</b></p>
            <p class="meta">"Pick one of the four customers, or describe your own, and press Start. The conversation appears here."</p>
        </div>
    };
    view! {
        <Title text="Journey simulator" />
        <Stage front="desk".to_owned() desk=left.into_any() phone=right.into_any() />
    }
}

#[component]
fn StartForm(form: Form, models: Option<Vec<String>>) -> impl IntoView {
    let refused = RwSignal::new(None::<AppError>);
    let failed = move || refused.get().or_else(|| form.start.error.get());
    let at = move |field: &'static str| {
        Signal::derive(move || failed().and_then(|error| error.at(field).map(str::to_owned)).unwrap_or_default())
    };
    let general = move || failed().filter(|error| error.errors.is_empty());
    // One key for one attempt: a second click, or a repeated request, starts nothing twice.
    let key = StoredValue::new(String::new());
    Effect::new(move || {
        form.icp.value.track();
        form.query.value.track();
        key.set_value(new_key());
        refused.set(None);
        form.start.error.set(None);
    });
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let setup = form.setup();
        refused.set(faults(&setup));
        if refused.with_untracked(Option::is_some) {
            focus_soon("[aria-invalid=true]");
        } else {
            form.start.send(start_simulation(setup.icp, setup.query, key.get_value()));
        }
    };
    let example = move |example: &'static Example| {
        let on = Signal::derive(move || form.icp.value.with(|icp| icp == example.icp));
        view! { <button type="button" class="chip" class:on=on aria-pressed=Signal::derive(move || on.get().to_string()) on:click=move |_| form.fill(example)>{example.name}</button> }
    };
    let ready = models.is_some();
    let blocked = Signal::derive(move || !ready || form.start.pending.get());
    let word = Signal::derive(move || if form.start.pending.get() { "Starting…" } else { "Start simulation" }.to_owned());
    view! {
        <form class="bench" method="post" action=StartSimulation::url() novalidate=true on:submit=submit>
            <Field name="icp" label="Customer (ICP)" placeholder="Who are they, what do they do, what do they care about, what annoys them?" value=form.icp.value max=MAX_CHARS rows=4 locked=false error=at("icp") />
            <div class="chips" role="group" aria-label="Examples">{EXAMPLES.iter().map(example).collect_view()}</div>
            <Field name="query" label="First question" placeholder="The first thing they would ask an assistant" value=form.query.value max=MAX_CHARS rows=2 locked=false error=at("query") />
            <input type="hidden" name="key" value="" />
            {move || general().map(|error| view! { <Notice tone="bad">{error.detail}" "{error.remedy}</Notice> })}
            <div class="row">
                <button type="submit" class="btn primary" disabled=blocked>{word}</button>
                <p class="meta grow">{estimate(models.as_deref())}</p>
            </div>
        </form>
    }
}

/// What is wrong with either field.
fn faults(setup: &Setup) -> Option<AppError> {
    let fine = || "fine".to_owned();
    let each = [Setup { query: fine(), ..setup.clone() }, Setup { icp: fine(), ..setup.clone() }];
    let faults = each.iter().filter_map(|setup| Simulate::begin(setup).err().map(AppError::from));
    faults.reduce(|first, second| AppError { errors: [first.errors, second.errors].concat(), ..first })
}

/// What a run takes at most: every step but the first calls the customer's model, every question the assistant's.
fn estimate(models: Option<&[String]>) -> String {
    match models {
        Some(models) if models.iter().all(|model| model == REHEARSAL) => {
            format!("8 to 12 scripted steps, at most {MAX_STEPS}. No model is called and nothing is charged.")
        }
        Some([customer, assistant, ..]) => {
            let most = 2 * MAX_STEPS - 1;
            format!("Usually 12 to 18 model calls, never more than {most} in {MAX_STEPS} steps. Customer: {customer}. Assistant: {assistant}.")
        }
        _ => "No model is configured, and the rehearsal model is switched off. Set OPENAI_API_KEY (or another provider’s key) in .env, or rehearsal = \"auto\" in Leptos.toml, and restart the server.".to_owned(),
    }
}

/// Unguessable, and new for every attempt.
fn new_key() -> String {
    let random = || (js_sys::Math::random() * 1e9) as u64;
    format!("{:x}-{:09}-{:09}-{:09}", js_sys::Date::now() as u64, random(), random(), random())
}
