//! The room's pages: `/journey` starts a conversation, `/journey/{id}` holds it, `…/replay` plays it once more. Its report is a page
//! without a script, which the server writes.

use super::{
    api::{open_bench, open_research},
    view::{Bench, ROOM, conversation, replay},
};
use crate::runs::{Absent, load, named};
use leptos::prelude::*;
use leptos_router::{LazyRoute, hooks::use_location, lazy_route};

const ABSENT: Absent = Absent { room: ROOM.name, href: ROOM.href, way: "Start a new one" };

pub struct ResearchBenchPage;

#[lazy_route]
impl LazyRoute for ResearchBenchPage {
    fn data() -> Self {
        ResearchBenchPage
    }

    fn view(_this: Self) -> AnyView {
        // What the address asks for is asked for once, when the page is opened.
        let search = use_location().search.get_untracked();
        load(move || search.clone(), open_bench, |sent| Ok(view! { <Bench bench=sent.open()? /> }.into_any()), ABSENT)
    }
}

pub struct ResearchPage;

#[lazy_route]
impl LazyRoute for ResearchPage {
    fn data() -> Self {
        ResearchPage
    }

    fn view(_this: Self) -> AnyView {
        let search = use_location().search.get_untracked();
        load(named("id"), move |id| open_research(id, search.clone()), |sent| conversation(sent.open()?), ABSENT)
    }
}

pub struct ResearchReplayPage;

#[lazy_route]
impl LazyRoute for ResearchReplayPage {
    fn data() -> Self {
        ResearchReplayPage
    }

    fn view(_this: Self) -> AnyView {
        load(named("id"), |id| open_research(id, String::new()), |sent| replay(sent.open()?), ABSENT)
    }
}
