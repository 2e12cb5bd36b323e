//! A 20 KB answer that comes in 4,000 pieces, beside parsing all of it at each piece.

use crate::{Measured, goal, times};
use colloquy::ui::markdown::parse::{Blocks, parse};
use std::{hint::black_box, time::Instant};

const BYTES: usize = 20_000;
const PIECES: usize = 4_000;

pub fn measure() -> Measured {
    let section = include_str!("answer.md");
    let answer = section.repeat(BYTES.div_ceil(section.len()));
    let ends: Vec<usize> = (1..=PIECES).map(|piece| BYTES * piece / PIECES).filter(|end| answer.is_char_boundary(*end)).collect();
    let (started, mut grown) = (Instant::now(), Blocks::default());
    for end in &ends {
        black_box(grown.update(&answer[..*end], parse));
    }
    let ours = started.elapsed();
    let started = Instant::now();
    for end in &ends {
        black_box(parse(&answer[..*end]));
    }
    let theirs = started.elapsed();
    let met = ours.as_secs_f64() <= theirs.as_secs_f64() / 20.0;
    times("Markdown, 20 KB in 4,000 pieces / all of it at each", ours, theirs, &goal("≤ 0.05", met));
    Ok(())
}
