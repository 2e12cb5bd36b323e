//! Folding a log, beside parsing the same lines as JSON.

use crate::{Measured, times};
use colloquy::{
    engine::{entry::Run, flow::Stamp},
    rooms::simulate::flow::Simulate,
};
use serde_json::Value;
use std::time::Instant;

const GOLDEN: &str = include_str!("../../src/rooms/simulate/flow/golden/journey.jsonl");
const ROUNDS: u32 = 400;

pub fn measure() -> Measured {
    let lines: Vec<&str> = GOLDEN.lines().collect();
    let parse = || lines.iter().map(|line| serde_json::from_str::<Value>(line).expect("JSON")).collect::<Vec<_>>();
    let log = parse();
    let (started, mut folded) = (Instant::now(), 0);
    for _ in 0..ROUNDS {
        folded += Run::<Simulate>::fold((1..).zip(&log).map(|(seq, body)| (Stamp { seq, at: 0 }, body))).expect("it folds").seq;
    }
    let ours = started.elapsed() / ROUNDS;
    let (started, mut parsed) = (Instant::now(), 0);
    for _ in 0..ROUNDS {
        parsed += parse().len();
    }
    assert_eq!(folded as usize, parsed);
    times("fold a log / parse its JSON", ours, started.elapsed() / ROUNDS, "-");
    Ok(())
}
