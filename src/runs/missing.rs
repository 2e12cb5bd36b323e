//! The page of a run that cannot be shown.

use crate::{
    error::{AppError, Code},
    ui::{AppBar, Notice, Stage},
};
use leptos::prelude::*;
use leptos_meta::Title;

/// Not there, or not this person's, or not to be had just now. `room` is the room's name, `href` where to go on from here,
/// and `way` says so.
#[component]
pub fn Missing(error: AppError, room: &'static str, href: &'static str, way: &'static str) -> impl IntoView {
    let gone = error.code == Code::NotFound;
    let (heading, word) =
        if gone { ("This conversation is not here.", "Not found") } else { ("This cannot be shown right now.", "Not loaded") };
    let left = view! {
        <h1>{heading}</h1>
        <p class="lede">{error.detail}</p>
        <p class="row">
            {(!gone).then(|| view! { <a class="btn primary" rel="external" href="">"Try again"</a> })}
            <a class="btn" class:primary=gone href=href>{way}</a>
        </p>
    };
    let right =
        view! { <AppBar title=room back=href>{word}</AppBar><div class="empty"><Notice tone="quiet">"Nothing to show."</Notice></div> };
    view! {
        <Title text=word />
        <Stage front="desk".to_owned() desk=left.into_any() phone=right.into_any() />
    }
}
