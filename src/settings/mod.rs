//! `Leptos.toml` and the environment over it (with a `.env` in between), read and checked once at start.
//! A wrong value names its key, where it was read and what was expected; a secret is never repeated.

use crate::{engine::entry::REHEARSAL, models::Role};
use leptos::config::{Env as LeptosEnv, LeptosOptions};
use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

mod file;
mod providers;
mod source;
#[cfg(test)]
mod tests;

pub use providers::{Access, Dialect, PROVIDERS, Provider};
pub use source::Environment;

pub struct Settings {
    pub leptos: LeptosOptions,
    pub server: ServerSettings,
    /// `sqlite://…`.
    pub database_url: String,
    /// How long runs are kept that nobody has pinned or gone on with; `None` is for ever.
    pub retention: Option<Duration>,
    pub models: ModelSettings,
    pub limits: Limits,
}

pub struct ServerSettings {
    /// What people type, behind a proxy; its origin is ours.
    pub public_url: Option<String>,
    /// Signs cookies and run tokens; without one the store keeps its own.
    pub secret: Option<String>,
    /// Opens administration; without one the start makes one.
    pub admin_token: Option<String>,
    /// Asked for once before anything is spent, where strangers can reach the server.
    pub access_code: Option<String>,
    /// Origins of others whose pages may use the rooms' plain HTTP routes.
    pub cors_origins: Vec<String>,
    pub json_logs: bool,
}

pub struct ModelSettings {
    /// May the rehearsal model stand in where no provider is configured?
    pub rehearsal: bool,
    pub rehearsal_pace: Duration,
    /// `COLLOQUY_MODEL`: every role that is not named itself.
    all: Option<String>,
    /// `provider:model` by role.
    roles: BTreeMap<String, String>,
    /// The model a provider is used with where only its key is given.
    pub defaults: BTreeMap<String, String>,
    /// Tokens a conversation may have before older turns are summarised.
    pub context_tokens: u32,
    pub cassette: Option<Cassette>,
    access: BTreeMap<&'static str, Access>,
}

/// A file of exchanges with providers, and what is done with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cassette {
    pub mode: CassetteMode,
    pub file: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CassetteMode {
    /// Every exchange is kept.
    Record,
    /// What was kept is played again; no model is called.
    Replay,
}

#[derive(Clone, Debug)]
pub struct Limits {
    /// A model call that says nothing for so long is given up.
    pub call_silence: Duration,
    /// Model time after which a run waits for a person.
    pub run_time: Duration,
    pub calls_in_flight: usize,
    pub runs_per_owner: i64,
    pub runs_per_address: i64,
    pub runs_per_day: i64,
    pub tokens_per_owner: i64,
    pub tokens_per_day: i64,
}

/// Why the server does not start.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{key} ({place}): {problem}")]
pub struct SettingsError {
    pub key: String,
    /// `Leptos.toml`, `.env` or `environment`.
    pub place: String,
    pub problem: String,
}

impl Settings {
    /// Reads `Leptos.toml` in that folder, if there is one, and lays the environment over it.
    pub fn load(folder: &Path, environment: &Environment) -> Result<Self, SettingsError> {
        let file = file::File::read(&folder.join("Leptos.toml"))?;
        environment.reject_unknown()?;
        let file::File { package, server, access, store, models, limits } = file;
        let leptos = leptos_options(package.metadata.leptos, environment)?;
        Ok(Settings {
            leptos,
            server: server.with(access, environment)?,
            retention: store.retention(),
            database_url: store.with(environment)?,
            models: models.with(environment)?,
            limits: limits.into(),
        })
    }

    /// Can anybody but this machine's own people reach the server?
    pub fn is_public(&self) -> bool {
        self.server.public_url.is_some() || !self.leptos.site_addr.ip().is_loopback()
    }
}

/// The whole address, or else host and port each by its own name.
fn site_addr(file: SocketAddr, environment: &Environment) -> Result<SocketAddr, SettingsError> {
    let ip = |host: &str| if host.trim() == "localhost" { Some(Ipv4Addr::LOCALHOST.into()) } else { host.trim().parse().ok() };
    let host: Option<IpAddr> = environment.checked("BACKEND_HOST", "an address like 127.0.0.1, or localhost", ip)?;
    let port = environment.parsed("BACKEND_PORT", "a port number")?;
    let whole = environment.parsed("LEPTOS_SITE_ADDR", "an address and a port like 127.0.0.1:3000")?;
    Ok(whole.unwrap_or_else(|| SocketAddr::new(host.unwrap_or(file.ip()), port.unwrap_or(file.port()))))
}

fn leptos_options(file: file::Leptos, environment: &Environment) -> Result<LeptosOptions, SettingsError> {
    let address = site_addr(file.site_addr, environment)?;
    let reload_port = environment.parsed("LEPTOS_RELOAD_PORT", "a port number")?.unwrap_or(file.reload_port);
    let development = environment.get("LEPTOS_ENV").is_some_and(|env| env.eq_ignore_ascii_case("dev"));
    Ok(LeptosOptions::builder()
        .output_name(environment.get("LEPTOS_OUTPUT_NAME").unwrap_or(file.output_name))
        .site_root(environment.get("LEPTOS_SITE_ROOT").unwrap_or(file.site_root))
        .site_pkg_dir(environment.get("LEPTOS_SITE_PKG_DIR").unwrap_or(file.site_pkg_dir))
        .site_addr(address)
        .reload_port(reload_port)
        .env(if environment.get("LEPTOS_WATCH").is_some() || development { LeptosEnv::DEV } else { LeptosEnv::PROD })
        .build())
}

impl ModelSettings {
    pub fn access(&self, provider: &Provider) -> Access {
        self.access.get(provider.name).cloned().unwrap_or_default()
    }

    /// Is every role meant to be rehearsed, whatever is configured?
    pub fn all_rehearsed(&self) -> bool {
        self.all.as_deref() == Some(REHEARSAL) && self.roles.is_empty()
    }

    /// Does a cassette speak, and nobody else?
    pub fn is_replay(&self) -> bool {
        self.cassette.as_ref().is_some_and(|cassette| cassette.mode == CassetteMode::Replay)
    }

    /// Every model that can play the role, as `provider:model` or `rehearsal`; the first is the one that does.
    pub fn cast(&self, role: Role) -> Vec<String> {
        // A key that is good for research alone was given for it; another model that is named for all would waste it.
        let researcher = |provider: &&Provider| provider.dialect == Dialect::Responses && self.all.as_deref() != Some(REHEARSAL);
        let named = self.roles.get(role.key()).cloned();
        let apt = self.configured(role).filter(researcher);
        let rest = self.configured(role).filter_map(|provider| self.default_model(provider));
        let mut names = Vec::new();
        let all = named.into_iter().chain(apt.filter_map(|provider| self.default_model(provider))).chain(self.all.clone());
        for name in all.chain(rest).chain(self.rehearsal.then(|| REHEARSAL.to_owned())) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// A provider that nobody named turned out to be there, with these models.
    pub fn found(&mut self, provider: &Provider, models: &[String]) {
        let Some(first) = models.first() else { return };
        let access = self.access.entry(provider.name).or_default();
        (access.configured, access.base_url) = (true, provider.base_url.to_owned());
        let has = |model: &String| models.iter().any(|there| there == model || there.strip_suffix(":latest") == Some(model));
        if !self.defaults.get(provider.name).is_some_and(has) {
            self.defaults.insert(provider.name.to_owned(), first.clone());
        }
    }

    fn configured(&self, role: Role) -> impl Iterator<Item = &'static Provider> {
        PROVIDERS
            .iter()
            .filter(move |provider| provider.plays(role) && self.access.get(provider.name).is_some_and(|access| access.configured))
    }

    fn default_model(&self, provider: &Provider) -> Option<String> {
        Some(format!("{}:{}", provider.name, self.defaults.get(provider.name)?))
    }
}
