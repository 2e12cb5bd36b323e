//! The frame of a run's page: instruments on the desk, the conversation on the phone.

use super::{
    Watch,
    controls::{Buttons, Counters, RunBar, Subtitle},
    failure,
};
use crate::{
    runs::Card,
    ui::{AppBar, Badge, Glyph, Icon, Stage, When, focus_soon},
};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_location;

/// A heading of more bytes is set smaller.
const LONG: usize = 80;

/// What a room brings to its run's page.
pub struct Parts {
    /// Over the desk.
    pub heading: String,
    /// On the desk: what the run was started with.
    pub setup: AnyView,
    /// On the desk: how far it has come, and with what.
    pub instruments: AnyView,
    /// On the phone: its [`Conversation`](super::Conversation).
    pub conversation: AnyView,
    /// On the phone, where something can be said to it: its [`Footer`](super::Footer), and what comes up over the phone.
    pub footer: Option<AnyView>,
    /// Stop stands on the desk, unless it is in the footer just now.
    pub stop: Signal<bool>,
    /// In the phone's header, in place of the dots that lead to the desk: how far it has come.
    pub ring: Option<AnyView>,
}

impl Watch {
    pub fn page(self, parts: Parts) -> AnyView {
        self.nudge_when_done(self.command);
        // Which side a real phone shows stands in the address, so that Back leads from one to the other.
        let search = use_location().search;
        let front = Signal::derive(move || if search.with(|search| search.contains("show=desk")) { "desk" } else { "phone" }.to_owned());
        // Whoever comes here from another page, as by Start, looks at the conversation.
        Effect::new(|| {
            if document().document_element().is_some_and(|root| root.has_attribute("data-hydrated")) {
                focus_soon("[role=log]");
            }
        });
        let Parts { heading, setup, instruments, conversation, footer, stop, ring } = parts;
        // A run bar holds them on a real phone; a composer does not.
        let class = if footer.is_none() { "desk-only" } else { "on-desk" };
        let buttons = view! { <Buttons watch=self class=class stop=stop /> }.into_any();
        let desk = view! { <Desk watch=self heading=heading setup=setup buttons=buttons instruments=instruments /> };
        let footer = footer.unwrap_or_else(|| view! { <RunBar watch=self /> }.into_any());
        view! {
            <Title text=self.title.get_value() />
            <Stage front=front desk=desk.into_any() phone=self.phone(conversation, footer, ring) />
        }
        .into_any()
    }

    fn phone(self, conversation: AnyView, footer: AnyView, ring: Option<AnyView>) -> AnyView {
        let about = format!("/runs/{}/about", self.id.get_value());
        let dots = || {
            view! { <a class="icon-button phone-only" href="?show=desk" aria-label="Show details"><Icon glyph=Glyph::Dots /></a> }
                .into_any()
        };
        let end = view! {
            <a class="icon-button" href=about aria-label="About this conversation"><Icon glyph=Glyph::Info /></a>
            {ring.unwrap_or_else(dots)}
        };
        let badge = move || self.readout.with(|readout| readout.badge.clone()).unwrap_or_default();
        let (name, words) = (Signal::derive(move || badge().0.to_owned()), Signal::derive(move || badge().1));
        let badged = Signal::derive(move || self.readout.with(|readout| readout.badge.is_some()));
        let back = if self.mine { self.room.href } else { "/" };
        view! {
            <AppBar title=self.room.name back=back end=end.into_any()><Subtitle watch=self /></AppBar>
            <When when=badged><Badge name=name words=words /></When>
            {conversation}
            {footer}
        }
        .into_any()
    }
}

#[component]
fn Desk(watch: Watch, heading: String, setup: AnyView, buttons: AnyView, instruments: AnyView) -> impl IntoView {
    let reset = watch.mine.then(|| {
        let href = format!("{}?from={}", watch.room.href, watch.id.get_value());
        view! { <a class="btn" href=href title="Run again with changes">{watch.room.again}</a> }
    });
    view! {
        <a class="btn phone-only back-to-chat" href=watch.href()>"Show conversation"</a>
        <h1 class:long={heading.len() > LONG}>{heading.clone()}</h1>
        {(!watch.mine).then(|| view! { <p class="lede">"Shared with you, to read."</p> })}
        {setup}
        <div class="row">
            {buttons}
            {reset}
            <span class="grow"></span>
            <Counters watch=watch />
        </div>
        <p class="field-error">{failure(watch.command)}</p>
        <Relatives watch=watch />
        {instruments}
    }
}

/// The run that this one continues, and those that continue it.
#[component]
fn Relatives(watch: Watch) -> impl IntoView {
    let (parent, forks) = watch.relatives.get_value();
    let link = |words: &'static str, card: Card| view! { <li class="meta">{words}<a href=card.href>{card.title}</a></li> };
    let parent = parent.into_iter().map(|card| link("Continues from ", card)).collect_view();
    let forks = forks.into_iter().map(|card| link("Also went on as ", card)).collect_view();
    view! { <ul class="relatives">{parent}{forks}</ul> }
}
