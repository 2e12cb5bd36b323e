//! The room's pages, each a chunk of its own: `/demo` sets a journey up, `/demo/{id}` watches it, `…/edit/{step}` puts a
//! turn into other words, `…/replay` plays it once more. Each loads its data itself, so that all its code is in its chunk.

use super::{
    api::{open_bench, open_simulation, open_turn},
    view::{Bench, Edit, Journey, Replay},
};
use crate::runs::{Missing, reach};
use leptos::prelude::*;
use leptos_router::{
    LazyRoute,
    hooks::{use_location, use_params_map},
    lazy_route,
};

pub struct BenchPage;

#[lazy_route]
impl LazyRoute for BenchPage {
    fn data() -> Self {
        BenchPage
    }

    fn view(_this: Self) -> AnyView {
        // What the address asks for is asked for once, when the page is opened.
        let search = use_location().search.get_untracked();
        let desk = Resource::new(|| (), move |()| reach(with(search.clone(), open_bench)));
        let shown = move || {
            Suspend::new(async move {
                match desk.await {
                    Ok(desk) => view! { <Bench desk=desk /> }.into_any(),
                    Err(error) => view! { <Missing error=error room="Journey" href="/demo" /> }.into_any(),
                }
            })
        };
        view! { <Transition>{shown}</Transition> }.into_any()
    }
}

pub struct JourneyPage;

#[lazy_route]
impl LazyRoute for JourneyPage {
    fn data() -> Self {
        JourneyPage
    }

    fn view(_this: Self) -> AnyView {
        let journey = Resource::new(named("id"), |id| reach(with(id, open_simulation)));
        let shown = move || {
            Suspend::new(async move {
                match journey.await {
                    Ok(journey) => view! { <Journey journey=journey /> }.into_any(),
                    Err(error) => view! { <Missing error=error room="Journey" href="/demo" /> }.into_any(),
                }
            })
        };
        view! { <Transition>{shown}</Transition> }.into_any()
    }
}

pub struct ReplayPage;

#[lazy_route]
impl LazyRoute for ReplayPage {
    fn data() -> Self {
        ReplayPage
    }

    fn view(_this: Self) -> AnyView {
        let journey = Resource::new(named("id"), |id| reach(with(id, open_simulation)));
        let shown = move || {
            Suspend::new(async move {
                match journey.await {
                    Ok(journey) => view! { <Replay snapshot=journey.snapshot /> }.into_any(),
                    Err(error) => view! { <Missing error=error room="Replay" href="/demo" /> }.into_any(),
                }
            })
        };
        view! { <Transition>{shown}</Transition> }.into_any()
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
        let asked = (id.clone(), search);
        let turn = Resource::new(|| (), move |()| reach(with(asked.clone(), move |(id, search)| open_turn(id, step, search))));
        let shown = move || {
            let id = id.clone();
            Suspend::new(async move {
                match turn.await {
                    Ok(turn) => view! { <Edit id=id step=step turn=turn /> }.into_any(),
                    Err(error) => view! { <Missing error=error room="Journey" href="/demo" /> }.into_any(),
                }
            })
        };
        view! { <Transition>{shown}</Transition> }.into_any()
    }
}

/// A part of the address.
fn named(name: &'static str) -> impl Fn() -> String + Copy + Send + Sync + 'static {
    let params = use_params_map();
    move || params.read().get(name).unwrap_or_default()
}

/// Asks with the same words each time.
fn with<W: Clone, A>(words: W, ask: impl Fn(W) -> A) -> impl Fn() -> A {
    move || ask(words.clone())
}
