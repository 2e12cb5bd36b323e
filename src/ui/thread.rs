//! The scrolling thread: follows its end while the reader is there, and leaves the reader alone otherwise.

use super::{Glyph, Icon, When};
use leptos::{html::Div, prelude::*};
use wasm_bindgen::{JsCast, closure::Closure};

/// A reader within so many pixels of the end is taken along.
const NEAR: i32 = 100;

/// The column is reversed in the style sheet: its end is at scroll position 0, and the first paint shows it.
#[component]
pub fn Thread(#[prop(into)] label: String, children: Children) -> impl IntoView {
    let (scroller, content) = (NodeRef::<Div>::new(), NodeRef::<Div>::new());
    let behind = RwSignal::new(false);
    // Where the reader was when the thread had this height. What comes all at once, as a card does, is longer than near: as it
    // comes the browser keeps what is read in its place, and so takes the reader away from the end through no doing of theirs.
    let (near, height) = (StoredValue::new(true), StoredValue::new(0));
    let measured = move || content.get_untracked().map_or(0, |content| content.offset_height());
    let position = move || scroller.get_untracked().map_or(0, |node| node.scroll_top().abs());
    let to_end = move || {
        if let Some(node) = scroller.get_untracked() {
            node.set_scroll_top(0);
        }
        near.set_value(true);
        behind.set(false);
    };
    Effect::new(move || {
        let Some(content) = content.get() else { return };
        near.set_value(position() < NEAR);
        let grown = Closure::<dyn Fn()>::new(move || {
            height.set_value(measured());
            if near.get_value() { to_end() } else { behind.set(true) }
        });
        let Ok(observer) = web_sys::ResizeObserver::new(grown.as_ref().unchecked_ref()) else { return };
        observer.observe(&content);
        let kept = StoredValue::new_local((observer, grown));
        on_cleanup(move || kept.with_value(|(observer, _)| observer.disconnect()));
    });
    let on_scroll = move |_| {
        if measured() == height.get_value() {
            near.set_value(position() < NEAR);
        }
        if position() < NEAR {
            behind.set(false);
        }
    };
    view! {
        <div class="thread-frame">
            <div class="thread" node_ref=scroller on:scroll=on_scroll tabindex="0" role="log" aria-label=label aria-live="off">
                <div class="thread-content" node_ref=content>{children()}</div>
            </div>
            <When when=behind>
                <button type="button" class="pill" on:click=move |_| to_end()><Icon glyph=Glyph::Down size=14 />"new"</button>
            </When>
        </div>
    }
}
