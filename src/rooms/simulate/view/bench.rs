//! Before the start: the customer, the first question, examples and saved customers, the assistant, and what it will take.

use crate::{
    engine::{entry::REHEARSAL, flow::Flow, voice},
    error::{AppError, Code},
    rooms::simulate::{
        api::{DeletePersona, Desk, Given, SavePersona, Saved, StartSimulation, start_simulation},
        examples::{EXAMPLES, Example},
        flow::{Assistant, CONTEXT_CHARS, MAX_CHARS, MAX_STEPS, Setup, Simulate},
    },
    runs::Resume,
    ui::{AppBar, Badge, Draft, Field, Glyph, Icon, Notice, Stage, Submission, focus_soon, new_key},
};
use leptos::{
    ev::{MouseEvent, SubmitEvent},
    html::Select,
    prelude::*,
    server_fn::ServerFn,
};
use leptos_meta::Title;

/// What is typed here, and the action that starts with it.
#[derive(Clone, Copy)]
struct Form {
    icp: Draft,
    query: Draft,
    instructions: Draft,
    assistant: NodeRef<Select>,
    start: Submission<AppError>,
    /// What was wrong when it was last sent.
    refused: RwSignal<Option<AppError>>,
}

impl Form {
    fn new(given: Given) -> Self {
        Form {
            icp: Draft::new("simulate.icp", given.icp),
            query: Draft::new("simulate.query", given.query),
            instructions: Draft::new("simulate.instructions", given.instructions),
            assistant: NodeRef::new(),
            start: Submission::default(),
            refused: RwSignal::new(None),
        }
    }

    fn setup(&self) -> Setup {
        let model = self.assistant.get_untracked().map(|select| select.value()).unwrap_or_default();
        Setup {
            icp: self.icp.value.get_untracked(),
            query: self.query.value.get_untracked(),
            assistant: Assistant::chosen(model, self.instructions.value.get_untracked()),
            max_steps: MAX_STEPS,
            context_chars: CONTEXT_CHARS,
        }
    }

    fn error(&self) -> Option<AppError> {
        self.refused.get().or_else(|| self.start.error.get())
    }

    /// What is wrong with that field.
    fn at(self, field: &'static str) -> Signal<String> {
        Signal::derive(move || self.error().and_then(|error| error.at(field).map(str::to_owned)).unwrap_or_default())
    }

    fn fill(&self, example: &Example) {
        self.icp.value.set(example.icp.to_owned());
        self.query.value.set(example.query.to_owned());
    }
}

#[component]
pub fn Bench(desk: Desk) -> impl IntoView {
    let models: Vec<&str> = desk.models.iter().flatten().map(String::as_str).collect();
    let badge =
        voice::badge(&models).map(|(name, words)| view! { <Badge name=Signal::stored(name.to_owned()) words=Signal::stored(words) /> });
    let left = view! {
        <h1>"Journey simulator"</h1>
        <p class="lede">"Describe a customer. Watch them find out, weigh up and decide, in conversation with an assistant."</p>
        {desk.unfinished.map(|card| view! { <Resume card=card /> })}
        {desk.unsaved.map(|why| view! { <Notice tone="bad">{why}</Notice> })}
        {desk.refused.map(|error| view! { <Notice tone="bad">{error.to_string()}</Notice> })}
        <StartForm given=desk.given models=desk.models assistants=desk.assistants personas=desk.personas />
    };
    let right = view! {
        <AppBar title="Journey" back="/">"Ready when you are"</AppBar>
        {badge}
        <div class="empty">
            <span class="empty-face" data-room="simulate"><Icon glyph=Glyph::Simulate size=40 /></span>
            <p><b>"Nobody is talking yet."</b></p>
            <p class="meta">"Pick a customer, or describe your own, and press Start. The conversation appears here."</p>
        </div>
    };
    view! {
        <Title text="Journey simulator" />
        <Stage front="desk".to_owned() desk=left.into_any() phone=right.into_any() />
    }
}

#[component]
fn StartForm(given: Given, models: Option<Vec<String>>, assistants: Vec<String>, personas: Vec<Saved>) -> impl IntoView {
    let (chosen, customised) = (given.assistant.clone(), given.instructions.as_ref().is_some_and(|text| !text.is_empty()));
    let form = Form::new(given);
    let general = move || form.error().filter(|error| error.errors.is_empty());
    // One key for one attempt: a second click, or a repeated request, starts nothing twice.
    let key = StoredValue::new(String::new());
    Effect::new(move |before: Option<()>| {
        [form.icp, form.query, form.instructions].iter().for_each(|draft| draft.value.track());
        key.set_value(new_key());
        form.refused.set(None);
        form.start.error.set(None);
        // What is typed from here on is no longer what the address asks for: a reload brings the draft.
        if before.is_some() && window().location().search().is_ok_and(|search| !search.is_empty()) {
            drop(window().history().map(|history| history.replace_state_with_url(&history.state().unwrap_or_default(), "", Some("/demo"))));
        }
    });
    let submit = move |event: SubmitEvent| {
        // Saving and deleting customers are plain forms.
        if event.submitter().is_some_and(|button| button.has_attribute("formaction")) {
            return;
        }
        event.prevent_default();
        let setup = form.setup();
        form.refused.set(faults(&setup));
        if form.refused.with_untracked(Option::is_some) {
            focus_soon("[aria-invalid=true]");
        } else {
            let Assistant { model, instructions } = setup.assistant;
            let (model, instructions) = (model.unwrap_or_default(), instructions.unwrap_or_default());
            form.start.send(start_simulation(setup.icp, setup.query, key.get_value(), model, instructions));
        }
    };
    let ready = models.is_some();
    let blocked = Signal::derive(move || !ready || form.start.pending.get());
    let word = Signal::derive(move || if form.start.pending.get() { "Starting…" } else { "Start simulation" }.to_owned());
    view! {
        <form class="bench" method="post" action=StartSimulation::url() novalidate=true on:submit=submit>
            <Field name="icp" label="Customer (ICP)" placeholder="Who are they, what do they do, what do they care about, what annoys them?" value=form.icp.value max=MAX_CHARS rows=4 error=form.at("icp") />
            <Customers form=form personas=personas />
            <Field name="query" label="First question" placeholder="The first thing they would ask an assistant" value=form.query.value max=MAX_CHARS rows=2 error=form.at("query") />
            <UnderTest form=form assistants=assistants.clone() chosen=chosen open=customised />
            <input type="hidden" name="key" value="" />
            {move || general().map(|error| view! { <Notice tone="bad">{error.sentence()}{(error.code == Code::AccessCode).then(door)}</Notice> })}
            <div class="row">
                <button type="submit" class="btn primary" disabled=blocked>{word}</button>
                <p class="meta grow">{estimate(models.as_deref(), assistants.len() > 1)}</p>
            </div>
        </form>
    }
}

/// Outside of the app: entering the code leads back here, where what was typed is still there.
fn door() -> impl IntoView {
    view! { " "<a href="/access" rel="external">"Enter the code"</a> }
}

/// The worked examples, the saved customers, and what saves one. Saving and deleting are buttons of the same form with
/// an address of their own, so that they work without JavaScript and need none.
#[component]
fn Customers(form: Form, personas: Vec<Saved>) -> impl IntoView {
    let example = move |example: &'static Example| {
        let on = Signal::derive(move || form.icp.value.with(|icp| icp == example.icp));
        view! { <button type="button" class="chip" class:on=on aria-pressed=Signal::derive(move || on.get().to_string()) on:click=move |_| form.fill(example)>{example.name}</button> }
    };
    let saved = |persona: Saved| {
        view! {
            <li class="chip saved">
                // A page of its own, so that it fills the bench again after something was changed.
                <a href=persona.href rel="external">{persona.name.clone()}</a>
                <button type="submit" formaction=DeletePersona::url() name="persona" value=persona.name.clone() aria-label=format!("Delete {}", persona.name)><Icon glyph=Glyph::Close size=14 /></button>
            </li>
        }
    };
    // What is wrong is said here and now; the server would say it, too.
    let save = move |event: MouseEvent| {
        let fault = faults(&Setup { query: "fine".to_owned(), assistant: Assistant::default(), ..form.setup() });
        if fault.is_some() {
            event.prevent_default();
            form.refused.set(fault);
            focus_soon("[aria-invalid=true]");
        }
    };
    let kept = (!personas.is_empty())
        .then(|| view! { <ul class="chips" aria-label="Saved customers">{personas.into_iter().map(saved).collect_view()}</ul> });
    view! {
        <div class="chips" role="group" aria-label="Examples">{EXAMPLES.iter().map(example).collect_view()}</div>
        {kept}
        <button type="submit" class="save" formaction=SavePersona::url() on:click=save>"Save this customer"</button>
    }
}

/// Who the customer talks to.
#[component]
fn UnderTest(form: Form, assistants: Vec<String>, chosen: String, open: bool) -> impl IntoView {
    let open = open || assistants.iter().skip(1).any(|name| *name == chosen);
    let option = |(i, name): (usize, String)| {
        let words = match (name == REHEARSAL, i) {
            (true, _) => "Rehearsal: scripted answers, no AI model".to_owned(),
            (false, 0) => format!("{name} (as configured)"),
            (false, _) => name.clone(),
        };
        // The first is the one that speaks where nothing is chosen.
        let selected = name == chosen;
        view! { <option value=if i == 0 { String::new() } else { name } selected=selected>{words}</option> }
    };
    view! {
        <details class="under-test" open=open>
            <summary>"Assistant"</summary>
            <div class="field">
                <div class="field-head"><label for="field-assistant">"Model"</label></div>
                <span class="select"><select id="field-assistant" name="assistant" class="input" node_ref=form.assistant>
                    {assistants.into_iter().enumerate().map(option).collect_view()}
                </select></span>
                <p class="field-error" role="alert">{form.at("assistant")}</p>
            </div>
            <Field name="instructions" label="Instructions" placeholder="What the assistant is told it is. Empty: a helpful adviser that keeps to the point." value=form.instructions.value max=MAX_CHARS rows=3 required=false error=form.at("instructions") />
        </details>
    }
}

/// What is wrong with each field.
fn faults(setup: &Setup) -> Option<AppError> {
    let fine = Setup { icp: "fine".to_owned(), query: "fine".to_owned(), assistant: Assistant::default(), ..*setup };
    let each = [
        Setup { icp: setup.icp.clone(), ..fine.clone() },
        Setup { query: setup.query.clone(), ..fine.clone() },
        Setup { assistant: setup.assistant.clone(), ..fine },
    ];
    let faults = each.iter().filter_map(|setup| Simulate::begin(setup).err().map(AppError::from));
    faults.reduce(|first, second| AppError { errors: [first.errors, second.errors].concat(), ..first })
}

/// What a run takes at most: every step but the first calls the customer's model, every question the assistant's.
/// `choice`: another assistant could be chosen.
fn estimate(models: Option<&[String]>, choice: bool) -> String {
    let unless = if choice { ", unless you choose another assistant" } else { "" };
    match models {
        Some(models) if models.iter().all(|model| model == REHEARSAL) => {
            format!("8 to 12 scripted steps, at most {MAX_STEPS}. No model is called and nothing is charged{unless}.")
        }
        Some(models) if !models.iter().any(|model| voice::is_real(model)) => voice::PLAYED.to_owned(),
        Some([customer, assistant, ..]) => {
            let most = 2 * MAX_STEPS - 1;
            format!(
                "Usually 12 to 18 model calls, never more than {most} in {MAX_STEPS} steps. Customer: {customer}. Assistant: {assistant}{unless}."
            )
        }
        _ => voice::NO_MODEL.to_owned(),
    }
}
