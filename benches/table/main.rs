//! The benchmark table: each figure beside something real, measured in the same run, and its goal. Nothing here
//! fails: the table is to be read.
//!
//! `cargo bench --bench table -- [fold] [log] [markdown] [relay] [followers] [page] [--quick] [--server FILE]`

use std::{fmt::Display, path::PathBuf, time::Duration};

mod fold;
mod followers;
mod log;
mod markdown;
mod page;
mod process;
mod relay;
mod upstream;

/// What is measured, and with how much.
pub struct Plan {
    /// A tenth of everything: to see that it works.
    quick: bool,
    /// The release build.
    server: PathBuf,
}

impl Plan {
    pub fn count(&self, whole: usize) -> usize {
        if self.quick { whole / 10 } else { whole }
    }
}

/// Why a figure is missing, in a sentence.
pub type Measured = Result<(), String>;

#[tokio::main]
async fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if words.first().is_some_and(|word| word == "upstream") {
        return upstream::serve(&words[1..]).await;
    }
    let quick = words.iter().position(|word| word == "--quick").map(|at| words.remove(at)).is_some();
    let server = words.iter().position(|word| word == "--server").map(|at| words.drain(at..at + 2).nth(1).unwrap_or_default());
    let plan = Plan { quick, server: server.unwrap_or_else(|| "target/release/colloquy".to_owned()).into() };
    let wanted = |figure: &str| words.is_empty() || words.iter().any(|word| word == figure);
    println!("{:<58} {:>11} {:>11} {:>7}  goal", "what, and beside what", "ours", "theirs", "ratio");
    for figure in ["fold", "log", "markdown", "relay", "followers", "page"].into_iter().filter(|figure| wanted(figure)) {
        let measured = match figure {
            "fold" => fold::measure(),
            "log" => log::measure(&plan).await,
            "markdown" => markdown::measure(),
            "relay" => relay::measure(&plan).await,
            "followers" => followers::measure(&plan).await,
            _ => page::measure(&plan).await,
        };
        if let Err(why) = measured {
            println!("{figure}: not measured, {why}");
        }
    }
}

/// A goal, and whether it is met.
pub fn goal(words: &str, met: bool) -> String {
    format!("{words}: {}", if met { "met" } else { "missed" })
}

/// One line of the table; `-` where there is nothing to say.
pub fn row(what: &str, ours: impl Display, theirs: impl Display, ratio: Option<f64>, goal: &str) {
    let ratio = ratio.filter(|ratio| ratio.is_finite()).map_or("-".to_owned(), |ratio| format!("{ratio:.3}"));
    println!("{what:<58} {:>11} {:>11} {ratio:>7}  {goal}", ours.to_string(), theirs.to_string());
}

/// A row of two times.
pub fn times(what: &str, ours: Duration, theirs: Duration, goal: &str) {
    row(what, format!("{ours:.1?}"), format!("{theirs:.1?}"), Some(ours.as_secs_f64() / theirs.as_secs_f64()), goal);
}

/// That part of the values lies below the answer; 0 where there are none.
pub fn percentile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len() as f64 * part) as usize;
    values.get(at.min(values.len().saturating_sub(1))).copied().unwrap_or_default()
}
