//! What is known of a business, to be put right where it stands: each field opens in its place, and Enter, Save and leaving it keep
//! what was written. Without JavaScript it opens and saves as well.

use super::{
    deeds::{Deeds, Forms, area},
    text,
    thread::Page,
};
use crate::{
    rooms::research::{
        api::{Deed, Typed},
        flow::{Field, State, field::FIELD_CHARS},
    },
    runs::watch::failure,
    ui::escaped,
};
use leptos::{
    ev::{Event, FocusEvent, KeyboardEvent, MouseEvent, SubmitEvent},
    prelude::*,
};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlTextAreaElement};

/// `typed` is what was refused, where that was sent without JavaScript.
#[component]
pub fn Known(page: Page, typed: Typed) -> impl IntoView {
    let fields: Vec<AnyView> = Field::ALL.iter().map(|field| known(page, *field, &typed)).collect();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        save(page.deeds, &event, true);
    };
    let key = move |event: KeyboardEvent| match event.key().as_str() {
        "Enter" if !event.is_composing() && !event.shift_key() && is_text(&event) => {
            event.prevent_default();
            save(page.deeds, &event, true);
        }
        "Escape" => forget(&event),
        _ => {}
    };
    let leave = move |event: FocusEvent| {
        let text = event.target().filter(|_| is_text(&event)).and_then(|target| target.dyn_into::<Element>().ok());
        let to = event.related_target().and_then(|to| to.dyn_into::<Element>().ok());
        // Whoever goes on to Save has not left it, and a press on its head closes it by itself.
        let is_beside = |to: &Element| text.as_ref().is_some_and(|text| field_of(to) == field_of(text));
        if text.is_some() && !to.as_ref().is_some_and(is_beside) {
            save(page.deeds, &event, false);
        } else if to.is_some_and(|to| to.tag_name() == "SUMMARY") {
            keep(page.deeds, &event);
        }
    };
    let open = |event: MouseEvent| {
        if let Some(field) = event.target().and_then(|target| field_of(target.dyn_ref()?)) {
            request_animation_frame(move || drop(area(&field).filter(|area| area.offset_parent().is_some()).map(|area| area.focus())));
        }
    };
    let error = page.deeds.map(|deeds| view! { <p class="field-error" role="alert">{failure(deeds.desk)}</p> });
    view! {
        <section class="knowns" aria-label="What we know" on:submit=submit on:keydown=key on:focusout=leave on:click=open>{fields}</section>
        {error}
    }
}

fn known(page: Page, field: Field, typed: &Typed) -> AnyView {
    let run = page.shown.run;
    let refused = (typed.field == field.slug()).then(|| typed.text.clone());
    let open = refused.is_some();
    let before = run.with_untracked(|run| run.state.answer(field).map(str::to_owned));
    let line = text(move || run.with(|run| line(field, run.state.answer(field), page.deeds.is_some())));
    let form = text(move || {
        run.with(|run| {
            let answer = run.state.answer(field);
            let refused = refused.as_deref().filter(|_| answer == before.as_deref());
            form(field, refused.or(answer).unwrap_or_default(), &page.forms())
        })
    });
    let away = Signal::derive(move || !run.with(|run| is_shown(&run.state, field)));
    view! {
        <details class="known" hidden=away open=open>
            <summary><span class="line" inner_html=line></span></summary>
            <div inner_html=form></div>
        </details>
    }
    .into_any()
}

/// What is answered, and what will be asked.
fn is_shown(state: &State, field: Field) -> bool {
    field.is_required() || state.answer(field).is_some()
}

fn line(field: Field, answer: Option<&str>, editable: bool) -> String {
    let (class, value, word) = match answer {
        None => (" none", "Not asked yet".to_owned(), "add"),
        Some("") => (" none", "Not known".to_owned(), "add"),
        Some(answer) => ("", escaped(answer), "edit"),
    };
    let word = if editable { format!("<span class=\"edit\">{word}</span>") } else { String::new() };
    format!("<b>{}</b>{word}<span class=\"value{class}\">{value}</span>", field.name())
}

fn form(field: Field, text: &str, forms: &Forms) -> String {
    let name = field.name();
    let inside = format!(
        "<textarea class=\"input\" name=\"text\" rows=\"1\" maxlength=\"{FIELD_CHARS}\" required aria-label=\"{name}\">{}</textarea>\
         <div class=\"row\"><button class=\"btn\" aria-label=\"Save {name}\">Save</button></div>",
        escaped(text)
    );
    forms.form(Deed::Correct, field.slug(), &inside)
}

fn is_text(event: &Event) -> bool {
    event.target().is_some_and(|target| target.is_instance_of::<HtmlTextAreaElement>())
}

fn field_of(element: &Element) -> Option<Element> {
    element.closest("details").ok().flatten()
}

/// Keeps what was written and closes the field; `stays`: the focus stays with it.
fn save(deeds: Option<Deeds>, event: &Event, stays: bool) {
    if let Some(field) = keep(deeds, event) {
        close(&field, stays);
    }
}

/// Keeps what was written in a field, if it is anything new.
fn keep(deeds: Option<Deeds>, event: &Event) -> Option<Element> {
    let field = field_of(event.target()?.dyn_ref()?)?;
    let (deeds, text) = (deeds?, area(&field)?);
    let is_new = text.value() != before(&text) && !text.value().trim().is_empty();
    if let Some(form) = field.query_selector("form").ok().flatten().filter(|_| is_new) {
        deeds.submit_form(deeds.desk, &form);
    }
    Some(field)
}

/// What stood in it when it was drawn.
fn before(text: &HtmlTextAreaElement) -> String {
    text.text_content().unwrap_or_default()
}

/// What was written is taken back.
fn forget(event: &Event) {
    let Some(field) = event.target().and_then(|target| field_of(target.dyn_ref()?)) else { return };
    if let Some(text) = area(&field) {
        text.set_value(&before(&text));
    }
    close(&field, true);
}

fn close(field: &Element, stays: bool) {
    let summary = field.query_selector("summary").ok().flatten().and_then(|summary| summary.dyn_into::<HtmlElement>().ok());
    if let Some(summary) = summary.filter(|_| stays) {
        let _ = summary.focus();
    }
    let _ = field.remove_attribute("open");
}

#[cfg(test)]
mod tests;
