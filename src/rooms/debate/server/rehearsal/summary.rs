//! The rehearsed summariser: each position in words that were said, who moved whom, and what became of it all.

use super::{Panel, pick};
use crate::rooms::debate::flow::{DebateMessage, Phase};
use minijinja::{Environment, context};
use serde::Serialize;

/// How a position is told: where it has a name, where it has none, and where two share a sentence.
const NAMED: [&str; 3] = [
    "{{ one.name }} stood for {{ one.case }}, from {{ one.first }} to {{ one.last }}.",
    "Against that {{ one.name }} set {{ one.case }}, beginning with {{ one.first }} and ending on {{ one.last }}.",
    "{{ one.name }} argued for {{ one.case }}; {{ one.first }} was the first word and {{ one.last }} the last.",
];
const ALONE: [&str; 3] = [
    "{{ one.name }} opened with {{ one.first }} and closed on {{ one.last }}.",
    "{{ one.name }} held {{ one.first }} against that, and in the end {{ one.last }}.",
    "{{ one.name }} argued from {{ one.first }} and came to {{ one.last }}.",
];
const PAIRED: [&str; 3] = [
    "{{ one.name }} opened with {{ one.first }}, while {{ two.name }} put {{ two.first }} first.",
    "For {{ one.name }} it turned on {{ one.first }}, for {{ two.name }} on {{ two.first }}.",
    "{{ one.name }} started from {{ one.first }}, {{ two.name }} from {{ two.first }}.",
];
const PRESSED: &str = "In the exchange {{ one.name }} pressed with {{ one.middle }} and {{ two.name }} with {{ two.middle }}.";
const OVERALL: &[&str] = &[
    "On {{ motion }}, nobody gave up the position they came with, and nobody left it quite as it was.",
    "Overall, the panel reached no common answer on {{ motion }}, though each ended with a narrower claim than the one they had brought.",
    "As to {{ motion }}, the debate settled little and moved everyone: each named something in another’s case that they would keep.",
];

/// A debater in their own words, and the numbers of the messages they stand in.
#[derive(Serialize)]
struct Position<'a> {
    name: &'a str,
    case: &'a str,
    first: String,
    middle: String,
    last: String,
    #[serde(skip)]
    numbers: [u32; 3],
}

pub fn summary(panel: &Panel) -> String {
    let positions: Vec<Position> = (0..panel.seats.len()).map(|at| position(panel, at)).collect();
    let mut sentences = match positions.as_slice() {
        few @ [_, _] => alone(few).chain([pressed(few)]).collect(),
        few @ [_, _, _] => alone(few).collect(),
        many => paired(many),
    };
    let closing: Vec<u32> = positions.iter().map(|position| position.numbers[2]).collect();
    sentences.push(supported(&moved(panel), &closing));
    let motion = panel.motion.woven.as_str();
    let all: Vec<u32> = positions.iter().map(|position| position.numbers[0]).chain(closing).collect();
    sentences.push(supported(&fill(pick(OVERALL, panel.seed), context! { motion }), &all));
    sentences.join(" ")
}

fn position<'a>(panel: &'a Panel, at: usize) -> Position<'a> {
    let seat = &panel.seats[at];
    let told = |phase: Phase| {
        let said = |message: &&DebateMessage| message.author_id == seat.persona.id && message.phase == phase;
        let found = (1..).zip(&panel.debate.messages).filter(|(_, message)| said(message)).last();
        found.map_or((String::new(), 0), |(number, message)| (format!("“{}”", panel.saying(message, |_| true)), number))
    };
    let [(first, opening), (middle, exchange), (last, reflection)] = [Phase::Opening, Phase::Exchange, Phase::Reflection].map(told);
    Position { name: &seat.name, case: seat.voice.stands_for, first, middle, last, numbers: [opening, exchange, reflection] }
}

fn alone<'a>(positions: &'a [Position]) -> impl Iterator<Item = String> + 'a {
    let sentence = |(at, one): (usize, &Position)| {
        let script = if one.case.is_empty() { ALONE[at % 3] } else { NAMED[at % 3] };
        supported(&fill(script, context! { one }), &[one.numbers[0], one.numbers[2]])
    };
    positions.iter().enumerate().map(sentence)
}

/// Two in a sentence; who is left over has one alone.
fn paired(positions: &[Position]) -> Vec<String> {
    let sentence = |(pair, script): (&[Position], &str)| match pair {
        [one, two] => supported(&fill(script, context! { one, two }), &[one.numbers[0], two.numbers[0]]),
        rest => alone(rest).collect(),
    };
    positions.chunks(2).zip(PAIRED).map(sentence).collect()
}

fn pressed(positions: &[Position]) -> String {
    let (one, two) = (&positions[0], &positions[1]);
    supported(&fill(PRESSED, context! { one, two }), &[one.numbers[1], two.numbers[1]])
}

/// Who named whom in the reflection.
fn moved(panel: &Panel) -> String {
    let named = |at: usize| format!("{} named {}", panel.seats[at].name, panel.seats[panel.mover(at)].name);
    let named: Vec<String> = (0..panel.seats.len()).map(named).collect();
    let (last, others) = named.split_last().map_or(("", [].as_slice()), |(last, others)| (last.as_str(), others));
    format!("Each was moved by another: {} and {last}.", others.join(", "))
}

fn fill(script: &str, values: minijinja::Value) -> String {
    Environment::new().render_str(script, values).unwrap_or_default()
}

/// The sentence with the numbers of what it rests on.
fn supported(sentence: &str, numbers: &[u32]) -> String {
    format!("{sentence} {}", numbers.iter().map(|number| format!("[{number}]")).collect::<String>())
}
