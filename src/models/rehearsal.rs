//! The rehearsal model: speaks a scripted reply, word by word, and is named as what it is wherever it speaks.

use super::{ChatModel, ChatRequest, Completion, Message, ModelEvent, ModelStream, ToolCall};
use futures::{StreamExt, stream};
use serde_json::Value;
use std::time::Duration;

/// A scripted reply, made by the room from what the person entered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    pub text: String,
    /// Tools' names and arguments, in the order in which they are called.
    pub calls: Vec<(&'static str, Value)>,
}

/// Words a person takes to begin: how long the typing dots show.
const THINKING_WORDS: u32 = 10;

pub struct Rehearsal {
    /// Time for one word.
    pub pace: Duration,
}

impl ChatModel for Rehearsal {
    fn stream(&self, _: &str, request: ChatRequest) -> ModelStream {
        let Reply { text, calls } = request.rehearsal;
        let calls: Vec<ToolCall> = (earlier(&request.messages) + 1..).zip(calls).map(called).collect();
        let words = pieces(&text).map(ModelEvent::Text);
        let mut events: Vec<ModelEvent> = words.chain(calls.iter().enumerate().flat_map(arguments)).collect();
        events.push(ModelEvent::Done(Completion {
            text: text.clone(),
            calls,
            tokens: Some((0, 0)),
            cost_micros: Some(0),
            ..Completion::default()
        }));
        let pace = self.pace;
        stream::iter(events.into_iter().enumerate())
            .then(move |(i, event)| async move {
                let words = if i == 0 { THINKING_WORDS } else { 1 };
                if !pace.is_zero() && !matches!(event, ModelEvent::Done(_)) {
                    tokio::time::sleep(pace * words).await;
                }
                Ok(event)
            })
            .boxed()
    }
}

/// Tool calls in the conversation so far: each further one has an id of its own.
fn earlier(messages: &[Message]) -> usize {
    messages.iter().map(|message| if let Message::Assistant { calls, .. } = message { calls.len() } else { 0 }).sum()
}

fn called((number, (name, arguments)): (usize, (&str, Value))) -> ToolCall {
    ToolCall { id: format!("rehearsal-{number}"), name: name.into(), arguments: arguments.to_string(), ..ToolCall::default() }
}

fn arguments((call, ToolCall { name, arguments, .. }): (usize, &ToolCall)) -> impl Iterator<Item = ModelEvent> {
    pieces(arguments).map(move |piece| ModelEvent::Arguments { call, tool: name.clone(), piece })
}

/// Where the hash begins: chosen so that what is said differs most between the worked examples.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2344;

/// What a script's choices follow from: FNV-1a (Fowler, Noll, Vo) over what the person entered.
pub fn seed(entered: &[&str]) -> u64 {
    let bytes = entered.iter().enumerate().flat_map(|(i, text)| (i > 0).then_some(0).into_iter().chain(text.bytes()));
    let hash = bytes.fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    hash ^ (hash >> 32)
}

/// Words with the space behind them.
fn pieces(text: &str) -> impl Iterator<Item = String> {
    text.split_inclusive(' ').map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[tokio::test]
    async fn speaks_the_script_word_by_word_and_then_says_it_is_done() {
        let calls = vec![("greet", json!({ "name": "Ümit Ö" })), ("ask", json!({ "what": "how are you" }))];
        let rehearsal = Reply { text: "Good  morning, Ümit.".into(), calls };
        let before = Message::Assistant { text: String::new(), calls: vec![ToolCall::default()] };
        let request = ChatRequest { messages: vec![before], tools: vec![], tool_required: false, max_tokens: 1, format: None, rehearsal };
        let mut events: Vec<_> =
            Rehearsal { pace: Duration::ZERO }.stream("", request).map(|event| event.expect("rehearsal never fails")).collect().await;
        let Some(ModelEvent::Done(done)) = events.pop() else { panic!("no end: {events:?}") };
        let (mut text, mut arguments) = (String::new(), [String::new(), String::new()]);
        for event in &events {
            match event {
                ModelEvent::Text(words) => text += words,
                ModelEvent::Arguments { call, tool, piece } if done.calls[*call].name == *tool => arguments[*call] += piece,
                other => panic!("unexpected: {other:?}"),
            }
        }
        assert_eq!((text.as_str(), done.text.as_str()), ("Good  morning, Ümit.", "Good  morning, Ümit."));
        let told: Vec<_> = done.calls.iter().map(|call| (call.id.as_str(), call.name.as_str(), call.arguments.as_str())).collect();
        assert_eq!(told, [("rehearsal-2", "greet", arguments[0].as_str()), ("rehearsal-3", "ask", arguments[1].as_str())]);
        assert_eq!(arguments, [r#"{"name":"Ümit Ö"}"#, r#"{"what":"how are you"}"#]);
    }
}
