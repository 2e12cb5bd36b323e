//! A room as the engine sees it: the typed [`Agent`] a room writes, and the [`Room`] without types
//! that routes and drivers reach by kind.

use super::{Call, CallError, Engine, driver::Driver, drivers::Wake, fold, fork};
use crate::{
    engine::{
        entry::{Entry, Run, RunEvent, ask_json},
        flow::{Flow, Status},
        progress::Progress,
    },
    error::{AppError, Code},
    runs::Verb,
    store::{EventRow, NewRun, RunRow, StoreError},
};
use serde_json::Value;
use std::{future::Future, sync::Arc};
use uuid::Uuid;

type Ask<A> = <<A as Agent>::Flow as Flow>::Ask;
type State<A> = <<A as Agent>::Flow as Flow>::State;
type Outcome<A> = <<A as Agent>::Flow as Flow>::Outcome;

/// How a room's asks are carried out.
pub trait Agent: Send + Sync + 'static {
    type Flow: Flow;
    /// The model of the room's main role; `None` when there is none.
    fn model(&self) -> Option<String>;
    /// The model that would carry out this ask.
    fn model_for(&self, state: &State<Self>, ask: &Ask<Self>) -> String;
    /// One outside call. Dropped when the ask is no longer wanted.
    fn perform(&self, state: State<Self>, ask: Ask<Self>, call: Call) -> impl Future<Output = Result<Outcome<Self>, CallError>> + Send;
    /// What was said, from the first word to the last, for people who read it elsewhere.
    fn transcript(&self, run: &Run<Self::Flow>) -> Vec<Passage>;
}

/// A piece of a transcript; the texts are as they were said, and are quoted by whoever writes them out.
#[derive(Clone, Debug, PartialEq)]
pub enum Passage {
    /// A part begins, as a phase does.
    Part(String),
    /// A text that is Markdown, or mere words; `mark` is a word about its end, as “stopped”.
    Said { who: String, text: String, markdown: bool, mark: Option<String> },
    /// What came of a part.
    Findings { of: String, items: Vec<String> },
}

/// A turn that can be said in other words.
#[derive(Debug, PartialEq)]
pub struct Wording {
    /// As it was said.
    pub text: String,
    /// Characters of other words at most.
    pub max: usize,
}

/// A run for programs.
pub struct Reading {
    pub status: Status,
    pub state: Value,
    pub progress: Progress,
    /// Why it ended or waits, if it does.
    pub reason: Option<String>,
    /// A word for programs, such as `auth`, where a failed call is the reason.
    pub cause: Option<String>,
    pub can_continue: bool,
    pub transcript: Vec<Passage>,
}

#[async_trait::async_trait]
pub trait Room: Send + Sync {
    fn kind(&self) -> &'static str;
    fn model(&self) -> Option<String>;
    /// Drives the run until nothing is wanted or the server stops.
    async fn drive(&self, engine: &Engine, id: Uuid, wake: &Wake) -> Result<(), StoreError>;
    async fn act(&self, engine: &Engine, id: Uuid, verb: Verb) -> Result<(), AppError>;
    /// The run that goes on from this one with other words as that turn; see [`Engine::fork`].
    async fn fork(&self, engine: &Engine, parent: &RunRow, turn: u32, words: String) -> Result<NewRun, AppError>;
    /// That turn (from 0), where it can be said in other words.
    fn wording(&self, log: &[EventRow], turn: u32) -> Option<Wording>;
    fn read(&self, log: &[EventRow]) -> Option<Reading>;
}

/// An agent at its place in the engine.
pub struct Seat<A>(pub Arc<A>);

#[async_trait::async_trait]
impl<A: Agent> Room for Seat<A>
where
    AppError: From<<A::Flow as Flow>::Refusal>,
{
    fn kind(&self) -> &'static str {
        A::Flow::KIND
    }

    fn model(&self) -> Option<String> {
        self.0.model()
    }

    async fn drive(&self, engine: &Engine, id: Uuid, wake: &Wake) -> Result<(), StoreError> {
        Driver::claim(engine, self.0.clone(), id).await?.drive(wake).await
    }

    async fn act(&self, engine: &Engine, id: Uuid, verb: Verb) -> Result<(), AppError> {
        engine
            .command::<A::Flow, _>(id, move |run, texts| match verb {
                // A second Stop, or one that comes too late, changes nothing.
                Verb::Stop if !matches!(run.status(), Status::Running | Status::Waiting) => Ok(vec![]),
                Verb::Stop => Ok(vec![Entry::Run(RunEvent::Stopped { partial: texts, why: "Stopped by you.".to_owned() })]),
                Verb::Continue if run.status() == Status::Running => Ok(vec![]),
                Verb::Continue if run.can_continue() => Ok(vec![Entry::Run(RunEvent::Continued)]),
                Verb::Continue => {
                    Err(AppError::new(Code::Conflict, "This run has come to its end; there is nothing to continue. Start a new one."))
                }
            })
            .await
    }

    async fn fork(&self, engine: &Engine, parent: &RunRow, turn: u32, words: String) -> Result<NewRun, AppError> {
        engine.fork::<A::Flow>(parent, turn, words).await
    }

    fn wording(&self, log: &[EventRow], turn: u32) -> Option<Wording> {
        fork::wording(&fold::<A::Flow>(log)?, turn)
    }

    fn read(&self, log: &[EventRow]) -> Option<Reading> {
        let run = fold::<A::Flow>(log)?;
        let (halted, cause) = run.progress.halt.as_ref().map(|halt| (halt.why.clone(), halt.cause.clone())).unzip();
        Some(Reading {
            status: run.status(),
            state: ask_json(&run.state),
            reason: halted.or_else(|| A::Flow::reason(&run.state)),
            cause: cause.flatten(),
            can_continue: run.can_continue(),
            transcript: self.0.transcript(&run),
            progress: run.progress,
        })
    }
}
