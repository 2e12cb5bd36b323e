//! What a section's card says before it is opened.

use super::*;
use crate::rooms::research::held;
use serde_json::{Value, json};

fn texts(data: &Data) -> Vec<String> {
    extract_top_findings(data).into_iter().map(|point| point.text).collect()
}

#[test]
fn whole_sections_have_three_to_five_findings_with_their_sources() {
    let all: Vec<Value> = Section::ALL.into_iter().map(|section| json!(extract_top_findings(&held::held(section).data))).collect();
    assert!(all.iter().all(|found| found.as_array().is_some_and(|found| (3..=5).contains(&found.len()))));
    insta::assert_json_snapshot!(all);
}

#[test]
fn nothing_found_is_the_finding() {
    for section in Section::ALL {
        assert_eq!(texts(&nothing(section)), ["Nothing was found."], "{section:?}");
    }
    let basis = json!({ "industryMarket": { "size": { "basis": "Nobody counts it." } } });
    assert_eq!(texts(&serde_json::from_value(basis).expect("a section")), ["Nothing was found."]);
}

#[test]
fn whatever_was_found_alone_is_found() {
    for (data, expect) in [
        (json!({ "industryMarket": { "barriers": [{ "text": "Owners bake." }] } }), "Owners bake."),
        (json!({ "industryMarket": { "growth": { "value": "7 %" } } }), "Growth: 7 %"),
        (json!({ "competitors": { "competitors": [{ "name": "Tilly" }] } }), "Tilly"),
        (json!({ "competitors": { "competitors": [{ "name": "Tilly", "price": "£5" }] } }), "Tilly: £5"),
        (json!({ "competitors": { "landscape": { "text": "Crowded." } } }), "Crowded."),
        (json!({ "icpValidation": { "verdict": "weak" } }), "The fit is weak"),
        (json!({ "icpValidation": { "verdict": "unclear", "score": 40 } }), "The fit is unclear: 40 of 100"),
        (json!({ "icpValidation": { "concerns": [{ "text": "They close." }] } }), "They close."),
        (json!({ "offerAnalysis": { "scorecard": [{ "criterion": "Clarity", "score": 8 }] } }), "Clarity: 8 of 10"),
        (json!({ "offerAnalysis": { "scorecard": [{ "criterion": "Growth", "reason": "Nobody says." }] } }), "Growth: Nobody says."),
        (json!({ "offerAnalysis": { "scorecard": [{ "reason": "Nobody says." }] } }), "Nobody says."),
        (json!({ "offerAnalysis": { "scorecard": [{ "criterion": "Growth" }] } }), "Nothing was found."),
        (json!({ "crossAnalysis": { "channels": [{ "why": "?" }, { "name": "Fairs" }, { "name": "Press" }] } }), "Fairs"),
        (
            json!({ "crossAnalysis": { "channels": [{ "name": "A", "share": 30 }, { "name": "B", "why": "near", "share": 70 }] } }),
            "B, 70% of the budget: near",
        ),
        (json!({ "crossAnalysis": { "risks": [{ "text": "Rain." }] } }), "Rain."),
    ] {
        assert_eq!(texts(&serde_json::from_value(data.clone()).expect("a section")), [expect], "{data}");
    }
}

#[test]
fn shapes_are_read_whole_or_in_part_and_written_as_they_were() {
    for section in Section::ALL {
        let data = held::held(section).data;
        let json = json!(data);
        assert_eq!((serde_json::from_value::<Data>(json.clone()).expect("a section"), data.section()), (data, section));
        let empty: Data = serde_json::from_value(json!({ section.slug(): {} })).expect("an empty section");
        assert_eq!(empty, nothing(section));
    }
}
