//! `/demo` and `/demo/{id}`: set a journey up, then watch it.

use super::{
    api::{Page, open_simulation},
    view::{Bench, Form, Journey},
};
use crate::{
    runs::{Missing, reach},
    ui::{Draft, Submission},
};
use leptos::prelude::*;
use leptos_router::{LazyRoute, hooks::use_params_map, lazy_route};

pub struct SimulatePage;

#[lazy_route]
impl LazyRoute for SimulatePage {
    fn data() -> Self {
        SimulatePage
    }

    /// Loads its data itself, so that all the room's code is in the room's chunk.
    fn view(_this: Self) -> AnyView {
        let params = use_params_map();
        let page = Resource::new(move || params.read().get("id"), |id| reach(move || open_simulation(id.clone())));
        let form = Form { icp: Draft::new("simulate.icp"), query: Draft::new("simulate.query"), start: Submission::default() };
        let shown = move || {
            Suspend::new(async move {
                match page.await {
                    Ok(Page::Bench(desk)) => view! { <Bench desk=desk form=form /> }.into_any(),
                    Ok(Page::Run { snapshot, mine }) => view! { <Journey snapshot=snapshot mine=mine form=form /> }.into_any(),
                    Err(error) => view! { <Missing error=error room="Journey" href="/demo" /> }.into_any(),
                }
            })
        };
        view! { <Transition>{shown}</Transition> }.into_any()
    }
}
