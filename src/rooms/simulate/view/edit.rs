//! A turn being put into other words: a plain form on the phone, and what will come of it.

use crate::{
    rooms::simulate::{
        api::{ForkSimulation, Turn},
        flow::MAX_CHARS,
    },
    ui::{AppBar, PlainField, Stage},
};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Title;

#[component]
pub fn Edit(turn: Turn) -> impl IntoView {
    let Turn { id, step, title: name, text, fault, key } = turn;
    let back = format!("/demo/{id}");
    let what = match step {
        0 => "A new conversation starts with this question. The one you come from stays as it is.",
        _ => {
            "A new conversation goes on from here with these words; what was said before them is the same. The one you come from stays as it is."
        }
    };
    let title = format!("Edit · {}", name);
    let desk = view! {
        <h1>"Say it differently"</h1>
        <p class="lede">"Change what the customer says, and see where the conversation would have gone. Both are kept, each with a link to the other."</p>
    };
    let phone = view! {
        <AppBar title="Edit message" back=back.clone()>{name}</AppBar>
        <form class="rewording" method="post" action=ForkSimulation::url()>
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="step" value=step.to_string() />
            <input type="hidden" name="key" value=key />
            <PlainField name="text" label="What the customer says" text=text max=MAX_CHARS rows=4 error=fault.unwrap_or_default() />
            <p class="meta">{what}</p>
            <div class="row">
                <button type="submit" class="btn primary grow">"Go on from here"</button>
                <a class="btn" href=back>"Cancel"</a>
            </div>
        </form>
    };
    view! {
        <Title text=title />
        <Stage front="phone".to_owned() desk=desk.into_any() phone=phone.into_any() />
    }
}
