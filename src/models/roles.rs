//! Roles, not names: which model plays which part, decided once at start.

use super::{ChatCompletions, ChatModel, Endpoint, Native, Rehearsal, Responses};
use crate::{
    engine::{entry::REHEARSAL, voice},
    settings::{Dialect, ModelSettings, Provider},
};
use std::{collections::HashMap, sync::Arc, time::Duration};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Plays the customer.
    Simulator,
    /// Is what the customer talks to.
    Assistant,
    /// Asks people what has to be known about their business, and calls for research.
    Interviewer,
    /// Finds out what is the case, and says from where it knows.
    Researcher,
    /// Puts what was found into the form that was asked for.
    Synthesist,
    /// Plays a persona that argues.
    Debater,
    Summariser,
}

impl Role {
    pub const ALL: [Role; 7] =
        [Role::Simulator, Role::Assistant, Role::Interviewer, Role::Researcher, Role::Synthesist, Role::Debater, Role::Summariser];

    /// The key in `Leptos.toml`.
    pub fn key(self) -> &'static str {
        ["simulator", "assistant", "interviewer", "researcher", "synthesist", "debater", "summariser"][self as usize]
    }
}

/// A model to call.
#[derive(Clone)]
pub struct Route {
    /// `provider:model`, or `rehearsal`; what the log says.
    pub name: String,
    /// The provider's own name of the model.
    pub model: String,
    pub chat: Arc<dyn ChatModel>,
}

impl Route {
    /// The name's first half.
    pub fn provider(&self) -> &str {
        self.name.split(':').next().unwrap_or_default()
    }
}

/// The table of roles: for each the model that plays it, and behind it those that could be chosen instead.
/// A role without a route has no model: rehearsal is off and no provider is configured.
pub struct Models {
    pub(super) casts: HashMap<Role, Vec<Route>>,
}

impl Models {
    /// Settings are checked before this, so every `provider:model` in them names a known provider.
    pub fn new(settings: &ModelSettings) -> Self {
        let client = reqwest::Client::builder().connect_timeout(Duration::from_secs(10)).build().unwrap_or_default();
        let cast = |role: Role| (role, settings.cast(role).iter().filter_map(|name| open(settings, &client, name)).collect());
        Models { casts: Role::ALL.into_iter().map(cast).collect() }
    }

    /// The model that plays this role.
    pub fn route(&self, role: Role) -> Option<&Route> {
        self.routes(role).first()
    }

    /// Every model that can play this role; the first is the one that does.
    pub fn routes(&self, role: Role) -> &[Route] {
        self.casts.get(&role).map_or(&[], Vec::as_slice)
    }

    /// The one of them with that name, whether it is recorded or called.
    pub fn named(&self, role: Role, name: &str) -> Option<&Route> {
        self.routes(role).iter().find(|route| voice::plain(&route.name) == voice::plain(name))
    }

    /// Does any role speak with a real model, or could it be told to? What a cassette plays is none.
    pub fn is_real(&self) -> bool {
        self.casts.values().flatten().any(|route| voice::is_real(&route.name))
    }

    /// Has every role a model that rooms cannot do without? Research alone may be missing: whoever wants it asks.
    pub fn is_complete(&self) -> bool {
        Role::ALL.iter().all(|role| *role == Role::Researcher || self.route(*role).is_some())
    }
}

fn open(settings: &ModelSettings, client: &reqwest::Client, name: &str) -> Option<Route> {
    if name == REHEARSAL {
        let chat = Arc::new(Rehearsal { pace: settings.rehearsal_pace });
        return Some(Route { name: REHEARSAL.into(), model: REHEARSAL.into(), chat });
    }
    let (provider, model) = name.split_once(':')?;
    let provider = Provider::named(provider)?;
    let access = settings.access(provider);
    let endpoint = Endpoint { client: client.clone(), provider: provider.title.into(), base_url: access.base_url, key: access.key };
    let chat: Arc<dyn ChatModel> = match provider.dialect {
        // OpenAI itself has renamed the limit; those who copied it have not.
        Dialect::ChatCompletions if provider.name == "openai" && endpoint.base_url == provider.base_url => {
            Arc::new(ChatCompletions { endpoint, limit: "max_completion_tokens" })
        }
        Dialect::ChatCompletions => Arc::new(ChatCompletions { endpoint, limit: "max_tokens" }),
        Dialect::Anthropic => Arc::new(Native::anthropic(endpoint)?),
        Dialect::Gemini => Arc::new(Native::gemini(endpoint)?),
        Dialect::Responses => Arc::new(Responses { endpoint }),
    };
    Some(Route { name: name.into(), model: model.into(), chat })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        models::{ChatRequest, Message, ModelError, loopback},
        settings::{Environment, PROVIDERS, Settings},
    };
    use futures::StreamExt;

    fn models(file: &str, environment: &[(&str, &str)]) -> Models {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("Leptos.toml"), file).expect("written");
        let mut values = Environment::default();
        environment.iter().for_each(|(key, value)| values.set(*key, *value, "environment"));
        Models::new(&Settings::load(folder.path(), &values).expect("fine").models)
    }

    #[tokio::test]
    async fn a_refused_key_names_its_provider_and_never_becomes_rehearsal() {
        for provider in &PROVIDERS {
            let loopback = loopback::Loopback::open().await;
            let file = format!("[models.defaults]\n{} = \"m\"\n", provider.name);
            let models = models(&file, &[(provider.key_env, "wrong"), (provider.base_env, &loopback.url)]);
            let role = if provider.plays(Role::Simulator) { Role::Simulator } else { Role::Researcher };
            let route = models.route(role).expect("a model");
            assert_eq!(route.name, format!("{}:m", provider.name));
            let messages = vec![Message::User("Hello".into())];
            let request =
                ChatRequest { messages, tools: vec![], tool_required: false, max_tokens: 9, format: None, rehearsal: Default::default() };
            // Google answers 400 where everybody else has a status for it.
            let refusal = match provider.dialect {
                Dialect::Gemini => loopback::refusal("400 Bad Request", "", r#"{"error":{"code":400,"message":"API key not valid."}}"#),
                _ => loopback::refusal("401 Unauthorized", "", r#"{"error":{"message":"wrong"}}"#),
            };
            let pieces = [refusal.as_slice()];
            let (asked, events) = tokio::join!(loopback.answer(&pieces), route.chat.stream(&route.model, request).collect::<Vec<_>>());
            assert!(asked.head.contains("wrong"), "the key was not sent: {}", asked.head);
            assert_eq!(events, [Err(ModelError::Auth { provider: provider.title.into() })]);
            assert!(!events[0].as_ref().expect_err("refused").is_transient(), "it would be tried again");
        }
    }

    #[test]
    fn research_alone_may_be_missing() {
        let off = "[models]\nrehearsal = \"off\"\n";
        let complete = |file: &str, environment: &[(&str, &str)]| models(file, environment).is_complete();
        assert!(complete("", &[]));
        assert!(!complete(off, &[]));
        assert!(complete(off, &[("COLLOQUY_MODEL", "openai:x")]));
        let needed = ["simulator", "assistant", "interviewer", "synthesist", "debater", "summariser"];
        let without = |role: &str| {
            let named = needed.iter().filter(|other| **other != role).map(|other| format!("{other} = \"openai:x\"\n"));
            format!("{off}{}", named.collect::<String>())
        };
        assert!(complete(&without("researcher"), &[]));
        for role in needed {
            assert!(!complete(&without(role), &[]), "{role}");
        }
        assert!(!complete(&format!("{off}researcher = \"perplexity:low\"\n"), &[]));
    }
}
