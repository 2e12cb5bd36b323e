//! What a room is: a handful of pure functions, compiled into the server and into the browser.

use read::Read;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{fmt::Debug, hash::Hash};

pub mod read;
pub mod words;

/// When an entry happened: its place in the run's log (from 1) and Unix milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    pub seq: i64,
    pub at: i64,
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Something is wanted of a model or a tool, or a backoff is running out.
    Running,
    /// A person has to act.
    Waiting,
    Done,
    /// Ended before its end: by a person, or by a limit.
    Stopped,
    Failed,
}

impl Status {
    /// The word people and the wire see.
    pub fn word(self) -> &'static str {
        match self {
            Status::Running => "running",
            Status::Waiting => "waiting",
            Status::Done => "done",
            Status::Stopped => "stopped",
            Status::Failed => "failed",
        }
    }

    pub fn parse(word: &str) -> Option<Status> {
        [Status::Running, Status::Waiting, Status::Done, Status::Stopped, Status::Failed].into_iter().find(|status| status.word() == word)
    }
}

/// What a person's words in the place of a turn come to.
pub enum Retold<F: Flow> {
    /// The turn is part of the setup: the run starts anew.
    Setup(F::Setup),
    /// At least one, the turn itself first.
    Events(Vec<F::Event>),
}

/// A call that has failed for good: it is not made again by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// A sentence for a person.
    pub why: String,
    /// A word for programs, such as `rate_limited`.
    pub cause: Option<String>,
}

/// A room's heart. No clock, no randomness, no IO: time and order arrive in the [`Stamp`].
pub trait Flow: Sized + Send + Sync + 'static {
    /// The room's name in the store and on the wire.
    const KIND: &'static str;
    /// Characters of a turn in other words at most; 0 where no turn can be said so.
    const TURN_CHARS: usize = 0;
    /// What a run is started with.
    type Setup: Clone + Debug + PartialEq + Serialize + Read + Send + Sync + 'static;
    type State: Clone + Debug + PartialEq + Serialize + Send + Sync + 'static;
    type Event: Clone + Debug + PartialEq + Serialize + Read + Send + Sync + 'static;
    /// What a person may do, beyond Stop and Continue, which every run knows.
    type Command: Serialize + DeserializeOwned + Send + 'static;
    /// One call to a model or a tool; it is its own key.
    type Ask: Clone + Debug + Eq + Hash + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// What that call brought back.
    type Outcome: Clone + Send + 'static;
    type Refusal: std::error::Error + Send + 'static;

    /// A new run; validates the setup and says no like `decide`.
    fn begin(setup: &Self::Setup) -> Result<Self::State, Self::Refusal>;
    /// What a run is called in lists, made from what it is started with.
    fn title(setup: &Self::Setup) -> String;
    /// What does a person's command amount to? With `begin` the only place that says no to a person.
    fn decide(state: &Self::State, command: Self::Command) -> Result<Vec<Self::Event>, Self::Refusal>;
    /// What does an outcome amount to? The only place that judges what a model or a tool said.
    /// Answers at least one event, so that the same ask is not simply made again.
    fn settle(state: &Self::State, ask: &Self::Ask, outcome: Self::Outcome) -> Vec<Self::Event>;
    /// What does a call that has failed for good amount to? `None` halts the run until a person continues it, or for ever.
    fn failed(_: &Self::State, _: &Self::Ask, _failure: &Failure) -> Option<Vec<Self::Event>> {
        None
    }
    /// It happened. Total: server, browser and tests share it.
    fn apply(state: Self::State, stamp: Stamp, event: &Self::Event) -> Self::State;
    /// A person lets it go on after a break: by Continue, which is offered only where it makes the run want something again, or as a
    /// run of its own, by other words for a turn.
    fn resumed(state: Self::State, _: Stamp) -> Self::State {
        state
    }
    /// What is wanted next? Several asks may run side by side; none means it waits for a person, or is over.
    fn wants(state: &Self::State) -> Vec<Self::Ask>;
    fn status(state: &Self::State) -> Status;
    /// The words of the event that people saw being written before it happened, if there are any.
    fn written(_: &Self::Event) -> Option<&str> {
        None
    }
    /// The words of that turn (from 0), where a person may put others in their place.
    fn turn(_: &Self::State, _turn: u32) -> Option<&str> {
        None
    }
    /// The ask whose answer is that turn, where a model says it: what a Stop has left of its words can be replaced as well.
    fn turn_ask(_turn: u32) -> Option<Self::Ask> {
        None
    }
    /// A person's words as that turn, on the state before it and judged by the same rules as any. `None` where
    /// the next turn is not that one, or not one in which words are said.
    fn retell(_before: &Self::State, _turn: u32, _words: String) -> Result<Option<Retold<Self>>, Self::Refusal> {
        Ok(None)
    }
    /// Why it ended as it did, where the room itself ended it: a word for programs, or a sentence.
    fn reason(_: &Self::State) -> Option<String> {
        None
    }
}

impl Read for Status {
    fn read(json: &read::Json) -> Option<Self> {
        Status::parse(json.as_str()?)
    }
}
