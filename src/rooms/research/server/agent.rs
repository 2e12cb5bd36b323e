//! Ask → prompt and call → outcome. Judges nothing: that is the flow's.

use super::{
    live::{Spoken, Steps},
    open::UNRESEARCHED,
    prompt, rehearsal, schema, tools,
    transcript::transcript,
};
use crate::{
    engine::{
        entry::Run,
        server::{Agent, Call, CallError, Formed, Passage},
    },
    models::{self, ChatRequest, Message, ModelError, ModelEvent, Models, Reply, Role, Route},
    rooms::research::flow::{Ask, Outcome, Research, Section, Source, State},
};
use std::sync::Arc;

/// Tokens an answer may have.
const EXTRACT_TOKENS: u32 = 1_500;
const TURN_TOKENS: u32 = 900;
const GATHER_TOKENS: u32 = 3_000;
const SECTION_TOKENS: u32 = 3_000;
const SUMMARY_TOKENS: u32 = 700;
/// Characters of gathered notes, and sources of a section, that are kept.
const GATHERED_CHARS: usize = 20_000;
const MOST_SOURCES: usize = 40;

pub struct Researcher {
    pub models: Arc<Models>,
}

impl Agent for Researcher {
    type Flow = Research;

    fn model(&self) -> Option<String> {
        self.models.route(Role::Interviewer).filter(|_| self.models.is_complete()).map(|route| route.name.clone())
    }

    fn model_for(&self, _: &State, ask: &Ask) -> String {
        self.models.route(role(ask)).map(|route| route.name.clone()).unwrap_or_default()
    }

    fn transcript(&self, run: &Run<Research>) -> Vec<Passage> {
        transcript(run)
    }

    async fn perform(&self, state: State, ask: Ask, call: Call) -> Result<Outcome, CallError> {
        let missing = || CallError { error: missing(&ask), begun: false };
        let route = self.models.route(role(&ask)).ok_or_else(missing)?;
        let script = rehearsal::reply(&state, &ask);
        match ask {
            Ask::Extract { .. } => extract(&state, script, route, &call).await,
            Ask::Interview { .. } => interview(&state, script, route, &call).await,
            Ask::Gather { section, .. } => gather(&state, section, script, route, &call.tool(tools::RUN_RESEARCH)).await,
            Ask::Synthesise { section, .. } | Ask::Repair { section, .. } => {
                let repairs = matches!(ask, Ask::Repair { .. });
                synthesise(&state, section, repairs, script, route, &call.tool(tools::RUN_RESEARCH)).await
            }
            Ask::Summary { .. } => summary(&state, script, route, &call).await,
        }
    }
}

fn role(ask: &Ask) -> Role {
    match ask {
        Ask::Extract { .. } | Ask::Interview { .. } | Ask::Summary { .. } => Role::Interviewer,
        Ask::Gather { .. } => Role::Researcher,
        Ask::Synthesise { .. } | Ask::Repair { .. } => Role::Synthesist,
    }
}

fn missing(ask: &Ask) -> ModelError {
    match role(ask) {
        Role::Researcher => ModelError::NoModel(UNRESEARCHED.to_owned()),
        role => {
            ModelError::NoModel(format!("No model is configured as {}. Name one in Leptos.toml, and start the server again.", role.key()))
        }
    }
}

fn request(messages: Vec<Message>, max_tokens: u32, rehearsal: Reply) -> ChatRequest {
    ChatRequest { messages, tools: vec![], tool_required: false, max_tokens, format: None, rehearsal }
}

async fn extract(state: &State, script: Reply, route: &Route, call: &Call) -> Result<Outcome, CallError> {
    let request = request(prompt::extract(state), EXTRACT_TOKENS, script);
    let answer = call.object(route, request, "message", &schema::extraction()).await?;
    let (reply, known) = schema::read_extraction(answer).ok_or(CallError { error: ModelError::Decode, begun: true })?;
    Ok(Outcome::Extracted { reply, known })
}

async fn interview(state: &State, script: Reply, route: &Route, call: &Call) -> Result<Outcome, CallError> {
    let tools = tools::on_offer(state);
    let tool_required = !tools.is_empty();
    let request = ChatRequest { tools, tool_required, ..request(prompt::interview(state), TURN_TOKENS, script) };
    let mut spoken = Spoken::default();
    let completion = call.chat(route, request, |event| spoken.more(event)).await?;
    if completion.text.trim().is_empty() && completion.calls.is_empty() {
        return Err(CallError { error: ModelError::Empty, begun: true });
    }
    Ok(Outcome::Turned { words: completion.text, tools: tools::read(completion.calls), told: state.fresh.clone() })
}

async fn gather(state: &State, section: Section, script: Reply, route: &Route, call: &Call) -> Result<Outcome, CallError> {
    let request = request(prompt::gather(state, section), GATHER_TOKENS, script);
    let mut steps = Steps::default();
    // Whatever tool the answer mentions, its provider has used it already: nothing here is called.
    let completion = call.chat(route, request, |event| steps.more(event)).await?;
    let text: String = completion.text.trim().chars().take(GATHERED_CHARS).collect();
    if text.is_empty() {
        return Err(CallError { error: ModelError::Empty, begun: true });
    }
    Ok(Outcome::Gathered { text, sources: sources(completion.sources) })
}

/// Pages of the web, each number once.
fn sources(returned: Vec<models::Source>) -> Vec<Source> {
    let mut kept: Vec<Source> = Vec::new();
    for models::Source { id, title, url, date, .. } in returned {
        let is_page = url.starts_with("https://") || url.starts_with("http://");
        if is_page && kept.len() < MOST_SOURCES && kept.iter().all(|source| source.id != id) {
            kept.push(Source { id, title, url, date });
        }
    }
    kept
}

/// The answer as it was given, and as it was read. Of one that does not fit, the repair is told what is wrong; after it people are
/// told where, without a word of the answer.
async fn synthesise(
    state: &State,
    section: Section,
    repairs: bool,
    script: Reply,
    route: &Route,
    call: &Call,
) -> Result<Outcome, CallError> {
    let request = request(prompt::synthesise(state, section), SECTION_TOKENS, script);
    Ok(match call.form(route, &request, section.slug(), &schema::section(section)).await? {
        Formed::Fits(value) => Outcome::Drafted { draft: value.to_string(), data: schema::read_section(section, value).map(Box::new) },
        Formed::Misfit { draft, place, .. } if repairs => Outcome::Drafted { draft, data: Err(ModelError::Misshapen(place).to_string()) },
        Formed::Misfit { draft, why, .. } => Outcome::Drafted { draft, data: Err(why) },
    })
}

async fn summary(state: &State, script: Reply, route: &Route, call: &Call) -> Result<Outcome, CallError> {
    let request = request(prompt::summary(state), SUMMARY_TOKENS, script);
    let shown = |event: &ModelEvent| if let ModelEvent::Text(text) = event { Some(text.clone()) } else { None };
    let completion = call.chat(route, request, shown).await?;
    let text = completion.text.trim();
    if text.is_empty() {
        return Err(CallError { error: ModelError::Empty, begun: true });
    }
    Ok(Outcome::Summarised(text.to_owned()))
}
