//! The rehearsal model: speaks a scripted reply, word by word, and is named as what it is wherever it speaks.

use super::{ChatModel, ChatRequest, Completion, ModelEvent, ModelStream, ToolCall};
use futures::{StreamExt, stream};
use serde_json::Value;
use std::time::Duration;

/// A scripted reply, made by the room from what the person entered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    pub text: String,
    /// A tool's name and arguments.
    pub call: Option<(&'static str, Value)>,
}

/// Words a person takes to begin: how long the typing dots show.
const THINKING_WORDS: u32 = 10;

pub struct Rehearsal {
    /// Time for one word.
    pub pace: Duration,
}

impl ChatModel for Rehearsal {
    fn stream(&self, _: &str, request: ChatRequest) -> ModelStream {
        let Reply { text, call } = request.rehearsal;
        let call = call.map(|(name, arguments)| ToolCall {
            id: "rehearsal".into(),
            name: name.into(),
            arguments: arguments.to_string(),
            ..ToolCall::default()
        });
        let words = pieces(&text).map(ModelEvent::Text);
        let arguments = call.iter().flat_map(|call| pieces(&call.arguments)).map(ModelEvent::Arguments);
        let mut events: Vec<ModelEvent> = words.chain(arguments).collect();
        events.push(ModelEvent::Done(Completion {
            text: text.clone(),
            calls: call.into_iter().collect(),
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

    #[tokio::test]
    async fn speaks_the_script_word_by_word_and_then_says_it_is_done() {
        let reply = Reply { text: "Good  morning, Ümit.".into(), call: Some(("greet", serde_json::json!({ "name": "Ümit Ö" }))) };
        let request =
            ChatRequest { messages: vec![], tools: vec![], tool_required: false, max_tokens: 1, format: None, rehearsal: reply.clone() };
        let events: Vec<_> =
            Rehearsal { pace: Duration::ZERO }.stream("", request).map(|event| event.expect("rehearsal never fails")).collect().await;
        let text: String =
            events.iter().filter_map(|event| if let ModelEvent::Text(text) = event { Some(text.as_str()) } else { None }).collect();
        assert_eq!(text, reply.text);
        let Some(ModelEvent::Done(done)) = events.last() else { panic!("no end: {events:?}") };
        assert_eq!((done.text.as_str(), done.calls[0].name.as_str()), (reply.text.as_str(), "greet"));
        assert_eq!(done.calls[0].arguments, r#"{"name":"Ümit Ö"}"#);
    }
}
