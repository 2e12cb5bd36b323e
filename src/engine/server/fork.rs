//! A fork: a run of its own whose log begins as another's, up to just before a turn that a person puts into other
//! words. What is copied keeps its place and its time; its calls are not paid for again.

use super::{Engine, Wording, fold, no_model, now};
use crate::engine::flow::read::Read;
use crate::{
    engine::{
        entry::{Entry, Run, RunEvent, ask_json},
        flow::{Flow, Retold, Stamp, words::shortened},
    },
    error::AppError,
    store::{EventRow, NewRun, RunRow},
};
use uuid::Uuid;

/// Characters of the new words in the fork's title.
const TITLE_CHARS: usize = 40;

impl Engine {
    /// The run that goes on from `parent` with these words as that turn (from 0), to be handed to [`Engine::create`].
    /// A turn that cannot be said anew is refused at `step`.
    pub async fn fork<F: Flow>(&self, parent: &RunRow, turn: u32, words: String) -> Result<NewRun, AppError>
    where
        AppError: From<F::Refusal>,
    {
        let model = self.room(F::KIND).and_then(|room| room.model()).ok_or_else(no_model)?;
        let log = self.store().events(parent.id, 0).await?;
        let (opening, said, at) = (log.first().ok_or_else(AppError::internal)?, shortened(&words, TITLE_CHARS), now());
        let (kept, before) = before_turn::<F>(&log, turn).ok_or_else(AppError::internal)?;
        let retold = F::retell(&before, turn, words)?;
        let retold = retold.ok_or_else(|| AppError::field("step", "This is not a turn that can be said in other words."))?;
        let started = |setup| Entry::Run(RunEvent::Started { setup, model });
        let row = |seq, at, entry: Entry<F::Event>| EventRow { stamp: Stamp { seq, at }, body: ask_json(&entry) };
        let (setup, title, log) = match retold {
            Retold::Setup(setup) => {
                F::begin(&setup)?;
                (ask_json(&setup), F::title(&setup), vec![row(1, at, started(ask_json(&setup)))])
            }
            Retold::Events(events) => {
                let setup = F::Setup::read(&parent.setup).ok_or_else(AppError::internal)?;
                let seq = kept as i64;
                let mut copy = vec![row(1, opening.stamp.at, started(parent.setup.clone()))];
                copy.extend(log[1..kept].iter().cloned());
                copy.push(row(seq + 1, at, Entry::Run(RunEvent::Forked { from: parent.id.to_string(), seq })));
                copy.extend((seq + 2..).zip(events).map(|(seq, event)| row(seq, at, Entry::Room(event))));
                (parent.setup.clone(), format!("{} · “{said}”", F::title(&setup)), copy)
            }
        };
        let status = fold::<F>(&log).ok_or_else(AppError::internal)?.status();
        Ok(NewRun {
            id: Uuid::now_v7(),
            kind: F::KIND,
            owner: parent.owner.clone(),
            title,
            setup,
            status,
            at,
            log,
            key: None,
            external_id: None,
            parent: Some(parent.id),
        })
    }
}

/// That turn (from 0) as it was said, where it can be said in other words; or what a Stop has left of it.
pub fn wording<F: Flow>(run: &Run<F>, turn: u32) -> Option<Wording> {
    let cut_off = || {
        let ask = ask_json(&F::turn_ask(turn)?);
        let halt = run.progress.halt.as_ref()?;
        halt.partial.iter().find(|partial| partial.ask == ask).map(|partial| partial.text.as_str())
    };
    F::turn(&run.state, turn).or_else(cut_off).map(|text| Wording { text: text.to_owned(), max: F::TURN_CHARS })
}

/// How many entries stand before that turn, and the state they leave, going on. What the engine noted behind
/// the room's last event belongs to the turn that is dropped.
fn before_turn<F: Flow>(log: &[EventRow], turn: u32) -> Option<(usize, F::State)> {
    let mut run = fold::<F>(log.get(..1)?)?;
    let (mut kept, mut before) = (1, run.clone());
    for (i, row) in log.iter().enumerate().skip(1) {
        run = run.take(row.stamp, &row.body);
        if F::turn(&run.state, turn).is_some() {
            break;
        }
        if row.body.get("room").is_some() {
            (kept, before) = (i + 1, run.clone());
        }
    }
    Some((kept, before.resumed()))
}
