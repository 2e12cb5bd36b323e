//! Several asks side by side, on a room in which two voices speak at once, a word after the other.

use super::*;

/// The second voice can be lost; the first cannot.
struct Pair;

const LOST: usize = 1;

#[derive(Clone, Debug, PartialEq, Serialize)]
enum Event {
    Said { voice: usize, word: String },
    Lost { voice: usize, why: String, cause: Option<String> },
}

read!(enum Event { "Said" => Said { voice, word }, "Lost" => Lost { voice, why, cause } });

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Voices {
    words: u32,
    said: [Vec<String>; 2],
    lost: Option<(String, Option<String>)>,
}

impl Flow for Pair {
    const KIND: &'static str = "pair";
    type Setup = Setup;
    type State = Voices;
    type Event = Event;
    type Command = ();
    type Ask = (usize, usize);
    type Outcome = String;
    type Refusal = NoWords;

    fn begin(setup: &Setup) -> Result<Voices, NoWords> {
        Ok(Voices { words: setup.words, ..Voices::default() })
    }

    fn title(_: &Setup) -> String {
        "Pair".into()
    }

    fn decide(_: &Voices, (): ()) -> Result<Vec<Event>, NoWords> {
        Ok(vec![])
    }

    fn settle(_: &Voices, (voice, _): &(usize, usize), word: String) -> Vec<Event> {
        vec![Event::Said { voice: *voice, word }]
    }

    fn failed(_: &Voices, (voice, _): &(usize, usize), failure: &Failure) -> Option<Vec<Event>> {
        let Failure { why, cause } = failure.clone();
        (*voice == LOST).then(|| vec![Event::Lost { voice: *voice, why, cause }])
    }

    fn apply(mut state: Voices, _: Stamp, event: &Event) -> Voices {
        match event.clone() {
            Event::Said { voice, word } => state.said[voice].push(word),
            Event::Lost { why, cause, .. } => state.lost = Some((why, cause)),
        }
        state
    }

    fn wants(state: &Voices) -> Vec<(usize, usize)> {
        let voices = state.said.iter().enumerate().map(|(voice, said)| (voice, said.len()));
        voices.filter(|(voice, said)| *said < state.words as usize && (*voice != LOST || state.lost.is_none())).collect()
    }

    fn status(state: &Voices) -> Status {
        if Self::wants(state).is_empty() { Status::Done } else { Status::Running }
    }
}

struct Singers([Arc<Script>; 2]);

impl Agent for Singers {
    type Flow = Pair;

    fn transcript(&self, _: &Run<Pair>) -> Vec<Passage> {
        vec![]
    }

    fn model(&self) -> Option<String> {
        Some("script".into())
    }

    fn model_for(&self, _: &Voices, _: &(usize, usize)) -> String {
        "script".into()
    }

    async fn perform(&self, _: Voices, (voice, _): (usize, usize), call: Call) -> Result<String, CallError> {
        let route = Route { name: "script".into(), model: "script".into(), chat: self.0[voice].clone() };
        Ok(call.chat(&route, request(), |_| None).await?.text)
    }
}

/// An engine in which the voices do what stands in their turns; a run of that many words of each.
async fn sing(words: u32, turns: [&[Turn]; 2]) -> (Engine, Uuid, tempfile::TempDir) {
    let (store, folder) = story::sqlite().await;
    let script = |turns: &[Turn]| Arc::new(Script { turns: Mutex::new(turns.to_vec().into()), ..Script::default() });
    let room: Arc<dyn Room> = Arc::new(Seat(Arc::new(Singers(turns.map(script)))));
    let engine = Engine::new(Arc::new(store), vec![room], limits(), "build".into());
    let id = engine.start::<Pair>("anna", Setup { words }, None, None).await.expect("started");
    (engine, id, folder)
}

async fn rested(engine: &Engine, id: Uuid) -> Run<Pair> {
    tokio::time::timeout(Duration::from_secs(20), engine.rest::<Pair>(id)).await.expect("it rests").expect("it is there")
}

/// A second voice that fails in these ways is lost with this sentence after so many charged calls; the first goes on.
async fn check(turns: &[Turn], charged: usize, why: &str, cause: &str) {
    let (engine, id, _folder) = sing(2, [&[Turn::Says("one"), Turn::Says("two")], turns]).await;
    let run = rested(&engine, id).await;
    let calls = run.progress.calls.iter().filter(|call| call.ask[0] == LOST).count();
    assert_eq!((run.status(), run.progress.halt, calls), (Status::Done, None, charged), "{turns:?}");
    assert_eq!(run.state.said, [vec!["one".to_owned(), "two".to_owned()], vec![]], "{turns:?}");
    assert_eq!(run.state.lost, Some((why.to_owned(), Some(cause.to_owned()))), "{turns:?}");
}

#[tokio::test]
async fn a_room_may_go_on_without_a_call_that_has_failed_for_good() {
    let broken = || Turn::Breaks("ha", ModelError::Truncated);
    let busy = ModelError::RateLimited { retry_after: Some(Duration::from_secs(90)) };
    let refused = "OpenAI refused the key. Put a valid one into the environment or .env, start the server again, then continue.";
    check(&[Turn::Fails(ModelError::BadRequest("no".into()))], 0, "The model did not accept the request: no", "bad_request").await;
    check(&[Turn::Fails(ModelError::Auth { provider: "OpenAI".into() })], 0, refused, "auth").await;
    check(&[Turn::Fails(busy)], 0, "The model is busy.", "rate_limited").await;
    check(&[broken(), broken(), broken()], 3, "The model’s answer broke off.", "truncated").await;
}

#[tokio::test]
async fn what_a_room_cannot_do_without_halts_it() {
    let (engine, id, _folder) = sing(1, [&[Turn::Fails(ModelError::BadRequest("no".into()))], &[Turn::Hangs("…")]]).await;
    let run = rested(&engine, id).await;
    assert_eq!((run.status(), run.state.lost), (Status::Failed, None));
}

#[tokio::test]
async fn a_voice_that_waits_holds_up_no_other_and_is_asked_at_once_after_a_continue() {
    let busy = ModelError::RateLimited { retry_after: Some(Duration::from_secs(30)) };
    let (engine, id, _folder) = sing(3, [&[Turn::Fails(busy)], &[]]).await;
    let goes_on = engine.follow::<Pair>(id).map(|run| run.expect("told")).filter(|run| {
        let goes_on = run.state.said[1].len() == 3 && run.progress.backoff().is_some();
        std::future::ready(goes_on)
    });
    let waiting = tokio::time::timeout(Duration::from_secs(20), std::pin::pin!(goes_on).next()).await.expect("it comes").expect("it runs");
    assert_eq!((waiting.status(), &waiting.state.said[0], waiting.progress.open.len()), (Status::Running, &vec![], 1));
    let room = engine.room("pair").expect("there");
    for verb in [Verb::Stop, Verb::Continue] {
        room.act(&engine, id, verb).await.expect("done");
    }
    let run = rested(&engine, id).await;
    assert_eq!((run.status(), run.state.said[0].len(), run.progress.calls.len()), (Status::Done, 3, 6));
}

#[test]
fn tries_are_counted_for_each_step_up_to_a_continue() {
    let waited = |step: Option<i64>, until| Entry::Run(RunEvent::Waited { until: Some(until), why: "Busy.".into(), cause: None, step });
    let begun = |voice: usize, word: usize| Entry::Run(RunEvent::StepStarted { ask: json!([voice, word]), model: "m".into() });
    let again = |step| Entry::Run(RunEvent::StepRestarted { step, why: "Trying again.".into(), counted: false });
    let stopped = || Entry::Run(RunEvent::Stopped { partial: vec![], why: String::new() });
    let started = ask_json(&Entry::<Event>::Run(RunEvent::Started { setup: json!({ "words": 2 }), model: "m".into() }));
    let check = |log: Vec<Entry<Event>>, expect: &[(i64, u32, Option<i64>)], last: Option<i64>| {
        let run = Run::<Pair>::fold([(Stamp { seq: 1, at: 1 }, &started)]).expect("it folds");
        let run = (2..).zip(&log).fold(run, |run, (seq, entry)| run.apply(Stamp { seq, at: seq }, entry));
        let open: Vec<_> = run.progress.open.iter().map(|step| (step.seq, step.tries, step.tries_since)).collect();
        assert_eq!((open.as_slice(), run.progress.backoff().map(|backoff| backoff.until)), (expect, last), "{log:?}");
    };
    let both = || vec![begun(0, 0), begun(1, 0), waited(Some(2), 100)];
    let then = |more: Vec<Entry<Event>>| both().into_iter().chain(more).collect();
    check(both(), &[(2, 1, Some(4)), (3, 0, None)], Some(100));
    let said = || Entry::Room(Event::Said { voice: 1, word: "la".into() });
    check(then(vec![said(), begun(1, 1), waited(Some(6), 50)]), &[(2, 1, Some(4)), (6, 1, Some(7))], Some(100));
    check(then(vec![again(2)]), &[(2, 1, Some(4)), (3, 0, None)], None);
    check(then(vec![again(2), waited(Some(2), 200)]), &[(2, 2, Some(4)), (3, 0, None)], Some(200));
    check(then(vec![stopped(), Entry::Run(RunEvent::Continued), begun(0, 0)]), &[(7, 0, None)], None);
    // As logs have it that know of no step.
    check(then(vec![waited(None, 70)]), &[(2, 2, Some(4)), (3, 1, Some(5))], Some(70));
}
