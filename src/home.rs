//! `/`: the phone's springboard, and on the desk what this house is.

use crate::{
    rooms::{ROOMS, Room},
    runs::{Card, recent_runs, sent},
    ui::{Icon, Stage},
};
use leptos::prelude::*;
use leptos_meta::Title;

#[component]
pub fn Home() -> impl IntoView {
    let recent = sent(String::new, |_| recent_runs());
    let desk = view! {
        <h1>"Hold the conversations you would otherwise have to wait for."</h1>
        <p class="lede">"Five rooms on one phone; three are open. Rehearse it without a key, then connect a model and do it for real."</p>
        <ul class="pitch">
            <li><b>"Simulate"</b>" a customer’s journey: an AI customer with your persona talks to an assistant, and tells you what it learned."</li>
            <li><b>"Research"</b>" a market while you talk about your business: an interviewer asks, and what it finds shapes its next question."</li>
            <li><b>"Debate"</b>" a motion: a panel of your choosing argues it in fixed phases, and a neutral summary says what it rests on."</li>
            <li><b>"Everything is kept."</b>" Close the tab, restart the server: a conversation goes on where it was."</li>
            <li><b>"Two more rooms"</b>" are being built: survey and campaigns."</li>
        </ul>
        <p class="row"><a class="btn primary" href="/demo">"Start with a journey"</a><a class="btn" href="/journey">"Research a market"</a><a class="btn" href="/debate">"Hold a debate"</a></p>
    }
    .into_any();
    let phone = view! {
        <div class="springboard">
            <h1 class="sr-only">"Colloquy"</h1>
            <ul class="apps" aria-label="Rooms">{ROOMS.iter().map(app_icon).collect_view()}</ul>
            <Transition>{move || Suspend::new(async move { recent().await.and_then(|sent| sent.open()).ok().map(|cards| view! { <Recent cards=cards /> }) })}</Transition>
        </div>
    }
    .into_any();
    view! {
        <Title text="" />
        <Stage front="phone".to_owned() desk=desk phone=phone />
    }
}

fn app_icon(room: &'static Room) -> impl IntoView {
    let face = view! { <span class="app-face" data-room=room.kind><Icon glyph=room.glyph size=34 /></span><span>{room.name}</span> };
    match room.href {
        Some(href) => view! { <li><a class="app" href=href>{face}</a></li> }.into_any(),
        None => view! { <li><span class="app soon">{face}<span class="meta">"Coming"</span></span></li> }.into_any(),
    }
}

#[component]
fn Recent(cards: Vec<Card>) -> impl IntoView {
    if cards.is_empty() {
        return view! { <p class="recent-none meta">"Hold the conversations you would otherwise have to wait for: start with a journey. They will be kept here."</p> }.into_any();
    }
    let row = |card: Card| {
        let place = format!("{} · {} · {}", card.room, card.status.word(), card.when);
        view! { <li><a href=card.href><b>{card.title}</b><span class="meta">{place}</span></a></li> }
    };
    view! {
        <ul class="recent" aria-label="Recent runs">{cards.into_iter().map(row).collect_view()}</ul>
        <p class="recent-all"><a href="/runs">"All conversations"</a></p>
    }
    .into_any()
}
