//! Debates for tests: held between Ada and Bao, who are for tea and for coffee, in two exchange rounds.

use crate::{
    engine::{
        entry::{Entry, Partial, Run, RunEvent, ask_json},
        flow::{Flow, Stamp},
    },
    rooms::debate::flow::{Ask, Debate, Event, Outcome, Persona, Setup},
};
use serde_json::json;

pub const TURNS: usize = 11;

/// After so many turns.
pub fn held(turns: usize) -> Run<Debate> {
    let persona = |name: &str, philosophy: &str| Persona { name: name.into(), philosophy: philosophy.into(), ..Persona::default() };
    let personas = vec![persona("Ada", "Tea: it calms."), persona("Bao", "Coffee. It wakes.")];
    let setup = json!(Setup { max_exchange_rounds: 2, topic: "Tea or coffee?".into(), personas });
    let started = json!(Entry::<Event>::Run(RunEvent::Started { setup, model: "rehearsal".into() }));
    let run = Run::fold([(Stamp { seq: 1, at: 0 }, &started)]).expect("a run");
    (0..turns).fold(run, |run, _| answered(begun(run)))
}

/// The next turn is being made.
pub fn begun(run: Run<Debate>) -> Run<Debate> {
    let ask = ask_json(&Debate::wants(&run.state)[0]);
    then(run, Entry::Run(RunEvent::StepStarted { ask, model: "rehearsal".into() }))
}

/// What is being said is stopped there.
pub fn stopped(run: Run<Debate>, text: &str) -> Run<Debate> {
    let partial = vec![Partial { message: run.progress.open[0].seq, text: text.into() }];
    then(run, Entry::Run(RunEvent::Stopped { partial, why: "Stopped by you.".into() }))
}

fn answered(run: Run<Debate>) -> Run<Debate> {
    let ask = Debate::wants(&run.state).remove(0);
    let text = match &ask {
        Ask::Turn { persona, round: 1, .. } if persona == "bao" => "One. Two. Three. Four.".to_owned(),
        Ask::Turn { persona, .. } => format!("{persona} has a word."),
        Ask::Summary => "Ada spoke of tea [1][3]. Nobody else was heard.".to_owned(),
    };
    let events = Debate::settle(&run.state, &ask, Outcome { text, cut: false });
    events.into_iter().fold(run, |run, event| then(run, Entry::Room(event)))
}

pub fn then(run: Run<Debate>, entry: Entry<Event>) -> Run<Debate> {
    let stamp = Stamp { seq: run.seq + 1, at: 0 };
    run.apply(stamp, &entry)
}
