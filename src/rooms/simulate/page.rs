//! The room's pages: `/demo` sets a journey up, `/demo/{id}` watches it, `…/edit/{step}` puts a turn into other words,
//! `…/replay` plays it once more. Each loads its data itself, so that all its code is in its chunk. Chunks are few, since
//! what some of them share is cut into pieces that compress badly.

use super::{
    api::{open_bench, open_simulation, open_turn},
    view::{Bench, Edit, ROOM, journey, replay},
};
use crate::runs::{Absent, load, named};
use leptos::prelude::*;
use leptos_router::{LazyRoute, hooks::use_location, lazy_route};

const ABSENT: Absent = Absent { room: ROOM.name, href: ROOM.href, way: "Start a new one" };

/// Where something is written: the bench, or a turn to be put into other words.
pub struct BenchPage;

#[lazy_route]
impl LazyRoute for BenchPage {
    fn data() -> Self {
        BenchPage
    }

    fn view(_this: Self) -> AnyView {
        // What the address asks for is asked for once, when the page is opened.
        let search = use_location().search.get_untracked();
        let address = move || search.clone();
        let (id, step) = (named("id")(), named("step")());
        if step.is_empty() {
            return load(address, open_bench, |sent| Ok(view! { <Bench desk=sent.open()? /> }.into_any()), ABSENT);
        }
        // What is no number is a turn that is not there.
        let step = step.parse().unwrap_or(u32::MAX);
        let ask = move |search| open_turn(id.clone(), step, search);
        load(address, ask, |sent| Ok(view! { <Edit turn=sent.open()? /> }.into_any()), ABSENT)
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
