//! `Leptos.toml` and the environment over it (with a `.env` in between), read and checked once at start.
//! A wrong value names its key, where it was read and what was expected; a secret is never repeated.

use leptos::config::{Env as LeptosEnv, LeptosOptions};
use std::{collections::BTreeMap, net::SocketAddr, path::Path, time::Duration};

mod file;
mod source;
#[cfg(test)]
mod tests;

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
    pub admin_token: Option<String>,
    /// Origins of others whose pages may use the rooms' plain HTTP routes.
    pub cors_origins: Vec<String>,
    pub json_logs: bool,
}

pub struct ModelSettings {
    /// May the rehearsal model stand in where no provider is configured?
    pub rehearsal: bool,
    pub rehearsal_pace: Duration,
    /// `COLLOQUY_MODEL`: every role that is not named itself.
    pub all: Option<String>,
    /// `provider:model` by role.
    pub roles: BTreeMap<String, String>,
    /// The model a provider is used with where only its key is given.
    pub defaults: BTreeMap<String, String>,
    /// Tokens a conversation may have before older turns are summarised.
    pub context_tokens: u32,
    access: BTreeMap<&'static str, Access>,
}

/// How to reach a provider.
#[derive(Clone, Default)]
pub struct Access {
    pub base_url: String,
    pub key: Option<String>,
    /// A key or an address was given: it is meant to be used.
    pub configured: bool,
}

/// A provider of chat completions.
pub struct Provider {
    pub name: &'static str,
    pub title: &'static str,
    pub key_env: &'static str,
    pub base_env: &'static str,
    pub base_url: &'static str,
}

/// In the order in which they are tried for roles that name no model.
pub const PROVIDERS: [Provider; 6] = [
    Provider {
        name: "openai",
        title: "OpenAI",
        key_env: "OPENAI_API_KEY",
        base_env: "OPENAI_BASE_URL",
        base_url: "https://api.openai.com/v1",
    },
    Provider {
        name: "openrouter",
        title: "OpenRouter",
        key_env: "OPENROUTER_API_KEY",
        base_env: "OPENROUTER_BASE_URL",
        base_url: "https://openrouter.ai/api/v1",
    },
    Provider {
        name: "groq",
        title: "Groq",
        key_env: "GROQ_API_KEY",
        base_env: "GROQ_BASE_URL",
        base_url: "https://api.groq.com/openai/v1",
    },
    Provider {
        name: "mistral",
        title: "Mistral",
        key_env: "MISTRAL_API_KEY",
        base_env: "MISTRAL_BASE_URL",
        base_url: "https://api.mistral.ai/v1",
    },
    Provider {
        name: "deepseek",
        title: "DeepSeek",
        key_env: "DEEPSEEK_API_KEY",
        base_env: "DEEPSEEK_BASE_URL",
        base_url: "https://api.deepseek.com/v1",
    },
    Provider {
        name: "ollama",
        title: "Ollama",
        key_env: "OLLAMA_API_KEY",
        base_env: "OLLAMA_BASE_URL",
        base_url: "http://127.0.0.1:11434/v1",
    },
];

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
        let file::File { package, server, store, models, limits } = file;
        let leptos = leptos_options(package.metadata.leptos, environment)?;
        Ok(Settings {
            leptos,
            server: server.with(environment)?,
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

fn leptos_options(file: file::Leptos, environment: &Environment) -> Result<LeptosOptions, SettingsError> {
    let address: SocketAddr =
        environment.parsed("LEPTOS_SITE_ADDR", "an address and a port like 127.0.0.1:3000")?.unwrap_or(file.site_addr);
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

    /// The default model of each provider that is configured, then rehearsal, if it may stand in.
    pub fn available(&self) -> Vec<String> {
        let configured = PROVIDERS.iter().filter(|provider| self.access(provider).configured);
        let models = configured.filter_map(|provider| Some(format!("{}:{}", provider.name, self.defaults.get(provider.name)?)));
        models.chain(self.rehearsal.then(|| crate::engine::entry::REHEARSAL.to_owned())).collect()
    }
}
