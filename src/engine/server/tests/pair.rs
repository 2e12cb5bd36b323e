//! Several asks side by side, on a room in which two voices speak at once, a word after the other.

use super::*;

/// The second voice can be lost; the first cannot.
struct Pair;

const LOST: usize = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Event {
    Said { voice: usize, word: String },
    Lost { voice: usize, why: String, cause: Option<String> },
}

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
    check(&[broken(), broken(), broken()], 3, "The model's answer broke off.", "truncated").await;
}

#[tokio::test]
async fn what_a_room_cannot_do_without_halts_it() {
    let (engine, id, _folder) = sing(1, [&[Turn::Fails(ModelError::BadRequest("no".into()))], &[Turn::Hangs("…")]]).await;
    let run = rested(&engine, id).await;
    assert_eq!((run.status(), run.state.lost), (Status::Failed, None));
}
