//! The log's entries and the fold that server, browser and tests share.

use crate::engine::{
    flow::{
        Flow, Stamp, Status,
        read::{Read, tagged},
    },
    progress::Progress,
};
use crate::read;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One line of a run's log. Its JSON is a public format: `{"run":{"started":{…}}}` or `{"room":{…}}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    /// A backoff of that step until that time (Unix milliseconds), or, without one, until a person continues. Where a
    /// call has failed, `cause` is a word for programs, such as `network`. Older logs name no step: then it is every open one.
    Waited {
        until: Option<i64>,
        why: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<i64>,
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
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cause: Option<String>,
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

/// The model name that marks rehearsed calls in the log.
pub const REHEARSAL: &str = "rehearsal";

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
        let Entry::<F::Event>::Run(started @ RunEvent::Started { .. }) = Entry::read(first)? else { return None };
        let RunEvent::Started { setup, .. } = &started else { return None };
        let state = F::begin(&F::Setup::read(setup)?).ok()?;
        let mut progress = Progress { updated_at: stamp.at, ..Progress::default() };
        progress.apply(stamp, &started);
        Some(Run { seq: stamp.seq, state, progress })
    }

    /// Folds one line as it stands in the log; a line this version does not know is skipped.
    pub fn take(mut self, stamp: Stamp, body: &Value) -> Self {
        match Entry::read(body) {
            Some(entry) => self.apply(stamp, &entry),
            None => {
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
                    self.state = F::resumed(self.state, stamp);
                }
            }
            Entry::Room(event) => self.state = F::apply(self.state, stamp, event),
        }
        // A step whose ask is not wanted any more is over.
        if !self.progress.open.is_empty() {
            self.progress.keep_wanted(&F::wants(&self.state).iter().map(ask_json).collect::<Vec<_>>());
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
        self.status() != Status::Running && F::status(&self.resumed()) == Status::Running
    }

    /// The room's state, were it to go on now.
    pub fn resumed(&self) -> F::State {
        F::resumed(self.state.clone(), Stamp { seq: self.seq, at: self.progress.updated_at })
    }
}

/// An ask as it stands in the log. Asks are plain enums of numbers and strings, so this cannot fail.
pub fn ask_json<A: Serialize>(ask: &A) -> Value {
    serde_json::to_value(ask).unwrap_or_default()
}

impl<E: Read> Read for Entry<E> {
    fn read(json: &Value) -> Option<Self> {
        match tagged(json)? {
            ("run", event) => RunEvent::read(event).map(Entry::Run),
            ("room", event) => E::read(event).map(Entry::Room),
            _ => None,
        }
    }
}

read!(enum RunEvent {
    "started" => Started { setup, model },
    "step_started" => StepStarted { ask, model },
    "step_restarted" => StepRestarted { step, why, counted },
    "waited" => Waited { until, why, cause, step },
    "usage" => Usage (_),
    "stopped" => Stopped { partial, why },
    "continued" => Continued (),
    "forked" => Forked { from, seq },
    "failed" => Failed { why, cause },
});
read!(struct Usage {
    ask,
    model,
    input_tokens = "inputTokens",
    output_tokens = "outputTokens",
    cost_micros = "costMicros",
    first_ms = "firstMs",
    ms,
});
read!(struct Partial { message, text });
