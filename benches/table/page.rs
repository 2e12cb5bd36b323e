//! What needs a browser: Lighthouse on the pages, and the longest task while four runs stream. Node measures,
//! each line it says is a row.

use crate::{Measured, Plan, goal, process::Process, row};
use serde::Deserialize;
use std::process::Stdio;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::Command,
};

#[derive(Deserialize)]
struct Line {
    what: String,
    ours: String,
    theirs: String,
    goal: String,
    met: bool,
}

pub async fn measure(plan: &Plan) -> Measured {
    if !std::path::Path::new("end2end/node_modules/lighthouse").exists() {
        return Err("Lighthouse is not installed: run `npm ci --prefix end2end`".to_owned());
    }
    let folders = [tempfile::tempdir(), tempfile::tempdir()].map(|folder| folder.map_err(|error| error.to_string()));
    let [quick, slow] = folders;
    let (quick, slow) = (quick?, slow?);
    let at_once = Process::server(plan, quick.path(), &[("COLLOQUY_REHEARSAL_PACE", "0")]).await?;
    let paced = Process::server(plan, slow.path(), &[("COLLOQUY_REHEARSAL_PACE", "15")]).await?;
    let mut command = Command::new("node");
    command.args(["end2end/bench/page.mjs", &at_once.url, &paced.url, if plan.quick { "1" } else { "5" }]);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn();
    let mut child = child.map_err(|error| format!("node does not start ({error})"))?;
    let mut lines = BufReader::new(child.stdout.take().ok_or("node says nothing")?).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        match serde_json::from_str::<Line>(&line) {
            Ok(line) => row(&line.what, line.ours, line.theirs, None, &goal(&line.goal, line.met)),
            Err(_) => println!("page: {line}"),
        }
    }
    Ok(())
}
