//! Focus goes where the eye goes, and only when it is nowhere else.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

/// Focuses the first element that matches, once the next frame has drawn it.
pub fn focus_soon(selector: &str) {
    let selector = selector.to_owned();
    Effect::new(move || {
        let selector = selector.clone();
        request_animation_frame(move || focus(&selector));
    });
}

/// Now: a phone shows its keyboard only for what is focused while it is touched.
pub fn focus(selector: &str) {
    let idle = document().active_element().is_none_or(|active| matches!(active.tag_name().as_str(), "BODY" | "BUTTON"));
    let found = document().query_selector(selector).ok().flatten();
    if let Some(element) = found.and_then(|found| found.dyn_into::<web_sys::HtmlElement>().ok()).filter(|_| idle) {
        let _ = element.focus();
    }
}
