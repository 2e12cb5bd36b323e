//! What each role is told: the prompts beside this file, and the conversation as that role knows it.

use super::tools::{RECORD_PHASE, SEND_QUERY};
use crate::{
    models::{Message, ToolCall},
    rooms::simulate::flow::{Answer, Call, Said, State, Step},
};
use minijinja::{Environment, context};
use serde_json::json;

const CUSTOMER: &str = include_str!("prompts/customer.md");
const STEP: &str = include_str!("prompts/step.md");
const ASSISTANT: &str = include_str!("prompts/assistant.md");
const SUMMARY: &str = include_str!("prompts/summary.md");

/// What a further call of one turn is answered.
const ONE_AT_A_TIME: &str = "One at a time: only your first call counted.";

/// The customer's own conversation: its calls and their results, then who and where it is, said anew.
pub fn customer(state: &State) -> Vec<Message> {
    let persona = &state.setup.icp;
    let mut messages = vec![Message::System(render(CUSTOMER, context! { persona })), Message::User("Begin.".to_owned())];
    messages.extend(remembered(state).map(Message::User));
    let steps = state.steps.iter().enumerate().skip(summarised(state));
    steps.for_each(|(i, step)| messages.extend(as_customer(i, step)));
    let Some(phase) = state.phase() else { return messages };
    messages.push(Message::User(render(
        STEP,
        context! {
            persona, phase => phase.slug(), questions => state.queries(phase), step => state.steps_taken() + 1,
            max_steps => state.setup.max_steps, must_complete => state.must_complete(),
        },
    )));
    messages
}

/// The assistant's conversation; it never learns that the customer is simulated.
pub fn assistant(state: &State) -> Vec<Message> {
    let told = state.setup.assistant.instructions.as_deref().unwrap_or(ASSISTANT);
    let mut messages = vec![Message::System(told.trim().to_owned())];
    messages.extend(remembered(state).map(Message::System));
    for (query, answer) in turns(&state.steps[summarised(state)..]) {
        messages.push(Message::User(query.to_owned()));
        messages.extend(answer.map(|answer| Message::Assistant { text: answer.text.clone(), calls: vec![] }));
    }
    messages
}

/// The turns before that step, and what was already remembered of earlier ones.
pub fn summary(state: &State, through: u32) -> Vec<Message> {
    let mut text = remembered(state).map(|earlier| earlier + "\n\n").unwrap_or_default();
    for (query, answer) in turns(&state.steps[summarised(state)..through as usize]) {
        text.push_str(&format!("Customer: {query}\n\n"));
        text.extend(answer.map(|answer| format!("Assistant: {}\n\n", answer.text)));
    }
    vec![Message::System(SUMMARY.trim().to_owned()), Message::User(text.trim_end().to_owned())]
}

fn summarised(state: &State) -> usize {
    state.summary.as_ref().map_or(0, |summary| summary.through as usize)
}

fn remembered(state: &State) -> Option<String> {
    state.summary.as_ref().map(|summary| format!("Earlier in this conversation: {}", summary.text))
}

fn turns(steps: &[Step]) -> impl Iterator<Item = (&str, Option<&Answer>)> {
    steps.iter().filter_map(|step| match step {
        Step::Asked { query, answer, .. } => Some((query.as_str(), answer.as_ref())),
        _ => None,
    })
}

/// One step as the customer's model lived it: its call, and what came of it.
fn as_customer(i: usize, step: &Step) -> Vec<Message> {
    match step {
        Step::Asked { phase, query, call, answer } => {
            let own = || invented(i, SEND_QUERY, json!({ "query": query, "phase": phase.slug() }));
            let result = answer.as_ref().map_or("", |answer| &answer.text);
            called(String::new(), call.as_ref(), own, result)
        }
        Step::Completed { phase, insights, call } => {
            let own = || invented(i, RECORD_PHASE, json!({ "phase": phase.slug(), "insightsGathered": insights }));
            called(String::new(), Some(call), own, &format!("{} is complete.", phase.name()))
        }
        Step::Corrected { said: Said { words, call: None }, why } => {
            vec![Message::Assistant { text: words.clone(), calls: vec![] }, Message::User(why.clone())]
        }
        Step::Corrected { said: Said { words, call }, why } => {
            called(words.clone(), call.as_ref(), || invented(i, SEND_QUERY, json!({})), why)
        }
    }
}

/// A turn with its calls and their results. `own` stands in for a call that no model made, as at the first step.
fn called(words: String, call: Option<&Call>, own: impl Fn() -> ToolCall, result: &str) -> Vec<Message> {
    let read = |raw: &String| serde_json::from_str(raw).ok().map(readable);
    let first = call.and_then(|call| read(&call.raw)).unwrap_or_else(&own);
    let surplus: Vec<ToolCall> = call.iter().flat_map(|call| call.surplus.iter().filter_map(read)).collect();
    let mut results = vec![Message::Tool { id: first.id.clone(), text: result.to_owned() }];
    results.extend(surplus.iter().map(|call| Message::Tool { id: call.id.clone(), text: ONE_AT_A_TIME.to_owned() }));
    let calls = std::iter::once(first).chain(surplus).collect();
    std::iter::once(Message::Assistant { text: words, calls }).chain(results).collect()
}

/// Arguments that were cut off are no JSON, and servers choke on their own words.
fn readable(mut call: ToolCall) -> ToolCall {
    if serde_json::from_str::<serde::de::IgnoredAny>(&call.arguments).is_err() {
        call.arguments = "{}".to_owned();
    }
    call
}

fn invented(i: usize, name: &str, arguments: serde_json::Value) -> ToolCall {
    ToolCall { id: format!("step_{i}"), name: name.to_owned(), arguments: arguments.to_string(), ..ToolCall::default() }
}

/// The templates are part of the program; the tests render each of them.
fn render(template: &str, context: minijinja::Value) -> String {
    Environment::new().render_str(template, context).unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::flow::Flow,
        rooms::simulate::flow::{Assistant, CONTEXT_CHARS, Phase, Setup, Simulate, Summary},
    };

    /// A conversation with everything in it that a prompt has to tell.
    fn state() -> State {
        let setup = Setup {
            icp: "Marta, 41, runs a bakery. Hates {{ fees }}.".into(),
            query: "Which card reader?".into(),
            assistant: Assistant::default(),
            max_steps: 15,
            context_chars: CONTEXT_CHARS,
        };
        let mut state = Simulate::begin(&setup).expect("a valid setup");
        let raw = |id: &str, name: &str| json!({ "id": id, "name": name, "arguments": "{}" }).to_string();
        let call = |id: &str, name: &str| Call { raw: raw(id, name), surplus: vec![] };
        let answer = |text: &str| Some(Answer { text: text.into(), cut: false });
        if let Some(Step::Asked { answer: first, .. }) = state.steps.first_mut() {
            *first = answer("One that works offline.");
        }
        state.steps.extend([
            Step::Corrected {
                said: Said { words: "Hm, offline?".into(), call: None },
                why: "Speak only by calling one of your tools.".into(),
            },
            Step::Completed { phase: Phase::Discovery, insights: vec!["Offline matters".into()], call: call("a", RECORD_PHASE) },
            Step::Asked {
                phase: Phase::Consideration,
                query: "And fees?".into(),
                call: Some(Call { surplus: vec![raw("c", SEND_QUERY)], ..call("b", SEND_QUERY) }),
                answer: answer("1.69 %."),
            },
        ]);
        state
    }

    #[test]
    fn what_the_customer_is_told() {
        insta::assert_debug_snapshot!(customer(&state()));
    }

    #[test]
    fn what_the_assistant_is_told() {
        insta::assert_debug_snapshot!(assistant(&state()));
    }

    #[test]
    fn what_an_assistant_with_instructions_of_its_own_is_told() {
        let mut state = state();
        state.setup.assistant = Assistant::chosen(String::new(), " You are Umbrelio's assistant. {{ Sell }} nothing.\n".into());
        insta::assert_debug_snapshot!(assistant(&state));
    }

    #[test]
    fn what_the_summariser_is_told_and_what_remains_after_it() {
        let mut state = state();
        insta::assert_debug_snapshot!(summary(&state, 3));
        state.summary = Some(Summary { through: 3, text: "They spoke of offline use.".into() });
        insta::assert_debug_snapshot!((customer(&state), assistant(&state)));
    }

    #[test]
    fn the_assistant_never_learns_that_the_customer_is_simulated() {
        let told = format!("{:?}", assistant(&state())).to_lowercase();
        assert!(["simulat", "phase", "journey", "persona"].iter().all(|word| !told.contains(word)));
    }
}
