//! `/runs`, all conversations, and `/runs/{id}/about`, one of them: pages of one chunk.

use super::{
    Absent,
    about::About,
    api::{about_run, list_runs},
    load, named,
    shelf::Shelf,
};
use leptos::prelude::*;
use leptos_router::{LazyRoute, hooks::use_location, lazy_route};

pub struct RunsPage;

#[lazy_route]
impl LazyRoute for RunsPage {
    fn data() -> Self {
        RunsPage
    }

    /// Loads its data itself, so that all its code is in its own chunk.
    fn view(_this: Self) -> AnyView {
        let (id, search) = (named("id"), use_location().search);
        if !id().is_empty() {
            let absent = Absent { room: "About", href: "/runs", way: "To all conversations" };
            return load(id, about_run, |sent| Ok(view! { <About about=sent.open()? /> }.into_any()), absent);
        }
        let absent = Absent { room: "Runs", href: "/", way: "To the rooms" };
        load(move || search.get(), list_runs, |sent| Ok(view! { <Shelf shelf=sent.open()? /> }.into_any()), absent)
    }
}
