//! The room's pages: `/debate/{id}` watches a debate, `…/replay` plays it once more. Both are of one chunk, since they show
//! the same.

use super::{
    api::open_debate,
    view::{ROOM, debate, replay},
};
use crate::runs::{Absent, load, named};
use leptos::prelude::*;
use leptos_router::{LazyRoute, hooks::use_location, lazy_route};

const ABSENT: Absent = Absent { room: ROOM.name, href: ROOM.href, way: "Start a new one" };

pub struct DebatePage;

#[lazy_route]
impl LazyRoute for DebatePage {
    fn data() -> Self {
        DebatePage
    }

    fn view(_this: Self) -> AnyView {
        match use_location().pathname.get_untracked().ends_with("/replay") {
            true => load(named("id"), open_debate, |sent| replay(sent.open()?), ABSENT),
            false => load(named("id"), open_debate, |sent| debate(sent.open()?), ABSENT),
        }
    }
}
