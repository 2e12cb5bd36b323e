//! The server is killed, not asked, after an append or inside a model call, and started again: the run
//! must end as if nothing had happened, with each step once, and not be left alone for longer than two seconds.

use colloquy::engine::follow::Signal;
use eventsource_stream::Eventsource;
use futures::StreamExt;
use serde_json::{Value, json};
use std::{
    path::Path,
    process::Stdio,
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

/// Kill points in the ordinary tests; `make torture` takes all.
const POINTS: usize = 12;
const PATIENCE: Duration = Duration::from_secs(60);

struct Server {
    process: Child,
    url: String,
}

impl Server {
    async fn start(folder: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_colloquy"))
            .current_dir(folder)
            .env("LEPTOS_SITE_ADDR", "127.0.0.1:0")
            .env("COLLOQUY_REHEARSAL_PACE", "1")
            .env("RUST_LOG", "error")
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the server starts");
        let line = BufReader::new(process.stdout.take().expect("piped")).lines().next_line().await.expect("read").expect("a line");
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).expect("an address").trim_end_matches(',').to_owned();
        Server { process, url }
    }

    async fn kill(mut self) {
        self.process.kill().await.expect("killed");
    }
}

/// A journey on a server: where it is, and what opens it.
struct Run {
    path: String,
    token: String,
}

impl Run {
    async fn start(server: &Server) -> Self {
        let body =
            json!({ "icpPersona": "Marta, 41, runs a bakery. Hates hidden fees.", "initialQuery": "Which card reader is reliable?" });
        let response = reqwest::Client::new().post(format!("{}/api/simulate", server.url)).json(&body).send().await.expect("started");
        let header = |name: &str| response.headers()[name].to_str().expect("text").to_owned();
        Run { path: header("location"), token: header("colloquy-run-token") }
    }

    /// The run's signals from its first entry on.
    async fn follow(&self, server: &Server) -> impl futures::Stream<Item = Signal> + Unpin + use<> {
        let request = reqwest::Client::new().get(format!("{}{}/events", server.url, self.path)).bearer_auth(&self.token);
        let response = request.send().await.expect("a stream");
        response
            .bytes_stream()
            .eventsource()
            .filter_map(|event| std::future::ready(event.ok().and_then(|event| Signal::parse(&event.event, &event.data))))
            .boxed()
    }

    async fn log(&self, server: &Server) -> Vec<Value> {
        let request = reqwest::Client::new().get(format!("{}{}", server.url, self.path)).bearer_auth(&self.token);
        let run: Value = request.send().await.expect("read").json().await.expect("JSON");
        run["events"].as_array().expect("a log").iter().map(|event| event["body"].clone()).collect()
    }

    async fn until_done(&self, server: &Server) {
        let mut signals = self.follow(server).await;
        let done = async {
            while let Some(signal) = signals.next().await {
                if matches!(&signal, Signal::Status(standing) if standing.status.word() != "running") {
                    return;
                }
            }
        };
        tokio::time::timeout(PATIENCE, done).await.expect("the run ends");
    }
}

/// What was said and recorded: the room's own events.
fn room(log: &[Value]) -> Vec<Value> {
    log.iter().filter_map(|body| body.get("room").cloned()).collect()
}

/// Where to kill: when the entry with that number has been seen, or that many words of a text.
#[derive(Clone, Copy, Debug)]
enum Point {
    Entry(i64),
    Word(usize),
}

/// How a journey goes that nobody disturbs, and the points at which it could be.
async fn undisturbed() -> (Vec<Value>, Vec<Point>) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path()).await;
    let run = Run::start(&server).await;
    run.until_done(&server).await;
    let log = run.log(&server).await;
    let words = room(&log).len() * 12;
    let points = (1..log.len() as i64).map(Point::Entry).chain((1..words).step_by(9).map(Point::Word)).collect();
    (room(&log), points)
}

async fn check(point: Point, expect: &[Value]) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path()).await;
    let run = Run::start(&server).await;
    let mut signals = run.follow(&server).await;
    let mut words = 0;
    while let Some(signal) = signals.next().await {
        words += usize::from(matches!(signal, Signal::Delta(_)));
        let reached = match (point, &signal) {
            (Point::Entry(seq), Signal::Fact(fact)) => fact.seq >= seq,
            (Point::Word(count), _) => words >= count,
            _ => false,
        };
        if reached {
            break;
        }
    }
    server.kill().await;
    let server = Server::start(folder.path()).await;
    let listening = Instant::now();
    let before = run.log(&server).await.len();
    let mut signals = run.follow(&server).await;
    while let Some(signal) = signals.next().await {
        if matches!(&signal, Signal::Fact(fact) if fact.seq > before as i64)
            || matches!(&signal, Signal::Status(standing) if standing.status.word() == "done")
        {
            break;
        }
    }
    assert!(listening.elapsed() < Duration::from_secs(2), "{point:?}: nobody took the run up for {:?}", listening.elapsed());
    run.until_done(&server).await;
    let log = run.log(&server).await;
    assert_eq!(room(&log), expect, "{point:?}");
    let restarts = log.iter().filter(|body| body["run"].get("step_restarted").is_some()).count();
    assert!(restarts <= 1, "{point:?}: {restarts} restarts");
    server.kill().await;
}

#[tokio::test]
async fn a_killed_server_goes_on_where_it_was() {
    let (expect, points) = undisturbed().await;
    let stride = points.len() / POINTS;
    for point in points.iter().skip(1).step_by(stride.max(1)) {
        check(*point, &expect).await;
    }
}

#[tokio::test]
#[ignore = "every point there is: `make torture`"]
async fn at_every_point() {
    let (expect, points) = undisturbed().await;
    for (i, point) in points.iter().enumerate() {
        check(*point, &expect).await;
        println!("{} of {}: {point:?}", i + 1, points.len());
    }
}
