//! The browser's entry: takes over the page that the server rendered.

use crate::{
    engine::{entry::RunEvent, flow::read::Read, progress::Progress},
    runs::{
        Opened, Sent,
        load::page,
        watch::{Conversation, Line, Watch},
    },
    ui::{Bubble, Plain, Stepper},
};
use std::hint::black_box;

#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    keep_together();
    leptos::mount::hydrate_lazy(crate::app::App);
}

/// What the runs' pages of all rooms are made of comes with the first chunk. Left to itself each set of pages that share some code
/// gets a chunk for it, and many small ones compress badly. Naming a function here is enough; it is not called.
fn keep_together() {
    black_box(Watch::page as fn(_, _) -> _);
    black_box(page as fn(_, _, _, _) -> _);
    black_box(<RunEvent as Read>::read as fn(_) -> _);
    black_box(Progress::apply as fn(_, _, _) -> _);
    black_box(Line::said as fn(_, _, _, _) -> _);
    black_box(Line::unsaid as fn(_, _) -> _);
    black_box(Line::speech as fn(_, _) -> _);
    black_box(Sent::open::<Opened> as fn(_) -> _);
    component(Conversation);
    component(Bubble);
    component(Plain);
    component(Stepper);
}

/// The splitter lays the data of each chunk out on its own and needs room for the gaps between them. Where it has none it leaves all
/// data in the first chunk, which is 40 KB more of everybody's. Nothing refers to this, so it ends up in no chunk.
#[used]
static ROOM: [u8; 8192] = [1; 8192];

fn component<P, V>(component: fn(P) -> V) {
    black_box(component);
}
