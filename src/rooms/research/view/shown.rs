//! Research for tests of what is seen, as the server renders it.

use super::{ROOM, deeds::Deeds, reading::Reading, thread::Page, words::words};
use crate::{
    engine::{
        entry::{Entry, RunEvent, ask_json},
        flow::Flow,
        follow::{Fact, Snapshot},
    },
    rooms::research::{
        flow::{Ask, Command, Event, Research, Section},
        held::Story,
    },
    runs::{Opened, watch::Watch},
};
use leptos::prelude::*;

pub fn opened(story: &Story, mine: bool) -> Opened {
    let fact = |(stamp, body): &(_, serde_json::Value)| {
        let crate::engine::flow::Stamp { seq, at } = *stamp;
        Fact { run: "7".into(), seq, at, body: body.clone() }
    };
    let log = story.log.iter().map(fact).collect();
    let snapshot = Snapshot { id: "7".into(), title: "Crumbtrack".into(), log, open: vec![], build: String::new() };
    Opened { snapshot, mine, parent: None, forks: vec![] }
}

/// A part of that run's page, for whoever owns it or reads it only.
pub fn html(story: &Story, mine: bool, draw: impl FnOnce(Page) -> AnyView) -> String {
    let owner = Owner::new();
    owner.with(|| {
        let (watch, shown) = Watch::open::<Research>(ROOM, opened(story, mine), words).expect("a run of this room");
        let deeds = mine.then(|| Deeds::new(watch));
        draw(Page::new(watch.id, watch.href(), shown, deeds, Some(Reading::new(shown)))).to_html()
    })
}

/// The call for it is being made; its step.
pub fn begin(story: &mut Story, ask: Ask) -> i64 {
    assert!(story.wants(&ask), "{ask:?} is not wanted, but {:?}", Research::wants(&story.run.state));
    story.append(Entry::Run(RunEvent::StepStarted { ask: ask_json(&ask), model: "rehearsal".into() }));
    story.run.seq
}

pub fn fail(story: &mut Story, section: Section) {
    story.append(Entry::Room(Event::ResearchFailed { section, error: "The provider was <busy>.".into() }));
}

pub fn halt(story: &mut Story) {
    story.append(Entry::<Event>::Run(RunEvent::Stopped { partial: vec![], why: "Stopped by you.".into() }));
}

/// The industry is another one than it was said to be.
pub fn correct(story: &mut Story) {
    story.command(Command::Correct { field: crate::rooms::research::flow::Field::Industry, text: "Cafés".into() });
}

#[track_caller]
pub fn has(html: &str, there: &[&str], not_there: &[&str]) {
    for what in there {
        assert!(html.contains(what), "{what}: {html}");
    }
    for what in not_there {
        assert!(!html.contains(what), "not {what}: {html}");
    }
}
