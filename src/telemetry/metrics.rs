//! Figures for Prometheus: seconds and bytes, counters end in `_total`. Labels take few values: never a run, an owner
//! or what a client made up.

use crate::{
    engine::flow::Status,
    models::{Completion, Route},
};
use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use std::{
    collections::BTreeMap,
    sync::OnceLock,
    time::{Duration, Instant},
};

const HTTP_REQUESTS: &str = "colloquy_http_requests_total";
const HTTP_SECONDS: &str = "colloquy_http_request_seconds";
const RUNS_STARTED: &str = "colloquy_runs_started_total";
const RUNS_ENDED: &str = "colloquy_runs_ended_total";
const RUNS_RUNNING: &str = "colloquy_runs_running";
const CALLS: &str = "colloquy_model_calls_total";
const CALL_SECONDS: &str = "colloquy_model_call_seconds";
const FIRST_WORD_SECONDS: &str = "colloquy_model_first_word_seconds";
const TOKENS: &str = "colloquy_model_tokens_total";
const RETRIES: &str = "colloquy_model_retries_total";
const FOLLOWERS: &str = "colloquy_sse_followers";
const APPEND_SECONDS: &str = "colloquy_store_append_seconds";
const UPTIME: &str = "colloquy_uptime_seconds";
const BUILD: &str = "colloquy_build_info";

/// Bucket bounds in seconds: of what a machine does, and of what a model does.
const QUICK: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];
const SLOW: [f64; 11] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0];

static RECORDER: OnceLock<(PrometheusHandle, Instant)> = OnceLock::new();

/// Figures are counted from here on; a second time changes nothing.
pub fn install() -> Result<(), BuildError> {
    if RECORDER.get().is_some() {
        return Ok(());
    }
    let quick = |builder: PrometheusBuilder, name: &str| builder.set_buckets_for_metric(Matcher::Full(name.to_owned()), &QUICK);
    let builder = PrometheusBuilder::new().set_buckets(&SLOW)?;
    let builder = quick(quick(builder, HTTP_SECONDS)?, APPEND_SECONDS)?;
    let handle = builder.install_recorder()?;
    describe();
    RECORDER.get_or_init(|| (handle, Instant::now()));
    Ok(())
}

fn describe() {
    describe_counter!(HTTP_REQUESTS, "Requests answered, by route template.");
    describe_histogram!(HTTP_SECONDS, Unit::Seconds, "Time until a response began; streams go on from there.");
    describe_counter!(RUNS_STARTED, "Runs started.");
    describe_counter!(RUNS_ENDED, "Runs that came to an end, each time they did.");
    describe_gauge!(RUNS_RUNNING, "Runs that are running.");
    describe_counter!(CALLS, "Calls of models that have ended, by how they did.");
    describe_histogram!(CALL_SECONDS, Unit::Seconds, "Duration of calls that were answered in full.");
    describe_histogram!(FIRST_WORD_SECONDS, Unit::Seconds, "Time until a model said something.");
    describe_counter!(TOKENS, "Tokens, as providers count them.");
    describe_counter!(RETRIES, "Calls that are made again, by why.");
    describe_gauge!(FOLLOWERS, "Connections that follow runs.");
    describe_histogram!(APPEND_SECONDS, Unit::Seconds, "Time until entries of a log were committed.");
    describe_gauge!(UPTIME, Unit::Seconds, "Time since the start.");
    describe_gauge!(BUILD, "Always 1; the labels name the build.");
}

/// Works off what was counted, so that it takes no more room; to be called every few seconds.
pub fn upkeep() {
    if let Some((handle, _)) = RECORDER.get() {
        handle.run_upkeep();
    }
}

/// Everything as Prometheus reads it; `running` are the runs by room. `None` where nothing is counted.
pub fn render(running: BTreeMap<&'static str, u32>, build: &str) -> Option<String> {
    let (handle, started) = RECORDER.get()?;
    for (room, count) in running {
        gauge!(RUNS_RUNNING, "room" => room).set(count);
    }
    gauge!(UPTIME).set(started.elapsed().as_secs_f64());
    gauge!(BUILD, "version" => env!("CARGO_PKG_VERSION"), "build" => build.to_owned()).set(1);
    Some(handle.render())
}

/// `route` is a template.
pub fn answered(method: &'static str, route: &str, status: u16, took: Duration) {
    let labels = [("method", method.to_owned()), ("route", route.to_owned()), ("status", status.to_string())];
    counter!(HTTP_REQUESTS, &labels).increment(1);
    histogram!(HTTP_SECONDS, &labels).record(took);
}

pub fn run_started(room: &'static str) {
    counter!(RUNS_STARTED, "room" => room).increment(1);
}

/// A run's status has changed to this.
pub fn run_moved(room: &str, status: Status) {
    if matches!(status, Status::Done | Status::Stopped | Status::Failed) {
        counter!(RUNS_ENDED, "room" => room.to_owned(), "status" => status.word()).increment(1);
    }
}

/// A call will be made again because of this.
pub fn retried(room: &'static str, why: &'static str) {
    counter!(RETRIES, "room" => room, "reason" => why).increment(1);
}

pub fn appended(took: Duration) {
    histogram!(APPEND_SECONDS).record(took);
}

pub fn first_word(route: &Route, after: Duration) {
    histogram!(FIRST_WORD_SECONDS, &model(route)).record(after);
}

/// A call has ended: with an answer, or without one because of `outcome`.
pub fn called(route: &Route, outcome: &'static str, took: Duration, answer: Option<&Completion>) {
    let [provider, name] = model(route);
    counter!(CALLS, "provider" => provider.1.clone(), "model" => name.1.clone(), "outcome" => outcome).increment(1);
    let Some(answer) = answer else { return };
    histogram!(CALL_SECONDS, &[provider.clone(), name.clone()]).record(took);
    let Some((input, output)) = answer.tokens else { return };
    for (direction, count) in [("input", input), ("output", output)] {
        let labels = [provider.clone(), name.clone(), ("direction", direction.to_owned())];
        counter!(TOKENS, &labels).increment(count.max(0) as u64);
    }
}

fn model(route: &Route) -> [(&'static str, String); 2] {
    [("provider", route.provider().to_owned()), ("model", route.model.clone())]
}

/// One connection that follows runs, as long as this lives.
pub struct Following;

impl Following {
    pub fn begin() -> Self {
        gauge!(FOLLOWERS).increment(1);
        Following
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        gauge!(FOLLOWERS).decrement(1);
    }
}
