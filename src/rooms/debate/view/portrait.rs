//! A persona's drawn portrait.

use leptos::prelude::*;

/// Decoration: the name stands beside it.
#[component]
pub fn Portrait(name: &'static str) -> impl IntoView {
    view! { <span class="portrait" aria-hidden="true" inner_html=portrait(name)></span> }
}

/// As HTML.
pub fn portrait(name: &'static str) -> String {
    format!(r#"<svg viewBox="0 0 48 48"><use href="/portraits.svg#{name}"/></svg>"#)
}
