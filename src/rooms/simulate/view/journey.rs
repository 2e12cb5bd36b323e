//! A journey under way, or over: its setup and its phases on the desk, the conversation on the phone.

use super::{ROOM, conversation::Thread, phases::Phases, words::words};
use crate::{
    engine::shown::Shown,
    error::AppError,
    rooms::simulate::flow::{MAX_CHARS, Simulate},
    runs::{
        Opened,
        watch::{Parts, Watch},
    },
    ui::PlainField,
};
use leptos::prelude::*;

/// Fails where the log is not one of this room's.
pub fn journey(opened: Opened) -> Result<AnyView, AppError> {
    let (watch, shown) = Watch::open(ROOM, opened, words)?;
    let edit = watch.mine.then(|| format!("/runs/{}/edit", watch.id.get_value()));
    Ok(watch.page(Parts {
        heading: "Journey simulator".to_owned(),
        setup: view! { <Setup shown=shown /> }.into_any(),
        instruments: view! { <Phases shown=shown /> }.into_any(),
        conversation: view! { <Thread shown=shown readout=watch.readout edit=edit /> }.into_any(),
        footer: None,
        stop: Signal::stored(true),
        ring: None,
    }))
}

#[component]
fn Setup(shown: Shown<Simulate>) -> impl IntoView {
    let setup = shown.run.with_untracked(|run| run.state.setup.clone());
    let assistant = [setup.assistant.model, setup.assistant.instructions].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let assistant =
        (!assistant.is_empty()).then(|| view! { <p class="chosen"><b>"Assistant"</b><span class="meta">{assistant}</span></p> });
    view! {
        <PlainField name="icp" label="Customer (ICP)" text=setup.icp max=MAX_CHARS rows=4 locked=true />
        <PlainField name="query" label="First question" text=setup.query max=MAX_CHARS rows=2 locked=true />
        {assistant}
    }
}
