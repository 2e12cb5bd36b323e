//! A run being watched, whatever its room: live on its page, or played once more. A room brings its words and its own
//! views; all else is drawn from plain values and signals of them, so that the browser has one copy of it for all rooms.

mod controls;
mod footer;
mod line;
mod page;
mod player;
mod readout;
mod replay;
mod thread;

pub use footer::{Footer, Speaking};
pub use line::Line;
pub use page::Parts;
pub use readout::{Readout, Words};
pub use replay::Replay;
pub use thread::{Conversation, Placed};

use super::{Card, api::Opened};
use crate::{
    engine::{
        entry::Run,
        flow::{Flow, Status},
        live::{Connection, Link, Live},
        shown::Shown,
    },
    error::AppError,
    ui::{Draft, Submission},
};
use leptos::prelude::*;

/// What is said of a room on its runs' pages.
#[derive(Clone, Copy)]
pub struct Room {
    /// In the app's bar, as “Journey”.
    pub name: &'static str,
    /// Where its runs are set up; each has its page below.
    pub href: &'static str,
    /// That a run came to its end, as “The journey is complete”.
    pub complete: &'static str,
    /// The way to a run like this one, with changes, as “Reset”.
    pub again: &'static str,
}

/// A run on its page, and what can be done to it: a handle of signals.
#[derive(Clone, Copy)]
pub struct Watch {
    pub room: Room,
    pub id: StoredValue<String>,
    /// May whoever looks at it command it?
    pub mine: bool,
    pub readout: Memo<Readout>,
    title: StoredValue<String>,
    /// The run that it continues, and those that continue it.
    relatives: StoredValue<(Option<Card>, Vec<Card>)>,
    connection: Connection,
    command: Submission<AppError>,
}

impl Watch {
    /// Shows the run and follows it for as long as the calling owner lives. `words` reads off a run what the room says of
    /// it, and is told whether a text is being written. Fails where the log is not one of this room's.
    pub fn open<F: Flow>(room: Room, opened: Opened, words: fn(&Run<F>, bool) -> Words) -> Result<(Watch, Shown<F>), AppError> {
        let Opened { snapshot, mine, parent, forks } = opened;
        let title = StoredValue::new(snapshot.title.clone());
        let Live { id, shown, connection } = Live::follow(snapshot).ok_or_else(AppError::internal)?;
        let readout = Readout::of(shown, words);
        let relatives = StoredValue::new((parent, forks));
        Ok((Watch { room, id, mine, readout, title, relatives, connection, command: Submission::default() }, shown))
    }

    /// The run's page.
    pub fn href(self) -> String {
        self.id.with_value(|id| format!("{}/{id}", self.room.href))
    }

    fn status(self) -> Status {
        self.readout.with(|readout| readout.status)
    }

    fn is_gone(self) -> bool {
        self.connection.link.get() == Link::Gone
    }

    /// What is typed to the run and not yet sent; `given` as [`Draft::new`] takes it.
    pub fn draft(self, given: Option<String>) -> RwSignal<String> {
        Draft::new(&self.id.with_value(|id| format!("message.{id}")), given).value
    }

    /// What is sent to the run. A stream that had ended is opened again by it.
    pub fn submission(self) -> Submission<AppError> {
        let submission = Submission::default();
        self.nudge_when_done(submission);
        submission
    }

    fn nudge_when_done(self, submission: Submission<AppError>) {
        Effect::new(move || {
            if submission.done.get() > 0 {
                self.connection.nudge();
            }
        });
    }
}

/// What the server had against the last that was sent, in a sentence; empty when nothing.
pub fn failure(submission: Submission<AppError>) -> Signal<String> {
    Signal::derive(move || submission.error.get().map(|error| error.sentence()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use crate::{
        engine::{entry::Run, flow::Stamp, progress::Progress},
        rooms::simulate::flow::Simulate,
    };
    use serde_json::{Value, json};

    /// What the engine folds of these events of its own, the first of them at 2, behind a run's start.
    pub fn progress(events: &[Value]) -> Progress {
        let started = json!({ "started": { "setup": { "icp": "Marta", "query": "Which one?" }, "model": "rehearsal" } });
        let log: Vec<Value> = std::iter::once(&started).chain(events).map(|event| json!({ "run": event })).collect();
        let run = Run::<Simulate>::fold((1..).zip(&log).map(|(seq, body)| (Stamp { seq, at: seq }, body)));
        run.expect("a run").progress
    }
}
