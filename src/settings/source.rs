//! The environment: the process's own variables, and behind them those of a `.env`.

use super::{PROVIDERS, SettingsError};
use std::{collections::HashMap, fmt::Display, path::Path, str::FromStr};

const OURS: [&str; 7] = [
    "COLLOQUY_SECRET",
    "COLLOQUY_ADMIN_TOKEN",
    "COLLOQUY_ACCESS_CODE",
    "COLLOQUY_MODEL",
    "COLLOQUY_CASSETTE",
    "COLLOQUY_REHEARSAL_PACE",
    "COLLOQUY_PUBLIC_URL",
];
/// The standard's own names.
const OTEL: [&str; 5] = [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "OTEL_SERVICE_NAME",
    "OTEL_RESOURCE_ATTRIBUTES",
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT",
];
const PREFIX: &str = "COLLOQUY_";

/// Each value with the place it was read from. Empty values count as not set.
#[derive(Default)]
pub struct Environment {
    values: HashMap<String, (String, &'static str)>,
}

impl Environment {
    /// The process's variables over those of `.env` in that folder.
    pub fn read(folder: &Path) -> Result<Self, SettingsError> {
        let mut environment = Environment::default();
        match dotenvy::from_path_iter(folder.join(".env")) {
            Ok(lines) => {
                for line in lines {
                    let (key, value) =
                        line.map_err(|_| error(".env", ".env", "a line is not KEY=value; put values with spaces into quotes"))?;
                    environment.set(key, value, ".env");
                }
            }
            Err(problem) if problem.not_found() => {}
            Err(_) => return Err(error(".env", ".env", "the file cannot be read")),
        }
        std::env::vars_os()
            .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)))
            .for_each(|(key, value)| environment.set(key, value, "environment"));
        Ok(environment)
    }

    pub fn set(&mut self, key: impl Into<String>, value: impl Into<String>, place: &'static str) {
        let value = value.into();
        if !value.trim().is_empty() {
            self.values.insert(key.into(), (value, place));
        }
    }

    pub fn get(&self, key: &str) -> Option<String> {
        self.values.get(key).map(|(value, _)| value.clone())
    }

    pub fn parsed<T: FromStr>(&self, key: &str, expected: &str) -> Result<Option<T>, SettingsError> {
        self.checked(key, expected, |value| value.trim().parse().ok())
    }

    /// The value as `read` understands it; an error that says what was expected, and never the value.
    pub fn checked<T>(&self, key: &str, expected: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, SettingsError> {
        self.judged(key, |value| read(value).ok_or_else(|| format!("expected {expected}")))
    }

    /// The same with a sentence of `read`'s own, which must not repeat a secret.
    pub fn judged<T>(&self, key: &str, read: impl FnOnce(&str) -> Result<T, String>) -> Result<Option<T>, SettingsError> {
        let Some((value, place)) = self.values.get(key) else { return Ok(None) };
        read(value).map(Some).map_err(|problem| error(key, place, problem))
    }

    /// A misspelt key of ours would otherwise be silently without effect.
    pub fn reject_unknown(&self) -> Result<(), SettingsError> {
        let unknown = self.values.iter().find(|(key, _)| key.starts_with(PREFIX) && !OURS.contains(&key.as_str()));
        let Some((key, (_, place))) = unknown else { return Ok(()) };
        Err(error(key, place, format!("there is no such key; there are {}", OURS.join(", "))))
    }

    /// Every key that is understood; `.env.example` lists them all.
    pub fn known_keys() -> Vec<&'static str> {
        let providers = PROVIDERS.iter().flat_map(|provider| [Some(provider.key_env), Some(provider.base_env), provider.model_env]);
        let leptos =
            ["LEPTOS_SITE_ADDR", "LEPTOS_SITE_ROOT", "LEPTOS_SITE_PKG_DIR", "LEPTOS_OUTPUT_NAME", "LEPTOS_RELOAD_PORT", "LEPTOS_ENV"];
        let others = ["DATABASE_URL", "RUST_LOG", "CORS_ORIGINS", "BACKEND_HOST", "BACKEND_PORT"];
        OURS.into_iter().chain(leptos).chain(others).chain(OTEL).chain(providers.flatten()).collect()
    }
}

pub fn error(key: impl Display, place: impl Display, problem: impl Display) -> SettingsError {
    SettingsError { key: key.to_string(), place: place.to_string(), problem: problem.to_string() }
}
