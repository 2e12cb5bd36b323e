//! Whole journeys and debates in the three dialects people have keys for, against scripted answers: npm `@copilotkit/aimock`.
//! `make test` installs it.

use crate::process::{Run, Server, first_line};
use serde_json::{Value, json};
use std::process::Stdio;
use tokio::process::{Child, Command};

const KEY: &str = "the-right-key";

/// A provider as it is configured, and the path on which it is asked.
struct Dialect {
    name: &'static str,
    title: &'static str,
    prefix: &'static str,
    version: &'static str,
    path: &'static str,
}

const DIALECTS: [Dialect; 3] = [
    Dialect { name: "openai", title: "OpenAI", prefix: "OPENAI", version: "v1", path: "/v1/chat/completions" },
    Dialect { name: "anthropic", title: "Anthropic", prefix: "ANTHROPIC", version: "v1", path: "/v1/messages" },
    Dialect { name: "google", title: "Google", prefix: "GOOGLE", version: "v1beta", path: "/v1beta/models/m:streamGenerateContent" },
];

/// The scripted provider, and its address.
async fn provider() -> (Child, String) {
    let mut command = Command::new("node");
    command.arg("end2end/peers/aimock.mjs").env("API_KEY", KEY);
    let mut process = command.stdout(Stdio::piped()).kill_on_drop(true).spawn().expect("Node runs");
    let url = first_line(&mut process).await;
    (process, url)
}

impl Dialect {
    /// Colloquy with nothing but this provider, and one journey of that customer to its end.
    async fn journey(&self, url: &str, key: &str, icp: &str) -> Value {
        self.run(url, key, async |server: &Server| Run::journey(server, icp).await).await
    }

    async fn run(&self, url: &str, key: &str, start: impl AsyncFn(&Server) -> Run) -> Value {
        let folder = tempfile::tempdir().expect("a folder");
        let (base, model) = (format!("{url}/{}", self.version), format!("{}:m", self.name));
        let (key_env, base_env) = (format!("{}_API_KEY", self.prefix), format!("{}_BASE_URL", self.prefix));
        let server = Server::start(folder.path(), &[(&key_env, key), (&base_env, &base), ("COLLOQUY_MODEL", &model)]).await;
        let run = start(&server).await;
        run.until_over(&server).await;
        let read = run.read(&server).await;
        server.kill().await;
        assert_eq!((&read["model"], &read["rehearsal"]), (&Value::from(model), &Value::Bool(false)));
        read
    }

    /// What was asked, as path and status.
    async fn journal(&self, url: &str) -> Vec<(String, u64)> {
        let request = reqwest::Client::new().get(format!("{url}/__aimock/journal")).bearer_auth(KEY);
        let journal: Value = request.send().await.expect("answered").json().await.expect("JSON");
        let entries = journal.as_array().expect("a list").iter();
        let read =
            |entry: &Value| (entry["path"].as_str().unwrap_or_default().to_owned(), entry["response"]["status"].as_u64().unwrap_or(0));
        entries.map(read).collect()
    }
}

/// Entries of that kind: when they were made, and what they say.
fn entries<'a>(run: &'a Value, kind: &str) -> Vec<(i64, &'a Value)> {
    let events = run["events"].as_array().expect("a log").iter();
    events.filter_map(|event| Some((event["at"].as_i64()?, event["body"]["run"].get(kind)?))).collect()
}

fn complete(run: &Value, dialect: &Dialect) {
    assert_eq!(run["status"], "done", "{}: {} {:?}", dialect.name, run["reason"], entries(run, "waited"));
    let steps = run["state"]["steps"].as_array().expect("steps");
    let recorded: Vec<&Value> = steps.iter().filter(|step| step["type"] == "completed").map(|step| &step["phase"]).collect();
    assert_eq!(recorded, ["discovery", "consideration", "activation"], "{}: {steps:#?}", dialect.name);
}

#[tokio::test]
#[ignore = "needs npm's aimock: `make test`"]
async fn a_journey_in_every_dialect() {
    for dialect in &DIALECTS {
        let (_provider, url) = provider().await;
        let run = dialect.journey(&url, KEY, "Marta, 41, runs a bakery.").await;
        complete(&run, dialect);
        assert_eq!((entries(&run, "waited").len(), entries(&run, "step_restarted").len()), (0, 0), "{}", dialect.name);
        assert_eq!((&run["usage"]["inputTokens"], &run["usage"]["outputTokens"]), (&json!(8 * 40), &json!(8 * 9)), "{}", dialect.name);
        let journal = dialect.journal(&url).await;
        assert!(journal.iter().all(|(path, status)| path.starts_with(dialect.path) && *status == 200), "{journal:?}");
        assert_eq!(journal.len(), 8, "five turns of the customer, three of the assistant: {journal:?}");
    }
}

#[tokio::test]
#[ignore = "needs npm's aimock: `make test`"]
async fn a_debate_in_every_dialect() {
    for dialect in &DIALECTS {
        let (_provider, url) = provider().await;
        let run = dialect.run(&url, KEY, async |server: &Server| Run::debate(server, 1).await).await;
        assert_eq!(run["status"], "done", "{}: {} {:?}", dialect.name, run["reason"], entries(&run, "waited"));
        let (state, messages) = (&run["state"], run["state"]["debate"]["messages"].as_array().expect("messages"));
        // One sentence too many in each, and the summary with a message that does not exist.
        assert_eq!(state["shortened"], json!((1..=13).collect::<Vec<u32>>()), "{}", dialect.name);
        let said = "I have heard you all. None of you has moved me. Order comes first.";
        assert!(messages[..12].iter().all(|message| message["content"] == said), "{}: {messages:#?}", dialect.name);
        let summary = "Napoleon wants order. Gandhi wants none of it. Nobody yields. Alexander rides. All remain.";
        assert_eq!((&state["debate"]["summary"], &messages[12]["content"]), (&json!(summary), &json!(summary)), "{}", dialect.name);
        assert_eq!(state["support"], json!([[1, 4], [2], [], [3], [10, 11, 12]]), "{}", dialect.name);
        let journal = dialect.journal(&url).await;
        assert!(
            journal.len() == 13 && journal.iter().all(|(path, status)| path.starts_with(dialect.path) && *status == 200),
            "{journal:?}"
        );
    }
}

#[tokio::test]
#[ignore = "needs npm's aimock: `make test`"]
async fn what_fails_for_a_moment_is_made_again() {
    for dialect in &DIALECTS {
        let (_provider, url) = provider().await;
        // 429 with Retry-After: 1.
        let run = dialect.journey(&url, KEY, "Marta, who is hurried.").await;
        complete(&run, dialect);
        let waits = entries(&run, "waited");
        let [(at, wait)] = waits.as_slice() else { panic!("{}: {waits:?}", dialect.name) };
        assert_eq!(wait["why"], "The model is busy.");
        let asked = wait["until"].as_i64().expect("a time") - at;
        assert!((900..=1_100).contains(&asked), "{}: waited {asked} ms", dialect.name);
        // A stream that is none.
        let run = dialect.journey(&url, KEY, "Marta, who is garbled.").await;
        complete(&run, dialect);
        assert_eq!(entries(&run, "waited").len() + entries(&run, "step_restarted").len(), 2, "{}", dialect.name);
        // A stream that is cut after its first piece.
        let run = dialect.journey(&url, KEY, "Marta, who is interrupted.").await;
        complete(&run, dialect);
        assert!(!entries(&run, "step_restarted").is_empty(), "{}", dialect.name);
    }
}

#[tokio::test]
#[ignore = "needs npm's aimock: `make test`"]
async fn a_refused_key_says_so_at_once_and_never_becomes_rehearsal() {
    for dialect in &DIALECTS {
        let (_provider, url) = provider().await;
        let run = dialect.journey(&url, "a-wrong-key", "Marta, 41, runs a bakery.").await;
        assert_eq!((&run["status"], entries(&run, "waited").len()), (&Value::from("failed"), 0), "{}", dialect.name);
        let reason = run["reason"].as_str().expect("a reason");
        assert!(reason.starts_with(&format!("{} refused the key.", dialect.title)) && !reason.contains("a-wrong-key"), "{reason}");
    }
}
