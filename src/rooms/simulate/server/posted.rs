//! What a `useChat` client posts to start a journey.

use crate::{
    error::AppError,
    http::chat::Message,
    rooms::simulate::flow::{Assistant, MAX_STEPS, Setup},
};
use serde::Deserialize;
use utoipa::ToSchema;

/// What npm `ai`'s `useChat` posts, with the persona in its extra body. Further fields are left alone.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SimulateRequest)]
pub struct Posted {
    /// The customer, in your own words. May be left out in a chat that has had a run.
    #[schema(max_length = 4000)]
    icp_persona: Option<String>,
    /// The customer's first question. Without it the last user message is.
    #[schema(max_length = 4000)]
    initial_query: Option<String>,
    /// Steps of the customer's at most, 1 to 15.
    #[schema(minimum = 1, maximum = 15)]
    max_steps: Option<u32>,
    /// The assistant under test, where it is not ours.
    #[serde(default)]
    assistant: Chosen,
    /// The client's own id of the conversation. While its run goes on, whatever is posted under it is answered with that
    /// run; afterwards a new run starts.
    #[schema(max_length = 255)]
    pub id: Option<String>,
    #[serde(default)]
    messages: Vec<Message>,
}

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = AssistantUnderTest)]
struct Chosen {
    /// `provider:model`, or `rehearsal`.
    model: Option<String>,
    /// Its system instructions.
    #[schema(max_length = 4000)]
    instructions: Option<String>,
}

impl Posted {
    /// What it asks for; `earlier` is what the chat's last run was started with.
    pub fn setup(self, earlier: Option<Setup>, context_chars: u32) -> Result<Setup, AppError> {
        let query = self.initial_query.or_else(|| self.messages.iter().rev().find_map(Message::said));
        Ok(Setup {
            icp: self
                .icp_persona
                .or(earlier.map(|setup| setup.icp))
                .ok_or_else(|| AppError::field("icpPersona", "Describe the customer."))?,
            assistant: Assistant::chosen(self.assistant.model.unwrap_or_default(), self.assistant.instructions.unwrap_or_default()),
            query: query.ok_or_else(|| AppError::field("initialQuery", "Say what the customer asks first, here or as a user message."))?,
            max_steps: self.max_steps.unwrap_or(MAX_STEPS),
            context_chars,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn check(posted: Value, earlier: Option<&str>, expect: Result<(&str, &str), &str>) {
        let posted: Posted = serde_json::from_value(posted).expect("a body");
        let setup =
            |icp: &str| Setup { icp: icp.into(), query: "old".into(), assistant: Assistant::default(), max_steps: 3, context_chars: 1 };
        match (posted.setup(earlier.map(setup), 7), expect) {
            (Ok(setup), expect) => assert_eq!(Ok((setup.icp.as_str(), setup.query.as_str())), expect),
            (Err(error), Err(pointer)) => assert_eq!(error.errors[0].pointer, pointer),
            (Err(error), Ok(_)) => panic!("{error}"),
        }
    }

    #[test]
    fn what_a_client_asks_for() {
        let user = |text: &str| json!({ "id": "m", "role": "user", "parts": [{ "type": "file" }, { "type": "text", "text": text }] });
        let assistant = json!({ "role": "assistant", "parts": [{ "type": "text", "text": "no" }] });
        check(json!({ "icpPersona": "Marta", "initialQuery": "Which?", "trigger": "x", "more": null }), None, Ok(("Marta", "Which?")));
        let messages = json!([user("first"), assistant, user("last"), assistant]);
        check(json!({ "icpPersona": "Marta", "messages": messages }), None, Ok(("Marta", "last")));
        check(json!({ "icpPersona": "Marta", "initialQuery": "Which?", "messages": messages }), None, Ok(("Marta", "Which?")));
        check(json!({ "icpPersona": "Marta", "messages": [assistant, user(" ")] }), None, Err("/initialQuery"));
        check(json!({ "messages": messages }), None, Err("/icpPersona"));
        check(json!({ "messages": messages }), Some("Ben"), Ok(("Ben", "last")));
    }
}
