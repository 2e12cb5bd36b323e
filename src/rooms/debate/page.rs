//! The room's pages: `/debate` sets a debate up, `/debate/personas` writes somebody for it, `/debate/{id}` watches it, `…/replay`
//! plays it once more. What is written, watched and played is a chunk each.

use super::{
    api::{open_bench, open_debate, open_sheet},
    view::{Bench, PersonaSheet, ROOM, debate, replay},
};
use crate::runs::{Absent, load, named};
use leptos::prelude::*;
use leptos_router::{LazyRoute, hooks::use_location, lazy_route};

const ABSENT: Absent = Absent { room: ROOM.name, href: ROOM.href, way: "Start a new one" };

pub struct DebateBenchPage;

#[lazy_route]
impl LazyRoute for DebateBenchPage {
    fn data() -> Self {
        DebateBenchPage
    }

    fn view(_this: Self) -> AnyView {
        // What the address asks for is asked for once, when the page is opened.
        let location = use_location();
        let search = location.search.get_untracked();
        let address = move || search.clone();
        match location.pathname.get_untracked().ends_with("/personas") {
            true => load(address, open_sheet, |sent| Ok(view! { <PersonaSheet sheet=sent.open()? /> }.into_any()), ABSENT),
            false => load(address, open_bench, |sent| Ok(view! { <Bench bench=sent.open()? /> }.into_any()), ABSENT),
        }
    }
}

pub struct DebatePage;

#[lazy_route]
impl LazyRoute for DebatePage {
    fn data() -> Self {
        DebatePage
    }

    fn view(_this: Self) -> AnyView {
        load(named("id"), open_debate, |sent| debate(sent.open()?), ABSENT)
    }
}

pub struct DebateReplayPage;

#[lazy_route]
impl LazyRoute for DebateReplayPage {
    fn data() -> Self {
        DebateReplayPage
    }

    fn view(_this: Self) -> AnyView {
        load(named("id"), open_debate, |sent| replay(sent.open()?), ABSENT)
    }
}
