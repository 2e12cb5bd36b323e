//! A log laid out in time once more: at each moment the facts that had happened, and as much of each text as had been
//! written. Pure; whoever plays it brings the clock.

use crate::engine::flow::read::Read;
use crate::engine::{
    entry::{Entry, Partial, Run, RunEvent, Usage},
    flow::{Flow, Stamp},
    follow::{Fact, Texts, restarted},
};

/// A wait for a person, a backoff or a restart takes no longer than this, in milliseconds.
const WAIT_MS: i64 = 1_500;
/// A call takes no longer than this.
const CALL_MS: i64 = 10_000;
/// A text takes at least so long for each character, so that what came in one piece can be seen coming.
const CHAR_MS: i64 = 4;
/// The part of a call that passes before its first word where the log does not say.
const SILENT_PART: f64 = 0.15;
/// Moments are multiples of this, as a slider's steps are.
pub const STEP_MS: i64 = 250;

/// A text between its step's start and the fact that closes it, on the replay's clock.
struct Text {
    step: i64,
    /// Facts that are there when it begins.
    after: usize,
    first: i64,
    until: i64,
    words: String,
}

pub struct Timeline {
    log: Vec<Fact>,
    /// When each fact happens, from 0, in milliseconds.
    times: Vec<i64>,
    texts: Vec<Text>,
}

impl Timeline {
    /// `None` when the log is not one of this room's.
    pub fn new<F: Flow>(log: Vec<Fact>) -> Option<Self> {
        let (first, rest) = log.split_first()?;
        let mut run = Run::<F>::fold([(stamp(first), &first.body)])?;
        let (mut times, mut texts, mut open) = (vec![0], Vec::new(), Open::default());
        for (i, fact) in rest.iter().enumerate() {
            let before = run.clone();
            run = run.take(stamp(fact), &fact.body);
            let closed: Vec<i64> = before.progress.open.iter().filter(|step| !is_open(&run, step.seq)).map(|step| step.seq).collect();
            let words = written::<F>(fact, &closed);
            let gap = fact.at - log[i].at;
            let took = match before.progress.open.iter().all(|step| step.backoff.is_some()) {
                true => gap.clamp(0, WAIT_MS),
                false => gap.clamp(0, CALL_MS),
            };
            // What was written needs its time, counted from where its step began.
            let begun = words.iter().filter_map(|(step, words)| Some(open.since(*step)? + words.chars().count() as i64 * CHAR_MS));
            let last = times[i];
            let at = begun.fold(last + took, i64::max);
            texts.extend(words.into_iter().filter_map(|(step, words)| open.text(step, words, at)));
            times.push(at);
            open.take(fact, i + 2, at, &run.progress.calls);
        }
        Some(Timeline { log, times, texts })
    }

    /// In milliseconds; a multiple of [`STEP_MS`].
    pub fn length(&self) -> i64 {
        self.times.last().map_or(0, |last| (last + STEP_MS - 1) / STEP_MS * STEP_MS)
    }

    /// How many facts have happened by then, and what is being written.
    pub fn at(&self, moment: i64) -> (usize, Texts) {
        let facts = self.times.partition_point(|at| *at <= moment);
        let writing = |text: &&Text| text.after <= facts && text.first <= moment && moment < text.until;
        let partial = |text: &Text| {
            let all = text.words.chars().count() as i64;
            let so_far = all * (moment - text.first) / (text.until - text.first).max(1);
            Partial { message: text.step, text: text.words.chars().take(so_far as usize).collect() }
        };
        (facts, self.texts.iter().filter(writing).map(partial).collect())
    }

    /// The run after so many facts.
    pub fn run<F: Flow>(&self, facts: usize) -> Option<Run<F>> {
        Run::fold(self.log[..facts].iter().map(|fact| (stamp(fact), &fact.body)))
    }

    /// The run at its end.
    pub fn end<F: Flow>(&self) -> Option<Run<F>> {
        self.run(self.log.len())
    }
}

fn stamp(fact: &Fact) -> Stamp {
    Stamp { seq: fact.seq, at: fact.at }
}

fn is_open<F: Flow>(run: &Run<F>, step: i64) -> bool {
    run.progress.open.iter().any(|open| open.seq == step)
}

/// The texts that a fact closes, with their steps.
fn written<F: Flow>(fact: &Fact, closed: &[i64]) -> Vec<(i64, String)> {
    match Entry::<F::Event>::read(&fact.body) {
        Some(Entry::Run(RunEvent::Stopped { partial, .. })) => partial.into_iter().map(|text| (text.message, text.text)).collect(),
        Some(Entry::Room(event)) => F::written(&event).into_iter().zip(closed).map(|(words, step)| (*step, words.to_owned())).collect(),
        _ => Vec::new(),
    }
}

/// Steps that are being made: since when, and behind how many facts.
#[derive(Default)]
struct Open {
    steps: Vec<(i64, usize, i64)>,
    /// The part of the last finished call that passed before its first word.
    silent: f64,
}

impl Open {
    fn since(&self, step: i64) -> Option<i64> {
        self.steps.iter().find(|(seq, ..)| *seq == step).map(|(_, _, since)| *since)
    }

    fn text(&self, step: i64, words: String, until: i64) -> Option<Text> {
        let (_, after, since) = *self.steps.iter().find(|(seq, ..)| *seq == step)?;
        let first = since + ((until - since) as f64 * self.silent) as i64;
        Some(Text { step, after, first, until, words })
    }

    fn take(&mut self, fact: &Fact, facts: usize, at: i64, calls: &[Usage]) {
        let run = fact.body.get("run");
        let started = run.and_then(|run| run.get("step_started")).map(|_| fact.seq);
        if let Some(step) = started.or_else(|| restarted(&fact.body)) {
            self.steps.retain(|(seq, ..)| *seq != step);
            self.steps.push((step, facts, at));
            self.silent = SILENT_PART;
        }
        if let Some((Some(first), ms)) = run.and_then(|run| run.get("usage")).and(calls.last()).map(|call| (call.first_ms, call.ms)) {
            self.silent = (first as f64 / ms.max(1) as f64).clamp(0.0, 0.9);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::entry::ask_json;
    use proptest::prelude::*;
    use serde::Serialize;
    use serde_json::{Value, json};

    /// A room in which words are said, one ask each.
    struct Telling;

    #[derive(Debug, thiserror::Error)]
    #[error("never")]
    struct Never;

    #[derive(Clone, Debug, PartialEq, Serialize)]
    struct Told(String);

    impl Read for Told {
        fn read(json: &Value) -> Option<Self> {
            String::read(json).map(Told)
        }
    }

    impl Flow for Telling {
        const KIND: &'static str = "telling";
        type Setup = u32;
        type State = Vec<String>;
        type Event = Told;
        type Command = ();
        type Ask = usize;
        type Outcome = ();
        type Refusal = Never;

        fn begin(_: &u32) -> Result<Vec<String>, Never> {
            Ok(vec![])
        }
        fn title(_: &u32) -> String {
            String::new()
        }
        fn decide(_: &Vec<String>, (): ()) -> Result<Vec<Told>, Never> {
            Ok(vec![])
        }
        fn settle(_: &Vec<String>, _: &usize, (): ()) -> Vec<Told> {
            vec![]
        }
        fn apply(mut state: Vec<String>, _: Stamp, Told(words): &Told) -> Vec<String> {
            state.push(words.clone());
            state
        }
        fn written(Told(words): &Told) -> Option<&str> {
            Some(words)
        }
        fn wants(state: &Vec<String>) -> Vec<usize> {
            vec![state.len()]
        }
        fn status(_: &Vec<String>) -> crate::engine::flow::Status {
            crate::engine::flow::Status::Running
        }
    }

    fn log(entries: Vec<(i64, Value)>) -> Vec<Fact> {
        (1..).zip(entries).map(|(seq, (at, body))| Fact { run: "x".into(), seq, at, body }).collect()
    }

    fn run(event: RunEvent) -> Value {
        ask_json(&Entry::<Told>::Run(event))
    }

    fn started(at: i64) -> (i64, Value) {
        (at, run(RunEvent::Started { setup: json!(1), model: "m".into() }))
    }

    fn step(at: i64, ask: usize) -> (i64, Value) {
        (at, run(RunEvent::StepStarted { ask: json!(ask), model: "m".into() }))
    }

    fn usage(at: i64, first_ms: i64, ms: i64) -> (i64, Value) {
        (at, run(RunEvent::Usage(Usage { first_ms: Some(first_ms), ms, ..Usage::default() })))
    }

    fn told(at: i64, words: &str) -> (i64, Value) {
        (at, json!({ "room": words }))
    }

    /// What is seen at a moment: how many facts, and the open text.
    fn check(timeline: &Timeline, moment: i64, facts: usize, text: &str) {
        let (seen, texts) = timeline.at(moment);
        let open: Vec<&str> = texts.iter().map(|open| open.text.as_str()).collect();
        assert_eq!((seen, open.join("|").as_str()), (facts, text), "at {moment}");
    }

    #[test]
    fn facts_come_at_their_times_and_texts_in_between() {
        let log = log(vec![
            started(9_000),
            step(9_000, 0),
            usage(11_000, 1_000, 2_000),
            told(11_000, "abcdefghij"),
            step(99_000, 1),
            usage(129_000, 0, 30_000),
            told(129_000, "0123456789"),
        ]);
        let timeline = Timeline::new::<Telling>(log).expect("a timeline");
        check(&timeline, 0, 2, "");
        check(&timeline, 999, 2, "");
        check(&timeline, 1_500, 2, "abcde");
        check(&timeline, 1_999, 2, "abcdefghi");
        // The long wait before the next step, and the long call itself, are shortened.
        check(&timeline, 2_000, 4, "");
        check(&timeline, 3_500 + 5_000, 5, "01234");
        check(&timeline, 13_500, 7, "");
        assert_eq!(timeline.length(), 13_500);
    }

    #[test]
    fn a_text_that_came_at_once_is_still_seen_coming() {
        let words = "x".repeat(1_000);
        let log = log(vec![started(0), step(0, 0), usage(0, 0, 0), told(0, &words)]);
        let timeline = Timeline::new::<Telling>(log).expect("a timeline");
        check(&timeline, 2_000, 3, &words[..500]);
        check(&timeline, timeline.length(), 4, "");
    }

    #[test]
    fn a_restart_begins_the_text_anew_and_a_stop_leaves_what_was_written() {
        let again = (1_000, run(RunEvent::StepRestarted { step: 2, why: "broke off".into(), counted: true }));
        let stopped = (3_000, run(RunEvent::Stopped { partial: vec![Partial { message: 2, text: "abcd".into() }], why: "by you".into() }));
        let timeline = Timeline::new::<Telling>(log(vec![started(0), step(0, 0), again, stopped])).expect("a timeline");
        check(&timeline, 900, 2, "");
        check(&timeline, 2_000, 3, "a");
        check(&timeline, 3_000, 4, "");
        let end = timeline.end::<Telling>().expect("it folds");
        assert_eq!(end.progress.halt.expect("halted").partial[0].text, "abcd");
    }

    fn any_log() -> impl Strategy<Value = Vec<Fact>> {
        let turn = ("[a-zü😀 ]{0,30}", 0..20_000i64, 0..40_000i64, 0..3_000i64, 0..4u8);
        proptest::collection::vec(turn, 0..12).prop_map(|turns| {
            let (mut at, mut entries, mut said) = (0, vec![started(0)], 0);
            for (words, wait, took, first, kind) in turns {
                let step_at = entries.len() as i64 + 1;
                entries.push(step(at + wait, said));
                at += wait + took;
                match kind {
                    0 => {
                        let partial = vec![Partial { message: step_at, text: words }];
                        entries.push((at, run(RunEvent::Stopped { partial, why: String::new() })));
                        entries.push((at, run(RunEvent::Continued)));
                    }
                    1 => entries.push((at, run(RunEvent::Waited { until: Some(at + 5), why: String::new(), cause: None, step: None }))),
                    _ => {
                        entries.push(usage(at, first, took));
                        entries.push(told(at, &words));
                        said += 1;
                    }
                }
            }
            log(entries)
        })
    }

    proptest! {
        /// Facts never go back, an open text only grows towards what is said, and the end is the whole log's fold.
        #[test]
        fn it_goes_forward_and_ends_as_the_log_does(log in any_log(), moments in proptest::collection::vec(0..1_000i64, 1..40)) {
            let timeline = Timeline::new::<Telling>(log.clone()).expect("a timeline");
            let mut moments: Vec<i64> = moments.into_iter().map(|part| timeline.length() * part / 1_000).collect();
            moments.sort_unstable();
            let mut last = (0, Texts::new());
            for moment in moments {
                let now = timeline.at(moment);
                prop_assert!(now.0 >= last.0.max(1));
                let run = timeline.run::<Telling>(now.0).expect("it folds");
                for open in &now.1 {
                    prop_assert!(is_open(&run, open.message));
                    let before = last.1.iter().find(|text| text.message == open.message && last.0 == now.0);
                    prop_assert!(before.is_none_or(|before| open.text.starts_with(&before.text)));
                }
                last = now;
            }
            let (facts, texts) = timeline.at(timeline.length());
            prop_assert_eq!((facts, texts.len()), (log.len(), 0));
            let whole = Run::<Telling>::fold(log.iter().map(|fact| (stamp(fact), &fact.body))).expect("it folds");
            prop_assert_eq!(timeline.end::<Telling>().expect("it folds"), whole);
        }
    }
}
