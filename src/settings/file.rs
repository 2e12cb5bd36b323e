//! `Leptos.toml` as it stands in the file: every key optional, unknown ones refused.

use super::{
    Cassette, CassetteMode, Environment, Limits, ModelSettings, PROVIDERS, Provider, ServerSettings, SettingsError,
    providers::{model_name, provider_names},
    source::error,
};
use crate::models::Role;
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    net::SocketAddr,
    path::{Path, PathBuf},
    time::Duration,
};

const PLACE: &str = "Leptos.toml";

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct File {
    pub package: Package,
    pub server: Server,
    pub access: AccessFile,
    pub store: Store,
    pub models: Models,
    pub limits: LimitsFile,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Package {
    pub metadata: Metadata,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Metadata {
    pub leptos: Leptos,
}

/// The header leptos itself reads.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Leptos {
    pub output_name: String,
    pub site_root: String,
    pub site_pkg_dir: String,
    pub site_addr: SocketAddr,
    pub reload_port: u32,
}

impl Default for Leptos {
    fn default() -> Self {
        Leptos {
            output_name: "colloquy".into(),
            site_root: "target/site".into(),
            site_pkg_dir: "pkg".into(),
            site_addr: SocketAddr::from(([127, 0, 0, 1], 3000)),
            reload_port: 3001,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Server {
    public_url: String,
    cors_origins: Vec<String>,
    log: LogFormat,
}

impl Default for Server {
    fn default() -> Self {
        // Where a page that is being developed is served.
        let cors_origins = ["http://localhost:3000", "http://127.0.0.1:3000"].map(str::to_owned).to_vec();
        Server { public_url: String::new(), cors_origins, log: LogFormat::default() }
    }
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
enum LogFormat {
    #[default]
    Text,
    Json,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct AccessFile {
    /// Any value, so that a wrong one is not repeated by the parser.
    code: Option<toml::Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Store {
    url: String,
    retention_days: u32,
}

impl Default for Store {
    fn default() -> Self {
        Store { url: "sqlite://var/colloquy.db".into(), retention_days: 0 }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Models {
    rehearsal: RehearsalUse,
    rehearsal_pace: u64,
    context_tokens: u32,
    cassette: PathBuf,
    simulator: Option<String>,
    assistant: Option<String>,
    interviewer: Option<String>,
    researcher: Option<String>,
    synthesist: Option<String>,
    debater: Option<String>,
    summariser: Option<String>,
    defaults: BTreeMap<String, String>,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum RehearsalUse {
    Auto,
    Off,
}

impl Default for Models {
    fn default() -> Self {
        Models {
            rehearsal: RehearsalUse::Auto,
            rehearsal_pace: 40,
            context_tokens: 12_000,
            cassette: "var/cassette.jsonl".into(),
            simulator: None,
            assistant: None,
            interviewer: None,
            researcher: None,
            synthesist: None,
            debater: None,
            summariser: None,
            defaults: BTreeMap::new(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsFile {
    call_silence_seconds: u64,
    run_model_seconds: u64,
    calls_in_flight: usize,
    runs_a_day_per_owner: i64,
    runs_a_day_per_address: i64,
    runs_a_day: i64,
    tokens_a_day_per_owner: i64,
    tokens_a_day: i64,
}

impl Default for LimitsFile {
    fn default() -> Self {
        LimitsFile {
            call_silence_seconds: 60,
            run_model_seconds: 600,
            calls_in_flight: 32,
            runs_a_day_per_owner: 50,
            runs_a_day_per_address: 100,
            runs_a_day: 1_000,
            tokens_a_day_per_owner: 1_000_000,
            tokens_a_day: 10_000_000,
        }
    }
}

impl File {
    pub fn read(path: &Path) -> Result<Self, SettingsError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(problem) if problem.kind() == std::io::ErrorKind::NotFound => return Ok(File::default()),
            Err(problem) => return Err(error(path.display(), PLACE, problem)),
        };
        toml::from_str(&text).map_err(|problem| {
            let before = &text[..problem.span().map_or(0, |span| span.start)];
            let line = before.matches('\n').count() + 1;
            let key = text.lines().nth(line - 1).unwrap_or_default().split('=').next().unwrap_or_default().trim();
            error(key, format!("{PLACE}, line {line}"), problem.message())
        })
    }
}

impl Server {
    pub fn with(self, access: AccessFile, environment: &Environment) -> Result<ServerSettings, SettingsError> {
        const URL: &str = "an address like https://colloquy.example, without a path";
        let from_file = match self.public_url.trim() {
            "" => None,
            url => Some(origin(url).ok_or_else(|| error("server.public_url", PLACE, format!("expected {URL}")))?),
        };
        let secret = environment.checked("COLLOQUY_SECRET", "at least 32 characters", long)?;
        let admin_token =
            environment.checked("COLLOQUY_ADMIN_TOKEN", "at least 16 characters", |token| (token.len() >= 16).then(|| token.to_owned()))?;
        let public_url = environment.checked("COLLOQUY_PUBLIC_URL", URL, origin)?.or(from_file);
        let origins = |list: &[&str]| list.iter().map(|url| origin(url.trim())).collect::<Option<Vec<_>>>();
        let from_file: Vec<&str> = self.cors_origins.iter().map(String::as_str).collect();
        let from_file = origins(&from_file).ok_or_else(|| error("server.cors_origins", PLACE, format!("expected a list of {URL}")))?;
        let listed = |list: &str| origins(&list.split(',').collect::<Vec<_>>());
        let cors_origins = environment.checked("CORS_ORIGINS", &format!("{URL}, separated by commas"), listed)?.unwrap_or(from_file);
        let access_code = access.with(environment)?;
        Ok(ServerSettings { public_url, secret, admin_token, access_code, cors_origins, json_logs: self.log == LogFormat::Json })
    }
}

impl AccessFile {
    /// The code; empty means none.
    fn with(self, environment: &Environment) -> Result<Option<String>, SettingsError> {
        const EXPECTED: &str = "at least 8 characters, in quotes";
        let long = |code: &str| (code.chars().count() >= 8).then(|| code.to_owned());
        if let Some(code) = environment.checked("COLLOQUY_ACCESS_CODE", EXPECTED, |code| long(code.trim()))? {
            return Ok(Some(code));
        }
        match self.code.as_ref().map(|code| code.as_str().map(str::trim)) {
            None | Some(Some("")) => Ok(None),
            Some(code) => code.and_then(long).map(Some).ok_or_else(|| error("access.code", PLACE, format!("expected {EXPECTED}"))),
        }
    }
}

fn long(secret: &str) -> Option<String> {
    (secret.len() >= 32).then(|| secret.to_owned())
}

fn origin(url: &str) -> Option<String> {
    let parsed = reqwest::Url::parse(url).ok()?;
    let plain = matches!(parsed.scheme(), "http" | "https") && parsed.path() == "/" && parsed.query().is_none();
    plain.then(|| parsed.origin().ascii_serialization())
}

impl Store {
    /// How long runs are kept; for ever where no days are given.
    pub fn retention(&self) -> Option<Duration> {
        (self.retention_days > 0).then(|| Duration::from_secs(u64::from(self.retention_days) * 86_400))
    }

    pub fn with(self, environment: &Environment) -> Result<String, SettingsError> {
        const EXPECTED: &str = "an address like sqlite://var/colloquy.db";
        let sqlite = |url: &str| url.starts_with("sqlite:").then(|| url.to_owned());
        match environment.checked("DATABASE_URL", EXPECTED, sqlite)? {
            Some(url) => Ok(url),
            None => sqlite(&self.url).ok_or_else(|| error("store.url", PLACE, format!("expected {EXPECTED}"))),
        }
    }
}

impl Models {
    pub fn with(self, environment: &Environment) -> Result<ModelSettings, SettingsError> {
        let roles = [
            (Role::Simulator, self.simulator),
            (Role::Assistant, self.assistant),
            (Role::Interviewer, self.interviewer),
            (Role::Researcher, self.researcher),
            (Role::Synthesist, self.synthesist),
            (Role::Debater, self.debater),
            (Role::Summariser, self.summariser),
        ];
        let named = roles.into_iter().filter_map(|(role, name)| Some((role, name?)));
        let checked = |(role, name): (Role, String)| {
            let name = model_name(&name, Some(role)).map_err(|problem| error(format!("models.{}", role.key()), PLACE, problem))?;
            Ok((role.key().to_owned(), name))
        };
        let roles = named.map(checked).collect::<Result<BTreeMap<_, _>, SettingsError>>()?;
        let mut defaults = self.defaults;
        if let Some(name) = defaults.keys().find(|name| Provider::named(name).is_none()) {
            return Err(error(format!("models.defaults.{name}"), PLACE, format!("expected a provider: {}", provider_names())));
        }
        let overriding = PROVIDERS.iter().filter_map(|provider| Some((provider.name.to_owned(), provider.model(environment)?)));
        defaults.extend(overriding);
        let pace = environment.parsed("COLLOQUY_REHEARSAL_PACE", "milliseconds for one word, as a whole number")?;
        let access =
            PROVIDERS.iter().map(|provider| Ok((provider.name, provider.access(environment)?))).collect::<Result<_, SettingsError>>()?;
        Ok(ModelSettings {
            rehearsal: self.rehearsal == RehearsalUse::Auto,
            rehearsal_pace: Duration::from_millis(pace.unwrap_or(self.rehearsal_pace)),
            all: environment.judged("COLLOQUY_MODEL", |name| model_name(name, None))?,
            roles,
            defaults,
            context_tokens: self.context_tokens,
            cassette: environment
                .checked("COLLOQUY_CASSETTE", "record or replay", cassette_mode)?
                .map(|mode| Cassette { mode, file: self.cassette }),
            access,
        })
    }
}

fn cassette_mode(word: &str) -> Option<CassetteMode> {
    match word.trim() {
        "record" => Some(CassetteMode::Record),
        "replay" => Some(CassetteMode::Replay),
        _ => None,
    }
}

impl From<LimitsFile> for Limits {
    fn from(file: LimitsFile) -> Self {
        Limits {
            call_silence: Duration::from_secs(file.call_silence_seconds),
            run_time: Duration::from_secs(file.run_model_seconds),
            calls_in_flight: file.calls_in_flight.max(1),
            runs_per_owner: file.runs_a_day_per_owner,
            runs_per_address: file.runs_a_day_per_address,
            runs_per_day: file.runs_a_day,
            tokens_per_owner: file.tokens_a_day_per_owner,
            tokens_per_day: file.tokens_a_day,
        }
    }
}
