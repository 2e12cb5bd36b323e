//! The stage: on the left the desk with its instruments, on the right the phone. On a real phone there
//! is one of them at a time.

use super::{Glyph, Icon, Phone};
use leptos::prelude::*;

/// `front` says which of the two a real phone shows.
#[component]
pub fn Stage(#[prop(into)] front: Signal<String>, desk: AnyView, phone: AnyView) -> impl IntoView {
    // Whatever stands on the stage answers by now, a lazy page's part included.
    Effect::new(|| {
        if let Some(root) = document().document_element() {
            let _ = root.set_attribute("data-hydrated", "");
        }
    });
    view! {
        <main class="stage" data-front=front>
            <section class="desk" aria-label="Desk">
                <Brand />
                {desk}
            </section>
            <section class="show" aria-label="Phone"><Phone>{phone}</Phone></section>
        </main>
    }
}

#[component]
fn Brand() -> impl IntoView {
    view! {
        <header class="brand">
            <a href="/" class="brand-name">
                <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
                    <path class="mark-body" d="M16 3c7.700 0 13 4.900 13 11.300S23.700 25.600 16 25.600c-1.300 0-2.500-.1-3.600-.4L6 29l1.300-6.100C4.600 20.900 3 17.900 3 14.300 3 7.900 8.300 3 16 3z" />
                    <path class="mark-eyes" d="M9.400 14.400a2.100 2.100 0 1 0 4.200 0 2.100 2.100 0 1 0-4.200 0zM18.400 14.400a2.100 2.100 0 1 0 4.200 0 2.100 2.100 0 1 0-4.200 0z" />
                </svg>
                "Colloquy"
            </a>
            <nav aria-label="Main"><a href="/">"Rooms"</a><a href="/runs">"Runs"</a><ThemeSwitch /></nav>
        </header>
    }
}

/// System → light → dark, kept in a cookie so that the server renders it.
#[component]
fn ThemeSwitch() -> impl IntoView {
    let switch = move |_| {
        let Some(root) = document().document_element() else { return };
        let next = match root.get_attribute("data-theme").as_deref() {
            Some("light") => "dark",
            Some("dark") => "system",
            _ => "light",
        };
        let _ = root.set_attribute("data-theme", next);
        // The plain DOM property: web-sys has no typed setter for cookies without HtmlDocument.
        let _ =
            js_sys::Reflect::set(&document(), &"cookie".into(), &format!("theme={next}; Path=/; Max-Age=31536000; SameSite=Lax").into());
    };
    view! { <button type="button" class="icon-button small" aria-label="Switch theme" title="System, light, dark" on:click=switch><Icon glyph=Glyph::Theme size=18 /></button> }
}
