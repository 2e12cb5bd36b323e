//! Ask → prompt and call → outcome. Judges nothing: that is the flow's.

use super::{prompt, rehearsal, transcript::transcript};
use crate::{
    engine::{
        entry::Run,
        server::{Agent, Call, CallError, Passage},
    },
    models::{ChatRequest, Message, ModelError, ModelEvent, Models, Role, Route},
    rooms::debate::flow::{
        Ask, Debate, Outcome, State,
        sentences::{plain, without_marks},
    },
};
use std::sync::Arc;

/// Tokens a turn may have, and the summary: some more than its sentences need, since a model that is cut off says less.
const TURN_TOKENS: u32 = 400;
const SUMMARY_TOKENS: u32 = 700;

pub struct Coordinator {
    pub models: Arc<Models>,
}

impl Agent for Coordinator {
    type Flow = Debate;

    fn model(&self) -> Option<String> {
        self.models.route(Role::Debater).filter(|_| self.models.is_complete()).map(|route| route.name.clone())
    }

    fn model_for(&self, state: &State, ask: &Ask) -> String {
        // The route's own name comes first: what was chosen may be called now, and recorded then.
        self.route(state, ask).map(|route| route.name.as_str()).or(chosen(state, ask)).unwrap_or_default().to_owned()
    }

    fn transcript(&self, run: &Run<Debate>) -> Vec<Passage> {
        transcript(run)
    }

    async fn perform(&self, state: State, ask: Ask, call: Call) -> Result<Outcome, CallError> {
        let failed = |error| CallError { error, begun: false };
        let route = self.route(&state, &ask).ok_or_else(|| failed(missing(&state, &ask)))?;
        let told = prompt::build(&state.debate, &ask).map_err(|refusal| failed(ModelError::BadRequest(refusal.to_string())))?;
        let request = ChatRequest {
            messages: vec![Message::User(told)],
            tools: vec![],
            tool_required: false,
            max_tokens: if ask == Ask::Summary { SUMMARY_TOKENS } else { TURN_TOKENS },
            format: None,
            rehearsal: rehearsal::reply(&state, &ask),
        };
        let mut shown = Shown::default();
        let completion =
            call.chat(route, request, |event| if let ModelEvent::Text(text) = event { shown.more(text) } else { None }).await?;
        if is_bare(&state, &ask, &completion.text) {
            return Err(CallError { error: ModelError::Empty, begun: true });
        }
        Ok(Outcome { text: completion.text, cut: completion.cut })
    }
}

impl Coordinator {
    /// What is chosen for a persona is used or nothing is: never another model in its place.
    fn route(&self, state: &State, ask: &Ask) -> Option<&Route> {
        match chosen(state, ask) {
            Some(name) => self.models.named(Role::Debater, name),
            None => self.models.route(role(ask)),
        }
    }
}

/// The model that this persona was given.
fn chosen<'a>(state: &'a State, ask: &Ask) -> Option<&'a str> {
    let Ask::Turn { persona, .. } = ask else { return None };
    state.debate.get(persona)?.model.as_deref()
}

fn missing(state: &State, ask: &Ask) -> ModelError {
    match chosen(state, ask) {
        Some(model) => ModelError::NotConfigured { model: model.to_owned() },
        None => ModelError::BadRequest("no model is configured for this role".into()),
    }
}

/// Is nothing left of it once it is taken down?
fn is_bare(state: &State, ask: &Ask, text: &str) -> bool {
    let words = match ask {
        Ask::Turn { persona, .. } => plain(text, state.debate.get(persona).map_or("", |persona| &persona.name)),
        Ask::Summary => without_marks(&plain(text, "")),
    };
    !words.contains(char::is_alphanumeric)
}

fn role(ask: &Ask) -> Role {
    if *ask == Ask::Summary { Role::Summariser } else { Role::Debater }
}

/// The words as people see them while they come: without the numbers of messages.
#[derive(Default)]
struct Shown {
    text: String,
    bytes: usize,
}

impl Shown {
    fn more(&mut self, piece: &str) -> Option<String> {
        self.text.push_str(piece);
        let words = without_marks(&self.text);
        // A space may yet be followed by a mark, and is then none.
        let words = words.trim_end();
        let new = words.get(self.bytes..).filter(|new| !new.is_empty()).map(str::to_owned);
        self.bytes = self.bytes.max(words.len());
        new
    }
}
