//! `/runs`: all conversations, to be found again, and on the desk how long they are kept.

use super::{
    Card,
    api::{self, DeleteRun, EraseMe, UndeleteRun},
};
use crate::ui::{AppBar, Glyph, Icon, Notice, Stage};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Title;

#[component]
pub fn Shelf(shelf: api::Shelf) -> impl IntoView {
    let front = if shelf.desk { "desk" } else { "phone" };
    let desk = view! {
        <a class="btn phone-only back-to-chat" href="/runs">"Show the list"</a>
        <h1>"Your conversations"</h1>
        <p class="lede">{shelf.kept.clone()}</p>
        <EraseForm />
    };
    let end = view! { <a class="icon-button phone-only" href="/runs?show=desk" aria-label="Your data"><Icon glyph=Glyph::Dots /></a> };
    let count = shelf.count.clone();
    let phone = view! {
        <AppBar title="Runs" back="/" end=end.into_any()>{count}</AppBar>
        <form class="search" role="search" method="get" action="/runs">
            <input class="input" type="search" name="q" aria-label="Search runs" placeholder="Search titles and words" value=shelf.words.clone() />
            <button class="icon-button" type="submit" aria-label="Search"><Icon glyph=Glyph::Research /></button>
        </form>
        <div class="shelf">
            {shelf.refused.clone().map(|error| view! { <Notice tone="bad">{error.to_string()}</Notice> })}
            {shelf.erased.then(|| view! { <Notice tone="good">"All your data is deleted. Whatever you begin now belongs to somebody new."</Notice> })}
            {shelf.deleted.clone().map(undo)}
            {list(shelf)}
        </div>
    };
    view! {
        <Title text="Runs" />
        <Stage front=front.to_owned() desk=desk.into_any() phone=phone.into_any() />
    }
}

fn undo(card: Card) -> AnyView {
    view! {
        <div class="undo">
            <Notice tone="quiet">{format!("“{}” is deleted. It can be brought back for a day.", card.title)}</Notice>
            <form method="post" action=UndeleteRun::url()>
                <input type="hidden" name="id" value=card.id />
                <button type="submit" class="btn">"Undo"</button>
            </form>
        </div>
    }
    .into_any()
}

fn list(shelf: api::Shelf) -> AnyView {
    if shelf.cards.is_empty() {
        return nothing(shelf.words);
    }
    let more = shelf.more.map(|more| view! { <p class="shelf-more"><a class="btn" href=more>"Show more"</a></p> });
    view! {
        <ul class="runs" aria-label="Runs">{shelf.cards.into_iter().map(row).collect_view()}</ul>
        {more}
    }
    .into_any()
}

fn row(card: Card) -> AnyView {
    let pin = card.pinned.then(|| view! { <Icon glyph=Glyph::Pin size=15 /><span class="sr-only">"Pinned: "</span> });
    view! {
        <li>
            <a class="run" href=card.href>
                <b>{pin}{card.title.clone()}</b>
                <span class="meta">{format!("{} · {} · {}", card.room, card.status.word(), card.when)}</span>
            </a>
            <form method="post" action=DeleteRun::url()>
                <input type="hidden" name="id" value=card.id.clone() />
                <button type="submit" class="icon-button small" aria-label=format!("Delete {}", card.title)><Icon glyph=Glyph::Bin size=18 /></button>
            </form>
            <a class="icon-button small" href=format!("/runs/{}/about", card.id) aria-label=format!("About {}", card.title)><Icon glyph=Glyph::Info size=18 /></a>
        </li>
    }
    .into_any()
}

fn nothing(words: String) -> AnyView {
    let (said, href, way) = match words.is_empty() {
        true => ("Nothing is kept here yet.".to_owned(), "/demo", "Start with a journey"),
        false => (format!("Nothing here holds “{words}”."), "/runs", "Show all"),
    };
    view! {
        <div class="empty">
            <p><b>{said}</b></p>
            <p><a class="btn" href=href>{way}</a></p>
        </div>
    }
    .into_any()
}

#[component]
fn EraseForm() -> impl IntoView {
    view! {
        <form class="erase" method="post" action=EraseMe::url()>
            <h2>"Delete everything"</h2>
            <p class="meta">"Every conversation, persona and link of yours is deleted for good, on the spot. Nobody can bring it back."</p>
            <label class="check"><input type="checkbox" name="sure" value="yes" required=true /><span>"Yes, delete all of it for good"</span></label>
            <button type="submit" class="btn stop">"Delete all my data"</button>
        </form>
    }
}
