//! Recorded from a provider that speaks chat completions, played without it.

use super::*;
use crate::{
    models::{Message, ModelError, ModelEvent, ToolSpec},
    settings::{Environment, Settings},
};
use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    response::{IntoResponse, Response},
    routing::post,
};
use futures::{StreamExt, stream};
use std::{
    collections::VecDeque,
    fs,
    sync::Mutex,
    time::{Duration, UNIX_EPOCH},
};
use tokio::time::Instant;

const KEY: &str = "sk-a-key-of-the-tests";

type Pieces = Vec<(u64, &'static str)>;

/// A local provider that gives these answers in order, each piece so many milliseconds after the one before.
async fn provider(answers: Vec<Pieces>) -> String {
    async fn answer(State(answers): State<Arc<Mutex<VecDeque<Pieces>>>>) -> Response {
        let Some(pieces) = answers.lock().expect("not poisoned").pop_front() else {
            return (axum::http::StatusCode::INTERNAL_SERVER_ERROR, "no").into_response();
        };
        let pieces = stream::iter(pieces).then(async |(ms, piece)| {
            tokio::time::sleep(Duration::from_millis(ms)).await;
            Ok::<_, std::convert::Infallible>(Bytes::from(format!("data: {piece}\n\n")))
        });
        ([("content-type", "text/event-stream")], Body::from_stream(pieces)).into_response()
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
    let router = Router::new().route("/v1/chat/completions", post(answer)).with_state(Arc::new(Mutex::new(answers.into())));
    tokio::spawn(axum::serve(listener, router).into_future());
    url
}

fn says(pieces: &[(u64, &'static str)]) -> Pieces {
    let end = (1, r#"{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}"#);
    pieces.iter().copied().chain([end, (0, "[DONE]")]).collect()
}

const HELLO: &str = r#"{"choices":[{"delta":{"content":"Hello"}}]}"#;
const AGAIN: &str = r#"{"choices":[{"delta":{"content":"Again"}}]}"#;

fn models(folder: &Path, environment: &[(&str, &str)]) -> Result<Models, SettingsError> {
    let mut values = Environment::default();
    environment.iter().for_each(|(key, value)| values.set(*key, *value, "environment"));
    let mut settings = Settings::load(folder, &values)?.models;
    settings.cassette.iter_mut().for_each(|cassette| cassette.file = folder.join("var/cassette.jsonl"));
    Models::new(&settings).on_cassette(&settings)
}

fn recording(folder: &Path, url: &str) -> Models {
    let environment =
        [("COLLOQUY_CASSETTE", "record"), ("OPENAI_BASE_URL", url), ("OPENAI_API_KEY", KEY), ("COLLOQUY_MODEL", "openai:gpt-4o")];
    models(folder, &environment).expect("it records")
}

fn replaying(folder: &Path) -> Models {
    models(folder, &[("COLLOQUY_CASSETTE", "replay")]).expect("it plays")
}

fn request(words: &str) -> ChatRequest {
    let tools = vec![ToolSpec { name: "greet", description: "Greets.", parameters: serde_json::json!({ "type": "object" }) }];
    ChatRequest {
        messages: vec![Message::User(words.to_owned())],
        tools,
        tool_required: false,
        max_tokens: 9,
        format: None,
        rehearsal: Default::default(),
    }
}

async fn hear(models: &Models, words: &str) -> Vec<Result<ModelEvent, ModelError>> {
    let route = models.route(Role::Assistant).expect("a model");
    route.chat.stream(&route.model, request(words)).collect().await
}

fn text(events: &[Result<ModelEvent, ModelError>]) -> String {
    match events.last() {
        Some(Ok(ModelEvent::Done(done))) => done.text.clone(),
        other => format!("{other:?}"),
    }
}

fn file(folder: &Path) -> String {
    fs::read_to_string(folder.join("var/cassette.jsonl")).expect("a cassette")
}

#[tokio::test]
async fn what_was_recorded_is_played_without_the_provider() {
    let folder = tempfile::tempdir().expect("a folder");
    let broken = vec![(0, HELLO), (0, r#"{"error":{"message":"no","code":"400"}}"#)];
    let url = provider(vec![says(&[(0, HELLO), (40, AGAIN)]), broken, says(&[(0, AGAIN)]), says(&[(0, HELLO), (60_000, AGAIN)])]).await;
    let models = recording(folder.path(), &url);
    assert!(models.is_real());
    let first = hear(&models, "one").await;
    let (failed, second) = (hear(&models, "two").await, hear(&models, "one").await);
    assert_eq!((text(&first).as_str(), text(&second).as_str()), ("HelloAgain", "Again"));
    assert!(matches!(failed.last(), Some(Err(ModelError::BadRequest(_)))));
    // Dropped before its end.
    let route = models.route(Role::Assistant).expect("a model");
    drop(route.chat.stream(&route.model, request("three")).next().await);
    drop(models);

    let kept = file(folder.path());
    assert_eq!(kept.lines().count(), 4, "a head and three exchanges:\n{kept}");
    assert!(!kept.contains(KEY) && !kept.contains("rehearsal\":{"), "{kept}");
    let played = replaying(folder.path());
    let route = played.route(Role::Assistant).expect("a model");
    assert_eq!(route.name, format!("openai:gpt-4o, recorded on {}", file::day(SystemTime::now())));
    assert!(!played.is_real() && played.is_complete());
    // In their order, then the last one again.
    assert_eq!((hear(&played, "one").await, hear(&played, "two").await), (first, failed));
    assert_eq!((hear(&played, "one").await, hear(&played, "one").await), (second.clone(), second));
    let Some(Err(ModelError::BadRequest(why))) = hear(&played, "four").await.pop() else { panic!("played what was never said") };
    assert!(why.contains("differs from the recorded one") && why.contains("COLLOQUY_CASSETTE=record"));
}

#[tokio::test]
async fn a_second_recording_goes_on_where_the_first_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = provider(vec![says(&[(0, HELLO)]), says(&[(0, AGAIN)])]).await;
    for expect in ["Hello", "Again"] {
        assert_eq!(text(&hear(&recording(folder.path(), &url), "one").await), expect);
    }
    assert_eq!(file(folder.path()).lines().count(), 3, "the roles are the same: one head");
    let played = replaying(folder.path());
    assert_eq!((text(&hear(&played, "one").await), text(&hear(&played, "one").await)), ("Hello".into(), "Again".into()));
}

#[tokio::test(start_paused = true)]
async fn it_is_played_in_the_pace_in_which_it_came() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = |text: &str| ModelEvent::Text(text.to_owned());
    let done = ModelEvent::Done(super::super::Completion { text: "ab".into(), ..Default::default() });
    let exchange = file::Exchange {
        hash: hash("openai:gpt-4o", &request("one")),
        at: UNIX_EPOCH,
        model: "openai:gpt-4o".into(),
        request: serde_json::Value::Null,
        events: vec![(800, words("a")), (4_300, words("b")), (4_301, done)],
        error: None,
    };
    let head = file::Head::new([("assistant".to_owned(), vec!["openai:gpt-4o".to_owned()])].into(), UNIX_EPOCH);
    write(folder.path(), &[serde_json::to_string(&head).expect("JSON"), serde_json::to_string(&exchange).expect("JSON")].join("\n"));
    let played = replaying(folder.path());
    let route = played.route(Role::Assistant).expect("a model");
    assert_eq!(route.name, "openai:gpt-4o, recorded on 1 January 1970");
    let started = Instant::now();
    let times: Vec<u128> = route.chat.stream("", request("one")).map(|_| started.elapsed().as_millis()).collect().await;
    assert_eq!(times, [800, 4_300, 4_301]);
}

fn write(folder: &Path, text: &str) {
    fs::create_dir_all(folder.join("var")).expect("a folder");
    fs::write(folder.join("var/cassette.jsonl"), text).expect("written");
}

/// A cassette that cannot be played is refused with its line, and without a word of what was said.
fn check(lines: &[&str], expect: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &lines.join("\n"));
    for mode in ["replay", "record"] {
        let environment = [("COLLOQUY_CASSETTE", mode), ("OPENAI_API_KEY", KEY), ("COLLOQUY_MODEL", "openai:gpt-4o")];
        let said = models(folder.path(), &environment).err().expect("refused").to_string();
        assert!(
            expect.iter().all(|part| said.contains(part)) && said.starts_with("models.cassette (") && !said.contains("secret"),
            "{said}"
        );
    }
}

#[test]
fn a_broken_cassette_stops_the_start() {
    const HEAD: &str = r#"{"cassette":1,"at":"Fri, 20 Nov 2026 20:38:00 GMT","roles":{"assistant":["openai:gpt-4o","rehearsal"]}}"#;
    let exchange = |rest: &str| format!(r#"{{"hash":"a","at":"Fri, 20 Nov 2026 20:38:00 GMT","model":"openai:gpt-4o",{rest}}}"#);
    let done = r#"{"done":{"text":"secret"}}"#;
    check(&[HEAD, "{\"hash\":\"secret"], &["line 2", "no JSON"]);
    check(&[HEAD, &"[".repeat(10_000)], &["line 2", "no JSON"]);
    check(&[HEAD, "", "[\"secret\"]"], &["line 3", "not whole"]);
    check(&[r#"{"cassette":2,"text":"secret"}"#], &["line 1", "another version"]);
    check(&[r#"{"cassette":1,"at":"secret","roles":{}}"#], &["line 1", "roles"]);
    check(&[&HEAD.replace("openai:gpt-4o", "secret")], &["line 1", "roles"]);
    check(&[&exchange(&format!(r#""events":[[0,{done}]]"#))], &["which models played which role"]);
    for events in [
        "[]",
        r#"[[0,{"text":"secret"}]]"#,
        &format!("[[0,{done}],[1,{done}]]"),
        &format!(r#"[[5,{{"text":"secret"}}],[4,{done}]]"#),
        &format!("[[18446744073709551615,{done}]]"),
        &format!("[[-1,{done}]]"),
        r#"[[0,{"shout":"secret"}]]"#,
    ] {
        check(&[HEAD, &exchange(&format!(r#""events":{events}"#))], &["line 2", "not whole"]);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let missing = models(folder.path(), &[("COLLOQUY_CASSETTE", "replay")]).err().expect("refused").to_string();
    assert!(missing.contains("no such file") && missing.contains("COLLOQUY_CASSETTE=record"), "{missing}");
    let nothing = models(folder.path(), &[("COLLOQUY_CASSETTE", "record")]).err().expect("refused").to_string();
    assert!(nothing.contains("nothing to record"), "{nothing}");
    let bytes = folder.path().join("var");
    fs::create_dir_all(&bytes).expect("a folder");
    fs::write(bytes.join("cassette.jsonl"), [0xff, 0xfe]).expect("written");
    assert!(models(folder.path(), &[("COLLOQUY_CASSETTE", "replay")]).is_err());
}

#[test]
fn days_are_said_as_people_say_them() {
    for (seconds, expect) in [(0, "1 January 1970"), (1_795_206_000, "20 November 2026"), (1_709_164_800, "29 February 2024")] {
        assert_eq!(file::day(UNIX_EPOCH + Duration::from_secs(seconds)), expect);
    }
}
