//! The events' JSON is a public format: these lines must fold for ever.

use super::*;
use crate::engine::entry::Run;
use serde_json::Value;

#[test]
fn a_golden_log_folds_to_its_golden_state() {
    let lines: Vec<Value> = include_str!("../golden.jsonl").lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(lines.iter().any(|line| line["room"].get("danced").is_some()), "the log holds a line from another time");
    let run = Run::<Research>::fold((1..).zip(&lines).map(|(seq, body)| (Stamp { seq, at: 1_000 * seq }, body))).expect("a run");
    insta::assert_json_snapshot!(run.state);
    assert_eq!(Research::wants(&run.state), [Ask::Synthesise { section: Section::IndustryMarket, attempt: 2 }]);
    assert_eq!(run.state.stale(), [Section::IndustryMarket]);
}
