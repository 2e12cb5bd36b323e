//! What is said of a debate, in words.

use crate::{
    engine::{entry::Run, flow::Status},
    rooms::debate::flow::{Debate, DebateState, Phase},
    runs::watch::Words,
};

/// `writing`: is a text being written?
pub fn words(run: &Run<Debate>, writing: bool) -> Words {
    let debate = &run.state.debate;
    let said = debate.messages.last().map(|message| format!("{}: {}", message.author_name, message.content));
    Words { place: place(debate), count: count(debate), doing: doing(debate, writing), end: end(run), said }
}

fn place(debate: &DebateState) -> String {
    match debate.phase {
        Phase::Done => "all phases".to_owned(),
        phase => [phase.name().to_owned()].into_iter().chain(round(debate)).collect::<Vec<_>>().join(" · "),
    }
}

/// “round 2 of 3”, in EXCHANGE. A round that is about to begin counts.
pub fn round(debate: &DebateState) -> Option<String> {
    let round = || format!("round {} of {}", debate.round().max(1), debate.max_exchange_rounds);
    (debate.phase == Phase::Exchange).then(round)
}

fn count(debate: &DebateState) -> String {
    let spoken = debate.messages.len();
    if debate.phase == Phase::Done { format!("{spoken} turns") } else { format!("{spoken} of {} turns", debate.expected()) }
}

fn doing(debate: &DebateState, writing: bool) -> String {
    let name = debate.due().map_or("", |persona| if persona.is_summariser() { "The summariser" } else { &persona.name });
    format!("{name} is {}…", if writing { "speaking" } else { "thinking" })
}

fn end(run: &Run<Debate>) -> Option<(&'static str, String)> {
    match run.status() {
        Status::Done => Some(("good", format!("The debate is over, after {} turns.", run.state.debate.messages.len()))),
        Status::Failed if run.progress.halt.is_none() => run.state.failure.clone().map(|why| ("bad", why)),
        _ => None,
    }
}

/// Where it stands, in sentences.
pub fn lede(debate: &DebateState) -> String {
    let spoken = spelled(debate.messages.len());
    let spoken = format!("{}{}", spoken[..1].to_ascii_uppercase(), &spoken[1..]);
    match debate.phase {
        Phase::Done => format!("The debate is over. {spoken} turns were spoken."),
        _ => format!("{}. {spoken} of {} turns spoken.", place(debate).replace(" ·", ","), spelled(debate.expected())),
    }
}

const SMALL: [&str; 20] = [
    "none",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 4] = ["twenty", "thirty", "forty", "fifty"];

/// A number of turns: no debate has sixty.
fn spelled(number: usize) -> String {
    match (SMALL.get(number), number / 10, number % 10) {
        (Some(word), ..) => (*word).to_owned(),
        (None, tens @ 2..=5, 0) => TENS[tens - 2].to_owned(),
        (None, tens @ 2..=5, ones) => format!("{}-{}", TENS[tens - 2], SMALL[ones]),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::entry::Entry,
        rooms::debate::{
            flow::Event,
            view::held::{TURNS, begun, held, stopped, then},
        },
    };

    #[test]
    fn it_is_said_where_a_debate_stands() {
        let check = |turns: usize, place: &str, count: &str, sentences: &str| {
            let run = held(turns);
            let words = words(&run, false);
            assert_eq!((words.place.as_str(), words.count.as_str()), (place, count));
            assert_eq!(lede(&run.state.debate), sentences);
        };
        check(0, "Opening", "0 of 11 turns", "Opening. None of eleven turns spoken.");
        check(4, "Exchange · round 1 of 2", "4 of 11 turns", "Exchange, round 1 of 2. Four of eleven turns spoken.");
        check(7, "Exchange · round 2 of 2", "7 of 11 turns", "Exchange, round 2 of 2. Seven of eleven turns spoken.");
        check(10, "Summary", "10 of 11 turns", "Summary. Ten of eleven turns spoken.");
        check(TURNS, "all phases", "11 turns", "The debate is over. Eleven turns were spoken.");
    }

    #[test]
    fn it_is_said_who_is_at_it_and_what_was_said_last() {
        let opened = words(&held(1), false);
        assert_eq!((opened.doing.as_str(), opened.said.as_deref()), ("Bao is thinking…", Some("Ada: ada has a word.")));
        assert_eq!(words(&held(1), true).doing, "Bao is speaking…");
        assert_eq!(words(&held(10), false).doing, "The summariser is thinking…");
        assert_eq!(words(&held(0), false).said, None);
    }

    #[test]
    fn an_end_of_the_rooms_own_is_said_and_a_stop_is_not() {
        assert_eq!(words(&held(3), false).end, None);
        assert_eq!(words(&held(TURNS), false).end, Some(("good", "The debate is over, after 11 turns.".to_owned())));
        let gave_up = then(held(2), Entry::Room(Event::GaveUp { why: "It broke a rule.".into() }));
        assert_eq!(words(&gave_up, false).end, Some(("bad", "It broke a rule.".to_owned())));
        assert_eq!(words(&stopped(begun(held(2)), "Half a"), false).end, None);
    }

    #[test]
    fn numbers_are_spelled_as_far_as_debates_go() {
        let check = |number: usize, expect: &str| assert_eq!(spelled(number), expect);
        check(1, "one");
        check(19, "nineteen");
        check(20, "twenty");
        check(37, "thirty-seven");
        check(55, "fifty-five");
        check(60, "60");
    }
}
