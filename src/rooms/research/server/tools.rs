//! The interviewer's two tools: what is on offer at a turn, and what a call of one says.

use crate::{
    models::{ToolCall, ToolSpec},
    rooms::research::flow::{AskUser, Choice, Field, Section, State, Tool},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub const ASK_USER: &str = "askUser";
pub const RUN_RESEARCH: &str = "runResearch";

/// Only what may be called now: once nothing is missing, what the person may want again.
pub fn on_offer(state: &State) -> Vec<ToolSpec> {
    let is_missing = state.missing().next().is_some();
    let first = first(state).into_iter().filter(|_| is_missing);
    let sections: Vec<Section> = first.chain(again(state)).collect();
    let research = (!sections.is_empty()).then(|| run_research(&sections));
    is_missing.then(|| ask_user(state)).into_iter().chain(research).collect()
}

/// What can be researched for the first time, and on something.
pub fn first(state: &State) -> Vec<Section> {
    state.ready().into_iter().filter(|section| !state.is_barren(*section)).collect()
}

/// What has come to nothing or is stale, where the person may just have asked for it.
pub fn again(state: &State) -> Vec<Section> {
    Section::ALL.into_iter().filter(|section| state.is_addressed() && state.may_retry(*section)).collect()
}

fn ask_user(state: &State) -> ToolSpec {
    let open: Vec<&str> = Field::ALL.into_iter().filter(|field| state.answer(*field).is_none()).map(Field::slug).collect();
    let option = json!({
        "type": "object",
        "properties": {
            "label": { "type": "string", "description": "As the person reads it: one to five words." },
            "value": { "type": "string", "description": "What it means for the field." },
        },
        "required": ["label", "value"],
        "additionalProperties": false,
    });
    ToolSpec {
        name: ASK_USER,
        description: "Ask the person one question and wait for the answer.",
        parameters: json!({
            "type": "object",
            "properties": {
                "question": { "type": "string", "description": "The question, and nothing else." },
                "field": { "type": "string", "enum": open, "description": "What the answer is for." },
                "options": { "type": "array", "items": option, "maxItems": 8, "description": "Likely answers to choose from, if there are a few." },
                "multi": { "type": "boolean", "description": "More than one option may be chosen." },
                "allowOther": { "type": "boolean", "description": "An answer of their own is invited as well." },
            },
            "required": ["question", "field"],
            "additionalProperties": false,
        }),
    }
}

fn run_research(sections: &[Section]) -> ToolSpec {
    let slugs: Vec<&str> = sections.iter().map(|section| section.slug()).collect();
    ToolSpec {
        name: RUN_RESEARCH,
        description: "Have a section researched, from what is known by now. It goes on beside the conversation: do not wait for it.",
        parameters: json!({
            "type": "object",
            "properties": { "section": { "type": "string", "enum": slugs } },
            "required": ["section"],
            "additionalProperties": false,
        }),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    question: String,
    field: String,
    #[serde(default)]
    options: Option<Vec<Value>>,
    #[serde(default)]
    multi: Option<bool>,
    #[serde(default)]
    allow_other: Option<bool>,
}

/// Some models leave the value out, or write the label alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Offered {
    Choice {
        label: String,
        #[serde(default)]
        value: String,
    },
    Label(String),
}

#[derive(Deserialize)]
struct Called {
    section: String,
}

/// Each call as it was made, and as it is understood.
pub fn read(calls: Vec<ToolCall>) -> Vec<(String, Tool)> {
    calls.into_iter().map(|call| (raw(&call), parse(&call))).collect()
}

fn parse(call: &ToolCall) -> Tool {
    let unusable = |error: serde_json::Error| Tool::Unusable(format!("The arguments of {} do not fit: {error}.", call.name));
    match call.name.as_str() {
        ASK_USER => serde_json::from_str(&call.arguments).map_or_else(unusable, |asked| Tool::AskUser(question(asked))),
        RUN_RESEARCH => serde_json::from_str(&call.arguments).map_or_else(unusable, |Called { section }| Tool::RunResearch(section)),
        other => Tool::Unusable(format!("There is no tool “{other}”; there are {ASK_USER} and {RUN_RESEARCH}.")),
    }
}

fn question(asked: Asked) -> AskUser {
    // One that is no option takes nothing from the others.
    let choice = |offered| match serde_json::from_value(offered).ok()? {
        Offered::Choice { label, value } => Some(Choice { label, value }),
        Offered::Label(label) => Some(Choice { value: label.clone(), label }),
    };
    AskUser {
        question: asked.question,
        field: asked.field,
        options: asked.options.into_iter().flatten().filter_map(choice).collect(),
        multi: asked.multi.unwrap_or_default(),
        allow_other: asked.allow_other.unwrap_or_default(),
    }
}

fn raw(call: &impl Serialize) -> String {
    serde_json::to_string(call).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::flow::{Flow, Stamp},
        rooms::research::flow::{Command, Event, Research, Setup},
    };

    fn after(commands: &[(Field, &str)]) -> State {
        let state = Research::begin(&Setup::default()).expect("a valid setup");
        commands.iter().fold(state, |state, (field, text)| {
            let command = Command::Correct { field: *field, text: (*text).to_owned() };
            let events = Research::decide(&state, command).expect("accepted");
            events.iter().fold(state, |state, event| Research::apply(state, Stamp { seq: 1, at: 1 }, event))
        })
    }

    fn offered(state: &State) -> Vec<(&'static str, Vec<String>)> {
        let names = |spec: &ToolSpec| {
            let of = if spec.name == ASK_USER { "field" } else { "section" };
            serde_json::from_value(spec.parameters["properties"][of]["enum"].clone()).expect("names")
        };
        on_offer(state).iter().map(|spec| (spec.name, names(spec))).collect()
    }

    #[test]
    fn only_what_may_be_called_is_on_offer() {
        let nothing = offered(&after(&[]));
        assert_eq!((nothing.len(), nothing[0].1.len()), (1, Field::ALL.len()));
        let known = after(&[(Field::BusinessModel, "B2B"), (Field::Industry, "Bakeries")]);
        let offer = offered(&known);
        assert!(!offer[0].1.contains(&"industry".to_owned()), "{offer:?}");
        assert_eq!(offer[1], (RUN_RESEARCH, vec!["industryMarket".to_owned()]));
        let all: Vec<(Field, &str)> = Field::ALL.into_iter().filter(|field| field.is_required()).map(|field| (field, "x")).collect();
        assert_eq!(offered(&after(&all)), []);
    }

    /// What has come to nothing is on offer only in the turn that answers the person's words.
    #[test]
    fn what_may_be_wanted_again_is_on_offer_to_whoever_has_just_spoken() {
        let apply = |state, event: Event| Research::apply(state, Stamp { seq: 1, at: 1 }, &event);
        let required = || Field::ALL.into_iter().filter(|field| field.is_required());
        let known = after(&required().map(|field| (field, "x")).collect::<Vec<_>>());
        let failed = apply(known, Event::ResearchFailed { section: Section::Competitors, error: "Down.".into() });
        assert_eq!(offered(&failed), []);
        let said = apply(failed, Event::Said { text: "Try the competitors again.".into() });
        assert_eq!(offered(&said), [(RUN_RESEARCH, vec!["competitors".to_owned()])]);
    }

    fn check(name: &str, arguments: &str, expect: Result<Tool, &str>) {
        let call = ToolCall { name: name.into(), arguments: arguments.into(), ..ToolCall::default() };
        match (read(vec![call]).remove(0).1, expect) {
            (Tool::Unusable(why), Err(part)) => assert!(why.contains(part), "{why:?} does not say {part:?}"),
            (tool, expect) => assert_eq!(Ok(tool), expect),
        }
    }

    #[test]
    fn calls_are_read_or_said_to_be_unusable() {
        let asked = |options: &[(&str, &str)], multi, allow_other| {
            let choice = |(label, value): &(&str, &str)| Choice { label: (*label).into(), value: (*value).into() };
            let options = options.iter().map(choice).collect();
            Ok(Tool::AskUser(AskUser { question: "Who?".into(), field: "industry".into(), options, multi, allow_other }))
        };
        check(ASK_USER, r#"{"question":"Who?","field":"industry"}"#, asked(&[], false, false));
        check(ASK_USER, r#"{"question":"Who?","field":"industry","options":null,"multi":null,"mood":1}"#, asked(&[], false, false));
        let options = r#"{"question":"Who?","field":"industry","options":[{"label":"A","value":"a"},{"label":"B"},"C"],"multi":true,"allowOther":true}"#;
        check(ASK_USER, options, asked(&[("A", "a"), ("B", ""), ("C", "C")], true, true));
        let odd = r#"{"question":"Who?","field":"industry","options":[null,7,"A",{"label":null},{"value":"b"}]}"#;
        check(ASK_USER, odd, asked(&[("A", "A")], false, false));
        check(RUN_RESEARCH, r#"{"section":"competitors","context":{}}"#, Ok(Tool::RunResearch("competitors".into())));
        check(RUN_RESEARCH, r#"{"section":7}"#, Err("do not fit"));
        check(ASK_USER, r#"{"question":"#, Err("do not fit"));
        check("fly", "{}", Err("no tool “fly”"));
    }
}
