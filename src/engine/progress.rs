//! What the engine folds of a run's own events, beside the room's state.

use crate::engine::{
    entry::{Partial, REHEARSAL, RunEvent, Usage},
    flow::{Stamp, Status},
};
use serde::Serialize;
use serde_json::Value;

/// A call that is being made.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Step {
    pub seq: i64,
    pub ask: Value,
    /// Restarts that count against the tries.
    pub restarts: u32,
    pub backoff: Option<Backoff>,
    /// Backoffs so far, and when the first of them began.
    pub tries: u32,
    pub tries_since: Option<i64>,
}

/// Why nothing more is wanted until somebody continues.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Halt {
    pub status: Status,
    pub why: String,
    /// A word for programs, such as `auth`, where a failed call is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    pub partial: Vec<Halted>,
}

/// A text that a stop cut off, with the ask it was an answer to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Halted {
    pub ask: Value,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Backoff {
    pub until: i64,
    pub why: String,
}

/// What the engine folds beside the room's state.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Progress {
    pub model: String,
    pub started_at: i64,
    pub updated_at: i64,
    pub open: Vec<Step>,
    pub halt: Option<Halt>,
    pub calls: Vec<Usage>,
    /// Milliseconds of model time since the start or the last Continue.
    pub model_ms: i64,
    /// Calls among `calls` that another run has made and paid for.
    #[serde(skip)]
    pub copied: usize,
    /// Has the rehearsal model been named as one that speaks, and another one?
    #[serde(skip)]
    pub rehearsed: bool,
    #[serde(skip)]
    pub real: bool,
}

impl Progress {
    /// Does the rehearsal model speak, or has it spoken, in this run?
    pub fn rehearsal(&self) -> bool {
        self.rehearsed
    }

    /// Has nobody but the rehearsal model spoken?
    pub fn only_rehearsal(&self) -> bool {
        self.rehearsed && !self.real
    }

    pub fn step(&self, ask: &Value) -> Option<&Step> {
        self.open.iter().find(|step| step.ask == *ask)
    }

    /// Of the waits before calls are made again, the one that ends last.
    pub fn backoff(&self) -> Option<&Backoff> {
        self.open.iter().filter_map(|step| step.backoff.as_ref()).max_by_key(|backoff| backoff.until)
    }

    /// The calls of this run itself, without those copied from the run it continues.
    pub fn own_calls(&self) -> &[Usage] {
        &self.calls[self.copied..]
    }

    /// Its own input and output tokens so far; `None` where a call did not say.
    pub fn tokens(&self) -> Option<(i64, i64)> {
        self.own_calls().iter().try_fold((0, 0), |(input, output), call| Some((input + call.input_tokens?, output + call.output_tokens?)))
    }

    /// Its own cost so far in millionths of a US dollar; `None` where a call did not say.
    pub fn cost_micros(&self) -> Option<i64> {
        self.own_calls().iter().try_fold(0, |sum, call| Some(sum + call.cost_micros?))
    }

    /// Drops open steps that are not among these asks.
    pub fn keep_wanted(&mut self, asks: &[Value]) {
        self.open.retain(|step| asks.contains(&step.ask));
    }

    pub fn apply(&mut self, stamp: Stamp, event: &RunEvent) {
        match event {
            RunEvent::Started { model, .. } => {
                self.speaks(model);
                self.started_at = stamp.at;
            }
            RunEvent::StepStarted { ask, model } => {
                self.speaks(model);
                self.open.push(Step { seq: stamp.seq, ask: ask.clone(), ..Step::default() });
            }
            RunEvent::StepRestarted { step, counted, .. } => {
                if let Some(step) = self.open.iter_mut().find(|open| open.seq == *step) {
                    step.backoff = None;
                    step.restarts += u32::from(*counted);
                }
            }
            RunEvent::Waited { until: Some(until), why, step, .. } => {
                for open in self.open.iter_mut().filter(|open| step.is_none_or(|step| step == open.seq)) {
                    open.backoff = Some(Backoff { until: *until, why: why.clone() });
                    open.tries += 1;
                    open.tries_since.get_or_insert(stamp.at);
                }
            }
            RunEvent::Waited { until: None, why, cause, .. } => self.halt(Status::Waiting, why, cause.clone(), &[]),
            RunEvent::Usage(usage) => {
                self.model_ms += usage.ms;
                self.calls.push(usage.clone());
            }
            RunEvent::Stopped { partial, why } => self.halt(Status::Stopped, why, None, partial),
            RunEvent::Failed { why, cause } => self.halt(Status::Failed, why, cause.clone(), &[]),
            RunEvent::Continued => self.go_on(),
            RunEvent::Forked { .. } => {
                self.go_on();
                (self.copied, self.started_at) = (self.calls.len(), stamp.at);
            }
        }
    }

    fn go_on(&mut self) {
        (self.halt, self.model_ms) = (None, 0);
        self.open.clear();
    }

    fn speaks(&mut self, model: &str) {
        self.model = model.to_owned();
        if model == REHEARSAL { self.rehearsed = true } else { self.real = true }
    }

    fn halt(&mut self, status: Status, why: &str, cause: Option<String>, partial: &[Partial]) {
        let partial = partial
            .iter()
            .filter_map(|text| {
                let step = self.open.iter().find(|step| step.seq == text.message)?;
                Some(Halted { ask: step.ask.clone(), text: text.text.clone() })
            })
            .collect();
        self.halt = Some(Halt { status, why: why.to_owned(), cause, partial });
        self.open.clear();
    }
}
