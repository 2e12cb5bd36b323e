//! The driver, the stream and the commands, on a small room of the tests' own and a real store.

use super::{sse::follow, *};
use crate::{engine::flow::read::Read, read};
use crate::{
    engine::{
        flow::{Failure, Retold},
        follow::{Change, Follower, Signal},
    },
    models::{ChatModel, ChatRequest, Completion, ModelError, ModelEvent, ModelStream, Reply, Route},
    runs::Verb,
    store::story,
};
use futures::{StreamExt, stream};
use serde::Serialize;
use serde_json::json;
use std::{
    collections::{BTreeMap, VecDeque},
    sync::Mutex,
    time::Duration,
};
use tokio::sync::Notify;

mod fork;
mod pair;
mod rest;

/// A room in which a model counts: it says a word `words` times, one ask each.
struct Counting;

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Setup {
    words: u32,
}
read!(struct Setup { words });

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Said(String);

impl Read for Said {
    fn read(json: &Value) -> Option<Self> {
        String::read(json).map(Said)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct State {
    words: u32,
    said: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
#[error("no words")]
struct NoWords;

impl From<NoWords> for AppError {
    fn from(_: NoWords) -> Self {
        AppError::field("words", "no words")
    }
}

impl Flow for Counting {
    const KIND: &'static str = "counting";
    const TURN_CHARS: usize = 9;
    type Setup = Setup;
    type State = State;
    type Event = Said;
    type Command = ();
    type Ask = u32;
    type Outcome = String;
    type Refusal = NoWords;

    fn begin(setup: &Setup) -> Result<State, NoWords> {
        if setup.words == 0 { Err(NoWords) } else { Ok(State { words: setup.words, said: vec![] }) }
    }

    fn title(_: &Setup) -> String {
        "Counting".into()
    }

    fn decide(_: &State, (): ()) -> Result<Vec<Said>, NoWords> {
        Ok(vec![])
    }

    fn settle(_: &State, _: &u32, outcome: String) -> Vec<Said> {
        vec![Said(outcome)]
    }

    fn apply(mut state: State, _: Stamp, Said(word): &Said) -> State {
        state.said.push(word.clone());
        state
    }

    fn wants(state: &State) -> Vec<u32> {
        let next = state.said.len() as u32;
        if next < state.words { vec![next] } else { vec![] }
    }

    fn written(Said(word): &Said) -> Option<&str> {
        Some(word)
    }

    fn turn(state: &State, turn: u32) -> Option<&str> {
        state.said.get(turn as usize).map(String::as_str)
    }

    fn turn_ask(turn: u32) -> Option<u32> {
        Some(turn)
    }

    /// The words that are counted cannot be “no”.
    fn retell(before: &State, turn: u32, words: String) -> Result<Option<Retold<Self>>, NoWords> {
        match words.as_str() {
            "no" => Err(NoWords),
            _ => Ok((turn == before.said.len() as u32).then_some(Retold::Events(vec![Said(words)]))),
        }
    }

    fn status(state: &State) -> Status {
        if Self::wants(state).is_empty() { Status::Done } else { Status::Running }
    }
}

/// What the scripted model does with one call.
#[derive(Clone, Debug)]
enum Turn {
    Says(&'static str),
    Fails(ModelError),
    /// Says that much and then breaks off.
    Breaks(&'static str, ModelError),
    /// Says that much and then nothing, until it is dropped.
    Hangs(&'static str),
}

/// Plays its turns, then says “word”; counts its calls and notices when one is dropped.
#[derive(Default)]
struct Script {
    turns: Mutex<VecDeque<Turn>>,
    calls: Mutex<u32>,
    dropped: Arc<Notify>,
}

struct Dropped(Arc<Notify>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

impl ChatModel for Script {
    fn stream(&self, _: &str, _: ChatRequest) -> ModelStream {
        *self.calls.lock().expect("not poisoned") += 1;
        let turn = self.turns.lock().expect("not poisoned").pop_front().unwrap_or(Turn::Says("word"));
        let text = |text: &str| Ok(ModelEvent::Text(text.to_owned()));
        let done = |text: &str| Ok(ModelEvent::Done(Completion { text: text.to_owned(), tokens: Some((3, 2)), ..Completion::default() }));
        let guard = Dropped(self.dropped.clone());
        match turn {
            Turn::Says(words) => stream::iter([text(words), done(words)]).boxed(),
            Turn::Fails(error) => stream::iter([Err(error)]).boxed(),
            Turn::Breaks(words, error) => stream::iter([text(words), Err(error)]).boxed(),
            Turn::Hangs(words) => stream::iter([text(words)]).chain(stream::pending()).map(move |event| (&guard, event).1).boxed(),
        }
    }
}

fn request() -> ChatRequest {
    ChatRequest { messages: vec![], tools: vec![], tool_required: false, max_tokens: 9, format: None, rehearsal: Reply::default() }
}

struct Counter {
    script: Arc<Script>,
}

impl Agent for Counter {
    type Flow = Counting;

    fn transcript(&self, _: &Run<Counting>) -> Vec<Passage> {
        vec![]
    }

    fn model(&self) -> Option<String> {
        Some("script".into())
    }

    fn model_for(&self, _: &State, _: &u32) -> String {
        "script".into()
    }

    async fn perform(&self, _: State, _: u32, call: Call) -> Result<String, CallError> {
        let route = Route { name: "script".into(), model: "script".into(), chat: self.script.clone() };
        let shown = |event: &ModelEvent| if let ModelEvent::Text(text) = event { Some(text.clone()) } else { None };
        Ok(call.chat(&route, request(), shown).await?.text)
    }
}

/// An engine on a store of its own.
struct House {
    engine: Engine,
    script: Arc<Script>,
    folder: Option<tempfile::TempDir>,
}

pub(super) fn limits() -> Limits {
    Limits {
        call_silence: Duration::from_secs(60),
        run_time: Duration::from_secs(600),
        calls_in_flight: 8,
        runs_per_owner: 1,
        runs_per_address: 1,
        runs_per_day: 1,
        tokens_per_owner: 1,
        tokens_per_day: 1,
    }
}

async fn house(turns: &[Turn]) -> House {
    let (store, folder) = story::sqlite().await;
    open(Arc::new(store), turns, limits(), Some(folder))
}

fn open(store: Arc<dyn Store>, turns: &[Turn], limits: Limits, folder: Option<tempfile::TempDir>) -> House {
    let script = Arc::new(Script { turns: Mutex::new(turns.to_vec().into()), ..Script::default() });
    let room: Arc<dyn Room> = Arc::new(Seat(Arc::new(Counter { script: script.clone() })));
    House { engine: Engine::new(store, vec![room], limits, "build".into()), script, folder }
}

impl House {
    async fn start(&self, words: u32) -> Uuid {
        self.engine.start::<Counting>("anna", Setup { words }, None, None).await.expect("started")
    }

    async fn act(&self, id: Uuid, verb: Verb) -> Result<(), AppError> {
        self.engine.room("counting").expect("there").act(&self.engine, id, verb).await
    }

    /// Follows the run until `enough` of it has been seen.
    async fn until(&self, id: Uuid, enough: impl Fn(&Follower<Counting>) -> bool) -> Follower<Counting> {
        let mut reader = Reader::open(&self.engine, id).await;
        tokio::time::timeout(Duration::from_secs(20), async {
            while !enough(&reader.follower) {
                let signal = reader.signals.next().await.expect("the stream goes on");
                // As every reader does that opened while a text was dropped.
                if reader.follower.take(signal).is_err() {
                    reader = Reader::open(&self.engine, id).await;
                }
            }
        })
        .await
        .unwrap_or_else(|_| panic!("it never came: {:?}", reader.follower.run));
        reader.follower
    }

    async fn ended(&self, id: Uuid) -> Run<Counting> {
        self.until(id, |reader| reader.run.status() != Status::Running).await.run
    }

    fn calls(&self) -> u32 {
        *self.script.calls.lock().expect("not poisoned")
    }

    async fn words(&self, id: Uuid) -> Vec<String> {
        let log = self.engine.store().events(id, 0).await.expect("read");
        log.iter()
            .map(|row| {
                row.body["run"]
                    .as_object()
                    .and_then(|event| event.keys().next().cloned())
                    .or(row.body["run"].as_str().map(str::to_owned))
                    .unwrap_or("said".into())
            })
            .collect()
    }
}

/// A follower with its stream.
struct Reader {
    follower: Follower<Counting>,
    signals: stream::BoxStream<'static, Signal>,
}

impl Reader {
    async fn open(engine: &Engine, id: Uuid) -> Self {
        let row = engine.store().run(id).await.expect("read").expect("there");
        let follower = Follower::new(engine.snapshot(&row).await.expect("read")).expect("a run");
        let signals = follow(engine, BTreeMap::from([(id, follower.run.seq)]));
        Reader { follower, signals }
    }

    async fn next(&mut self) -> Change {
        let signal = self.signals.next().await.expect("the stream goes on");
        self.follower.take(signal).expect("no gap")
    }
}

#[tokio::test]
async fn a_run_goes_from_its_start_to_its_end_with_every_step_once() {
    let house = house(&[Turn::Says("one"), Turn::Says("two")]).await;
    let id = house.start(2).await;
    let run = house.ended(id).await;
    assert_eq!((run.status(), run.state.said.clone()), (Status::Done, vec!["one".to_owned(), "two".to_owned()]));
    assert_eq!(house.words(id).await, ["started", "step_started", "usage", "said", "step_started", "usage", "said"]);
    assert_eq!((house.calls(), run.progress.tokens()), (2, Some((6, 4))));
    let row = house.engine.store().run(id).await.expect("read").expect("there");
    assert_eq!((row.status, row.input_tokens, row.output_tokens), (Status::Done, 6, 4));
}

#[tokio::test]
async fn refused_setups_start_nothing() {
    let house = house(&[]).await;
    let refused = house.engine.start::<Counting>("anna", Setup { words: 0 }, None, None).await.expect_err("refused");
    assert_eq!(refused.at("words"), Some("no words"));
    assert!(house.engine.store().list("anna", "", 10).await.expect("read").is_empty());
}

#[tokio::test]
async fn reading_a_log_never_calls_a_model() {
    let house = house(&[]).await;
    let id = house.start(3).await;
    let run = house.ended(id).await;
    let calls = house.calls();
    for _ in 0..3 {
        assert_eq!(house.engine.load::<Counting>(id).await.expect("folds"), run);
    }
    assert_eq!(house.calls(), calls);
}

#[tokio::test]
async fn stop_drops_the_call_within_200_ms_and_keeps_what_was_written() {
    let house = house(&[Turn::Says("one"), Turn::Hangs("half a")]).await;
    let id = house.start(2).await;
    house.until(id, |reader| reader.texts.iter().any(|open| open.text == "half a")).await;
    house.act(id, Verb::Stop).await.expect("stopped");
    tokio::time::timeout(Duration::from_millis(200), house.script.dropped.notified()).await.expect("the call was dropped in time");
    let run = house.ended(id).await;
    let halt = run.progress.halt.clone().expect("halted");
    assert_eq!((run.status(), halt.partial[0].text.as_str()), (Status::Stopped, "half a"));
    // A second Stop changes nothing; Continue makes the step again.
    house.act(id, Verb::Stop).await.expect("ignored");
    assert_eq!(house.engine.load::<Counting>(id).await.expect("folds").seq, run.seq);
    house.act(id, Verb::Continue).await.expect("continued");
    let run = house.ended(id).await;
    assert_eq!((run.status(), run.state.said), (Status::Done, vec!["one".to_owned(), "word".to_owned()]));
    assert!(house.act(id, Verb::Continue).await.is_err());
}

#[tokio::test]
async fn a_deleted_run_costs_no_model_call_any_more() {
    for all in [false, true] {
        let house = house(&[Turn::Hangs("He")]).await;
        let id = house.start(3).await;
        house.until(id, |reader| reader.texts.iter().any(|open| open.text == "He")).await;
        if all {
            assert_eq!(house.engine.erase("anna").await.expect("erased"), [id]);
        } else {
            let row = house.engine.store().run(id).await.expect("read").expect("there");
            house.engine.delete(&row).await.expect("deleted");
        }
        tokio::time::timeout(Duration::from_secs(2), house.script.dropped.notified()).await.expect("the call ends");
        house.engine.sweep().await;
        house.engine.0.tasks.close();
        tokio::time::timeout(Duration::from_secs(2), house.engine.0.tasks.wait()).await.expect("its driver ends");
        let row = house.engine.store().run(id).await.expect("read").expect("kept for the undo, or for the budget");
        assert_eq!((house.calls(), row.status, row.deleted_at.is_some()), (1, Status::Stopped, true));
        assert_eq!(house.words(id).await.len(), if all { 0 } else { 3 });
        assert!(house.engine.open_texts(id).await.expect("read").is_empty());
    }
}

#[tokio::test]
async fn a_broken_answer_is_made_again_twice_and_then_waits() {
    let breaks = || Turn::Breaks("ha", ModelError::Truncated);
    let house = house(&[breaks(), breaks(), breaks(), Turn::Says("whole")]).await;
    let id = house.start(1).await;
    let run = house.ended(id).await;
    assert_eq!(run.status(), Status::Waiting);
    assert_eq!(house.words(id).await, ["started", "step_started", "usage", "step_restarted", "usage", "step_restarted", "usage", "waited"]);
    house.act(id, Verb::Continue).await.expect("continued");
    let run = house.ended(id).await;
    assert_eq!((run.status(), run.state.said, house.calls()), (Status::Done, vec!["whole".to_owned()], 4));
}

#[tokio::test]
async fn failures_before_the_first_word_wait_visibly_and_are_tried_again() {
    let house =
        house(&[Turn::Fails(ModelError::Network), Turn::Fails(ModelError::Overloaded { retry_after: Some(Duration::from_millis(1)) })])
            .await;
    let id = house.start(1).await;
    let run = house.ended(id).await;
    assert_eq!((run.status(), run.progress.open), (Status::Done, vec![]));
    assert_eq!(house.words(id).await, ["started", "step_started", "waited", "step_restarted", "waited", "step_restarted", "usage", "said"]);
}

#[tokio::test]
async fn a_refused_key_fails_the_run_at_once() {
    let house = house(&[Turn::Fails(ModelError::Auth { provider: "OpenAI".into() })]).await;
    let id = house.start(1).await;
    let run = house.ended(id).await;
    assert_eq!((run.status(), house.calls()), (Status::Failed, 1));
    let halt = run.progress.halt.expect("halted");
    assert!(halt.why.starts_with("OpenAI refused the key.") && halt.cause.as_deref() == Some("auth"), "{halt:?}");
    let log = house.engine.store().events(id, 0).await.expect("read");
    let reading = house.engine.room("counting").and_then(|room| room.read(&log)).expect("it folds");
    assert_eq!((reading.reason, reading.cause), (Some(halt.why), halt.cause));
}

#[test]
fn lines_from_before_there_were_causes_still_fold() {
    for line in [json!({ "run": { "failed": { "why": "x" } } }), json!({ "run": { "waited": { "until": null, "why": "x" } } })] {
        let entry = Entry::<Said>::read(&line).expect("it is understood");
        assert_eq!(ask_json(&entry), line);
    }
}

#[tokio::test]
async fn a_silent_model_is_given_up() {
    let (store, folder) = story::sqlite().await;
    let limits = Limits { call_silence: Duration::from_millis(50), ..limits() };
    let house = open(Arc::new(store), &[Turn::Hangs("I"), Turn::Says("I am here")], limits, Some(folder));
    let id = house.start(1).await;
    assert_eq!(house.ended(id).await.state.said, ["I am here"]);
    assert!(house.words(id).await.contains(&"step_restarted".to_owned()));
}

#[tokio::test]
async fn a_run_that_has_used_its_time_waits_for_a_person() {
    let (store, folder) = story::sqlite().await;
    let limits = Limits { run_time: Duration::ZERO, ..limits() };
    let house = open(Arc::new(store), &[], limits, Some(folder));
    let id = house.start(1).await;
    let run = house.ended(id).await;
    assert_eq!((run.status(), run.can_continue()), (Status::Waiting, true));
    assert!(run.progress.halt.is_some_and(|halt| halt.why.contains("model time")));
}

#[tokio::test]
async fn what_a_dead_process_left_goes_on_in_the_next_with_each_step_once() {
    let mut first = house(&[Turn::Says("one"), Turn::Hangs("half")]).await;
    let id = first.start(3).await;
    first.until(id, |reader| reader.texts.iter().any(|open| open.text == "half")).await;
    // The process dies: nothing is told to anybody, its tasks just end.
    let folder = first.folder.take();
    first.engine.close().await;
    drop(first);
    let store = crate::store::SqliteStore::open(&story::url(folder.as_ref().expect("kept"))).await.expect("the file is free");
    let second = open(Arc::new(store), &[Turn::Says("two"), Turn::Says("three")], limits(), folder);
    let before = std::time::Instant::now();
    second.engine.spawn_sweeper();
    let run = second.until(id, |reader| reader.run.status() == Status::Done).await.run;
    assert!(before.elapsed() < Duration::from_secs(2));
    assert_eq!(run.state.said, ["one", "two", "three"]);
    assert_eq!(second.words(id).await.iter().filter(|word| *word == "step_restarted").count(), 1);
}

#[tokio::test]
async fn a_command_whose_caller_has_gone_is_carried_out_and_told() {
    for _ in 0..10 {
        let house = house(&[Turn::Hangs("half")]).await;
        let id = house.start(1).await;
        let mut reader = Reader::open(&house.engine, id).await;
        while reader.follower.texts.is_empty() {
            reader.next().await;
        }
        // The caller hangs up as soon as the command is under way.
        let mut stopping = std::pin::pin!(house.act(id, Verb::Stop));
        let _ = futures::poll!(stopping.as_mut());
        tokio::time::timeout(Duration::from_secs(5), async {
            while reader.follower.run.status() == Status::Running {
                reader.next().await;
            }
        })
        .await
        .expect("the stop is told");
        assert_eq!(reader.follower.run.progress.halt.as_ref().expect("halted").partial[0].text, "half");
    }
}

#[tokio::test]
async fn two_tabs_command_at_once_and_both_are_served() {
    // A stop comes while a model speaks; what nobody stops would come to its end.
    let house = house(&[Turn::Hangs("…"), Turn::Hangs("…")]).await;
    let id = house.start(1).await;
    for verb in [Verb::Stop, Verb::Continue, Verb::Stop, Verb::Continue] {
        if verb == Verb::Stop {
            house.until(id, |reader| !reader.texts.is_empty()).await;
        }
        let (one, other) = tokio::join!(house.act(id, verb), house.act(id, verb));
        assert_eq!((one, other), (Ok(()), Ok(())));
    }
    assert_eq!(house.ended(id).await.state.said, ["word"]);
}

#[tokio::test]
async fn any_number_of_readers_at_any_cursor_see_each_fact_once_and_the_same_end() {
    let house = house(&[Turn::Says("a b c"), Turn::Says("ünï"), Turn::Says("three")]).await;
    let id = house.start(3).await;
    let readers = (0..40).map(|i| {
        let engine = house.engine.clone();
        async move {
            let mut reader = Reader::open(&engine, id).await;
            let mut seen = vec![reader.follower.run.seq];
            while reader.follower.run.status() == Status::Running {
                if reader.next().await == Change::Run {
                    seen.push(reader.follower.run.seq);
                }
                // Some come and go, at their cursor.
                if (seen.len() + i) % 3 == 0 {
                    reader.signals = follow(&engine, BTreeMap::from([(id, reader.follower.run.seq)]));
                }
            }
            assert!(seen.windows(2).all(|pair| pair[1] == pair[0] + 1), "a fact was missed or doubled: {seen:?}");
            reader.follower.run
        }
    });
    let ends = tokio::time::timeout(Duration::from_secs(20), futures::future::join_all(readers)).await.expect("all end");
    let truth = house.engine.load::<Counting>(id).await.expect("folds");
    assert!(ends.iter().all(|end| *end == truth));
}

#[tokio::test]
async fn a_reader_that_comes_in_the_middle_of_a_text_gets_all_of_it() {
    let house = house(&[Turn::Hangs("half a sentence")]).await;
    let id = house.start(1).await;
    house.until(id, |reader| !reader.texts.is_empty()).await;
    let late = house.until(id, |reader| !reader.texts.is_empty()).await;
    assert_eq!(late.texts.iter().map(|open| open.text.as_str()).collect::<Vec<_>>(), ["half a sentence"]);
}

#[tokio::test]
async fn the_end_of_the_server_ends_the_streams() {
    let house = house(&[Turn::Hangs("…")]).await;
    let id = house.start(1).await;
    let mut reader = Reader::open(&house.engine, id).await;
    house.engine.close().await;
    let ended = tokio::time::timeout(Duration::from_secs(2), async { while reader.signals.next().await.is_some() {} }).await;
    assert!(ended.is_ok());
}
