//! The rooms against a real inference server: llama.cpp's own HTTP server, with a model of 5 MB made here.
//! Its words are noise; its protocol is the real thing. `make test` installs it and sets `PEERS_PYTHON`.

use crate::process::{Run, Server, first_line};
use serde_json::{Value, json};
use std::{net::TcpListener, path::Path, process::Stdio};
use tokio::process::{Child, Command};

const PEERS: &str = "end2end/peers";
const KEY: &str = "the-right-key";

fn python() -> Command {
    Command::new(std::env::var("PEERS_PYTHON").expect("PEERS_PYTHON names the Python that has xllamacpp; `make test` sets it"))
}

/// The inference server, which answers 401 without its key, with a model made so; and its address.
async fn peer(folder: &Path, made: &[&str]) -> (Child, String) {
    let model = folder.join("tiny.gguf");
    let made = python()
        .arg(format!("{PEERS}/make_tiny_gguf.py"))
        .arg(&model)
        .args(made)
        .stdout(Stdio::null())
        .status()
        .await
        .expect("Python runs");
    assert!(made.success());
    let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
    let mut command = python();
    command.arg(format!("{PEERS}/run_llamacpp.py")).arg(&model).arg(port.to_string()).env("API_KEY", KEY);
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true).spawn().expect("it starts");
    first_line(&mut process).await;
    (process, format!("http://127.0.0.1:{port}/v1"))
}

async fn colloquy(folder: &Path, url: &str, key: &str) -> Server {
    Server::start(folder, &[("OPENAI_BASE_URL", url), ("OPENAI_API_KEY", key), ("COLLOQUY_MODEL", "openai:tiny-random")]).await
}

#[tokio::test]
#[ignore = "needs the inference server: `make test`"]
async fn a_real_server_streams_calls_tools_counts_and_refuses() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_peer, url) = peer(folder.path(), &[]).await;
    let server = colloquy(folder.path(), &url, KEY).await;

    // Streaming, forced tool calls, usage. Its noise may end a journey, use up its steps, or break its rules.
    let run = Run::journey(&server, "Marta, 41, runs a bakery.").await;
    let pieces = run.until_over(&server).await;
    let read = run.read(&server).await;
    assert!(pieces > 0, "nothing was streamed");
    assert!(matches!(read["status"].as_str(), Some("done" | "stopped" | "failed")), "{}", read["status"]);
    assert_eq!((&read["rehearsal"], &read["model"]), (&Value::Bool(false), &Value::from("openai:tiny-random")));
    assert!(read["usage"]["inputTokens"].as_i64().is_some_and(|tokens| tokens > 0) && read["usage"]["costMicros"].is_null());
    let steps = read["state"]["steps"].as_array().expect("steps");
    assert!(steps.len() > 1 && steps[1..].iter().any(|step| step["call"]["raw"].as_str().is_some_and(|raw| raw.contains("arguments"))));
    assert!(read["status"] != "failed" || read["state"]["failure"].is_string());

    // 400: more than the model can read.
    let run = Run::journey(&server, &"a b ".repeat(1_000)).await;
    run.until_over(&server).await;
    let read = run.read(&server).await;
    assert_eq!(
        (&read["status"], &read["reason"]),
        (&Value::from("failed"), &Value::from("The conversation has grown longer than the model can read."))
    );
    server.kill().await;

    // 401: a refused key says so, and never becomes rehearsal.
    let server = colloquy(folder.path(), &url, "a-wrong-key").await;
    let run = Run::journey(&server, "Marta, 41, runs a bakery.").await;
    run.until_over(&server).await;
    let read = run.read(&server).await;
    assert_eq!((&read["status"], &read["rehearsal"]), (&Value::from("failed"), &Value::Bool(false)));
    assert!(read["reason"].as_str().is_some_and(|reason| reason.contains("refused the key") && !reason.contains("a-wrong-key")));
}

/// A debate of the default panel, to its end.
async fn debate(made: &[&str], rounds: u32) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    let (_peer, url) = peer(folder.path(), made).await;
    let server = colloquy(folder.path(), &url, KEY).await;
    let run = Run::debate(&server, rounds).await;
    assert!(run.until_over(&server).await > 0, "nothing was streamed");
    let read = run.read(&server).await;
    server.kill().await;
    assert_eq!((&read["status"], &read["rehearsal"]), (&Value::from("done"), &Value::Bool(false)), "{}", read["reason"]);
    assert!(read["usage"]["outputTokens"].as_i64().is_some_and(|tokens| tokens > 0));
    read
}

/// Who spoke in which phase and round, in order.
fn turns(debate: &Value) -> Vec<(String, i64, String)> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let messages = debate["messages"].as_array().expect("messages").iter();
    messages.map(|said| (text(&said["phase"]), said["round_index"].as_i64().expect("a round"), text(&said["author_id"]))).collect()
}

fn expected(rounds: i64) -> Vec<(String, i64, String)> {
    let parts =
        [("OPENING", 0), ("DEFENCE", 0)].into_iter().chain((1..=rounds).map(|round| ("EXCHANGE", round))).chain([("REFLECTION", 0)]);
    let panel = ["napoleon", "gandhi", "alexander"];
    let said = parts.flat_map(|(phase, round)| panel.map(|id| (phase.to_owned(), round, id.to_owned())));
    said.chain([("SUMMARY".to_owned(), 0, "summariser".to_owned())]).collect()
}

#[tokio::test]
#[ignore = "needs the inference server: `make test`"]
async fn a_real_server_holds_a_whole_debate() {
    let read = debate(&[], 3).await;
    let (state, debate) = (&read["state"], &read["state"]["debate"]);
    assert_eq!(turns(debate), expected(3));
    assert_eq!((&debate["phase"], &debate["exchange_rounds"]), (&Value::from("DONE"), &Value::from(3)));
    // Its noise names no message.
    let support = state["support"].as_array().expect("one for each sentence");
    assert!(!support.is_empty() && support.iter().all(|grounds| grounds == &json!([])), "{support:?}");
    assert_eq!(debate["summary"], debate["messages"][18]["content"]);
}

#[tokio::test]
#[ignore = "needs the inference server: `make test`"]
async fn what_a_real_server_says_too_much_is_cut_and_marked() {
    let read = debate(&["--talkative"], 1).await;
    let debate = &read["state"]["debate"];
    assert_eq!(turns(debate), expected(1));
    assert_eq!(read["state"]["shortened"], json!((1..=13).collect::<Vec<u32>>()));
    for said in debate["messages"].as_array().expect("messages") {
        let content = said["content"].as_str().expect("text");
        let most = if said["phase"] == "SUMMARY" { 5 } else { 3 };
        assert!((1..=most).contains(&content.matches('.').count()) && content.ends_with('.'), "{content}");
    }
}
