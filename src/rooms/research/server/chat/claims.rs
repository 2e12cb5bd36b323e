//! Results that a program brings along in its messages. They are whatever whoever posts them says.

use super::RUN_RESEARCH;
use crate::{
    http::chat::{Message, ToolPart, ToolState},
    rooms::research::{
        flow::{Claim, Section, Source, Told, fitted, pages},
        server::schema,
    },
};
use serde::Deserialize;

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

/// Held to the same form and rules as what is researched here: what does not fit is no result.
fn claim(call: &ToolPart) -> Option<Claim> {
    let ToolState::Output(result) = &call.state else { return None };
    if call.name != RUN_RESEARCH || result["status"] != "complete" || result.to_string().len() > CLAIM_CHARS {
        return None;
    }
    let section = Section::parse(result["section"].as_str()?)?;
    let form = jsonschema::validator_for(&schema::section(section)).ok()?;
    let data = Some(&result["data"]).filter(|data| form.is_valid(data))?;
    let named = result["sources"].as_array().into_iter().flatten();
    let sources = pages(named.filter_map(|source| Source::deserialize(source).ok()));
    let (data, dropped) = fitted(section, schema::read_section(section, data.clone()).ok()?, &sources).ok()?;
    Some(Claim { told: Told::new(&data), sources, dropped })
}
