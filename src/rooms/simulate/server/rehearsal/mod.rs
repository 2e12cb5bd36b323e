//! A rehearsed journey: a customer and an assistant whose words follow the given persona and query.
//! Scripted, and labelled so wherever it shows; the companies in it are invented, and nothing is researched.

use super::tools::{RECORD_PHASE, SEND_QUERY};
use crate::{
    models::Reply,
    rooms::simulate::flow::{Ask, Phase, State, Step},
};
use brief::Brief;
use serde_json::json;

mod brief;
mod lines;

/// Questions in each phase; with three records that makes 8 to 12 steps.
const SHAPES: [[usize; 3]; 8] = [[2, 2, 1], [2, 2, 2], [3, 2, 1], [2, 3, 1], [1, 3, 2], [3, 3, 1], [2, 3, 2], [3, 3, 3]];

pub fn customer(state: &State) -> Reply {
    let Some(phase) = state.phase() else { return Reply::default() };
    let brief = Brief::read(&state.setup.icp, &state.setup.query);
    let asked = state.queries(phase);
    let asked_in_all = Phase::ALL.into_iter().map(|phase| state.queries(phase)).sum();
    let enough = asked >= brief.pick(&SHAPES, 0)[phase as usize];
    let call = if asked > 0 && (enough || state.must_complete()) {
        (RECORD_PHASE, json!({ "phase": phase.slug(), "insightsGathered": lines::insights(&brief, phase) }))
    } else {
        (SEND_QUERY, json!({ "phase": phase.slug(), "query": lines::question(&brief, phase, asked, asked_in_all) }))
    };
    Reply { text: String::new(), calls: vec![call] }
}

pub fn assistant(state: &State, ask: &Ask) -> Reply {
    let brief = Brief::read(&state.setup.icp, &state.setup.query);
    let Ask::Assistant { step } = ask else { return Reply::default() };
    let phase = match state.steps.get(*step as usize) {
        Some(Step::Asked { phase, .. }) => *phase,
        _ => Phase::Discovery,
    };
    let nth = state.queries(phase).saturating_sub(1);
    Reply { text: lines::answer(&brief, phase, nth), calls: vec![] }
}

pub fn summary(state: &State) -> Reply {
    let brief = Brief::read(&state.setup.icp, &state.setup.query);
    Reply { text: lines::summary(&brief, state.steps.len()), calls: vec![] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::flow::{Flow, Stamp},
        models::Completion,
        models::ToolCall,
        rooms::simulate::{
            examples::EXAMPLES,
            flow::{Answer, Assistant, MAX_STEPS, Outcome, Setup, Simulate},
            server::tools,
        },
    };

    /// Plays a whole journey through the flow, as the driver would.
    fn play(icp: &str, query: &str) -> State {
        let (icp, query) = (icp.into(), query.into());
        let setup = Setup { icp, query, assistant: Assistant::default(), max_steps: MAX_STEPS, context_chars: 24_000 };
        let mut state = Simulate::begin(&setup).expect("a valid setup");
        while let Some(ask) = Simulate::wants(&state).first().copied() {
            let outcome = match ask {
                Ask::Assistant { .. } => Outcome::Assistant(Answer { text: assistant(&state, &ask).text, cut: false }),
                Ask::Summary { .. } => Outcome::Summary(summary(&state).text),
                Ask::Customer { .. } => {
                    let (name, arguments) = customer(&state).calls.pop().expect("the customer always calls a tool");
                    let call = ToolCall { id: "x".into(), name: name.into(), arguments: arguments.to_string(), ..ToolCall::default() };
                    let (said, tool) = tools::read(Completion { calls: vec![call], ..Completion::default() });
                    Outcome::Customer { said, tool }
                }
            };
            for event in Simulate::settle(&state, &ask, outcome) {
                state = Simulate::apply(state, Stamp { seq: 0, at: 0 }, &event);
            }
        }
        state
    }

    fn words(state: &State) -> String {
        let text = |step: &Step| match step {
            Step::Asked { query, answer, .. } => format!("{query}\n{}\n", answer.as_ref().map_or("", |answer| &answer.text)),
            Step::Completed { insights, .. } => insights.join("\n"),
            Step::Corrected { why, .. } => panic!("a rehearsed customer was corrected: {why}"),
        };
        state.steps.iter().map(text).collect()
    }

    #[test]
    fn every_journey_ends_well_in_eight_to_twelve_steps_with_insights_in_each_phase() {
        let odd = ["x", "我叫李雷，在北京开面包店，讨厌隐藏费用", "I am tired.", "A; B; C; D", "{{ persona }} \"quoted\" <b>bold</b>"];
        let personas = EXAMPLES.iter().map(|example| (example.icp, example.query)).chain(odd.map(|icp| (icp, "which one?")));
        for (icp, query) in personas {
            let state = play(icp, query);
            assert!(state.is_complete(), "{icp}");
            assert!((8..=12).contains(&state.steps_taken()), "{icp}: {} steps", state.steps_taken());
            for phase in Phase::ALL {
                assert!(state.insights(phase).expect("complete").len() >= 2, "{icp}: {phase:?}");
            }
        }
    }

    #[test]
    fn the_words_follow_the_persona_and_the_query() {
        let marta = words(&play(EXAMPLES[0].icp, EXAMPLES[0].query)).to_lowercase();
        for word in ["card reader", "bakery", "hidden fees", "cash flow"] {
            assert!(marta.contains(word), "nobody says “{word}”:\n{marta}");
        }
    }

    #[test]
    fn two_personas_read_as_two_people() {
        let sentences = |i: usize| -> Vec<String> {
            let text = words(&play(EXAMPLES[i].icp, EXAMPLES[i].query));
            text.split(['.', '?', '\n']).map(|line| line.trim().to_owned()).filter(|line| line.len() > 12).collect()
        };
        let spoken: Vec<Vec<String>> = (0..EXAMPLES.len()).map(sentences).collect();
        for (i, one) in spoken.iter().enumerate() {
            for other in &spoken[i + 1..] {
                let shared: Vec<&String> = one.iter().filter(|line| other.contains(line)).collect();
                assert!(shared.len() * 5 <= one.len(), "of {} sentences these are the same: {shared:#?}", one.len());
            }
        }
    }
}
