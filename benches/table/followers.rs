//! Readers that follow a run in which nothing happens: what each costs our server in memory, beside a server of
//! Node's plain `http` that holds the same connections open.

use crate::{Measured, Plan, goal, process::Process, row};
use futures::future::join_all;
use reqwest::Client;
use serde_json::json;
use std::time::Duration;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

const READERS: usize = 5_000;
const RUNS: usize = 250;
/// Connections opened at once.
const AT_ONCE: usize = 50;
const SETTLE: Duration = Duration::from_secs(2);
/// What a browser sends along.
const HEADERS: &str = "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36\r\n\
    Accept: text/event-stream\r\nAccept-Language: en-GB,en;q=0.9\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nCache-Control: no-cache\r\n\
    Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n";

/// Where a reader reads, and what opens it.
type Target = (String, String);

pub async fn measure(plan: &Plan) -> Measured {
    let (readers, runs) = (plan.count(READERS), plan.count(RUNS));
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    // A slow rehearsal: each run is stopped before it has said anything.
    let server = Process::server(plan, folder.path(), &[("COLLOQUY_REHEARSAL_PACE", "1000")]).await?;
    let client = Client::new();
    let mut targets = Vec::new();
    for _ in 0..runs {
        targets.push(stopped(&client, &server.url).await.ok_or("a run could not be started")?);
    }
    drop(client);
    let ours = held(&server, &targets, readers).await?;
    drop(server);
    let node = Process::node("followers.mjs", &[]).await?;
    let theirs = held(&node, &[("/".to_owned(), "none".to_owned())], readers).await?;
    let kib = |bytes: f64| format!("{:.1} KiB", bytes / 1024.0);
    let met = goal("≤ 1", ours <= theirs);
    row(&format!("{readers} idle followers, memory each / Node's http"), kib(ours), kib(theirs), Some(ours / theirs), &met);
    Ok(())
}

/// A run that waits for a person.
async fn stopped(client: &Client, url: &str) -> Option<Target> {
    let body = json!({ "icpPersona": "A customer of the benchmark.", "initialQuery": "Go on." });
    let started = client.post(format!("{url}/api/simulate")).json(&body).send().await.ok()?;
    let header = |name: &str| started.headers().get(name)?.to_str().ok().map(str::to_owned);
    let (run, token) = (header("location")?, header("colloquy-run-token")?);
    let stop = client.post(format!("{url}{run}/stop")).bearer_auth(&token).send().await.ok()?;
    stop.status().is_success().then_some((format!("{run}/events"), token))
}

/// Bytes of memory a reader costs, over as many of them.
async fn held(process: &Process, targets: &[Target], readers: usize) -> Result<f64, String> {
    let address = process.url.trim_start_matches("http://");
    let before = process.memory();
    let mut open = Vec::with_capacity(readers);
    while open.len() < readers {
        let next = (open.len()..readers.min(open.len() + AT_ONCE)).map(|i| follow(address, &targets[i % targets.len()]));
        for reader in join_all(next).await {
            open.push(reader.map_err(|error| format!("only {} connections could be opened ({error}); see `ulimit -n`", open.len()))?);
        }
    }
    tokio::time::sleep(SETTLE).await;
    Ok((process.memory() - before) / readers as f64)
}

/// A connection on which the server has said where the run stands, and then nothing more.
async fn follow(address: &str, (path, token): &Target) -> std::io::Result<TcpStream> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n{HEADERS}\r\n");
    stream.write_all(request.as_bytes()).await?;
    let (mut said, mut buffer) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&said).contains("event: status") {
        match stream.read(&mut buffer).await? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            count => said.extend_from_slice(&buffer[..count]),
        }
    }
    Ok(stream)
}
