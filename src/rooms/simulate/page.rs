//! `/demo` and `/demo/{id}`: set a journey up, then watch it.

use super::{
    api::{Desk, StartSimulation, simulation, simulation_desk},
    flow::Simulate,
    view::{Bench, Form, Journey, Missing},
};
use crate::{engine::follow::Snapshot, error::AppError, ui::Draft};
use leptos::prelude::*;
use leptos_router::{LazyRoute, hooks::use_params_map, lazy_route};

pub struct SimulatePage {
    run: Resource<Result<Option<Snapshot<Simulate>>, AppError>>,
    desk: Resource<Result<Desk, AppError>>,
}

#[lazy_route]
impl LazyRoute for SimulatePage {
    fn data() -> Self {
        let params = use_params_map();
        let load = |id: Option<String>| async move {
            match id {
                Some(id) => simulation(id).await.map(Some),
                None => Ok(None),
            }
        };
        SimulatePage { run: Resource::new(move || params.read().get("id"), load), desk: Resource::new(move || params.read().get("id"), |_| simulation_desk()) }
    }

    fn view(this: Self) -> AnyView {
        let SimulatePage { run, desk } = this;
        let form = Form { icp: Draft::new("simulate.icp"), query: Draft::new("simulate.query"), start: ServerAction::<StartSimulation>::new() };
        let page = move || {
            Suspend::new(async move {
                match run.await {
                    Ok(None) => view! { <Bench desk=desk.await form=form /> }.into_any(),
                    Ok(Some(snapshot)) => view! { <Journey snapshot=snapshot form=form /> }.into_any(),
                    Err(error) => view! { <Missing error=error /> }.into_any(),
                }
            })
        };
        view! { <Transition>{page}</Transition> }.into_any()
    }
}
