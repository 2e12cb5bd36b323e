//! Before a debate: the motion, worked examples, the panel, the models, and what it will take.

use super::{
    form::Form,
    people::{Panel, Speakers, face},
};
use crate::{
    engine::{entry::REHEARSAL, voice},
    error::Code,
    rooms::debate::{
        api::{self, Offer, StartDebate, faults, start_debate},
        flow::{MOST_ROUNDS, ROUNDS, TOPIC, TOPIC_CHARS},
    },
    runs::Resume,
    ui::{AppBar, Badge, Field, Notice, Stage, focus_soon},
};
use leptos::{ev::SubmitEvent, html::Input, prelude::*, server_fn::ServerFn};
use leptos_meta::Title;

#[component]
pub fn Bench(bench: api::Bench) -> impl IntoView {
    let models: Vec<&str> = bench.models.iter().flatten().map(String::as_str).collect();
    let badge =
        voice::badge(&models).map(|(name, words)| view! { <Badge name=Signal::stored(name.to_owned()) words=Signal::stored(words) /> });
    let refused = bench.refused.clone().map(|error| view! { <Notice tone="bad">{error.sentence()}</Notice> });
    let (added, at_fields) = (bench.given.added.clone(), bench.refused.filter(|error| !error.errors.is_empty()));
    let form = Form::new(bench.given, bench.source, bench.candidates, at_fields);
    form.seat(added);
    form.watch();
    let left = view! {
        <h1>"Debate"</h1>
        <p class="lede">"Put a question to a panel. They open, defend, exchange and reflect, and a neutral summary says where they stand."</p>
        {bench.unfinished.map(|card| view! { <Resume card=card /> })}
        {refused}
        <StartForm form=form models=bench.models debaters=bench.debaters examples=bench.examples new_persona=bench.new_persona key=bench.key />
    };
    let right = view! {
        <AppBar title="Debate" back="/">"Ready when you are"</AppBar>
        {badge}
        <div class="empty">
            <div class="faces">{form.people.get_value().into_iter().map(|person| face(form, person)).collect_view()}</div>
            <p><b>"Nobody has spoken yet."</b></p>
            <p class="meta">"Choose who argues, and press Start. The debate appears here."</p>
        </div>
    };
    view! {
        <Title text="Debate" />
        <Stage front="desk".to_owned() desk=left.into_any() phone=right.into_any() />
    }
}

#[component]
fn StartForm(
    form: Form,
    models: Option<Vec<String>>,
    debaters: Vec<String>,
    examples: Vec<Offer>,
    new_persona: String,
    key: String,
) -> impl IntoView {
    let general = move || form.error().filter(|error| error.errors.is_empty());
    let attempt = StoredValue::new(key.clone());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        form.refused.set(untrack(|| faults(&form.setup())));
        if form.refused.with_untracked(Option::is_some) {
            return focus_soon("[aria-invalid=true]");
        }
        let (topic, rounds, seats) = untrack(|| (form.topic.value.get(), form.rounds().to_string(), form.seats()));
        form.start.send(start_debate(topic, rounds, seats, attempt.get_value(), form.source.get_value()));
    };
    let ready = models.is_some();
    let blocked = Signal::derive(move || !ready || form.start.pending.get());
    let word = Signal::derive(move || if form.start.pending.get() { "Starting…" } else { "Start debate" }.to_owned());
    let speakers = move || form.chosen().iter().map(|person| person.model.get()).collect();
    let takes = Signal::derive(move || estimate(models.as_deref(), speakers(), form.rounds()));
    let closing = form.summariser.get_value().map(|persona| {
        let place = form.people.with_value(Vec::len);
        view! { <input type="hidden" name=format!("seats[{place}][persona]") value=persona /> }
    });
    view! {
        <form class="bench" method="post" action=StartDebate::url() novalidate=true on:submit=submit>
            <Field name="topic" label="Motion" placeholder=TOPIC value=form.topic.value max=TOPIC_CHARS rows=2 required=false error=form.at("topic") />
            <nav class="chips" aria-label="Examples">{examples.into_iter().map(example).collect_view()}</nav>
            <Panel form=form new_persona=new_persona />
            <Rounds form=form />
            <Speakers form=form debaters=debaters />
            {closing}
            <input type="hidden" name="key" value=key />
            <input type="hidden" name="source" value=form.source.get_value() />
            {move || general().map(|error| view! { <Notice tone="bad">{error.sentence()}{(error.code == Code::AccessCode).then(door)}</Notice> })}
            <div class="row">
                <button type="submit" class="btn primary" disabled=blocked>{word}</button>
                <p class="meta grow">{takes}</p>
            </div>
        </form>
    }
}

/// A page of its own, so that it fills the bench again after something was changed.
fn example(example: Offer) -> AnyView {
    view! { <a class="chip" rel="external" href=example.href aria-current=example.shown.then_some("true")>{example.name}</a> }.into_any()
}

/// Outside of the app: entering the code leads back here, where what was typed is still there.
fn door() -> impl IntoView {
    view! { " "<a href="/access" rel="external">"Enter the code"</a> }
}

#[component]
fn Rounds(form: Form) -> impl IntoView {
    let node = NodeRef::<Input>::new();
    let error = form.at("max_exchange_rounds");
    let given = form.rounds.value.get_untracked();
    let first = if given.is_empty() { ROUNDS.to_string() } else { given };
    let rendered = first.clone();
    // What was typed before this page answered is kept; else the draft is shown.
    Effect::new(move |before: Option<()>| {
        let (Some(input), kept) = (node.get(), form.rounds.value.get()) else { return };
        let typed = input.value();
        if before.is_none() && typed != rendered {
            form.rounds.value.set(typed);
        } else if !kept.is_empty() && typed != kept {
            input.set_value(&kept);
        }
    });
    let wrong = Signal::derive(move || error.with(|said| !said.is_empty()));
    view! {
        <div class="field rounds" class:wrong=wrong>
            <div class="field-head"><label for="field-rounds">"Exchange rounds"</label></div>
            <input
                id="field-rounds" name="rounds" class="input" type="number" min="1" max=MOST_ROUNDS.to_string() required=true value=first node_ref=node
                aria-describedby="field-rounds-hint"
                aria-invalid=Signal::derive(move || wrong.get().to_string())
                // What is emptied is no number, and not what stood there first.
                on:input=move |event| form.rounds.value.set(Some(event_target_value(&event)).filter(|text| !text.is_empty()).unwrap_or("?".to_owned()))
            />
            <p class="field-error" id="field-rounds-hint" role="alert">{error}</p>
        </div>
    }
}

/// What a debate takes, a call for each turn, and who answers them. `panel` are the debaters' models; empty: the usual one.
fn estimate(models: Option<&[String]>, panel: Vec<String>, rounds: u32) -> String {
    let Some([usual, summariser]) = models else { return voice::NO_MODEL.to_owned() };
    let turns = panel.len() as u32 * (3 + rounds.clamp(1, MOST_ROUNDS)) + 1;
    let mut debaters: Vec<String> = vec![];
    for model in panel.into_iter().map(|model| if model.is_empty() { usual.clone() } else { model }) {
        if !debaters.contains(&model) {
            debaters.push(model);
        }
    }
    let all: Vec<&String> = debaters.iter().chain([summariser]).collect();
    if all.iter().all(|model| *model == REHEARSAL) {
        return format!("{turns} scripted turns. No model is called and nothing is charged.");
    }
    if !all.iter().any(|model| voice::is_real(model)) {
        return voice::PLAYED.to_owned();
    }
    format!("{turns} turns, a model call each. Debaters: {}. Summariser: {summariser}.", debaters.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_counts_turns_and_names_models() {
        let check = |models: Option<[&str; 2]>, panel: &[&str], rounds, expect: &str| {
            let models = models.map(|models| models.map(str::to_owned));
            let panel = panel.iter().map(|model| (*model).to_owned()).collect();
            assert_eq!(estimate(models.as_ref().map(<[String; 2]>::as_slice), panel, rounds), expect);
        };
        let (scripted, taped) = (Some([REHEARSAL; 2]), "openai:x, recorded on 20 November 2026");
        check(scripted, &["", "", ""], 3, "19 scripted turns. No model is called and nothing is charged.");
        check(scripted, &["", ""], 99, "19 scripted turns. No model is called and nothing is charged.");
        let real = Some(["openai:x", "groq:y"]);
        check(real, &["", "", ""], 1, "13 turns, a model call each. Debaters: openai:x. Summariser: groq:y.");
        check(real, &["", "groq:z", ""], 2, "16 turns, a model call each. Debaters: openai:x, groq:z. Summariser: groq:y.");
        check(Some([taped, taped]), &["", ""], 1, voice::PLAYED);
        check(None, &["", ""], 1, voice::NO_MODEL);
    }
}
