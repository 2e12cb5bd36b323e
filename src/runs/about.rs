//! `/runs/{id}/about`: what is known of one run, and what can be done with it besides talking in it.

use super::api::{self, DeleteRun, PinRun, RenameRun, ShareRun};
use crate::ui::{AppBar, Notice, Stage, copy};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_meta::Title;

#[component]
pub fn About(about: api::About) -> impl IntoView {
    let card = about.card.clone();
    let lede = match about.mine {
        true => "What is known of this conversation, and what you can do with it.",
        false => "Somebody has shared this conversation with you, to read and to take a copy of.",
    };
    let desk = view! {
        <h1>{card.title.clone()}</h1>
        <p class="lede">{lede}</p>
        {about.mine.then(pitch)}
    };
    let fact = |(name, value): (String, String)| view! { <div><dt>{name}</dt><dd>{value}</dd></div> };
    let (title, name) = (format!("About {}", card.title), card.title);
    let phone = view! {
        <AppBar title="About" back=card.href>{name}</AppBar>
        <div class="sheet">
            {about.refused.clone().map(|error| view! { <Notice tone="bad">{error.to_string()}</Notice> })}
            {about.mine.then(|| naming(&about))}
            <section class="row" aria-label="Take a copy">
                <a class="btn" download="" href=format!("/api/runs/{}/export.md", card.id)>"Export Markdown"</a>
                <a class="btn" download="" href=format!("/api/runs/{}/export.json", card.id)>"Export JSON"</a>
            </section>
            {about.mine.then(|| deeds(&about))}
            <dl class="facts">{about.facts.clone().into_iter().map(fact).collect_view()}</dl>
            {about.mine.then(|| throwing_away(card.id.clone()))}
        </div>
    };
    view! {
        <Title text=title />
        <Stage front="phone".to_owned() desk=desk.into_any() phone=phone.into_any() />
    }
}

fn pitch() -> AnyView {
    view! {
        <ul class="pitch">
            <li><b>"A link"</b>" lets whoever has it read this one conversation, and nothing else. Revoked, it opens nothing from that moment."</li>
            <li><b>"A copy"</b>" holds every word, the phases and what was learned, and says which model spoke, when, and whether it was a rehearsal."</li>
            <li><b>"A deleted conversation"</b>" can be brought back for a day."</li>
        </ul>
    }
    .into_any()
}

/// Its name, whether it stays on top, and its link.
fn naming(about: &api::About) -> AnyView {
    let id = about.card.id.clone();
    let (pin, word) = if about.card.pinned { ("false", "Unpin") } else { ("true", "Pin") };
    view! {
        <form class="line" method="post" action=RenameRun::url()>
            <input type="hidden" name="id" value=id.clone() />
            <label class="grow"><span class="sr-only">"Name"</span><input class="input" name="title" maxlength="120" required=true value=about.card.title.clone() /></label>
            <button type="submit" class="btn">"Rename"</button>
        </form>
        <form class="line" method="post" action=PinRun::url()>
            <input type="hidden" name="id" value=id.clone() />
            <input type="hidden" name="pinned" value=pin />
            <p class="grow meta">"A pinned conversation stays on top, and is kept."</p>
            <button type="submit" class="btn">{word}</button>
        </form>
        {sharing(id, about.link.clone())}
    }
    .into_any()
}

fn sharing(id: String, link: Option<String>) -> AnyView {
    let (shared, word) = if link.is_some() { ("false", "Revoke") } else { ("true", "Share") };
    let copied = RwSignal::new("Copy");
    let text = link.clone().unwrap_or_default();
    let press = move |_| {
        if copy(&text) {
            copied.set("Copied");
        }
    };
    let field = link.map(|link| {
        view! {
            <div class="line">
                <label class="grow"><span class="sr-only">"Link"</span><input class="input" readonly=true value=link /></label>
                <button type="button" class="btn needs-script" on:click=press>{copied}</button>
            </div>
        }
    });
    view! {
        {field}
        <form class="line" method="post" action=ShareRun::url()>
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="shared" value=shared />
            <p class="grow meta">"Whoever has the link can read this conversation, until you revoke it."</p>
            <button type="submit" class="btn">{word}</button>
        </form>
    }
    .into_any()
}

/// What leads on from it.
fn deeds(about: &api::About) -> AnyView {
    let replay = about.replay.clone().map(|replay| view! { <a class="btn" href=replay>"Replay"</a> });
    view! {
        <section class="row" aria-label="Go on">
            <a class="btn" href=about.again.clone()>"Run again"</a>
            {replay}
        </section>
    }
    .into_any()
}

fn throwing_away(id: String) -> AnyView {
    view! {
        <form method="post" action=DeleteRun::url()>
            <input type="hidden" name="id" value=id />
            <button type="submit" class="btn stop">"Delete"</button>
        </form>
    }
    .into_any()
}
