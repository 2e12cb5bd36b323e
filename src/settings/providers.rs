//! The table of providers: what each speaks, where its key and address are read, and which roles it may play.

use super::{Environment, SettingsError};
use crate::{engine::entry::REHEARSAL, models::Role};

/// What a provider speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    ChatCompletions,
    Anthropic,
    Gemini,
    /// As Perplexity's Agent API speaks it: it searches the web, and plays no other part.
    Responses,
}

pub struct Provider {
    pub name: &'static str,
    /// How people know it.
    pub title: &'static str,
    pub dialect: Dialect,
    pub key_env: &'static str,
    pub base_env: &'static str,
    /// Overrides its default model.
    pub model_env: Option<&'static str>,
    /// Up to and including the version.
    pub base_url: &'static str,
}

const fn chat(name: &'static str, title: &'static str, key_env: &'static str, base_env: &'static str, base_url: &'static str) -> Provider {
    Provider { name, title, dialect: Dialect::ChatCompletions, key_env, base_env, model_env: None, base_url }
}

/// In the order in which they are tried for roles that name no model. Ollama, which may be found without
/// having been named, stands behind all that somebody pays for.
pub const PROVIDERS: [Provider; 9] = [
    chat("openai", "OpenAI", "OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com/v1"),
    Provider {
        name: "anthropic",
        title: "Anthropic",
        dialect: Dialect::Anthropic,
        key_env: "ANTHROPIC_API_KEY",
        base_env: "ANTHROPIC_BASE_URL",
        model_env: None,
        base_url: "https://api.anthropic.com/v1",
    },
    Provider {
        name: "google",
        title: "Google",
        dialect: Dialect::Gemini,
        key_env: "GOOGLE_API_KEY",
        base_env: "GOOGLE_BASE_URL",
        model_env: Some("GOOGLE_API_MODEL"),
        base_url: "https://generativelanguage.googleapis.com/v1beta",
    },
    chat("openrouter", "OpenRouter", "OPENROUTER_API_KEY", "OPENROUTER_BASE_URL", "https://openrouter.ai/api/v1"),
    chat("groq", "Groq", "GROQ_API_KEY", "GROQ_BASE_URL", "https://api.groq.com/openai/v1"),
    chat("mistral", "Mistral", "MISTRAL_API_KEY", "MISTRAL_BASE_URL", "https://api.mistral.ai/v1"),
    chat("deepseek", "DeepSeek", "DEEPSEEK_API_KEY", "DEEPSEEK_BASE_URL", "https://api.deepseek.com/v1"),
    Provider {
        name: "perplexity",
        title: "Perplexity",
        dialect: Dialect::Responses,
        key_env: "PERPLEXITY_API_KEY",
        base_env: "PERPLEXITY_BASE_URL",
        model_env: None,
        base_url: "https://api.perplexity.ai/v1",
    },
    chat("ollama", "Ollama", "OLLAMA_API_KEY", "OLLAMA_BASE_URL", "http://127.0.0.1:11434/v1"),
];

/// How to reach a provider.
#[derive(Clone, Default)]
pub struct Access {
    pub base_url: String,
    pub key: Option<String>,
    /// A key or an address was given, or it was found: it is meant to be used.
    pub configured: bool,
}

impl Provider {
    pub fn named(name: &str) -> Option<&'static Provider> {
        PROVIDERS.iter().find(|provider| provider.name == name)
    }

    /// May it play this role?
    pub fn plays(&self, role: Role) -> bool {
        self.dialect != Dialect::Responses || role == Role::Researcher
    }

    pub fn access(&self, environment: &Environment) -> Result<Access, SettingsError> {
        const EXPECTED: &str = "an address that includes the version, like http://127.0.0.1:8080/v1";
        let http = |url: &str| {
            let url = reqwest::Url::parse(url).ok()?;
            matches!(url.scheme(), "http" | "https").then(|| url.as_str().trim_end_matches('/').to_owned())
        };
        let base_url = environment.checked(self.base_env, EXPECTED, http)?;
        let key = environment.get(self.key_env).map(|key| key.trim().to_owned());
        let configured = key.is_some() || base_url.is_some();
        Ok(Access { base_url: base_url.unwrap_or_else(|| self.base_url.to_owned()), key, configured })
    }

    /// The default model that the environment names.
    pub fn model(&self, environment: &Environment) -> Option<String> {
        environment.get(self.model_env?).map(|model| model.trim().trim_start_matches("models/").to_owned())
    }
}

/// `provider:model`, or the rehearsal model, as a setting names it; `role` is whose it is, where it is one's alone.
pub fn model_name(name: &str, role: Option<Role>) -> Result<String, String> {
    let expected = || format!("expected provider:model or {REHEARSAL}, with a provider of {}", provider_names());
    if name == REHEARSAL {
        return Ok(name.to_owned());
    }
    let (provider, model) = name.split_once(':').ok_or_else(expected)?;
    let provider = Provider::named(provider).filter(|_| !model.trim().is_empty()).ok_or_else(expected)?;
    match role {
        Some(role) if provider.plays(role) => Ok(name.to_owned()),
        None if Role::ALL.into_iter().all(|role| provider.plays(role)) => Ok(name.to_owned()),
        _ => Err(format!(
            "{} plays the role {key} only; name it in Leptos.toml as {key} = \"{name}\"",
            provider.title,
            key = Role::Researcher.key()
        )),
    }
}

pub fn provider_names() -> String {
    PROVIDERS.map(|provider| provider.name).join(", ")
}
