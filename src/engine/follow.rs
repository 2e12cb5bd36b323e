//! A run's stream as values, and the reader that keeps a fold current from it. Never does IO:
//! browsers feed it from an `EventSource`, tests from plain HTTP.

use crate::engine::{
    entry::{Partial, Run},
    flow::{Flow, Stamp, Status},
    progress::Progress,
};
use crate::{engine::flow::read::Read, read};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One line of a log, on the wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    pub run: String,
    pub seq: i64,
    /// Unix milliseconds.
    pub at: i64,
    pub body: Value,
}

/// All of a text that is being written; replaces what the reader has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Whole {
    pub run: String,
    pub message: i64,
    pub text: String,
}

/// More of a text; `offset` in UTF-8 bytes is where it goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Delta {
    pub run: String,
    pub message: i64,
    pub offset: usize,
    pub text: String,
}

/// Where a run stands, and which build of the server says so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    pub run: String,
    pub status: Status,
    pub build: String,
}

/// What the stream carries, one SSE event each, named as [`Signal::name`] says.
#[derive(Clone, Debug, PartialEq)]
pub enum Signal {
    Fact(Fact),
    Partial(Whole),
    Delta(Delta),
    Status(Standing),
    Ping,
}

impl Signal {
    pub const NAMES: [&'static str; 5] = ["fact", "partial", "delta", "status", "ping"];

    pub fn name(&self) -> &'static str {
        match self {
            Signal::Fact(_) => "fact",
            Signal::Partial(_) => "partial",
            Signal::Delta(_) => "delta",
            Signal::Status(_) => "status",
            Signal::Ping => "ping",
        }
    }

    /// The run it tells of.
    pub fn run(&self) -> Option<&str> {
        match self {
            Signal::Fact(fact) => Some(&fact.run),
            Signal::Partial(whole) => Some(&whole.run),
            Signal::Delta(delta) => Some(&delta.run),
            Signal::Status(standing) => Some(&standing.run),
            Signal::Ping => None,
        }
    }

    /// The SSE event's data, as JSON.
    pub fn data(&self) -> String {
        let json = match self {
            Signal::Fact(fact) => serde_json::to_string(fact),
            Signal::Partial(whole) => serde_json::to_string(whole),
            Signal::Delta(delta) => serde_json::to_string(delta),
            Signal::Status(standing) => serde_json::to_string(standing),
            Signal::Ping => Ok("{}".to_owned()),
        };
        json.unwrap_or_default()
    }

    /// `None` for an event this version does not know.
    pub fn parse(name: &str, data: &str) -> Option<Signal> {
        let data: Value = serde_json::from_slice(data.as_bytes()).ok()?;
        match name {
            "fact" => Fact::read(&data).map(Signal::Fact),
            "partial" => Whole::read(&data).map(Signal::Partial),
            "delta" => Delta::read(&data).map(Signal::Delta),
            "status" => Standing::read(&data).map(Signal::Status),
            "ping" => Some(Signal::Ping),
            _ => None,
        }
    }
}

/// A run at first paint: its log, which server and browser fold alike, and the texts being written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    pub id: String,
    pub title: String,
    pub log: Vec<Fact>,
    pub open: Vec<Partial>,
    pub build: String,
}

/// The texts being written; there are never more than a few.
pub type Texts = Vec<Partial>;

/// The text of that step, made where there is none yet.
pub fn text_of(texts: &mut Texts, message: i64) -> &mut String {
    let at = texts.iter().position(|open| open.message == message).unwrap_or_else(|| {
        texts.push(Partial { message, text: String::new() });
        texts.len() - 1
    });
    &mut texts[at].text
}

/// What a signal changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Nothing,
    Texts,
    Run,
}

/// Something between the reader and the signal is missing: reopen the stream at the reader's cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a part of the run's stream is missing")]
pub struct Gap;

/// Keeps one run current. Facts it already has are ignored, so any overlap of streams is harmless.
pub struct Follower<F: Flow> {
    pub id: String,
    pub run: Run<F>,
    pub texts: Texts,
}

impl<F: Flow> Follower<F> {
    /// `None` when the log is not one of this room's.
    pub fn new(snapshot: Snapshot) -> Option<Self> {
        let run = Run::fold(snapshot.log.iter().map(|fact| (Stamp { seq: fact.seq, at: fact.at }, &fact.body)))?;
        let mut follower = Follower { id: snapshot.id, run, texts: snapshot.open };
        keep_open(&mut follower.texts, &follower.run.progress, None);
        Some(follower)
    }

    /// Where to reopen: `<id>:<seq>`.
    pub fn cursor(&self) -> String {
        format!("{}:{}", self.id, self.run.seq)
    }

    pub fn take(&mut self, signal: Signal) -> Result<Change, Gap> {
        match signal {
            Signal::Fact(fact) if fact.run == self.id => self.fact(fact),
            Signal::Partial(whole) if whole.run == self.id && self.is_open(whole.message) => {
                *text_of(&mut self.texts, whole.message) = whole.text;
                Ok(Change::Texts)
            }
            Signal::Delta(delta) if delta.run == self.id && self.is_open(delta.message) => {
                let text = text_of(&mut self.texts, delta.message);
                if text.len() != delta.offset {
                    return Err(Gap);
                }
                text.push_str(&delta.text);
                Ok(Change::Texts)
            }
            _ => Ok(Change::Nothing),
        }
    }

    fn fact(&mut self, fact: Fact) -> Result<Change, Gap> {
        if fact.seq <= self.run.seq {
            return Ok(Change::Nothing);
        }
        if fact.seq != self.run.seq + 1 {
            return Err(Gap);
        }
        self.run = self.run.clone().take(Stamp { seq: fact.seq, at: fact.at }, &fact.body);
        keep_open(&mut self.texts, &self.run.progress, restarted(&fact.body));
        Ok(Change::Run)
    }

    fn is_open(&self, message: i64) -> bool {
        self.run.progress.open.iter().any(|step| step.seq == message)
    }
}

/// Texts of steps that are over, or are made again, are dropped.
pub fn keep_open(texts: &mut Texts, progress: &Progress, again: Option<i64>) {
    let is_open = |message: i64| progress.open.iter().any(|step| step.seq == message);
    texts.retain(|text| is_open(text.message) && Some(text.message) != again);
}

/// The step whose open text a line drops because it is made again.
pub fn restarted(body: &Value) -> Option<i64> {
    body.get("run")?.get("step_restarted")?.get("step")?.as_i64()
}

read!(struct Fact { run, seq, at, body });
read!(struct Whole { run, message, text });
read!(struct Delta { run, message, offset, text });
read!(struct Standing { run, status, build });
read!(struct Snapshot { id, title, log, open, build });
