//! A sentence in the thread that nobody in the conversation said: an end, a wait, a fault.

use super::{Glyph, Icon};
use leptos::prelude::*;

/// `tone` is `quiet`, `good`, `wait` or `bad`.
#[component]
pub fn Notice(tone: &'static str, children: Children) -> impl IntoView {
    let glyph = match tone {
        "good" => Some(Glyph::Check),
        "bad" => Some(Glyph::Alert),
        _ => None,
    };
    view! {
        <div class="notice" data-tone=tone>
            {glyph.map(|glyph| view! { <Icon glyph=glyph size=18 /> })}
            <p>{children()}</p>
        </div>
    }
}
