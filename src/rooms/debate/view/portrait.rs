//! A persona's drawn portrait.

use leptos::prelude::*;

/// Decoration: the name stands beside it.
#[component]
pub fn Portrait(name: &'static str) -> impl IntoView {
    let svg = format!(r#"<svg viewBox="0 0 48 48"><use href="/portraits.svg#{name}"/></svg>"#);
    view! { <span class="portrait" aria-hidden="true" inner_html=svg></span> }
}
