//! The app: one route line per page. With `main.rs` the one registry of rooms.

use crate::{
    home::Home,
    rooms::{
        debate::page::{DebateBenchPage, DebatePage, DebateReplayPage},
        research::page::{ResearchBenchPage, ResearchPage, ResearchReplayPage},
        simulate::page::{BenchPage, JourneyPage, ReplayPage},
    },
    runs::page::RunsPage,
    ui::{AppBar, Notice, Stage},
};
use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::{
    Lazy, SsrMode,
    components::{FlatRoutes, Route, Router},
    hooks::use_location,
    path,
};

#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Title formatter=titled />
        <Router>
            <FlatRoutes fallback=NotFound transition=true>
                <Route path=path!("/") view=Home ssr=SsrMode::Async />
                <Route path=path!("/runs") view={Lazy::<RunsPage>::new()} ssr=SsrMode::Async />
                <Route path=path!("/runs/:id/about") view={Lazy::<RunsPage>::new()} ssr=SsrMode::Async />
                <Route path=path!("/runs/:id/edit/:turn") view={Lazy::<RunsPage>::new()} ssr=SsrMode::Async />
                <Route path=path!("/demo") view={Lazy::<BenchPage>::new()} ssr=SsrMode::Async />
                <Route path=path!("/demo/:id") view={Lazy::<JourneyPage>::new()} ssr=SsrMode::Async />
                <Route path=path!("/demo/:id/replay") view={Lazy::<ReplayPage>::new()} ssr=SsrMode::Async />
                <Route path=path!("/journey") view={Lazy::<ResearchBenchPage>::new()} ssr=SsrMode::Async />
                <Route path=path!("/journey/:id") view={Lazy::<ResearchPage>::new()} ssr=SsrMode::Async />
                <Route path=path!("/journey/:id/replay") view={Lazy::<ResearchReplayPage>::new()} ssr=SsrMode::Async />
                <Route path=path!("/debate") view={Lazy::<DebateBenchPage>::new()} ssr=SsrMode::Async />
                <Route path=path!("/debate/personas") view={Lazy::<DebateBenchPage>::new()} ssr=SsrMode::Async />
                <Route path=path!("/debate/:id") view={Lazy::<DebatePage>::new()} ssr=SsrMode::Async />
                <Route path=path!("/debate/:id/replay") view={Lazy::<DebateReplayPage>::new()} ssr=SsrMode::Async />
            </FlatRoutes>
        </Router>
    }
}

/// A title is made of what people typed, and leptos_meta writes it into the page as it stands: so without angle brackets.
fn titled(title: String) -> String {
    let title = title.replace('<', "‹").replace('>', "›");
    if title.is_empty() { "Colloquy".to_owned() } else { format!("{title} · Colloquy") }
}

#[component]
fn NotFound() -> impl IntoView {
    // Only the server comes here with such an address: a link that is still good leads to its run.
    let (heading, lede) = match use_location().pathname.get_untracked().starts_with("/s/") {
        true => ("This link opens nothing any more.", "Whoever gave it to you has revoked it, or deleted the conversation."),
        false => ("There is no such page.", "It may have moved, or the address has a slip in it."),
    };
    let desk = view! { <h1>{heading}</h1><p class="lede">{lede}</p><p><a class="btn primary" href="/">"To the rooms"</a></p> };
    let phone = view! { <AppBar title="Not found" back="/">"This page does not exist"</AppBar><div class="empty"><Notice tone="quiet">"Nothing here."</Notice></div> };
    view! {
        <Title text="Not found" />
        <Stage front="desk".to_owned() desk=desk.into_any() phone=phone.into_any() />
    }
}
