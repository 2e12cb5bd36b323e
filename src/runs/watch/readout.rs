//! What a page shows of a run at a moment, in plain values.

use crate::{
    engine::{
        entry::Run,
        flow::{Flow, Status},
        progress::Progress,
        shown::Shown,
        voice,
    },
    ui::{dollars, thousands},
};
use leptos::prelude::*;

/// What its room says of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Words {
    /// Where it stands, as “Discovery · step 3 of 15”.
    pub place: String,
    /// How far it has come, as “Step 3 of 15”.
    pub count: String,
    /// Who is at it while it runs, as “The assistant is answering…”.
    pub doing: String,
    /// How it ended, where the room itself ended it: a notice's tone and its sentence.
    pub end: Option<(&'static str, String)>,
    /// What was said last, and by whom, for those who hear the page.
    pub said: Option<String>,
}

/// A notice under the last message: its tone, its sentence, and until when it lasts (Unix milliseconds).
pub type Ending = (&'static str, String, Option<i64>);

/// What any run shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Readout {
    pub status: Status,
    /// Would Continue set it going again?
    pub can_continue: bool,
    /// Who it is that speaks, unless they are real models: the badge's name and its words.
    pub badge: Option<(&'static str, String)>,
    /// What it took, as “812 tokens · $0.0031”.
    pub taken: String,
    /// Since when it runs, and until when it did (Unix milliseconds).
    pub from: i64,
    pub until: Option<i64>,
    pub ending: Option<Ending>,
    pub words: Words,
}

impl Readout {
    /// Read off anew whenever what is shown changes. `words` is told whether a text is being written.
    pub fn of<F: Flow>(shown: Shown<F>, words: fn(&Run<F>, bool) -> Words) -> Memo<Readout> {
        let writing = Memo::new(move |_| shown.texts.with(|texts| !texts.is_empty()));
        Memo::new(move |_| {
            let writing = writing.get();
            shown.run.with(|run| Readout::new(run.status(), run.can_continue(), &run.progress, words(run, writing)))
        })
    }

    pub fn new(status: Status, can_continue: bool, progress: &Progress, words: Words) -> Self {
        Readout {
            status,
            can_continue,
            badge: voice::badge(&progress.models()),
            taken: taken(progress),
            from: progress.started_at,
            until: (status != Status::Running).then_some(progress.updated_at),
            ending: ending(status, progress, &words),
            words,
        }
    }
}

fn taken(progress: &Progress) -> String {
    if progress.only_rehearsal() {
        return "no tokens, no cost".to_owned();
    }
    let tokens = progress.tokens().map_or("tokens unknown".to_owned(), |(input, output)| {
        format!("{} tokens", thousands(usize::try_from(input + output).unwrap_or_default()))
    });
    let cost = progress.cost_micros().map_or("cost unknown".to_owned(), dollars);
    format!("{tokens} · {cost}")
}

/// A wait, the room's own end, or why it was halted. Of a run that is gone nobody knows why it ended.
fn ending(status: Status, progress: &Progress, words: &Words) -> Option<Ending> {
    if status == Status::Running {
        let backoff = progress.backoff()?;
        return Some(("wait", format!("Taking a moment… {}", backoff.why), Some(backoff.until)));
    }
    if let Some((tone, words)) = words.end.clone() {
        return Some((tone, words, None));
    }
    let why = progress.halt.as_ref().map(|halt| halt.why.clone()).filter(|why| !why.is_empty())?;
    let tone = match status {
        Status::Waiting => "wait",
        Status::Failed => "bad",
        _ => "quiet",
    };
    Some((tone, why, None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::entry::Usage, runs::watch::tests::progress};
    use serde_json::{Value, json};

    fn check(status: Status, event: Value, end: Option<(&'static str, &str)>, expect: Option<(&'static str, &str, Option<i64>)>) {
        let words = Words { end: end.map(|(tone, words)| (tone, words.to_owned())), ..Words::default() };
        let ending = Readout::new(status, false, &progress(&[calling(), event.clone()]), words).ending;
        assert_eq!(ending.as_ref().map(|(tone, words, until)| (*tone, words.as_str(), *until)), expect, "{status:?} {event}");
    }

    fn calling() -> Value {
        json!({ "step_started": { "ask": { "assistant": { "step": 0 } }, "model": "rehearsal" } })
    }

    #[test]
    fn an_ending_is_a_wait_the_rooms_own_or_the_reason_of_the_halt() {
        let waited = |until: Option<i64>, why: &str| json!({ "waited": { "until": until, "why": why } });
        let stopped = |why: &str| json!({ "stopped": { "partial": [], "why": why } });
        check(Status::Running, calling(), None, None);
        check(
            Status::Running,
            waited(Some(7), "It is busy."),
            Some(("good", "Never said.")),
            Some(("wait", "Taking a moment… It is busy.", Some(7))),
        );
        check(Status::Done, calling(), Some(("good", "It is complete.")), Some(("good", "It is complete.", None)));
        check(Status::Stopped, stopped("By you."), None, Some(("quiet", "By you.", None)));
        check(Status::Stopped, stopped("By you."), Some(("wait", "At its limit.")), Some(("wait", "At its limit.", None)));
        check(Status::Stopped, stopped(""), None, None);
        check(Status::Waiting, waited(None, "Out of time."), None, Some(("wait", "Out of time.", None)));
        check(Status::Failed, json!({ "failed": { "why": "Refused." } }), None, Some(("bad", "Refused.", None)));
    }

    #[test]
    fn what_was_taken_is_said_or_said_to_be_unknown() {
        let call =
            |tokens: Option<i64>, cost_micros| Usage { input_tokens: tokens, output_tokens: tokens, cost_micros, ..Usage::default() };
        let check = |progress: Progress, expect: &str| assert_eq!(taken(&progress), expect);
        check(Progress { rehearsed: true, ..Progress::default() }, "no tokens, no cost");
        check(Progress { calls: vec![call(Some(5), Some(1_200)), call(Some(2), Some(0))], ..Progress::default() }, "14 tokens · $0.0012");
        check(
            Progress { rehearsed: true, real: true, calls: vec![call(None, None)], ..Progress::default() },
            "tokens unknown · cost unknown",
        );
    }

    #[test]
    fn the_clock_stands_still_once_nothing_runs() {
        let progress = Progress { started_at: 3, updated_at: 9, ..Progress::default() };
        for (status, until) in [(Status::Running, None), (Status::Waiting, Some(9)), (Status::Done, Some(9))] {
            let readout = Readout::new(status, false, &progress, Words::default());
            assert_eq!((readout.from, readout.until), (3, until));
        }
    }
}
