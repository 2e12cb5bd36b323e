//! What a `useChat` client posts to hold a conversation.

use crate::http::chat::Message;
use serde::Deserialize;
use utoipa::ToSchema;

/// What npm `ai`'s `useChat` posts. Further fields are left alone.
#[derive(Deserialize, ToSchema)]
#[schema(as = JourneyRequest)]
pub struct Posted {
    /// The client's own id of the conversation: whatever is posted under it goes on with its run.
    #[schema(max_length = 255)]
    pub id: Option<String>,
    /// The conversation as the client has it. None, or an empty one: the interviewer begins.
    #[serde(default)]
    pub messages: Vec<Message>,
    /// `regenerate-message` lets a run go on that has come to a halt.
    #[serde(default)]
    trigger: String,
}

impl Posted {
    /// Is the same asked for once more?
    pub fn again(&self) -> bool {
        self.trigger == "regenerate-message"
    }

    /// The assistant's message that goes on, by the client's own id.
    pub fn going_on(&self) -> Option<&str> {
        self.messages.last().filter(|last| last.is_assistants())?.id.as_deref()
    }

    /// Makes a message that starts a run harmless when it is posted twice at once. It can be guessed: only for a known owner.
    pub fn key(&self, chat: &str) -> Option<String> {
        let message = self.messages.last().filter(|last| last.is_users())?.id.as_deref()?;
        Some(format!("{chat} {message}"))
    }
}
