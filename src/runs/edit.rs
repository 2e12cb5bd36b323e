//! `/runs/{id}/edit/{turn}`: a turn being put into other words, in a plain form on the phone, and what will come of it.

use super::api::{ForkRun, Turn};
use crate::ui::{AppBar, PlainField, Stage};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Title;

#[component]
pub fn Edit(turn: Turn) -> impl IntoView {
    let Turn { card, turn, text, max, fault, key } = turn;
    let (title, name, back) = (format!("Edit · {}", card.title), card.title, card.href);
    let desk = view! {
        <h1>"Say it differently"</h1>
        <p class="lede">"Change what is said here, and see where the conversation would have gone. Both are kept, each with a link to the other."</p>
    };
    let phone = view! {
        <AppBar title="Edit message" back=back.clone()>{name}</AppBar>
        <form class="rewording" method="post" action=ForkRun::url()>
            <input type="hidden" name="id" value=card.id />
            <input type="hidden" name="turn" value=turn.to_string() />
            <input type="hidden" name="key" value=key />
            <PlainField name="text" label="In other words" text=text max=max rows=4 error=fault.unwrap_or_default() />
            <p class="meta">
                "A new conversation goes on from here with these words; whatever was said before them is the same. The one you come from stays as it is."
            </p>
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
