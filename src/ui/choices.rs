//! Quick replies: what can be answered with a tap.

use super::{
    composer::Target,
    escaped,
    focus::{focus, focus_soon},
};
use leptos::{
    ev::{Event, KeyboardEvent, SubmitEvent},
    html::Div,
    prelude::*,
};
use wasm_bindgen::JsCast;

/// What can be chosen: as it is read, and as it is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub label: String,
    pub value: String,
}

/// How a question can be answered besides by its choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// By several of them.
    pub several: bool,
    /// In words of one's own.
    pub other: bool,
}

/// A tap on one of them is the answer; where there may be several, Done is. Skip chooses none of them. Written as HTML, with one
/// listener: no further kind of element, and the same without JavaScript. What `target` names is a list.
#[component]
pub fn Choices(
    target: Target,
    choices: Vec<Choice>,
    ways: Ways,
    /// What is sent to the same address instead by Skip, where one may.
    skip: Option<Vec<(&'static str, String)>>,
    pending: Signal<bool>,
    /// Why the last try was refused; empty when it was not.
    failure: Signal<String>,
    choose: Callback<Vec<String>>,
) -> impl IntoView {
    let node = NodeRef::<Div>::new();
    Effect::new(move || {
        if let Some(choices) = node.get() {
            boxes(&choices).for_each(toggle);
        }
    });
    let html = hidden(&target.fields) + &chips(target.name, &choices, ways, skip.is_some());
    let skip =
        skip.map(|fields| view! { <form id="skip" method="post" action=target.action inner_html=hidden(&fields)></form> }.into_any());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let (Some(choices), Some(button)) = (node.get_untracked(), event.submitter()) else { return };
        let skipped = button.has_attribute("form");
        let values: Vec<String> = match button.get_attribute("value") {
            Some(value) => vec![value],
            None if skipped => vec![],
            None => boxes(&choices).filter(web_sys::HtmlInputElement::checked).map(|chip| chip.value()).collect(),
        };
        if skipped || !values.is_empty() {
            focus_soon("[role=log]");
            choose.run(values);
        }
    };
    let change = move |event: Event| event_box(&event).into_iter().for_each(toggle);
    let press = move |event: web_sys::MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        if target.is_some_and(|target| target.has_attribute("data-other")) {
            focus("#message");
        }
    };
    // A button answers to Enter as well.
    let key = move |event: KeyboardEvent| {
        if let Some(chip) = event_box(&event).filter(|_| event.key() == "Enter") {
            event.prevent_default();
            chip.click();
        }
    };
    view! {
        <div class="choices" node_ref=node on:submit=submit on:change=change on:click=press on:keydown=key>
            <form method="post" action=target.action>
                <fieldset class="chips" aria-label="Choices" disabled=pending inner_html=html></fieldset>
            </form>
            {skip}
            <p class="field-error" role="alert">{failure}</p>
        </div>
    }
}

fn event_box(event: &Event) -> Option<web_sys::HtmlInputElement> {
    event.target()?.dyn_into().ok()
}

/// Those of several choices that can be ticked.
fn boxes(choices: &web_sys::Element) -> impl Iterator<Item = web_sys::HtmlInputElement> {
    let chips = choices.get_elements_by_class_name("chip");
    (0..chips.length()).filter_map(move |at| chips.item(at)?.first_element_child()?.dyn_into().ok())
}

/// To those who hear the page it is a button that is pressed or not; without JavaScript it stays a box.
fn toggle(chip: web_sys::HtmlInputElement) {
    let _ = chip.set_attribute("role", "button");
    let _ = chip.set_attribute("aria-pressed", if chip.checked() { "true" } else { "false" });
}

fn hidden(fields: &[(&'static str, String)]) -> String {
    fields.iter().map(|(name, value)| format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">", escaped(value))).collect()
}

fn chips(name: &str, choices: &[Choice], ways: Ways, skip: bool) -> String {
    let chip = |choice: &Choice| {
        let (label, value) = (escaped(&choice.label), escaped(&choice.value));
        match ways.several {
            true => format!("<label class=\"chip\"><input type=\"checkbox\" name=\"{name}[]\" value=\"{value}\">{label}</label>"),
            false => format!("<button type=\"submit\" class=\"chip\" name=\"{name}[]\" value=\"{value}\">{label}</button>"),
        }
    };
    let further = [
        (ways.other, "<button type=\"button\" class=\"chip other\" data-other>Something else…</button>"),
        (ways.several, "<span class=\"break\"></span><button type=\"submit\" class=\"chip done\">Done</button>"),
        (skip, "<button type=\"submit\" class=\"chip skip\" form=\"skip\">Skip</button>"),
    ];
    let further = further.iter().filter(|(is, _)| *is).map(|(_, html)| *html);
    choices.iter().map(chip).collect::<String>() + &further.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(ways: Ways, skip: bool) -> String {
        let choice = |label: &str| Choice { label: label.into(), value: label.to_lowercase() };
        let target = Target { action: "/choose", fields: vec![("id", "a\"b".into())], name: "values" };
        let skip = skip.then(|| vec![("what", "skip".to_owned())]);
        let owner = Owner::new();
        owner.with(|| {
            view! {
                <Choices
                    target=target choices=vec![choice("Offline"), choice("<The fee>")] ways=ways skip=skip
                    pending=Signal::stored(false) failure=Signal::stored(String::new()) choose=Callback::new(|_| ())
                />
            }
            .to_html()
        })
    }

    fn has(html: &str, all: &[&str]) {
        for what in all {
            assert!(html.contains(what), "{what}: {html}");
        }
    }

    #[test]
    fn one_of_them_is_sent_by_its_button() {
        let html = html(Ways::default(), false);
        has(
            &html,
            &[
                r#"action="/choose""#,
                r#"aria-label="Choices""#,
                r#"name="id" value="a&quot;b""#,
                r#"<button type="submit" class="chip" name="values[]" value="offline">Offline</button>"#,
                "&lt;The fee&gt;",
            ],
        );
        assert!(!["Something else", "Done", "Skip", "checkbox"].iter().any(|word| html.contains(word)), "{html}");
    }

    #[test]
    fn several_are_ticked_and_then_done() {
        let html = html(Ways { several: true, other: true }, true);
        has(
            &html,
            &[
                r#"<label class="chip"><input type="checkbox" name="values[]" value="offline">Offline</label>"#,
                "Something else…",
                "Done",
                r#"form="skip">Skip"#,
                r#"<form id="skip" method="post" action="/choose"><input type="hidden" name="what" value="skip">"#,
            ],
        );
    }
}
