//! A server of the tests' own, as a process, and runs on it.

use colloquy::{engine::follow::Signal, runs::server::escape};
use eventsource_stream::Eventsource;
use futures::StreamExt;
use serde_json::{Value, json};
use std::{path::Path, process::Stdio, time::Duration};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

const PATIENCE: Duration = Duration::from_secs(120);

pub struct Server {
    process: Child,
    pub url: String,
}

impl Server {
    /// Starts in that folder, where its store is; an earlier one there must be gone.
    pub async fn start(folder: &Path, environment: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_colloquy"));
        command.current_dir(folder).env("LEPTOS_SITE_ADDR", "127.0.0.1:0").env("COLLOQUY_REHEARSAL_PACE", "1").env("RUST_LOG", "error");
        // Whatever runs on this machine.
        command.env("COLLOQUY_MODEL", "rehearsal");
        let mut process =
            command.envs(environment.iter().copied()).stdout(Stdio::piped()).kill_on_drop(true).spawn().expect("the server starts");
        let line = first_line(&mut process).await;
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).expect("an address").trim_end_matches(',').to_owned();
        Server { process, url }
    }

    /// Asked to stop, which it has five seconds for.
    pub async fn stop(mut self) {
        let id = self.process.id().expect("it runs").to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().await.expect("kill runs").success());
        let ended = tokio::time::timeout(Duration::from_secs(5), self.process.wait()).await.expect("it ends in time");
        assert!(ended.expect("it ended").success());
    }

    /// Killed, not asked.
    pub async fn kill(mut self) {
        self.process.kill().await.expect("killed");
    }
}

pub async fn first_line(process: &mut Child) -> String {
    let out = process.stdout.take().expect("piped");
    BufReader::new(out).lines().next_line().await.expect("read").expect("a line")
}

/// Sends a form as a page without JavaScript does; answers before it is led on.
async fn form(server: &Server, name: &str, fields: &[(&str, &str)], key: Option<&(&str, String)>) -> reqwest::Response {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let body: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", escape(value))).collect();
    let request = client.post(format!("{}/api/fn/{name}", server.url)).header("accept", "text/html");
    let request = request.header("content-type", "application/x-www-form-urlencoded").body(body.join("&"));
    let request = key.into_iter().fold(request, |request, (name, value)| request.header(*name, value));
    request.send().await.expect("answered")
}

/// A run: where it is, and the header that opens it.
pub struct Run {
    pub path: String,
    key: (&'static str, String),
}

impl Run {
    /// A journey of that customer.
    pub async fn journey(server: &Server, icp: &str) -> Self {
        Run::begin(server, "/api/simulate", json!({ "icpPersona": icp, "initialQuery": "Which card reader is reliable?" })).await
    }

    /// A debate of the default panel on the default motion.
    pub async fn debate(server: &Server, rounds: u32) -> Self {
        Run::begin(server, "/debate/run", json!({ "max_exchange_rounds": rounds })).await
    }

    async fn begin(server: &Server, path: &str, body: Value) -> Self {
        let request = reqwest::Client::new().post(format!("{}{path}", server.url)).header("prefer", "respond-async");
        let response = request.json(&body).send().await.expect("started");
        let header = |name: &str| response.headers()[name].to_str().expect("text").to_owned();
        Run { path: header("location"), key: ("authorization", format!("Bearer {}", header("colloquy-run-token"))) }
    }

    /// An interview, as a page without JavaScript begins it.
    pub async fn interview(server: &Server, opening: &str) -> Self {
        let response = form(server, "start_research", &[("opening", opening)], None).await;
        let header = |name: &str| response.headers()[name].to_str().expect("text").to_owned();
        let id = header("location").rsplit('/').next().expect("an id").to_owned();
        let cookie = header("set-cookie").split(';').next().expect("a cookie").to_owned();
        Run { path: format!("/api/runs/{id}"), key: ("cookie", cookie) }
    }

    /// Answers the question of that turn, once.
    pub async fn answer(&self, server: &Server, turn: &str) {
        let id = self.path.rsplit('/').next().expect("an id");
        form(server, "tell_research", &[("id", id), ("what", "say"), ("text", "Bakeries, mostly."), ("key", turn)], Some(&self.key)).await;
    }

    /// The run's signals from its first entry on.
    pub async fn follow(&self, server: &Server) -> impl futures::Stream<Item = Signal> + Unpin + use<> {
        let request = reqwest::Client::new().get(format!("{}{}/events", server.url, self.path)).header(self.key.0, &self.key.1);
        let response = request.send().await.expect("a stream");
        let signal = |event: Result<eventsource_stream::Event, _>| event.ok().and_then(|event| Signal::parse(&event.event, &event.data));
        response.bytes_stream().eventsource().filter_map(move |event| std::future::ready(signal(event))).boxed()
    }

    /// The run as `GET /api/runs/{id}` has it.
    pub async fn read(&self, server: &Server) -> Value {
        let request = reqwest::Client::new().get(format!("{}{}", server.url, self.path)).header(self.key.0, &self.key.1);
        request.send().await.expect("read").json().await.expect("JSON")
    }

    pub async fn log(&self, server: &Server) -> Vec<Value> {
        let run = self.read(server).await;
        run["events"].as_array().expect("a log").iter().map(|event| event["body"].clone()).collect()
    }

    /// Until it runs no more; how many pieces of text came on the way.
    pub async fn until_over(&self, server: &Server) -> usize {
        let mut signals = self.follow(server).await;
        let over = async {
            let mut pieces = 0;
            while let Some(signal) = signals.next().await {
                match signal {
                    Signal::Status(standing) if standing.status.word() != "running" => break,
                    Signal::Delta(_) => pieces += 1,
                    _ => {}
                }
            }
            pieces
        };
        tokio::time::timeout(PATIENCE, over).await.expect("the run ends")
    }
}
