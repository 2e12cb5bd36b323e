//! The room's pages: `/demo` sets a journey up, `/demo/{id}` watches it, `…/replay` plays it once more. Each loads its data itself, so
//! that all its code is in its chunk. Chunks are few, since what some of them share is cut into pieces that compress badly.

use super::{
    api::{open_bench, open_simulation},
    view::{Bench, ROOM, journey, replay},
};
use crate::runs::{Absent, load, named};
use leptos::prelude::*;
use leptos_router::{LazyRoute, hooks::use_location, lazy_route};

const ABSENT: Absent = Absent { room: ROOM.name, href: ROOM.href, way: "Start a new one" };

pub struct BenchPage;

#[lazy_route]
impl LazyRoute for BenchPage {
    fn data() -> Self {
        BenchPage
    }

    fn view(_this: Self) -> AnyView {
        // What the address asks for is asked for once, when the page is opened.
        let search = use_location().search.get_untracked();
        load(move || search.clone(), open_bench, |sent| Ok(view! { <Bench desk=sent.open()? /> }.into_any()), ABSENT)
    }
}

pub struct JourneyPage;

#[lazy_route]
impl LazyRoute for JourneyPage {
    fn data() -> Self {
        JourneyPage
    }

    fn view(_this: Self) -> AnyView {
        load(named("id"), open_simulation, |sent| journey(sent.open()?), ABSENT)
    }
}

pub struct ReplayPage;

#[lazy_route]
impl LazyRoute for ReplayPage {
    fn data() -> Self {
        ReplayPage
    }

    fn view(_this: Self) -> AnyView {
        load(named("id"), open_simulation, |sent| replay(sent.open()?), ABSENT)
    }
}
