//! `/runs`, all conversations, `/runs/{id}/about`, one of them, and `…/edit/{turn}`, which puts a turn of it into other words: pages of
//! one chunk.

use super::{
    Absent,
    about::About,
    api::{about_run, list_runs, open_turn},
    edit::Edit,
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
        let (id, turn, search) = (named("id"), named("turn")(), use_location().search);
        if !turn.is_empty() {
            // What is no number is a turn that is not there.
            let (id, turn) = (id(), turn.parse().unwrap_or(u32::MAX));
            let absent = Absent { room: "Edit", href: "/runs", way: "To all conversations" };
            let ask = move |search| open_turn(id.clone(), turn, search);
            return load(move || search.get_untracked(), ask, |sent| Ok(view! { <Edit turn=sent.open()? /> }.into_any()), absent);
        }
        if !id().is_empty() {
            let absent = Absent { room: "About", href: "/runs", way: "To all conversations" };
            return load(id, about_run, |sent| Ok(view! { <About about=sent.open()? /> }.into_any()), absent);
        }
        let absent = Absent { room: "Runs", href: "/", way: "To the rooms" };
        load(move || search.get(), list_runs, |sent| Ok(view! { <Shelf shelf=sent.open()? /> }.into_any()), absent)
    }
}
