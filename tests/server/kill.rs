//! The server is killed, not asked, after an append or inside a model call, and started again: the run
//! must end as if nothing had happened, with each step once, and not be left alone for longer than two seconds.

use crate::process::{Run, Server};
use colloquy::engine::follow::Signal;
use futures::StreamExt;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Kill points in the ordinary tests; `make torture` takes all.
const POINTS: usize = 12;
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

/// How a journey goes that nobody disturbs, and the points at which it could be.
async fn undisturbed() -> (Vec<Value>, Vec<Point>) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]).await;
    let run = Run::start(&server, ICP).await;
    run.until_over(&server).await;
    let log = run.log(&server).await;
    let words = room(&log).len() * 12;
    let points = (1..log.len() as i64).map(Point::Entry).chain((1..words).step_by(9).map(Point::Word)).collect();
    (room(&log), points)
}

async fn check(point: Point, expect: &[Value]) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]).await;
    let run = Run::start(&server, ICP).await;
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
    assert!(listening.elapsed() < Duration::from_secs(2), "{point:?}: nobody took the run up for {:?}", listening.elapsed());
    run.until_over(&server).await;
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
