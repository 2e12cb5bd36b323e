//! What there is to say of each role: its model, its key, and what would come instead.

use crate::{
    engine::{entry::REHEARSAL, voice},
    http::AppState,
    models::Role,
    settings::{ModelSettings, Provider},
};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoleReport {
    pub role: &'static str,
    /// `None` where no run can be started.
    pub model: Option<String>,
    pub key: Key,
    /// What plays the role from the next start on, once what put its model there (a name in the settings, or else
    /// its provider's key) has been taken away. Nothing falls back while the server runs, or because a key was refused.
    pub fallback: Option<String>,
}

/// Never more about a key than whether there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ModelKey)]
pub enum Key {
    Present,
    /// Which a server at an address of its own may not mind.
    Missing,
    /// Rehearsed or recorded: nobody is called.
    NotNeeded,
}

pub fn roles(app: &AppState) -> Vec<RoleReport> {
    let report = |role: Role| {
        let routes = app.models.routes(role);
        let model = routes.first().map(|route| route.name.clone());
        let key = model.as_deref().map_or(Key::Missing, |model| key(&app.settings.models, model));
        RoleReport { role: role.key(), key, model, fallback: routes.get(1).map(|route| route.name.clone()) }
    };
    Role::ALL.into_iter().map(report).collect()
}

fn key(settings: &ModelSettings, model: &str) -> Key {
    if !voice::is_real(model) {
        return Key::NotNeeded;
    }
    let kept = provider(model).and_then(|provider| settings.access(provider).key);
    if kept.is_some() { Key::Present } else { Key::Missing }
}

/// Whose model that is.
pub fn provider(model: &str) -> Option<&'static Provider> {
    let (name, _) = model.split_once(':').filter(|_| model != REHEARSAL)?;
    Provider::named(name)
}
