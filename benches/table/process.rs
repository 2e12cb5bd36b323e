//! The processes that are measured, each with what the system says of it.

use crate::Plan;
use std::{path::Path, process::Stdio, time::Duration};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};

/// Clock ticks a second in `/proc`, on every Linux there is.
const TICKS: f64 = 100.0;
const PATIENCE: Duration = Duration::from_secs(20);

/// A process that listens; it ends with this value.
pub struct Process {
    child: Child,
    pub url: String,
}

impl Process {
    /// Until it has said where it listens.
    pub async fn start(mut command: Command) -> Result<Self, String> {
        let program = Path::new(command.as_std().get_program()).display().to_string();
        let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn();
        let mut child = child.map_err(|error| format!("{program} does not start ({error})"))?;
        let out = child.stdout.take().ok_or("it says nothing")?;
        let line = tokio::time::timeout(PATIENCE, BufReader::new(out).lines().next_line()).await;
        let line = line.ok().and_then(Result::ok).flatten().unwrap_or_default();
        let url = line.split_whitespace().find(|word| word.starts_with("http://")).map(|url| url.trim_end_matches(',').to_owned());
        url.map(|url| Process { child, url }).ok_or_else(|| format!("{program} ended before it listened"))
    }

    /// Our server, in a folder of its own.
    pub async fn server(plan: &Plan, folder: &Path, environment: &[(&str, &str)]) -> Result<Self, String> {
        let missing = |_| format!("{} is not there: run `make build` first", plan.server.display());
        let server = plan.server.canonicalize().map_err(missing)?;
        std::fs::write(folder.join("Leptos.toml"), "[limits]\ncalls_in_flight = 1000\n").map_err(|error| error.to_string())?;
        let site = std::env::current_dir().map_err(|error| error.to_string())?.join("target/site");
        let mut command = Command::new(server);
        command.current_dir(folder).env_clear().env("LEPTOS_SITE_ADDR", "127.0.0.1:0").env("LEPTOS_SITE_ROOT", site);
        command.envs(environment.iter().copied()).env("RUST_LOG", "error");
        Process::start(command).await
    }

    /// A script of `end2end/bench`.
    pub async fn node(script: &str, arguments: &[&str]) -> Result<Self, String> {
        let mut command = Command::new("node");
        command.arg(format!("end2end/bench/{script}")).args(arguments);
        Process::start(command).await
    }

    fn proc(&self, file: &str) -> String {
        let id = self.child.id().unwrap_or_default();
        std::fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default()
    }

    /// Processor time of all its threads so far, in seconds.
    pub fn cpu(&self) -> f64 {
        let stat = self.proc("stat");
        // The name may hold anything; behind its bracket come state, …, utime, stime.
        let fields: Vec<f64> =
            stat.rsplit(')').next().unwrap_or_default().split_whitespace().map(|word| word.parse().unwrap_or(0.0)).collect();
        fields.iter().skip(11).take(2).sum::<f64>() / TICKS
    }

    /// Resident memory in bytes.
    pub fn memory(&self) -> f64 {
        let status = self.proc("status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        line.split_whitespace().next().and_then(|kib| kib.parse::<f64>().ok()).unwrap_or_default() * 1024.0
    }
}
