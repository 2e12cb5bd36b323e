//! What came of a section, as other programs read it: `{ section, status, … }`. The data is the section's shape itself, durations
//! are milliseconds, and costs US dollars, or null where a provider did not say.

use crate::{
    engine::{entry::Usage, progress::Progress},
    rooms::research::flow::{Ask, Finding, Section, Stage, State},
    runs::server::Cost,
};
use serde::Deserialize;
use serde_json::{Value, json};

/// How the section stands: running, complete or failed. `None` where it was never begun.
pub fn result(state: &State, progress: &Progress, section: Section) -> Option<Value> {
    let study = state.study(section);
    match (&study.work, &study.error, &study.result) {
        (Some(work), ..) => Some(running(section, &work.stage)),
        (None, Some(error), _) => Some(failed(section, error)),
        (None, None, Some(finding)) => Some(complete(finding, progress)),
        (None, None, None) => None,
    }
}

fn running(section: Section, stage: &Stage) -> Value {
    let stage = match stage {
        Stage::Gather => "gather",
        Stage::Synthesise { .. } => "synthesise",
        Stage::Repair { .. } => "repair",
    };
    json!({ "section": section, "status": "running", "stage": stage })
}

/// What came of a section that has failed.
pub fn failed(section: Section, error: &str) -> Value {
    json!({ "section": section, "status": "error", "error": error })
}

/// What was found; `imported` where the caller brought it along.
pub fn complete(finding: &Finding, progress: &Progress) -> Value {
    let section = finding.told.section;
    let mut result = json!({
        "section": section,
        "status": "complete",
        "data": finding.told.data,
        "sources": finding.sources,
        "durationMs": finding.ms,
        "cost": Effort::of(finding, progress).cost.micros().map(dollars),
    });
    if finding.is_imported() {
        result["imported"] = json!(true);
    }
    result
}

pub fn dollars(micros: i64) -> f64 {
    micros as f64 / 1_000_000.0
}

/// What the calls took that led to a finding.
#[derive(Debug, Default, PartialEq)]
pub struct Effort {
    /// Every model that was called, in the order in which they first were.
    pub models: Vec<String>,
    pub cost: Cost,
}

impl Effort {
    pub fn of(finding: &Finding, progress: &Progress) -> Self {
        let own = |call: &&Usage| attempt(&call.ask) == Some((finding.told.section, finding.attempt));
        let calls: Vec<&Usage> = progress.calls.iter().filter(own).collect();
        let mut models: Vec<String> = Vec::new();
        for call in &calls {
            if !models.contains(&call.model) {
                models.push(call.model.clone());
            }
        }
        Effort { models, cost: Cost::of(calls) }
    }
}

/// The section, and the attempt, that a call is made for.
fn attempt(ask: &Value) -> Option<(Section, u32)> {
    match Ask::deserialize(ask).ok()? {
        Ask::Gather { section, attempt } | Ask::Synthesise { section, attempt } | Ask::Repair { section, attempt } => {
            Some((section, attempt))
        }
        Ask::Extract { .. } | Ask::Interview { .. } | Ask::Summary { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rooms::research::{
        flow::{Claim, Command, Imported, Outcome, Setup, Told},
        held::{self, Story},
    };

    fn of(story: &Story, section: Section) -> Value {
        result(&story.run.state, &story.run.progress, section).unwrap_or_default()
    }

    #[test]
    fn a_result_is_the_shape_itself_with_what_it_took() {
        let story = held::finished();
        let found = of(&story, Section::Competitors);
        let keys: Vec<&String> = found.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["section", "status", "data", "sources", "durationMs", "cost"]);
        assert_eq!((&found["section"], &found["status"]), (&json!("competitors"), &json!("complete")));
        assert_eq!(found["data"]["competitors"][1]["pricePerMonth"], 69);
        assert_eq!(found["sources"][0], json!({ "id": 5, "title": "Doughline: pricing", "url": "https://doughline.example/pricing" }));
        assert!(found["durationMs"].as_i64().is_some_and(|ms| ms > 0));
        // It was gathered and put in order: two calls, and none of any other section’s.
        assert_eq!(found["cost"], json!(0.0084));
    }

    #[test]
    fn a_cost_that_a_provider_does_not_say_is_no_cost() {
        let mut story = held::half();
        story.cost = None;
        story.synthesise(Section::OfferAnalysis);
        let found = of(&story, Section::OfferAnalysis);
        assert!(found["status"] == "complete" && found["cost"].is_null());
    }

    #[test]
    fn every_standing_has_a_word() {
        let mut story = held::half();
        let section = Section::OfferAnalysis;
        assert_eq!(of(&story, Section::CrossAnalysis), Value::Null);
        assert_eq!(of(&story, Section::IcpValidation), json!({ "section": "icpValidation", "status": "running", "stage": "gather" }));
        assert_eq!(of(&story, section)["stage"], "synthesise");
        let drafted = || Outcome::Drafted { draft: "{".into(), data: Err("It ends too soon.".into()) };
        story.answer(Ask::Synthesise { section, attempt: 1 }, drafted());
        assert_eq!(of(&story, section)["stage"], "repair");
        story.answer(Ask::Repair { section, attempt: 1 }, drafted());
        let error = "What was found could not be put in order. It ends too soon.";
        assert_eq!(of(&story, section), json!({ "section": "offerAnalysis", "status": "error", "error": error }));
    }

    #[test]
    fn only_the_attempt_that_found_it_is_counted() {
        let (mut story, section) = (held::half(), Section::OfferAnalysis);
        story.command(Command::StopSection { section });
        story.command(Command::Retry { section });
        story.model = "openai:gpt-5";
        story.research(section);
        let finding = story.run.state.study(section).result.as_ref().expect("found");
        let expect = Effort { models: vec!["openai:gpt-5".into()], cost: Cost { told_micros: Some(8_400), untold: vec![] } };
        assert_eq!(Effort::of(finding, &story.run.progress), expect);
    }

    #[test]
    fn what_a_caller_claims_is_marked_and_costs_nothing_of_ours() {
        let held = held::held(Section::IndustryMarket);
        let results = vec![Claim { told: Told::new(&held.data), sources: held.sources, dropped: 0 }];
        let story = Story::begin(&Setup { imported: Imported { results, ..Imported::default() }, ..Setup::default() }, "rehearsal");
        let found = of(&story, Section::IndustryMarket);
        assert_eq!((&found["status"], &found["imported"]), (&json!("complete"), &json!(true)));
        assert!(found["cost"].is_null() && found["durationMs"].is_null());
    }
}
