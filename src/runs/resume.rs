//! The newest run that is not over, offered where another one is about to be set up.

use super::Card;
use crate::ui::{Glyph, Icon};
use leptos::prelude::*;

#[component]
pub fn Resume(card: Card) -> impl IntoView {
    let place = format!("{} · {}", card.title, card.status.word());
    view! {
        <a class="resume" href=card.href>
            <Icon glyph=Glyph::Play size=18 />
            <span><b>"Continue where you were"</b><span class="meta">{place}</span></span>
        </a>
    }
}
