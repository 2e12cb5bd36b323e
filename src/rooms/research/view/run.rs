//! A conversation on its page: what is known and found on the desk, the thread on the phone, live or played once more.

use super::{
    ROOM,
    deeds::Deeds,
    desk::{Sections, WHOLE},
    known::Known,
    reading::{Reading, Sheets},
    thread::{Page, Thread},
    words::{done, is_speaking, words},
};
use crate::{
    error::AppError,
    rooms::research::{
        api::{Deed, Held, Tell, Typed},
        flow::MESSAGE_CHARS,
    },
    runs::watch::{Footer, Parts, Replay, Speaking, Watch},
    ui::{Ring, Target},
};
use leptos::{prelude::*, server_fn::ServerFn};

/// Fails where the log is not one of this room's.
pub fn conversation(held: Held) -> Result<AnyView, AppError> {
    let Held { opened, key, typed, refused } = held;
    let (watch, shown) = Watch::open(ROOM, opened, words)?;
    let deeds = watch.mine.then(|| Deeds::new(watch));
    let reading = Reading::new(shown);
    let page = Page::new(watch.id, watch.href(), shown, deeds, Some(reading));
    if let (Some(deeds), Some(refused)) = (deeds, refused) {
        let place = if typed.field.is_empty() { deeds.talk } else { deeds.desk };
        place.error.set(Some(refused));
    }
    let speaking = Memo::new(move |_| shown.run.with(is_speaking));
    let footer = deeds.map(|deeds| footer(watch, deeds, speaking.into(), key, &typed));
    let conversation = view! { <Thread page=page readout=watch.readout /><Sheets reading=reading /> };
    let count = Signal::derive(move || {
        let (answers, sections) = shown.run.with(|run| done(&run.state));
        answers + sections
    });
    let label = Signal::derive(move || watch.readout.with(|readout| format!("What we know: {}", readout.words.place)));
    Ok(watch.page(Parts {
        heading: "What we know so far".to_owned(),
        setup: view! { <Sections page=page /> }.into_any(),
        instruments: view! { <Known page=page typed=typed /> }.into_any(),
        conversation: conversation.into_any(),
        footer,
        ring: Some(view! { <Ring done=count of=WHOLE label=label /> }.into_any()),
        stop: Signal::derive(move || !speaking.get()),
    }))
}

fn footer(watch: Watch, deeds: Deeds, speaking: Signal<bool>, key: String, typed: &Typed) -> AnyView {
    let refused = (typed.field.is_empty() && !typed.text.is_empty()).then(|| typed.text.clone());
    let spoken = Speaking {
        target: Target { action: Tell::url(), fields: vec![("what", Deed::Say.slug().to_owned())], name: "text" },
        max: MESSAGE_CHARS,
        placeholder: Signal::stored("Message".to_owned()),
        draft: watch.draft(refused),
        key,
        speaking,
        submission: deeds.talk,
        send: Callback::new(move |message| deeds.say(message)),
    };
    view! { <Footer watch=watch speaking=spoken /> }.into_any()
}

/// Fails where the log is not one of this room's.
pub fn replay(held: Held) -> Result<AnyView, AppError> {
    let snapshot = held.opened.snapshot;
    let (id, href) = (StoredValue::new(snapshot.id.clone()), format!("{}/{}", ROOM.href, snapshot.id));
    let (replay, shown) = Replay::open(ROOM, snapshot, words)?;
    let page = Page::new(id, href, shown, None, None);
    let thread = view! { <Thread page=page readout=replay.readout /> };
    Ok(replay.page(view! { <Sections page=page /> }.into_any(), thread.into_any()))
}
