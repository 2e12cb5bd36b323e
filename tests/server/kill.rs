//! The server is killed, not asked, after an append or inside a model call, and started again: the run
//! must end as if nothing had happened, with each step once, and not be left alone for longer than two seconds.

use crate::process::{Run, Server};
use colloquy::engine::follow::Signal;
use futures::StreamExt;
use serde_json::Value;
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

/// Kill points in the ordinary tests; `make torture` takes all. In a debate every turn is hit.
const POINTS: usize = 12;
const DEBATE_POINTS: usize = 26;
const INTERVIEW_POINTS: usize = 12;
const ICP: &str = "Marta, 41, runs a bakery. Hates hidden fees.";

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

/// What is started, and killed.
#[derive(Clone, Copy, Debug)]
enum Room {
    Journey,
    Debate,
}

impl Room {
    async fn start(self, server: &Server) -> Run {
        match self {
            Room::Journey => Run::journey(server, ICP).await,
            Room::Debate => Run::debate(server, 1).await,
        }
    }
}

/// How a run goes that nobody disturbs, and the points at which it could be.
async fn undisturbed(of: Room) -> (Vec<Value>, Vec<Point>) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]).await;
    let run = of.start(&server).await;
    let words = run.until_over(&server).await;
    let log = run.log(&server).await;
    let points = (1..log.len() as i64).map(Point::Entry).chain((1..words).step_by(9).map(Point::Word)).collect();
    (room(&log), points)
}

async fn check(of: Room, point: Point, expect: &[Value]) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]).await;
    let run = of.start(&server).await;
    let mut signals = run.follow(&server).await;
    let mut words = 0;
    while let Some(signal) = signals.next().await {
        words += usize::from(matches!(signal, Signal::Delta(_)));
        let reached = match (point, &signal) {
            (Point::Entry(seq), Signal::Fact(fact)) => fact.seq >= seq,
            // On a busy machine words come together, and the run may be over first.
            (_, Signal::Status(standing)) if standing.status.word() == "done" => true,
            (Point::Word(count), _) => words >= count,
            _ => false,
        };
        if reached {
            break;
        }
    }
    server.kill().await;
    let server = Server::start(folder.path(), &[]).await;
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
    assert!(listening.elapsed() < Duration::from_secs(2), "{of:?}, {point:?}: nobody took the run up for {:?}", listening.elapsed());
    run.until_over(&server).await;
    let log = run.log(&server).await;
    assert_eq!(room(&log), expect, "{of:?}, {point:?}");
    let restarts = log.iter().filter(|body| body["run"].get("step_restarted").is_some()).count();
    assert!(restarts <= 1, "{of:?}, {point:?}: {restarts} restarts");
    server.kill().await;
}

/// Kills at some of the points there are; answers what was said and recorded each time.
async fn check_some(of: Room, most: usize) -> Vec<Value> {
    let (expect, points) = undisturbed(of).await;
    let stride = points.len() / most;
    for point in points.iter().skip(1).step_by(stride.max(1)) {
        check(of, *point, &expect).await;
    }
    expect
}

#[tokio::test]
async fn a_killed_server_goes_on_where_it_was() {
    check_some(Room::Journey, POINTS).await;
}

/// Each turn is a call of its own; the panel's next words follow from those that were recorded.
#[tokio::test]
async fn a_killed_server_ends_its_debate_with_every_turn_once() {
    let said = check_some(Room::Debate, DEBATE_POINTS).await;
    let turns: Vec<String> = said.iter().filter_map(|event| turn(event.get("said")?)).collect();
    let different: BTreeSet<&String> = turns.iter().collect();
    assert_eq!((turns.len(), different.len()), (12, 12), "{said:#?}");
    assert_eq!(said.iter().filter(|event| event.get("summarised").is_some()).count(), 1);
}

/// Skips each question of an interview until it has come to its end, or an entry with that number was seen.
async fn answer(run: &Run, server: &Server, until: i64) {
    let asked = run.read(server).await["state"]["asked"].clone();
    if asked.is_number() {
        run.answer(server, &asked.to_string()).await;
    }
    let mut signals = run.follow(server).await;
    while let Some(signal) = signals.next().await {
        match &signal {
            Signal::Fact(fact) if fact.seq >= until => return,
            Signal::Fact(fact) => {
                let turn = &fact.body["room"]["turned"];
                let asks = turn["calls"].as_array().is_some_and(|calls| calls.iter().any(|call| call["called"].get("question").is_some()));
                if asks {
                    run.answer(server, &turn["number"].to_string()).await;
                }
            }
            Signal::Status(standing) if standing.status.word() == "done" => return,
            _ => {}
        }
    }
}

/// What happened to each section, and which calls were counted: each of them once.
fn research(run: &Value) -> BTreeSet<String> {
    let entries = run["events"].as_array().expect("a log").iter().map(|event| &event["body"]);
    let mut seen = BTreeSet::new();
    for body in entries {
        let told = ["research_began", "gathered"].iter().find_map(|kind| Some(format!("{kind} {}", body["room"].get(*kind)?["section"])));
        let found = || Some(format!("found {}", body["room"].get("found")?["told"]["section"]));
        let counted = || Some(format!("used {}", body["run"].get("usage")?["ask"]));
        let summed_up = || body["room"].get("summarised").map(|_| "summarised".to_owned());
        if let Some(what) = told.or_else(found).or_else(counted).or_else(summed_up) {
            assert!(seen.insert(what.clone()), "{what} twice");
        }
    }
    seen
}

/// Kills an interview at some of the points there are. Sections are researched side by side, so that the order of entries is not
/// always the same; but each comes once.
async fn check_interview(most: usize) {
    let began = async || {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Server::start(folder.path(), &[]).await;
        let run = Run::interview(&server, "We sell a card reader to bakeries.").await;
        (folder, server, run)
    };
    let (_folder, server, run) = began().await;
    answer(&run, &server, i64::MAX).await;
    let undisturbed = run.read(&server).await;
    let (expect, entries) = (research(&undisturbed), undisturbed["events"].as_array().map_or(0, Vec::len) as i64);
    assert_eq!(expect.iter().filter(|what| what.starts_with("found")).count(), 5, "{expect:?}");
    server.kill().await;
    for point in (6..entries).step_by((entries as usize / most).max(1)) {
        let (folder, server, run) = began().await;
        answer(&run, &server, point).await;
        server.kill().await;
        let server = Server::start(folder.path(), &[]).await;
        answer(&run, &server, i64::MAX).await;
        let read = run.read(&server).await;
        assert_eq!((&read["status"], research(&read)), (&Value::from("done"), expect.clone()), "{point}");
        assert_eq!(read["usage"]["calls"], undisturbed["usage"]["calls"], "{point}");
        server.kill().await;
    }
}

#[tokio::test]
async fn a_killed_server_researches_every_section_once() {
    check_interview(INTERVIEW_POINTS).await;
}

/// Who speaks, and when.
fn turn(said: &Value) -> Option<String> {
    Some(format!("{} {} {}", said["phase"].as_str()?, said["round"], said["persona"].as_str()?))
}

#[tokio::test]
#[ignore = "every point there is: `make torture`"]
async fn at_every_point() {
    for of in [Room::Journey, Room::Debate] {
        let (expect, points) = undisturbed(of).await;
        for (i, point) in points.iter().enumerate() {
            check(of, *point, &expect).await;
            println!("{of:?}, {} of {}: {point:?}", i + 1, points.len());
        }
    }
    check_interview(usize::MAX).await;
}
