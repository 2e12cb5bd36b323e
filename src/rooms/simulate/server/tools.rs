//! The customer's two tools: what is on offer at a step, and what a call of one says.

use crate::{
    models::{Completion, ToolCall, ToolSpec},
    rooms::simulate::flow::{Call, Said, State, Tool},
};
use serde::Deserialize;
use serde_json::json;

pub const SEND_QUERY: &str = "sendQuery";
pub const RECORD_PHASE: &str = "recordPhaseCompletion";

/// Only what the rules allow now: the current phase alone, a question first, and near the last step the way to the end.
pub fn on_offer(state: &State) -> Vec<ToolSpec> {
    let Some(phase) = state.phase() else { return Vec::new() };
    let phase_value = json!({ "type": "string", "enum": [phase.slug()] });
    let send = ToolSpec {
        name: SEND_QUERY,
        description: "Say your next message to the assistant, in your own voice.",
        parameters: json!({
            "type": "object",
            "properties": { "query": { "type": "string", "description": "What you say, and nothing else." }, "phase": phase_value },
            "required": ["query", "phase"],
            "additionalProperties": false,
        }),
    };
    let record = ToolSpec {
        name: RECORD_PHASE,
        description: "Close the phase you are in, once you have learned in it what you needed.",
        parameters: json!({
            "type": "object",
            "properties": {
                "phase": phase_value,
                "insightsGathered": { "type": "array", "items": { "type": "string" }, "description": "What you learned, two to five short sentences." },
            },
            "required": ["phase", "insightsGathered"],
            "additionalProperties": false,
        }),
    };
    match () {
        () if state.queries(phase) == 0 => vec![send],
        () if state.must_complete() => vec![record],
        () => vec![send, record],
    }
}

#[derive(Deserialize)]
struct SendQuery {
    query: String,
    phase: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RecordPhase {
    phase: String,
    insights_gathered: Vec<String>,
}

/// What the model said, and the first tool it called.
pub fn read(completion: Completion) -> (Said, Tool) {
    let mut calls = completion.calls.into_iter();
    let Some(first) = calls.next() else {
        let said = Said { words: completion.text, call: None };
        return (said, Tool::Unusable("You spoke without a tool. Speak only by calling one of your tools.".to_owned()));
    };
    let tool = parse(&first);
    let call = Call { raw: raw(&first), surplus: calls.map(|call| raw(&call)).collect() };
    (Said { words: completion.text, call: Some(call) }, tool)
}

fn parse(call: &ToolCall) -> Tool {
    let arguments = call.arguments.as_str();
    let unusable = |error: serde_json::Error| Tool::Unusable(format!("The arguments of {} do not fit: {error}.", call.name));
    match call.name.as_str() {
        SEND_QUERY => serde_json::from_str(arguments).map_or_else(unusable, |SendQuery { query, phase }| Tool::SendQuery { query, phase }),
        RECORD_PHASE => serde_json::from_str(arguments).map_or_else(unusable, |RecordPhase { phase, insights_gathered }| {
            Tool::RecordPhaseCompletion { phase, insights: insights_gathered }
        }),
        other => Tool::Unusable(format!("There is no tool “{other}”; there are {SEND_QUERY} and {RECORD_PHASE}.")),
    }
}

fn raw(call: &ToolCall) -> String {
    serde_json::to_string(call).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(calls: Vec<(&str, &str)>, expect: Result<Tool, &str>) {
        let calls = calls
            .into_iter()
            .map(|(name, arguments)| ToolCall { name: name.into(), arguments: arguments.into(), ..ToolCall::default() })
            .collect();
        let (_, tool) = read(Completion { text: "hm".into(), calls, ..Completion::default() });
        match (tool, expect) {
            (Tool::Unusable(why), Err(part)) => assert!(why.contains(part), "{why:?} does not say {part:?}"),
            (tool, expect) => assert_eq!(Ok(tool), expect),
        }
    }

    #[test]
    fn calls_are_read_or_said_to_be_unusable() {
        check(
            vec![(SEND_QUERY, r#"{"query":"a","phase":"discovery","mood":1}"#)],
            Ok(Tool::SendQuery { query: "a".into(), phase: "discovery".into() }),
        );
        check(
            vec![(RECORD_PHASE, r#"{"phase":"activation","insightsGathered":["x"]}"#), (SEND_QUERY, "{}")],
            Ok(Tool::RecordPhaseCompletion { phase: "activation".into(), insights: vec!["x".into()] }),
        );
        check(vec![], Err("without a tool"));
        check(vec![("fly", "{}")], Err("no tool “fly”"));
        check(vec![(SEND_QUERY, "{\"query\":")], Err("do not fit"));
        check(vec![(SEND_QUERY, "{\"query\": 5, \"phase\": \"discovery\"}")], Err("do not fit"));
    }
}
