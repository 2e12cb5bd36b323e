//! Roles, not names: which model plays which part, decided once at start.

use super::{ChatCompletions, ChatModel, Rehearsal};
use crate::{
    engine::entry::REHEARSAL,
    settings::{ModelSettings, PROVIDERS},
};
use std::{collections::HashMap, sync::Arc, time::Duration};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Plays the customer.
    Simulator,
    /// Is what the customer talks to.
    Assistant,
    Summariser,
}

impl Role {
    pub const ALL: [Role; 3] = [Role::Simulator, Role::Assistant, Role::Summariser];

    /// The key in `Leptos.toml`.
    pub fn key(self) -> &'static str {
        ["simulator", "assistant", "summariser"][self as usize]
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

/// The table of roles. A role without a route has no model: rehearsal is off and no provider is configured.
pub struct Models {
    routes: HashMap<Role, Route>,
}

impl Models {
    /// Settings are checked before this, so every `provider:model` in them names a known provider.
    pub fn new(settings: &ModelSettings) -> Self {
        let client = reqwest::Client::builder().connect_timeout(Duration::from_secs(10)).build().unwrap_or_default();
        let fallback = settings.first_available();
        let named = |role: Role| settings.roles.get(role.key()).or(settings.all.as_ref()).or(fallback.as_ref());
        let route = |role| Some((role, open(settings, &client, named(role)?)?));
        Models { routes: Role::ALL.into_iter().filter_map(route).collect() }
    }

    pub fn route(&self, role: Role) -> Option<&Route> {
        self.routes.get(&role)
    }

    /// Does any role speak with a real model?
    pub fn is_real(&self) -> bool {
        self.routes.values().any(|route| route.name != REHEARSAL)
    }

    pub fn is_complete(&self) -> bool {
        self.routes.len() == Role::ALL.len()
    }
}

fn open(settings: &ModelSettings, client: &reqwest::Client, name: &str) -> Option<Route> {
    if name == REHEARSAL {
        let chat = Arc::new(Rehearsal { pace: settings.rehearsal_pace });
        return Some(Route { name: REHEARSAL.into(), model: REHEARSAL.into(), chat });
    }
    let (provider, model) = name.split_once(':')?;
    let known = PROVIDERS.iter().find(|known| known.name == provider)?;
    let access = settings.access(known);
    let chat = ChatCompletions { client: client.clone(), provider: known.title.into(), base_url: access.base_url, key: access.key };
    Some(Route { name: name.into(), model: model.into(), chat: Arc::new(chat) })
}
