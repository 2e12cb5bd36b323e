//! A section's result as programs read it, and as they bring it along.

use super::RUN_RESEARCH;
use crate::{
    engine::progress::Progress,
    http::chat::{Message, ToolPart, ToolState},
    rooms::research::flow::{Ask, Claim, Data, Finding, Section, Source},
};
use serde_json::{Value, json};

/// What was found. The cost is in US dollars, and `null` where the provider did not say.
pub fn complete(finding: &Finding, progress: &Progress) -> Value {
    let section = finding.data.section();
    let cost = cost_micros(progress, section, finding.attempt).map(|micros| micros as f64 / 1e6);
    json!({
        "section": section,
        "status": "complete",
        "data": json!(finding.data)[section.slug()],
        "sources": finding.sources,
        "durationMs": finding.ms,
        "cost": cost,
    })
}

pub fn failed(section: Section, error: &str) -> Value {
    json!({ "section": section, "status": "error", "error": error })
}

/// What the calls of an attempt took; `None` where one of them did not say.
fn cost_micros(progress: &Progress, of: Section, attempt: u32) -> Option<i64> {
    let of_it = |ask: &Value| serde_json::from_value(ask.clone()).ok().and_then(|ask| section(&ask)) == Some((of, attempt));
    progress.calls.iter().filter(|call| of_it(&call.ask)).map(|call| call.cost_micros).sum()
}

/// The section, and the attempt, that a call is made for.
pub fn section(ask: &Ask) -> Option<(Section, u32)> {
    match *ask {
        Ask::Gather { section, attempt } | Ask::Synthesise { section, attempt } | Ask::Repair { section, attempt } => {
            Some((section, attempt))
        }
        Ask::Extract { .. } | Ask::Interview { .. } | Ask::Summary { .. } => None,
    }
}

/// The results that a conversation holds, the last of each section. They are whatever the one who posts them says.
pub fn extract_research_results(messages: &[Message]) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for claim in messages.iter().flat_map(Message::calls).filter_map(claim) {
        claims.retain(|earlier| earlier.data.section() != claim.data.section());
        claims.push(claim);
    }
    claims
}

fn claim(call: &ToolPart) -> Option<Claim> {
    let ToolState::Output(result) = &call.state else { return None };
    if call.name != RUN_RESEARCH || result["status"] != "complete" {
        return None;
    }
    let section = Section::parse(result["section"].as_str()?)?;
    let read = |data: Value| serde_json::from_value::<Data>(json!({ section.slug(): data })).ok();
    let sources: Vec<Source> = result["sources"].as_array().into_iter().flatten().filter_map(source).collect();
    let mut data = read(result["data"].clone())?;
    data.keep_to(&sources);
    // Of another form nothing is left: that is no result.
    (Some(&data) != read(json!({})).as_ref()).then_some(Claim { data, sources })
}

/// Only what can be opened like any page.
fn source(source: &Value) -> Option<Source> {
    let source: Source = serde_json::from_value(source.clone()).ok()?;
    ["https://", "http://"].iter().any(|scheme| source.url.starts_with(scheme)).then_some(source)
}
