//! Before a conversation: what one is working on, if one wants to say so, openings that begin with one tap, and what will happen.

use super::ROOM;
use crate::{
    engine::{entry::REHEARSAL, voice},
    error::Code,
    rooms::research::{
        api::{self, Offer, StartResearch, start_research},
        flow::{MESSAGE_CHARS, Section},
    },
    runs::Resume,
    ui::{AppBar, Badge, Draft, Field, Glyph, Icon, Notice, Stage, Submission, focus_soon},
};
use leptos::{ev::SubmitEvent, prelude::*, server_fn::ServerFn};
use leptos_meta::Title;

#[component]
pub fn Bench(bench: api::Bench) -> impl IntoView {
    let models: Vec<&str> = bench.models.iter().flatten().map(String::as_str).collect();
    let badge =
        voice::badge(&models).map(|(name, words)| view! { <Badge name=Signal::stored(name.to_owned()) words=Signal::stored(words) /> });
    let sections = Section::ALL.map(|section| format!("<li><b>{}</b>: {}.</li>", section.name(), explained(section))).concat();
    let (resume, unresearched) = (bench.unfinished.clone(), bench.unresearched.clone());
    let desk = view! {
        <h1>"Market research"</h1>
        <p class="lede">"An interviewer asks about your business. Whatever it knows enough about is researched at once, while you go on talking."</p>
        {resume.map(|card| view! { <Resume card=card /> })}
        {unresearched.map(|words| view! { <Notice tone="wait">{words}</Notice> })}
        <StartForm bench=bench />
        <h2>"What you get"</h2>
        <ul class="pitch" inner_html=sections></ul>
    };
    let phone = view! {
        <AppBar title=ROOM.name back="/">"Ready when you are"</AppBar>
        {badge}
        <div class="empty">
            <span class="empty-face" data-room="research"><Icon glyph=Glyph::Research size=40 /></span>
            <p><b>"Nothing has been asked yet."</b></p>
            <p class="meta">"Say what you are working on, or let the interviewer begin. The conversation appears here."</p>
        </div>
    };
    view! {
        <Title text="Market research" />
        <Stage front="desk".to_owned() desk=desk.into_any() phone=phone.into_any() />
    }
}

/// The worked openings are buttons of a form of their own, which holds the same key.
#[component]
fn StartForm(bench: api::Bench) -> impl IntoView {
    let api::Bench { models, examples, opening, key, refused, .. } = bench;
    let (opening, start) = (Draft::new("research.opening", opening), Submission::default());
    start.error.set(refused);
    let (ready, words) = (models.is_some(), estimate(models.as_deref()));
    let attempt = StoredValue::new(key.clone());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let example = event.submitter().and_then(|button| button.get_attribute("value"));
        let words = example.unwrap_or_else(|| opening.value.get_untracked());
        start.send(start_research(words, attempt.get_value()));
    };
    let error = Signal::derive(move || start.error.with(|error| Some(error.as_ref()?.at("opening")?.to_owned())).unwrap_or_default());
    Effect::new(move || {
        if error.with(|error| !error.is_empty()) {
            focus_soon("[aria-invalid=true]");
        }
    });
    let general = move || start.error.get().filter(|error| error.errors.is_empty());
    let blocked = Signal::derive(move || !ready || start.pending.get());
    let word = Signal::derive(move || if start.pending.get() { "Starting…" } else { "Start conversation" }.to_owned());
    let example = move |Offer { name, opening }: Offer| {
        view! { <button type="submit" class="chip" name="opening" value=opening disabled=blocked>{name}</button> }.into_any()
    };
    let action = StartResearch::url();
    view! {
        <form class="bench" method="post" action=action novalidate=true on:submit=submit>
            <Field
                name="opening" label="What are you working on?" placeholder="A product, a service, an idea. Leave it empty, and the interviewer begins."
                value=opening.value max=MESSAGE_CHARS rows=3 required=false error=error
            />
            <input type="hidden" name="key" value=key.clone() />
            {move || general().map(|error| view! { <Notice tone="bad">{error.sentence()}{(error.code == Code::AccessCode).then(door)}</Notice> })}
            <div class="row">
                <button type="submit" class="btn primary" disabled=blocked>{word}</button>
                <p class="meta grow">{words}</p>
            </div>
        </form>
        <form class="bench" method="post" action=action aria-label="Examples" on:submit=submit>
            <p class="meta">"Or begin with one of these:"</p>
            <input type="hidden" name="key" value=key />
            <div class="chips">{examples.into_iter().map(example).collect_view()}</div>
        </form>
    }
}

/// Outside of the app: entering the code leads back here, where what was typed is still there.
fn door() -> impl IntoView {
    view! { " "<a href="/access" rel="external">"Enter the code"</a> }
}

/// What a section holds, and when it begins.
fn explained(section: Section) -> &'static str {
    match section {
        Section::IndustryMarket => "size, growth and what makes people buy. Begins with your business model and industry",
        Section::Competitors => "who is there, at what price, and what nobody offers. Begins with your product",
        Section::IcpValidation => "whether your ideal customer is one. Begins with a word about them, once the market is known",
        Section::OfferAnalysis => "a scorecard of what you offer. Begins with your price, once the market is known",
        Section::CrossAnalysis => "positioning, channels, your budget and the first moves. Begins when the other four are there",
    }
}

/// What a conversation takes, and who answers.
fn estimate(models: Option<&[String]>) -> String {
    match models {
        Some(models) if models.iter().all(|model| model == REHEARSAL) => {
            "Scripted questions, and sections without figures or sources. No model is called and nothing is charged.".to_owned()
        }
        Some(models) if !models.iter().any(|model| voice::is_real(model)) => voice::PLAYED.to_owned(),
        Some([interviewer, synthesist, researcher @ ..]) => {
            let researcher = researcher.first().map_or("nobody", String::as_str);
            format!(
                "About 30 model calls: two for each answer, two for each section. Interviewer: {interviewer}. Researcher: {researcher}. \
                 Synthesist: {synthesist}."
            )
        }
        _ => voice::NO_MODEL.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_names_who_answers() {
        let check = |models: Option<&[&str]>, expect: &str| {
            let models = models.map(|models| models.iter().map(|model| (*model).to_owned()).collect::<Vec<_>>());
            let words = estimate(models.as_deref());
            assert!(words.contains(expect), "{words}");
        };
        check(Some(&[REHEARSAL; 3]), "nothing is charged");
        check(Some(&["openai:x", "openai:y", "perplexity:z"]), "Interviewer: openai:x. Researcher: perplexity:z. Synthesist: openai:y.");
        check(Some(&["openai:x", "openai:y"]), "Researcher: nobody.");
        check(Some(&["openai:x, recorded on 20 November 2026"; 3]), voice::PLAYED);
        check(None, voice::NO_MODEL);
    }
}
