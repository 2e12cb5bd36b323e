//! 200 streams of 50 words a second, read directly, through the app with its log on, and through a small relay
//! written by hand in Node: how much later each word comes, and what it costs the process in between.

use crate::{
    Measured, Plan, goal, percentile,
    process::Process,
    row,
    upstream::{PACE, now, sent},
};
use colloquy::engine::follow::Signal;
use eventsource_stream::Eventsource;
use futures::{StreamExt, future::join_all};
use reqwest::{Client, Response};
use serde_json::{Value, json};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::process::Command;

const STREAMS: usize = 200;
const WORDS: usize = 500;
/// Streams begin over this time, and CPU time is counted once all run.
const RAMP: Duration = Duration::from_secs(1);
const SETTLED: Duration = Duration::from_millis(500);

#[derive(Clone, Copy)]
enum Way {
    Direct,
    App,
    Node,
}

/// One reader's words.
struct Heard {
    epoch: f64,
    all: Arc<AtomicU64>,
    text: String,
    /// Bytes of whole words that were counted.
    counted: usize,
    late: Vec<f64>,
    /// The answer as it was sent has come, whole and in order.
    whole: bool,
}

impl Heard {
    /// More of the text; `live` words say how late they are, in milliseconds.
    fn hear(&mut self, piece: &str, live: bool) {
        self.text.push_str(piece);
        while let Some(end) = self.text[self.counted..].find(' ') {
            let word = &self.text[self.counted..self.counted + end];
            if let (true, Some(at)) = (live, sent(word, self.epoch)) {
                self.late.push((now() - at) * 1e3);
            }
            self.counted += end + 1;
            self.all.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// All of the text so far, in place of what was heard of it.
    fn start_again(&mut self, text: &str) {
        let counted = self.text[..self.counted].matches(' ').count() as u64;
        self.all.fetch_sub(counted, Ordering::Relaxed);
        (self.text, self.counted) = (String::new(), 0);
        self.hear(text, false);
    }

    fn words(&self) -> usize {
        self.text.split_whitespace().count()
    }
}

/// What reading one way came to.
struct Reading {
    late: Vec<f64>,
    /// Processor time of the process in between, in microseconds a word.
    cost: f64,
    /// Streams whose text is not what was sent.
    broken: usize,
}

pub async fn measure(plan: &Plan) -> Measured {
    let (streams, words, epoch) = (plan.count(STREAMS), plan.count(WORDS).max(200), now());
    let mut upstream = Command::new(std::env::current_exe().map_err(|error| error.to_string())?);
    upstream.args(["upstream", &words.to_string(), &epoch.to_string()]);
    let upstream = Process::start(upstream).await?;
    let load = Load { streams, words, epoch };
    let mut direct = load.read(Way::Direct, &upstream).await;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let server = server(plan, folder.path(), &upstream).await?;
    let mut app = load.read(Way::App, &server).await;
    drop(server);
    let node = match Process::node("relay.mjs", &[&upstream.url]).await {
        Ok(relay) => Some(load.read(Way::Node, &relay).await),
        Err(why) => {
            println!("relay: without Node beside it, {why}");
            None
        }
    };
    print(&mut direct, &mut app, node);
    Ok(())
}

async fn server(plan: &Plan, folder: &Path, upstream: &Process) -> Result<Process, String> {
    let address = format!("{}/v1", upstream.url);
    Process::server(plan, folder, &[("OPENAI_BASE_URL", &address), ("COLLOQUY_MODEL", "openai:bench")]).await
}

fn print(direct: &mut Reading, app: &mut Reading, node: Option<Reading>) {
    let mut node = node.unwrap_or(Reading { late: vec![], cost: f64::NAN, broken: 0 });
    for (name, part, most) in [("p50", 0.5, f64::INFINITY), ("p99", 0.99, 10.0)] {
        let read = percentile(&mut direct.late, part);
        let (ours, theirs) = (percentile(&mut app.late, part) - read, percentile(&mut node.late, part) - read);
        let goal = if most.is_finite() { goal("≤ 10 ms", ours <= most) } else { "-".to_owned() };
        let ms = |added: f64| if added.is_finite() { format!("{added:.2} ms") } else { "-".to_owned() };
        row(&format!("relay: lag added to a word, {name} / by hand in Node"), ms(ours), ms(theirs), Some(ours / theirs), &goal);
    }
    let (ours, theirs) = (app.cost, node.cost);
    let cost = |cost: f64| if cost.is_finite() { format!("{cost:.1} µs") } else { "-".to_owned() };
    row("relay: CPU a word, log on / by hand in Node", cost(ours), cost(theirs), Some(ours / theirs), &goal("≤ 30 µs", ours <= 30.0));
    row("relay: streams with a word lost", app.broken, node.broken, None, &goal("0", app.broken == 0));
}

/// How much is read.
struct Load {
    streams: usize,
    words: usize,
    epoch: f64,
}

impl Load {
    async fn read(&self, way: Way, source: &Process) -> Reading {
        let (client, all) = (Client::new(), Arc::new(AtomicU64::new(0)));
        let readers = (0..self.streams).map(|i| {
            let (client, url, wait) = (client.clone(), source.url.clone(), RAMP * i as u32 / self.streams as u32);
            let heard = Heard { epoch: self.epoch, all: all.clone(), text: String::new(), counted: 0, late: vec![], whole: false };
            tokio::spawn(async move {
                tokio::time::sleep(wait).await;
                read(way, &client, &url, heard).await
            })
        });
        let readers: Vec<_> = readers.collect();
        // While every stream runs: after the last has begun, before the first ends.
        tokio::time::sleep(RAMP + SETTLED).await;
        let before = (source.cpu(), all.load(Ordering::Relaxed));
        tokio::time::sleep(PACE * self.words as u32 - RAMP - SETTLED * 2).await;
        let (cpu, words) = (source.cpu() - before.0, all.load(Ordering::Relaxed) - before.1);
        let heard: Vec<Heard> = join_all(readers).await.into_iter().filter_map(|reader| reader.ok().flatten()).collect();
        let whole = heard.iter().filter(|heard| heard.whole && heard.words() == self.words).count();
        Reading {
            late: heard.into_iter().flat_map(|heard| heard.late).collect(),
            cost: cpu / words as f64 * 1e6,
            broken: self.streams - whole,
        }
    }
}

async fn read(way: Way, client: &Client, url: &str, mut heard: Heard) -> Option<Heard> {
    match way {
        Way::App => through_the_app(client, url, &mut heard).await?,
        Way::Node => chunks(client.get(url).send().await.ok()?, &mut heard).await,
        Way::Direct => {
            let body = json!({ "model": "bench", "stream": true, "messages": [{ "role": "user", "content": "Go on." }] });
            chunks(client.post(format!("{url}/v1/chat/completions")).json(&body).send().await.ok()?, &mut heard).await;
        }
    }
    Some(heard)
}

/// Chat completion chunks, until they say that they are done.
async fn chunks(response: Response, heard: &mut Heard) {
    let mut events = response.bytes_stream().eventsource();
    while let Some(Ok(event)) = events.next().await {
        if event.data == "[DONE]" {
            heard.whole = true;
            return;
        }
        let chunk: Value = serde_json::from_str(&event.data).unwrap_or_default();
        heard.hear(chunk["choices"][0]["delta"]["content"].as_str().unwrap_or_default(), true);
    }
}

/// Starts a journey of one step and follows it: what was streamed must be what its log says in the end.
async fn through_the_app(client: &Client, url: &str, heard: &mut Heard) -> Option<()> {
    let body = json!({ "icpPersona": "A customer of the benchmark.", "initialQuery": "Go on.", "maxSteps": 1 });
    let started = client.post(format!("{url}/api/simulate")).json(&body).send().await.ok()?;
    let header = |name: &str| started.headers().get(name)?.to_str().ok().map(str::to_owned);
    let (run, token) = (header("location")?, header("colloquy-run-token")?);
    drop(started);
    // A reader that was too slow comes back by its cursor, as a browser does.
    let mut after = 0;
    while let Some(seq) = follow(client, &format!("{url}{run}/events?after={after}"), &token, heard, after).await {
        after = seq;
    }
    Some(())
}

/// Until the answer is in the log, or the connection ends: then how far the log was read.
async fn follow(client: &Client, url: &str, token: &str, heard: &mut Heard, mut seq: i64) -> Option<i64> {
    let response = client.get(url).bearer_auth(token).send().await.ok()?;
    let mut events = response.bytes_stream().eventsource();
    while let Some(Ok(event)) = events.next().await {
        match Signal::parse(&event.event, &event.data)? {
            Signal::Partial(whole) => heard.start_again(&whole.text),
            Signal::Delta(delta) if delta.offset == heard.text.len() => heard.hear(&delta.text, true),
            Signal::Delta(_) => return None,
            Signal::Fact(fact) => {
                seq = fact.seq;
                if let Some(text) = fact.body["room"]["answered"]["answer"]["text"].as_str() {
                    heard.whole = heard.text.trim() == text;
                    return None;
                }
            }
            _ => {}
        }
    }
    Some(seq)
}
