//! The phone: a frame in real proportions on a desk, the whole screen on a real phone.

use super::{Glyph, Icon, clock::TimeOfDay};
use leptos::prelude::*;

#[component]
pub fn Phone(children: Children) -> impl IntoView {
    view! {
        <div class="phone">
            <div class="island"></div>
            <div class="screen">
                <div class="status-bar" aria-hidden="true">
                    <TimeOfDay />
                    <svg class="signals" width="66" height="14" viewBox="0 0 66 14">
                        <path d="M0 9a1 1 0 0 1 1-1h1a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1H1a1 1 0 0 1-1-1zM5 6.500a1 1 0 0 1 1-1h1a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1zM10 4a1 1 0 0 1 1-1h1a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-1a1 1 0 0 1-1-1zM15 1.500a1 1 0 0 1 1-1h1a1 1 0 0 1 1 1V12a1 1 0 0 1-1 1h-1a1 1 0 0 1-1-1z" />
                        <path d="M30 3.200c2.600 0 5 1 6.800 2.700l-1.400 1.500A7.700 7.700 0 0 0 30 5.300a7.700 7.700 0 0 0-5.400 2.100l-1.400-1.500A9.800 9.800 0 0 1 30 3.200zm0 4.100c1.500 0 2.900.6 4 1.500L30 13l-4-4.200c1.100-.9 2.500-1.500 4-1.500z" />
                        <path class="cell" d="M45.500 1h14A3.500 3.500 0 0 1 63 4.500V9a3.500 3.500 0 0 1-3.500 3.500h-14A3.500 3.500 0 0 1 42 9V4.500A3.500 3.500 0 0 1 45.500 1z" />
                        <path d="M45.700 2.700h11a2 2 0 0 1 2 2v4.100a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2V4.700a2 2 0 0 1 2-2z" />
                    </svg>
                </div>
                {children()}
                <div class="home-bar" aria-hidden="true"></div>
            </div>
        </div>
    }
}

/// The app's own bar: the way back, the title, and what the room puts to the right.
#[component]
pub fn AppBar(
    #[prop(into)] title: String,
    #[prop(into)] back: String,
    children: Children,
    #[prop(optional)] end: Option<AnyView>,
) -> impl IntoView {
    view! {
        <header class="app-bar">
            <a class="icon-button" href=back aria-label="Back"><Icon glyph=Glyph::Back /></a>
            <div class="app-title"><h1>{title}</h1><p class="meta">{children()}</p></div>
            <div class="app-end">{end}</div>
        </header>
    }
}

/// Says, for as long as they speak, that it is nobody real. `name` is what it is known by to those who hear it.
#[component]
pub fn Badge(name: Signal<String>, words: Signal<String>) -> impl IntoView {
    view! { <p class="badge" role="status" aria-label=name>{words}</p> }
}
