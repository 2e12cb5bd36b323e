//! What the pages of several rooms are made of comes with the first chunk. Left to itself each set of pages that share some code
//! gets a chunk for it, and many small ones compress badly. Naming something here is enough; nothing of it is called.

use crate::{
    engine::{
        entry::RunEvent,
        flow::{Status, read::Read, words},
        follow::{Texts, keep_open, restarted, text_of},
        live::Listener,
        progress::Progress,
        voice,
    },
    error::AppError,
    runs::{
        Card, Opened, Sent,
        load::{named, page},
        watch::{Conversation, Line, Readout, Watch, Words},
    },
    ui::{Bubble, Draft, Field, Markdown, Notice, Plain, PlainField, Stepper, Submission, When},
};
use leptos::{ev::Event, prelude::*};
use std::hint::black_box;

pub fn keep_together() {
    black_box(Watch::page as fn(_, _) -> _);
    black_box(page as fn(_, _, _, _) -> _);
    black_box(<RunEvent as Read>::read as fn(_) -> _);
    black_box(Listener::start as fn(_, _, _) -> _);
    black_box(Draft::new as fn(_, _) -> _);
    black_box(Progress::apply as fn(_, _, _) -> _);
    black_box(Progress::keep_wanted as fn(_, _) -> _);
    black_box(Line::said as fn(_, _, _, _) -> _);
    black_box(Line::unsaid as fn(_, _) -> _);
    black_box(Line::speech as fn(_, _) -> _);
    black_box(Readout::new as fn(_, _, _, _) -> _);
    black_box(Sent::open::<Opened> as fn(_) -> _);
    black_box(keep_open as fn(_, _, _) -> _);
    black_box(voice::badge as fn(_) -> _);
    black_box(words::check as fn(_, _) -> _);
    component(Conversation);
    component(Bubble);
    component(Plain);
    component(Stepper);
    component(Markdown);
    component(Field);
    component(PlainField);
    component(Notice);
    component(When);
    black_box(values as fn(_, _, _) -> _);
    black_box(texts as fn(_, _) -> _);
    black_box(views as fn(_, _, _) -> _);
    black_box(restarted as fn(_) -> _);
}

fn component<P, V>(component: fn(P) -> V) {
    black_box(component);
}

/// The kinds of signals and of stored values that a run's page keeps.
fn values(progress: Progress, words: Words, texts: Texts) -> impl Sized {
    let opened = (progress.clone(), words.clone());
    let readout = Memo::new(move |_| Readout::new(Status::Done, false, &opened.0, opened.1.clone()));
    let line = Memo::new(move |_| Line::unsaid(&progress, &readout.with(|_| serde_json::Value::Null)));
    let texts = RwSignal::new(texts);
    texts.update(|texts| text_of(texts, 0).clear());
    texts.set(texts.get_untracked());
    let id = StoredValue::new(String::new());
    id.set_value(named("id")());
    let relatives = StoredValue::new((None::<Card>, Vec::<Card>::new()));
    let count: Signal<u32> = RwSignal::new(0).into();
    (line, texts, relatives, count.get(), Submission::<AppError>::default())
}

/// What is done with texts.
fn texts(text: &str, all: &[String; 5]) -> impl Sized {
    let parsed = (text.parse::<u32>(), text.parse::<i64>());
    let parts = (text.split_once(' '), text.rsplit_once('-'), text.trim(), text.trim_start());
    drop(black_box((parsed, parts)));
    (text.to_ascii_lowercase(), all.join(" "), <Vec<u32> as Read>::read(&text.into()))
}

/// The kinds of elements, attributes and listeners that pages have.
fn views(words: Signal<String>, is: Signal<bool>, typed: RwSignal<String>) -> Vec<AnyView> {
    let listen = |_: Event| ();
    vec![
        view! { <details open=true hidden=is><h2>{words}</h2></details> }.into_any(),
        view! { <div class="x" inner_html=words></div> }.into_any(),
        view! {
            <div><form id="x" on:change=listen><p id="x" aria-describedby="x" data-x=typed></p></form></div>
            <ul inner_html=words></ul>
            <form method="post"><button formaction="x">{words}</button></form>
        }
        .into_any(),
    ]
}

/// The splitter lays the data of each chunk out on its own and needs room for the gaps between them. Where it has none it leaves all
/// data in the first chunk, which is 40 KB more of everybody's. Nothing refers to this, so it ends up in no chunk.
#[used]
static ROOM: [u8; 8192] = [1; 8192];
