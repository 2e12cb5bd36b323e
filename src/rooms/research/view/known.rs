//! What is known of a business, to be put right where it stands: each field opens in its place, and Enter, Save and leaving it keep
//! what was written. Without JavaScript it opens and saves as well.

use super::{
    deeds::{Deeds, Forms, area},
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
    let fields = Field::ALL.map(|field| known(page, field, &typed));
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
    // Whoever goes on inside the field has not left it.
    let leave = move |event: FocusEvent| {
        let inside = |to: web_sys::EventTarget| Some(field_of(to.dyn_ref()?)? == field_of(event.target()?.dyn_ref()?)?);
        if is_text(&event) && !event.related_target().and_then(inside).unwrap_or_default() {
            save(page.deeds, &event, false);
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
    let answer = Memo::new(move |_| page.shown.run.with(|run| run.state.answer(field).map(str::to_owned)));
    let refused = typed.field == field.slug();
    let typed = StoredValue::new(refused.then(|| (answer.get_untracked(), typed.text.clone())));
    let forms = StoredValue::new(page.forms());
    let line = Signal::derive(move || answer.with(|answer| line(field, answer.as_deref(), forms.with_value(Forms::are_written))));
    let form = Signal::derive(move || {
        let (answer, typed) = (answer.get(), typed.get_value());
        let text = typed.filter(|(before, _)| *before == answer).map(|(_, text)| text).or(answer).unwrap_or_default();
        forms.with_value(|forms| form(field, &text, forms))
    });
    let away = Signal::derive(move || !page.shown.run.with(|run| is_shown(&run.state, field)));
    view! { <details class="known" hidden=away open=refused><summary inner_html=line></summary><div inner_html=form></div></details> }
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

/// Keeps what was written, if it is anything new, and shows the field as it was; `stays`: the focus stays with it.
fn save(deeds: Option<Deeds>, event: &Event, stays: bool) {
    let Some(field) = event.target().and_then(|target| field_of(target.dyn_ref()?)) else { return };
    let (Some(deeds), Some(text)) = (deeds, area(&field)) else { return };
    let is_new = text.value() != before(&text) && !text.value().trim().is_empty();
    if let Some(form) = field.query_selector("form").ok().flatten().filter(|_| is_new) {
        deeds.submit_form(deeds.desk, &form);
    }
    close(&field, stays);
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
