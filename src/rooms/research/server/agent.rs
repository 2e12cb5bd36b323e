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
    rooms::research::flow::{Ask, Outcome, Research, Section, Source, State, cited, pages},
};
use std::sync::Arc;

/// Tokens an answer may have.
const EXTRACT_TOKENS: u32 = 1_500;
const TURN_TOKENS: u32 = 900;
const GATHER_TOKENS: u32 = 3_000;
const SECTION_TOKENS: u32 = 3_000;
const SUMMARY_TOKENS: u32 = 700;
/// Characters of gathered notes that are kept, and sources of a section where the notes do not refer to more.
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
    let tool_required = state.missing().next().is_some();
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
    let sources = sources(completion.sources, &text);
    Ok(Outcome::Gathered { text, sources })
}

/// The pages among them: all that the text refers to, and others up to so many.
fn sources(returned: Vec<models::Source>, text: &str) -> Vec<Source> {
    let mut pages = pages(returned.into_iter().map(|models::Source { id, title, url, date, .. }| Source { id, title, url, date }));
    let mut kept = cited(text, &pages);
    let others = pages.iter().map(|page| page.id).filter(|id| !kept.contains(id));
    let others: Vec<i64> = others.take(MOST_SOURCES.saturating_sub(kept.len())).collect();
    kept.extend(others);
    pages.retain(|page| kept.contains(&page.id));
    pages
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_sources_those_that_the_notes_refer_to_are_kept() {
        let returned =
            |most: i64| (1..=most).map(|id| models::Source { id, url: format!("https://a.example/{id}"), ..Default::default() }).collect();
        let kept = |most, text: &str| sources(returned(most), text).into_iter().map(|source| source.id).collect::<Vec<_>>();
        assert_eq!(kept(50, "It grows [50], see https://a.example/47."), (1..=38).chain([47, 50]).collect::<Vec<_>>());
        assert_eq!(kept(50, "It grows."), (1..=40).collect::<Vec<_>>());
        assert_eq!(kept(3, "It grows [9]."), [1, 2, 3]);
        let all: String = (11..=60).map(|id| format!("[{id}]")).collect();
        assert_eq!(kept(60, &all), (11..=60).collect::<Vec<_>>());
    }
}
