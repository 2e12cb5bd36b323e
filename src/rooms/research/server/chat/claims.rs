//! Results that a program brings along in its messages. They are whatever whoever posts them says.

use super::RUN_RESEARCH;
use crate::{
    http::chat::{Message, ToolPart, ToolState},
    rooms::research::flow::{Claim, Data, Section, Source, Told},
};
use serde_json::{Value, json};

/// Characters of a result at most: no section that was researched here comes near.
const CLAIM_CHARS: usize = 60_000;

/// The results that a conversation holds, the last of each section.
pub fn extract_research_results(messages: &[Message]) -> Vec<Claim> {
    let mut claims: Vec<Claim> = Vec::new();
    for claim in messages.iter().flat_map(Message::calls).filter_map(claim) {
        claims.retain(|earlier| earlier.told.section != claim.told.section);
        claims.push(claim);
    }
    claims
}

fn claim(call: &ToolPart) -> Option<Claim> {
    let ToolState::Output(result) = &call.state else { return None };
    if call.name != RUN_RESEARCH || result["status"] != "complete" || result.to_string().len() > CLAIM_CHARS {
        return None;
    }
    let section = Section::parse(result["section"].as_str()?)?;
    let read = |data: Value| serde_json::from_value::<Data>(json!({ section.slug(): data })).ok();
    let sources: Vec<Source> = result["sources"].as_array().into_iter().flatten().filter_map(source).collect();
    let mut data = read(result["data"].clone())?;
    data.keep_to(&sources);
    // Of another form nothing is left: that is no result.
    (Some(&data) != read(json!({})).as_ref()).then(|| Claim { told: Told::new(&data), sources })
}

/// Only what can be opened like any page.
fn source(source: &Value) -> Option<Source> {
    let source: Source = serde_json::from_value(source.clone()).ok()?;
    ["https://", "http://"].iter().any(|scheme| source.url.starts_with(scheme)).then_some(source)
}
