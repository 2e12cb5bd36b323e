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

/// The table of roles: for each the model that plays it, and behind it those that could be chosen instead.
/// A role without a route has no model: rehearsal is off and no provider is configured.
pub struct Models {
    casts: HashMap<Role, Vec<Route>>,
}

impl Models {
    /// Settings are checked before this, so every `provider:model` in them names a known provider.
    pub fn new(settings: &ModelSettings) -> Self {
        let client = reqwest::Client::builder().connect_timeout(Duration::from_secs(10)).build().unwrap_or_default();
        let available = settings.available();
        let cast = |role: Role| {
            let named = settings.roles.get(role.key()).or(settings.all.as_ref());
            let mut names: Vec<&String> = named.into_iter().collect();
            available.iter().for_each(|name| {
                if !names.contains(&name) {
                    names.push(name)
                }
            });
            (role, names.into_iter().filter_map(|name| open(settings, &client, name)).collect())
        };
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

    /// The one of them with that name.
    pub fn named(&self, role: Role, name: &str) -> Option<&Route> {
        self.routes(role).iter().find(|route| route.name == name)
    }

    /// Does any role speak with a real model, or could it be told to?
    pub fn is_real(&self) -> bool {
        self.casts.values().flatten().any(|route| route.name != REHEARSAL)
    }

    pub fn is_complete(&self) -> bool {
        Role::ALL.iter().all(|role| self.route(*role).is_some())
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
