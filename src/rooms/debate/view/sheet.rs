//! A persona being written: a plain form on the phone, which needs no script, and what it is for.

use super::{people::choice, portrait::Portrait};
use crate::{
    rooms::debate::{
        api::{DeletePersona, SavePersona, Sheet},
        flow::{
            Persona,
            persona::{HUES, NAME_CHARS, PHILOSOPHY_CHARS, PORTRAITS},
        },
    },
    ui::{AppBar, Notice, PlainField, Stage},
};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Title;

#[component]
pub fn PersonaSheet(sheet: Sheet) -> impl IntoView {
    let Sheet { was, persona, models, fault, source, back } = sheet;
    let title = if was.is_empty() { "New persona" } else { "Edit persona" };
    let at = |field: &str| fault.as_ref().and_then(|fault| fault.at(field)).unwrap_or_default().to_owned();
    let full = Some(at("personas")).filter(|why| !why.is_empty()).map(|why| view! { <Notice tone="bad">{why}</Notice> });
    let model = persona.model.clone().unwrap_or_default();
    let several = models.len() > 1 || !model.is_empty();
    let model = several.then(|| {
        let field = choice("model".to_owned(), "Model".to_owned(), &models, &model, RwSignal::new(String::new()));
        view! { <div class="field" class:wrong=!at("model").is_empty()>{field}<p class="field-error" role="alert">{at("model")}</p></div> }
    });
    let desk = view! {
        <h1>{title}</h1>
        <p class="lede">"Somebody for your debates: a customer, a critic, a colleague, anybody with a view. They are told what they believe before every turn, and nothing else about themselves."</p>
        <ul class="pitch">
            <li><b>"Begin with what matters to them. "</b>"A few words and a colon, then their reasons."</li>
            <li><b>"Say how they argue. "</b>"In numbers, in stories, in questions: it shows in every turn."</li>
            <li><b>"Give them something to lose. "</b>"A view that costs nothing makes a dull debate."</li>
        </ul>
    };
    let phone = view! {
        <AppBar title=title back=back.clone()>"Kept for your debates"</AppBar>
        <div class="sheet">
            {full}
            <form class="persona" method="post" action=SavePersona::url()>
                <input type="hidden" name="was" value=was.clone() />
                <input type="hidden" name="source" value=source.clone() />
                {name(&persona, at("name"))}
                <PlainField name="philosophy" label="Philosophy" text=persona.philosophy.clone() max=PHILOSOPHY_CHARS rows=5 error=at("philosophy") />
                {looks(&persona)}
                {model}
                <div class="row">
                    <button type="submit" class="btn primary grow">"Save persona"</button>
                    <a class="btn" href=back>"Cancel"</a>
                </div>
            </form>
            {(!was.is_empty()).then(|| throwing_away(was, source))}
        </div>
    };
    view! {
        <Title text=title />
        <Stage front="phone".to_owned() desk=desk.into_any() phone=phone.into_any() />
    }
}

fn name(persona: &Persona, error: String) -> AnyView {
    let wrong = !error.is_empty();
    view! {
        <div class="field" class:wrong=wrong>
            <div class="field-head"><label for="field-name">"Name"</label></div>
            <input
                id="field-name" name="name" class="input" maxlength=NAME_CHARS required=true autocomplete="off" value=persona.name.clone()
                aria-describedby="field-name-hint" aria-invalid=wrong.to_string()
            />
            <p class="field-error" id="field-name-hint" role="alert">{error}</p>
        </div>
    }
    .into_any()
}

/// A hue and a portrait, which is drawn in it.
fn looks(persona: &Persona) -> AnyView {
    let (hue, portrait) = (RwSignal::new(persona.hue_at(0).to_owned()), persona.portrait_at(0));
    let first = hue.get_untracked();
    let swatch = |name: &'static str| {
        view! { <label data-hue=name><input type="radio" name="hue" value=name checked=name == first aria-label=name on:change=move |_| hue.set(name.to_owned()) /></label> }
            .into_any()
    };
    let face = |name: &'static str| {
        view! { <label><input type="radio" name="icon_hint" value=name checked=name == portrait aria-label=name /><Portrait name=name /></label> }.into_any()
    };
    view! {
        <fieldset class="field swatches"><legend class="field-head"><b>"Hue"</b></legend>{HUES.into_iter().map(swatch).collect_view()}</fieldset>
        <fieldset class="field portraits" data-hue=hue><legend class="field-head"><b>"Portrait"</b></legend>{PORTRAITS.into_iter().map(face).collect_view()}</fieldset>
    }
    .into_any()
}

/// Asks first: nothing brings them back.
fn throwing_away(name: String, source: String) -> AnyView {
    view! {
        <details class="under-test">
            <summary>"Delete this persona"</summary>
            <form class="line" method="post" action=DeletePersona::url()>
                <input type="hidden" name="name" value=name.clone() />
                <input type="hidden" name="source" value=source />
                <p class="grow meta">"Debates that were held stay as they are."</p>
                <button type="submit" class="btn stop">{format!("Delete {name}")}</button>
            </form>
        </details>
    }
    .into_any()
}
