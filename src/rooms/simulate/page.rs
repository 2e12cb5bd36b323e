//! The room's pages, each a chunk of its own: `/demo` sets a journey up, `/demo/{id}` watches it, `…/edit/{step}` puts a
//! turn into other words, `…/replay` plays it once more. Each loads its data itself, so that all its code is in its chunk.

use super::{
    api::{open_bench, open_simulation, open_turn},
    view::{Bench, Edit, journey, replay},
};
use crate::runs::{Absent, load};
use leptos::prelude::*;
use leptos_router::{
    LazyRoute,
    hooks::{use_location, use_params_map},
    lazy_route,
};

const ABSENT: Absent = Absent { room: "Journey", href: "/demo", way: "Start a new one" };

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

pub struct EditPage;

#[lazy_route]
impl LazyRoute for EditPage {
    fn data() -> Self {
        EditPage
    }

    fn view(_this: Self) -> AnyView {
        let (id, step) = (named("id")(), named("step")().parse::<u32>().unwrap_or(u32::MAX));
        let search = use_location().search.get_untracked();
        let ask = move |search| open_turn(id.clone(), step, search);
        load(move || search.clone(), ask, |sent| Ok(view! { <Edit turn=sent.open()? /> }.into_any()), ABSENT)
    }
}

/// A part of the address.
fn named(name: &'static str) -> impl Fn() -> String + Copy + Send + Sync + 'static {
    let params = use_params_map();
    move || params.read().get(name).unwrap_or_default()
}
