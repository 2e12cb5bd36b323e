use super::*;
use std::fs;

fn load(file: &str, environment: &[(&str, &str)]) -> Result<Settings, SettingsError> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("Leptos.toml"), file).expect("written");
    let mut values = Environment::default();
    environment.iter().for_each(|(key, value)| values.set(*key, *value, "environment"));
    Settings::load(folder.path(), &values)
}

/// What is wrong names its key and its place, and never repeats a secret.
fn check(file: &str, environment: &[(&str, &str)], expect: &[&str]) {
    let said = load(file, environment).err().expect("refused").to_string();
    for part in expect {
        assert!(said.contains(part), "{said:?} does not say {part:?}");
    }
    for (key, value) in environment.iter().filter(|(key, _)| key.contains("SECRET") || key.contains("TOKEN") || key.contains("KEY")) {
        assert!(!said.contains(value), "{said:?} gives the value of {key} away");
    }
}

#[test]
fn wrong_values_stop_the_start() {
    check("[limits]\ncalls_in_flight = \"many\"\n", &[], &["calls_in_flight", "Leptos.toml, line 2", "expected"]);
    check("[limits]\ncals = 1\n", &[], &["cals", "line 2", "unknown field"]);
    check("[models]\nrehearsal = \"maybe\"\n", &[], &["rehearsal", "unknown variant", "auto"]);
    check("[models]\nsimulator = \"gpt-4o\"\n", &[], &["models.simulator", "provider:model", "openai"]);
    check("[models.defaults]\nacme = \"x\"\n", &[], &["models.defaults.acme", "expected a provider"]);
    check("[server]\npublic_url = \"colloquy.example\"\n", &[], &["server.public_url", "https://"]);
    check("[server]\ncors_origins = [\"*\"]\n", &[], &["server.cors_origins", "https://"]);
    check("", &[("CORS_ORIGINS", "https://a.example, b")], &["CORS_ORIGINS", "separated by commas"]);
    check("[store]\nretention_days = -1\n", &[], &["retention_days", "line 2"]);
    check("[store]\nurl = \"mysql://x\"\n", &[], &["store.url", "sqlite://"]);
    check("", &[("DATABASE_URL", "mysql://x")], &["DATABASE_URL (environment)", "sqlite://"]);
    check("", &[("COLLOQUY_SECRET", "too-short")], &["COLLOQUY_SECRET", "at least 32"]);
    check("", &[("COLLOQUY_ADMIN_TOKEN", "hunter2")], &["COLLOQUY_ADMIN_TOKEN", "at least 16"]);
    check("", &[("COLLOQUY_REHEARSAL_PACE", "fast")], &["COLLOQUY_REHEARSAL_PACE", "milliseconds"]);
    check("", &[("COLLOQUY_MODEL", "acme:x")], &["COLLOQUY_MODEL", "provider:model"]);
    check("", &[("COLLOQUY_MODLE", "openai:x")], &["COLLOQUY_MODLE", "no such key", "COLLOQUY_MODEL"]);
    check("", &[("OPENAI_BASE_URL", "localhost")], &["OPENAI_BASE_URL", "http://"]);
    check("", &[("LEPTOS_SITE_ADDR", "3000")], &["LEPTOS_SITE_ADDR", "127.0.0.1:3000"]);
}

#[test]
fn configured_providers_come_first_and_rehearsal_behind_them() {
    const DEFAULTS: &str = "[models.defaults]\nopenai = \"gpt-4o\"\ngroq = \"llama\"\n";
    let available = |file: &str, environment: &[(&str, &str)]| load(file, environment).expect("fine").models.available();
    assert_eq!(available(DEFAULTS, &[]), ["rehearsal"]);
    assert!(available("[models]\nrehearsal = \"off\"\n", &[]).is_empty());
    assert_eq!(available(DEFAULTS, &[("GROQ_API_KEY", "k")]), ["groq:llama", "rehearsal"]);
    assert_eq!(
        available(DEFAULTS, &[("GROQ_API_KEY", "k"), ("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1")]),
        ["openai:gpt-4o", "groq:llama", "rehearsal"]
    );
    assert_eq!(available(DEFAULTS, &[("OPENAI_API_KEY", " ")]), ["rehearsal"], "an empty key is no key");
}

#[test]
fn the_environment_overrides_the_file() {
    let file = "[package.metadata.leptos]\nsite-addr = \"127.0.0.1:4000\"\n[store]\nurl = \"sqlite://a.db\"\nretention_days = 2\n";
    let settings = load(file, &[]).expect("fine");
    assert_eq!((settings.retention, load("", &[]).expect("fine").retention), (Some(Duration::from_secs(172_800)), None));
    assert_eq!((settings.leptos.site_addr.port(), settings.database_url.as_str(), settings.is_public()), (4000, "sqlite://a.db", false));
    let settings = load(file, &[("LEPTOS_SITE_ADDR", "0.0.0.0:5000"), ("DATABASE_URL", "sqlite://b.db")]).expect("fine");
    assert_eq!((settings.leptos.site_addr.port(), settings.database_url.as_str(), settings.is_public()), (5000, "sqlite://b.db", true));
}

#[test]
fn origins_are_a_list() {
    let origins = |environment: &[(&str, &str)]| {
        load("[server]\ncors_origins = [\"http://localhost:5173\"]\n", environment).expect("fine").server.cors_origins
    };
    assert_eq!(origins(&[]), ["http://localhost:5173"]);
    assert_eq!(origins(&[("CORS_ORIGINS", "https://a.example/, http://b.example:80")]), ["https://a.example", "http://b.example"]);
}

#[test]
fn the_file_in_the_repository_is_complete_and_right() {
    let file = fs::read_to_string("Leptos.toml").expect("it is there");
    let settings = load(&file, &[("COLLOQUY_MODEL", "rehearsal")]).expect("fine");
    assert_eq!(settings.models.defaults.len(), PROVIDERS.len());
    assert_eq!(format!("{:?}", settings.limits), format!("{:?}", Limits::from(file::File::default().limits)));
}
