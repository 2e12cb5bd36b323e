//! Cassettes: every exchange with a provider is kept in one readable file, and played again without it,
//! in the pace in which it came. Around every real model, never around rehearsal; holds no key.

use super::{ChatRequest, Models, Role, Route};
use crate::{
    engine::{entry::REHEARSAL, voice::RECORDED},
    settings::{Cassette, CassetteMode, ModelSettings, SettingsError},
};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, path::Path, sync::Arc, time::SystemTime};

mod file;
mod record;
mod replay;
#[cfg(test)]
mod tests;

impl Models {
    /// Puts the cassette, where one is used, around the real models, or in their place.
    pub fn on_cassette(self, settings: &ModelSettings) -> Result<Self, SettingsError> {
        match &settings.cassette {
            None => Ok(self),
            Some(Cassette { mode: CassetteMode::Record, file }) => self.recorded(file),
            Some(Cassette { mode: CassetteMode::Replay, file }) => self.replayed(file),
        }
    }

    fn recorded(mut self, path: &Path) -> Result<Self, SettingsError> {
        if !self.is_real() {
            return Err(file::error(
                path.display(),
                "there is nothing to record: no provider is configured. Set OPENAI_API_KEY, or another provider's key",
            ));
        }
        let head = file::Head::new(self.names(), SystemTime::now());
        let tape = Arc::new(record::Tape::open(path, head)?);
        for route in self.casts.values_mut().flatten().filter(|route| route.name != REHEARSAL) {
            route.chat = Arc::new(record::Recorder { chat: route.chat.clone(), name: route.name.clone(), tape: tape.clone() });
        }
        Ok(self)
    }

    /// The roles as they were when it was recorded: nothing but rehearsal is left of what is configured now.
    fn replayed(mut self, path: &Path) -> Result<Self, SettingsError> {
        let cassette = file::read(path)?;
        let rehearsal = self.casts.values().flatten().find(|route| route.name == REHEARSAL).cloned();
        let takes = Arc::new(replay::Takes::new(cassette.exchanges));
        let open = |name: &String| match name.as_str() {
            REHEARSAL => rehearsal.clone(),
            name => Some(Route {
                name: format!("{name}{RECORDED}{}", file::day(takes.newest(name).unwrap_or(cassette.head.at))),
                model: name.split_once(':').map_or(name, |(_, model)| model).to_owned(),
                chat: Arc::new(replay::Replay { name: name.to_owned(), takes: takes.clone() }),
            }),
        };
        for role in Role::ALL {
            let names = cassette.head.roles.get(role.key()).into_iter().flatten().enumerate();
            // Of those that were not the role's own model, those that were heard.
            let heard = names.filter(|(i, name)| *i == 0 || *name == REHEARSAL || takes.newest(name).is_some());
            let cast: Vec<Route> = heard.filter_map(|(_, name)| open(name)).collect();
            self.casts.insert(role, if cast.is_empty() { rehearsal.clone().into_iter().collect() } else { cast });
        }
        Ok(self)
    }

    /// Every role's models, by their names.
    fn names(&self) -> BTreeMap<String, Vec<String>> {
        let names = |role: Role| self.routes(role).iter().map(|route| route.name.clone()).collect();
        Role::ALL.into_iter().map(|role| (role.key().to_owned(), names(role))).collect()
    }
}

/// The key under which an exchange is found again: the model's whole name and the request's JSON, which holds no key.
fn hash(name: &str, request: &ChatRequest) -> String {
    let request = serde_json::to_string(request).unwrap_or_default();
    format!("{:x}", Sha256::digest(format!("{name}\n{request}")))
}
