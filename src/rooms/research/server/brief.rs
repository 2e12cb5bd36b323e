//! What a researcher and a synthesist go by: the known fields, and the results that a section builds on.

use super::prompt::fenced;
use crate::rooms::research::flow::{Finding, Known, Section, State};
use serde_json::Value;

/// What the attempt under way goes by, as it was known when it began.
pub fn brief(state: &State, section: Section) -> String {
    let Some(work) = &state.study(section).work else { return String::new() };
    let known = fenced("known", &lines(&work.brief.known));
    let results = section.builds_on().iter().filter_map(|on| Some(result(*on, state.study(*on).result.as_ref()?)));
    std::iter::once(known).chain(results).collect::<Vec<_>>().join("\n\n")
}

/// Each known field on a line of its own.
pub fn lines(known: &[Known]) -> String {
    let line = |known: &Known| {
        let value = if known.value.is_empty() { "(they do not know, or would rather not say)" } else { &known.value };
        format!("{}: {value}", known.field.slug())
    };
    if known.is_empty() { "(nothing yet)".to_owned() } else { known.iter().map(line).collect::<Vec<_>>().join("\n") }
}

/// Its data without the numbers of its sources, which mean others here.
fn result(section: Section, found: &Finding) -> String {
    let mut data = found.told.data.clone();
    without_sources(&mut data);
    let whose = if found.is_imported() { "What the caller claims was found before, unchecked" } else { "What was found before" };
    format!("{whose} on {}:\n{}", section.slug(), fenced("result", &data.to_string()))
}

fn without_sources(data: &mut Value) {
    match data {
        Value::Object(map) => {
            map.remove("sources");
            map.values_mut().for_each(without_sources);
        }
        Value::Array(list) => list.iter_mut().for_each(without_sources),
        _ => {}
    }
}
