use super::*;
use std::fs;

const DEFAULTS: &str =
    "[models.defaults]\nopenai = \"gpt-4o\"\ngroq = \"llama\"\ngoogle = \"gemini\"\nperplexity = \"low\"\nollama = \"llama3.1\"\n";

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
    for (key, value) in
        environment.iter().filter(|(key, _)| key.contains("SECRET") || key.contains("TOKEN") || key.contains("KEY") || key.contains("CODE"))
    {
        assert!(!said.contains(value), "{said:?} gives the value of {key} away");
    }
}

#[test]
fn wrong_values_stop_the_start() {
    check("[limits]\ncalls_in_flight = \"many\"\n", &[], &["calls_in_flight", "Leptos.toml, line 2", "expected"]);
    check("[limits]\ncals = 1\n", &[], &["cals", "line 2", "unknown field"]);
    check("[models]\nrehearsal = \"maybe\"\n", &[], &["rehearsal", "unknown variant", "auto"]);
    check("[models]\nsimulator = \"gpt-4o\"\n", &[], &["models.simulator", "provider:model", "openai"]);
    check("[models]\nsimulator = \"openai:\"\n", &[], &["models.simulator", "provider:model"]);
    check(
        "[models]\nassistant = \"perplexity:low\"\n",
        &[],
        &["models.assistant", "Perplexity plays the role researcher only", "researcher = \"perplexity:low\""],
    );
    check("", &[("COLLOQUY_MODEL", "perplexity:low")], &["COLLOQUY_MODEL (environment)", "Perplexity plays the role researcher only"]);
    check("[models]\ndebater = \"perplexity:low\"\n", &[], &["models.debater", "Perplexity plays the role researcher only"]);
    check("[models.defaults]\nacme = \"x\"\n", &[], &["models.defaults.acme", "expected a provider"]);
    check("[server]\npublic_url = \"colloquy.example\"\n", &[], &["server.public_url", "https://"]);
    check("[server]\ncors_origins = [\"*\"]\n", &[], &["server.cors_origins", "https://"]);
    check("", &[("CORS_ORIGINS", "https://a.example, b")], &["CORS_ORIGINS", "separated by commas"]);
    check("[store]\nretention_days = -1\n", &[], &["retention_days", "line 2"]);
    check("[store]\nurl = \"mysql://x\"\n", &[], &["store.url", "sqlite://"]);
    check("", &[("DATABASE_URL", "mysql://x")], &["DATABASE_URL (environment)", "sqlite://"]);
    check("", &[("COLLOQUY_SECRET", "too-short")], &["COLLOQUY_SECRET", "at least 32"]);
    check("", &[("COLLOQUY_ADMIN_TOKEN", "hunter2")], &["COLLOQUY_ADMIN_TOKEN", "at least 16"]);
    check("", &[("COLLOQUY_ACCESS_CODE", "hunter2")], &["COLLOQUY_ACCESS_CODE", "at least 8"]);
    check("[access]\ncode = \"short\"\n", &[], &["access.code (Leptos.toml)", "at least 8"]);
    check("[access]\ncode = 12345678\n", &[], &["access.code (Leptos.toml)", "in quotes"]);
    check("", &[("COLLOQUY_CASSETTE", "play")], &["COLLOQUY_CASSETTE (environment)", "record or replay"]);
    check("[models]\ncassette = 1\n", &[], &["cassette", "line 2"]);
    check("", &[("COLLOQUY_REHEARSAL_PACE", "fast")], &["COLLOQUY_REHEARSAL_PACE", "milliseconds"]);
    check("", &[("COLLOQUY_MODEL", "acme:x")], &["COLLOQUY_MODEL", "provider:model"]);
    check("", &[("COLLOQUY_MODLE", "openai:x")], &["COLLOQUY_MODLE", "no such key", "COLLOQUY_MODEL"]);
    check("", &[("OPENAI_BASE_URL", "localhost")], &["OPENAI_BASE_URL", "http://"]);
    check("", &[("LEPTOS_SITE_ADDR", "3000")], &["LEPTOS_SITE_ADDR", "127.0.0.1:3000"]);
    check("", &[("BACKEND_HOST", "my-machine")], &["BACKEND_HOST (environment)", "expected an address like 127.0.0.1"]);
    check("", &[("BACKEND_PORT", "80000")], &["BACKEND_PORT (environment)", "expected a port number"]);
    check("", &[("BACKEND_PORT", "http"), ("LEPTOS_SITE_ADDR", "127.0.0.1:1")], &["BACKEND_PORT (environment)"]);
}

/// Who can play the role, the first of whom does.
fn cast(role: Role, file: &str, environment: &[(&str, &str)], expect: &[&str]) {
    let cast = load(&format!("{file}{DEFAULTS}"), environment).expect("fine").models.cast(role);
    assert_eq!(cast, expect, "{role:?} {file:?} {environment:?}");
}

#[test]
fn configured_providers_come_first_and_rehearsal_behind_them() {
    let check = |file, environment, expect| cast(Role::Simulator, file, environment, expect);
    check("", &[], &["rehearsal"]);
    check("[models]\nrehearsal = \"off\"\n", &[], &[]);
    check("", &[("GROQ_API_KEY", "k")], &["groq:llama", "rehearsal"]);
    check("", &[("GROQ_API_KEY", "k"), ("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1")], &["openai:gpt-4o", "groq:llama", "rehearsal"]);
    check("", &[("OPENAI_API_KEY", " ")], &["rehearsal"]);
    check("", &[("GROQ_API_KEY", "k"), ("COLLOQUY_MODEL", "openai:x")], &["openai:x", "groq:llama", "rehearsal"]);
    let named = "[models]\nsimulator = \"groq:y\"\n";
    cast(Role::Debater, "[models]\ndebater = \"groq:y\"\n", &[("COLLOQUY_MODEL", "openai:x")], &["groq:y", "openai:x", "rehearsal"]);
    check(named, &[("COLLOQUY_MODEL", "openai:x")], &["groq:y", "openai:x", "rehearsal"]);
    check("", &[("GOOGLE_API_KEY", "k"), ("GOOGLE_API_MODEL", "models/mine")], &["google:mine", "rehearsal"]);
}

#[test]
fn perplexity_researches_and_does_nothing_else() {
    let key = ("PERPLEXITY_API_KEY", "k");
    cast(Role::Simulator, "", &[key], &["rehearsal"]);
    cast(Role::Researcher, "", &[], &["rehearsal"]);
    cast(Role::Researcher, "", &[("GROQ_API_KEY", "k")], &["groq:llama", "rehearsal"]);
    cast(Role::Researcher, "", &[key, ("GROQ_API_KEY", "k")], &["perplexity:low", "groq:llama", "rehearsal"]);
    cast(Role::Researcher, "", &[key, ("COLLOQUY_MODEL", "groq:x")], &["perplexity:low", "groq:x", "rehearsal"]);
    cast(Role::Researcher, "", &[key, ("COLLOQUY_MODEL", "rehearsal")], &["rehearsal", "perplexity:low"]);
    let named = "[models]\nresearcher = \"perplexity:perplexity/sonar\"\n";
    cast(Role::Researcher, named, &[], &["perplexity:perplexity/sonar", "rehearsal"]);
}

#[test]
fn an_ollama_that_was_found_stands_behind_all_others() {
    let check = |environment: &[(&str, &str)], models: &[&str], expect: &[&str]| {
        let mut settings = load(DEFAULTS, environment).expect("fine").models;
        let models: Vec<String> = models.iter().map(|model| (*model).to_owned()).collect();
        settings.found(Provider::named("ollama").expect("known"), &models);
        assert_eq!(settings.cast(Role::Simulator), expect, "{models:?}");
    };
    check(&[], &[], &["rehearsal"]);
    check(&[], &["qwen3:4b", "llama3.1:latest"], &["ollama:llama3.1", "rehearsal"]);
    check(&[], &["qwen3:4b", "llama3.1:8b"], &["ollama:qwen3:4b", "rehearsal"]);
    check(&[("GROQ_API_KEY", "k")], &["qwen3:4b"], &["groq:llama", "ollama:qwen3:4b", "rehearsal"]);
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
fn host_and_port_each_have_a_name_and_the_whole_address_wins() {
    let file = "[package.metadata.leptos]\nsite-addr = \"127.0.0.2:4000\"\n";
    let check = |file, environment: &[(&str, &str)], expect: &str| {
        assert_eq!(load(file, environment).expect("fine").leptos.site_addr.to_string(), expect, "{environment:?}");
    };
    let (host, port) = (("BACKEND_HOST", "0.0.0.0"), ("BACKEND_PORT", " 8000 "));
    check("", &[], "127.0.0.1:3000");
    check("", &[port], "127.0.0.1:8000");
    check("", &[host], "0.0.0.0:3000");
    check(file, &[host], "0.0.0.0:4000");
    check(file, &[port], "127.0.0.2:8000");
    check(file, &[host, port], "0.0.0.0:8000");
    check("", &[("BACKEND_HOST", "localhost"), port], "127.0.0.1:8000");
    check("", &[("BACKEND_HOST", "::1")], "[::1]:3000");
    check(file, &[host, port, ("LEPTOS_SITE_ADDR", "127.0.0.1:5000")], "127.0.0.1:5000");
}

#[test]
fn origins_are_a_list() {
    let origins = |environment: &[(&str, &str)]| {
        load("[server]\ncors_origins = [\"http://localhost:5173\"]\n", environment).expect("fine").server.cors_origins
    };
    assert_eq!(origins(&[]), ["http://localhost:5173"]);
    assert_eq!(origins(&[("CORS_ORIGINS", "https://a.example/, http://b.example:80")]), ["https://a.example", "http://b.example"]);
    let unset = |file: &str| load(file, &[]).expect("fine").server.cors_origins;
    assert_eq!(unset(""), ["http://localhost:3000", "http://127.0.0.1:3000"]);
    assert!(unset("[server]\ncors_origins = []\n").is_empty());
}

#[test]
fn the_file_in_the_repository_is_complete_and_right() {
    let file = fs::read_to_string("Leptos.toml").expect("it is there");
    let settings = load(&file, &[("COLLOQUY_MODEL", "rehearsal")]).expect("fine");
    assert!(PROVIDERS.iter().all(|provider| settings.models.defaults.contains_key(provider.name)));
    assert_eq!(settings.server.cors_origins, load("", &[]).expect("fine").server.cors_origins);
    assert_eq!(format!("{:?}", settings.limits), format!("{:?}", Limits::from(file::File::default().limits)));
}

#[test]
fn a_cassette_is_used_when_the_environment_says_how() {
    let cassette = |file: &str, environment: &[(&str, &str)]| load(file, environment).expect("fine").models.cassette;
    let used = |mode, file: &str| Some(Cassette { mode, file: file.into() });
    assert_eq!(cassette("[models]\ncassette = \"a.jsonl\"\n", &[]), None);
    assert_eq!(cassette("", &[("COLLOQUY_CASSETTE", "record")]), used(CassetteMode::Record, "var/cassette.jsonl"));
    let file = "[models]\ncassette = \"a.jsonl\"\n";
    assert_eq!(cassette(file, &[("COLLOQUY_CASSETTE", "replay")]), used(CassetteMode::Replay, "a.jsonl"));
}

#[test]
fn an_empty_access_code_is_none_and_the_environment_has_the_last_word() {
    let code = |file: &str, environment: &[(&str, &str)]| load(file, environment).expect("fine").server.access_code;
    assert_eq!(code("[access]\ncode = \"\"\n", &[]), None);
    assert_eq!(code("[access]\ncode = \"from the file\"\n", &[]), Some("from the file".into()));
    assert_eq!(code("[access]\ncode = \"from the file\"\n", &[("COLLOQUY_ACCESS_CODE", "eight888")]), Some("eight888".into()));
}
