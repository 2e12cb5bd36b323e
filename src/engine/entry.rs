//! The log's entries and the fold that server, browser and tests share.

use crate::engine::flow::{Flow, Stamp, Status};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One line of a run's log. Its JSON is a public format: `{"run":{"started":{…}}}` or `{"room":{…}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Entry<E> {
    Run(RunEvent),
    Room(E),
}

/// The engine's own events, the same for every room. A step is named by the `seq` of its `StepStarted`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum RunEvent {
    /// Always the first entry. `model` is what the room's main role would use now.
    Started {
        setup: Value,
        model: String,
    },
    StepStarted {
        ask: Value,
        model: String,
    },
    /// The step is made again and its open text dropped. Only failures of the call itself are counted.
    StepRestarted {
        step: i64,
        why: String,
        counted: bool,
    },
    /// A backoff until that time (Unix milliseconds), or, without one, until a person continues.
    Waited {
        until: Option<i64>,
        why: String,
    },
    Usage(Usage),
    Stopped {
        partial: Vec<Partial>,
        why: String,
    },
    Continued,
    /// The entries up to here are copied from that run, where they go up to `seq`; the run goes on by itself from here.
    Forked {
        from: String,
        seq: i64,
    },
    Failed {
        why: String,
    },
}

/// What one finished call took. `None` means the provider did not say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    pub ask: Value,
    pub model: String,
    pub input_tokens: Option<i64>,
    pub output_tokens: Option<i64>,
    /// Millionths of a US dollar.
    pub cost_micros: Option<i64>,
    /// Milliseconds to the first word.
    pub first_ms: Option<i64>,
    /// Milliseconds in all.
    pub ms: i64,
}

/// Text that was being written: `message` is the step it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partial {
    pub message: i64,
    pub text: String,
}

/// A call that is being made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    pub seq: i64,
    pub ask: Value,
    /// Restarts that count against the tries.
    pub restarts: u32,
}

/// Why nothing more is wanted until somebody continues.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Halt {
    pub status: Status,
    pub why: String,
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
    pub backoff: Option<Backoff>,
    /// Backoffs in a row without an answer, and when the first of them began.
    pub tries: u32,
    pub tries_since: Option<i64>,
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

/// The model name that marks rehearsed calls in the log.
pub const REHEARSAL: &str = "rehearsal";

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

    fn apply(&mut self, stamp: Stamp, event: &RunEvent) {
        match event {
            RunEvent::Started { model, .. } => {
                self.speaks(model);
                self.started_at = stamp.at;
            }
            RunEvent::StepStarted { ask, model } => {
                self.backoff = None;
                self.speaks(model);
                self.open.push(Step { seq: stamp.seq, ask: ask.clone(), restarts: 0 });
            }
            RunEvent::StepRestarted { step, counted, .. } => {
                self.backoff = None;
                if let Some(step) = self.open.iter_mut().find(|open| open.seq == *step) {
                    step.restarts += u32::from(*counted);
                }
            }
            RunEvent::Waited { until: Some(until), why } => {
                self.backoff = Some(Backoff { until: *until, why: why.clone() });
                self.tries += 1;
                self.tries_since.get_or_insert(stamp.at);
            }
            RunEvent::Waited { until: None, why } => self.halt(Status::Waiting, why, &[]),
            RunEvent::Usage(usage) => {
                self.model_ms += usage.ms;
                self.calls.push(usage.clone());
            }
            RunEvent::Stopped { partial, why } => self.halt(Status::Stopped, why, partial),
            RunEvent::Failed { why } => self.halt(Status::Failed, why, &[]),
            RunEvent::Continued => self.go_on(),
            RunEvent::Forked { .. } => {
                self.go_on();
                self.open.clear();
                self.backoff = None;
                (self.copied, self.started_at) = (self.calls.len(), stamp.at);
            }
        }
    }

    fn go_on(&mut self) {
        (self.halt, self.tries, self.tries_since, self.model_ms) = (None, 0, None, 0);
    }

    fn speaks(&mut self, model: &str) {
        self.model = model.to_owned();
        if model == REHEARSAL { self.rehearsed = true } else { self.real = true }
    }

    fn halt(&mut self, status: Status, why: &str, partial: &[Partial]) {
        let partial = partial
            .iter()
            .filter_map(|text| {
                let step = self.open.iter().find(|step| step.seq == text.message)?;
                Some(Halted { ask: step.ask.clone(), text: text.text.clone() })
            })
            .collect();
        self.halt = Some(Halt { status, why: why.to_owned(), partial });
        self.backoff = None;
        self.open.clear();
    }
}

/// A run as its log says it is: the room's state, and the engine's progress beside it.
pub struct Run<F: Flow> {
    /// The last entry that was folded.
    pub seq: i64,
    pub state: F::State,
    pub progress: Progress,
}

// Derives would ask `F` itself to be Clone and the rest, which only its associated types are.
impl<F: Flow> Clone for Run<F> {
    fn clone(&self) -> Self {
        Run { seq: self.seq, state: self.state.clone(), progress: self.progress.clone() }
    }
}

impl<F: Flow> PartialEq for Run<F> {
    fn eq(&self, other: &Self) -> bool {
        self.seq == other.seq && self.state == other.state && self.progress == other.progress
    }
}

impl<F: Flow> std::fmt::Debug for Run<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Run").field("seq", &self.seq).field("state", &self.state).field("progress", &self.progress).finish()
    }
}

impl<F: Flow> Run<F> {
    /// Folds a whole log. `None` when it does not open with a `Started` whose setup the room accepts.
    pub fn fold<'a>(log: impl IntoIterator<Item = (Stamp, &'a Value)>) -> Option<Self> {
        let mut log = log.into_iter();
        let (stamp, first) = log.next()?;
        let run = Self::open(stamp, first)?;
        Some(log.fold(run, |run, (stamp, body)| run.take(stamp, body)))
    }

    fn open(stamp: Stamp, first: &Value) -> Option<Self> {
        let Ok(Entry::<F::Event>::Run(started @ RunEvent::Started { .. })) = serde_json::from_value(first.clone()) else { return None };
        let RunEvent::Started { setup, .. } = &started else { return None };
        let state = F::begin(&serde_json::from_value(setup.clone()).ok()?).ok()?;
        let mut progress = Progress { updated_at: stamp.at, ..Progress::default() };
        progress.apply(stamp, &started);
        Some(Run { seq: stamp.seq, state, progress })
    }

    /// Folds one line as it stands in the log; a line this version does not know is skipped.
    pub fn take(mut self, stamp: Stamp, body: &Value) -> Self {
        match serde_json::from_value::<Entry<F::Event>>(body.clone()) {
            Ok(entry) => self.apply(stamp, &entry),
            Err(_) => {
                self.seq = stamp.seq;
                self
            }
        }
    }

    pub fn apply(mut self, stamp: Stamp, entry: &Entry<F::Event>) -> Self {
        self.seq = stamp.seq;
        self.progress.updated_at = stamp.at;
        match entry {
            Entry::Run(event) => {
                self.progress.apply(stamp, event);
                if matches!(event, RunEvent::Continued | RunEvent::Forked { .. }) {
                    self.state = F::resumed(self.state);
                }
            }
            Entry::Room(event) => {
                (self.progress.tries, self.progress.tries_since) = (0, None);
                self.state = F::apply(self.state, stamp, event);
            }
        }
        // A step whose ask is not wanted any more is over.
        if !self.progress.open.is_empty() {
            let wants: Vec<Value> = F::wants(&self.state).iter().map(ask_json).collect();
            self.progress.open.retain(|step| wants.contains(&step.ask));
        }
        self
    }

    pub fn status(&self) -> Status {
        self.progress.halt.as_ref().map_or_else(|| F::status(&self.state), |halt| halt.status)
    }

    /// What is wanted now; nothing while the run is stopped, failed or waits for a person.
    pub fn wants(&self) -> Vec<F::Ask> {
        if self.status() == Status::Running { F::wants(&self.state) } else { Vec::new() }
    }

    /// Would Continue set it going again?
    pub fn can_continue(&self) -> bool {
        self.status() != Status::Running && F::status(&F::resumed(self.state.clone())) == Status::Running
    }
}

/// An ask as it stands in the log. Asks are plain enums of numbers and strings, so this cannot fail.
pub fn ask_json<A: Serialize>(ask: &A) -> Value {
    serde_json::to_value(ask).unwrap_or_default()
}
