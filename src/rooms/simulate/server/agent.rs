//! Ask → prompt and call → outcome. Judges nothing: that is the flow's.

use super::{prompt, rehearsal, tools, transcript::transcript};
use crate::{
    engine::{
        entry::Run,
        server::{Agent, Call, CallError, Passage},
    },
    models::{ChatRequest, Completion, Message, ModelError, ModelEvent, Models, Role, Route, so_far},
    rooms::simulate::flow::{Answer, Ask, Outcome, Simulate, State, Tool},
};
use std::sync::Arc;

/// Tokens a turn may have: a question with its arguments, an answer, a summary.
const CUSTOMER_TOKENS: u32 = 600;
const ASSISTANT_TOKENS: u32 = 1_200;
const SUMMARY_TOKENS: u32 = 500;

pub struct Simulator {
    pub models: Arc<Models>,
}

impl Agent for Simulator {
    type Flow = Simulate;

    fn model(&self) -> Option<String> {
        self.models.route(Role::Simulator).filter(|_| self.models.is_complete()).map(|route| route.name.clone())
    }

    fn model_for(&self, state: &State, ask: &Ask) -> String {
        // The route's own name comes first: what was chosen may be called now, and recorded then.
        self.route(state, ask).map(|route| route.name.as_str()).or(chosen(state, ask)).unwrap_or_default().to_owned()
    }

    fn transcript(&self, run: &Run<Simulate>) -> Vec<Passage> {
        transcript(run)
    }

    async fn perform(&self, state: State, ask: Ask, call: Call) -> Result<Outcome, CallError> {
        let missing = || CallError { error: missing(&state, &ask), begun: false };
        let route = self.route(&state, &ask).ok_or_else(missing)?;
        match ask {
            Ask::Customer { .. } => customer(&state, route, &call).await,
            // The first question is the person's own; every later one is the customer's tool, which the answer executes.
            Ask::Assistant { step: 0 } => assistant(&state, &ask, route, &call).await,
            Ask::Assistant { .. } => assistant(&state, &ask, route, &call.tool(tools::SEND_QUERY)).await,
            Ask::Summary { through } => summary(&state, through, route, &call).await,
        }
    }
}

impl Simulator {
    /// What is chosen for a run is used or nothing is: never another model in its place.
    fn route(&self, state: &State, ask: &Ask) -> Option<&Route> {
        match chosen(state, ask) {
            Some(name) => self.models.named(role(ask), name),
            None => self.models.route(role(ask)),
        }
    }
}

/// The model that this run was started with for that part.
fn chosen<'a>(state: &'a State, ask: &Ask) -> Option<&'a str> {
    state.setup.assistant.model.as_deref().filter(|_| role(ask) == Role::Assistant)
}

fn missing(state: &State, ask: &Ask) -> ModelError {
    match chosen(state, ask) {
        Some(model) => ModelError::NotConfigured { model: model.to_owned() },
        None => ModelError::BadRequest("no model is configured for this role".into()),
    }
}

fn role(ask: &Ask) -> Role {
    match ask {
        Ask::Customer { .. } => Role::Simulator,
        Ask::Assistant { .. } => Role::Assistant,
        Ask::Summary { .. } => Role::Summariser,
    }
}

async fn customer(state: &State, route: &Route, call: &Call) -> Result<Outcome, CallError> {
    let request = ChatRequest {
        messages: prompt::customer(state),
        tools: tools::on_offer(state),
        tool_required: true,
        max_tokens: CUSTOMER_TOKENS,
        format: None,
        rehearsal: rehearsal::customer(state),
    };
    let (mut arguments, mut shown) = (String::new(), 0);
    let completion = call
        .chat(route, request, |event| {
            // Only the first call is carried out.
            let ModelEvent::Arguments { call: 0, tool, piece } = event else { return None };
            if tool != tools::SEND_QUERY {
                return None;
            }
            arguments.push_str(piece);
            let query = so_far(&arguments, "query");
            let words = query.get(shown..).map(str::to_owned);
            shown = shown.max(query.len());
            words
        })
        .await?;
    let (said, tool) = tools::read(completion);
    if matches!(tool, Tool::RecordPhaseCompletion { .. }) {
        drop(call.tool(tools::RECORD_PHASE));
    }
    Ok(Outcome::Customer { said, tool })
}

async fn assistant(state: &State, ask: &Ask, route: &Route, call: &Call) -> Result<Outcome, CallError> {
    let Completion { text, cut, .. } =
        words(prompt::assistant(state), ASSISTANT_TOKENS, rehearsal::assistant(state, ask), route, call).await?;
    Ok(Outcome::Assistant(Answer { text: text.trim().to_owned(), cut }))
}

async fn summary(state: &State, through: u32, route: &Route, call: &Call) -> Result<Outcome, CallError> {
    let completion = words(prompt::summary(state, through), SUMMARY_TOKENS, rehearsal::summary(state), route, call).await?;
    Ok(Outcome::Summary(completion.text))
}

/// A call without tools; an answer without a word is a failed call.
async fn words(
    messages: Vec<Message>,
    max_tokens: u32,
    script: crate::models::Reply,
    route: &Route,
    call: &Call,
) -> Result<Completion, CallError> {
    let request = ChatRequest { messages, tools: vec![], tool_required: false, max_tokens, format: None, rehearsal: script };
    let shown = |event: &ModelEvent| if let ModelEvent::Text(text) = event { Some(text.clone()) } else { None };
    let completion = call.chat(route, request, shown).await?;
    if completion.text.trim().is_empty() {
        return Err(CallError { error: ModelError::Empty, begun: true });
    }
    Ok(completion)
}
