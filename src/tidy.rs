//! The house rules, run as tests: who may import whom, how large things may grow, and that the two
//! configuration files agree.

use std::{fs, path::PathBuf};

/// Non-test lines of a file, a function and a component at which the test fails.
const FILE: usize = 400;
const FUNCTION: usize = 60;
const COMPONENT: usize = 90;

fn manifest(file: &str) -> toml::Table {
    let text = fs::read_to_string(file).expect("it is there");
    toml::from_str(&text).expect("it is TOML")
}

struct Source {
    /// Below `src`, as in `engine/entry.rs`.
    path: String,
    text: String,
}

impl Source {
    fn is_test(&self) -> bool {
        ["tests.rs", "tidy.rs", "story.rs"].iter().any(|name| self.path.ends_with(name)) || self.path.contains("/tests/")
    }

    /// What stands before the tests.
    fn code(&self) -> &str {
        self.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default()
    }

    /// Paths named in `use` lines and in full, as `crate::store::…`.
    fn names(&self, path: &str) -> bool {
        let found = |line: &str| !line.trim_start().starts_with("//") && line.contains(path);
        self.code().lines().any(found)
    }
}

fn sources() -> Vec<Source> {
    let root = PathBuf::from("src");
    let (mut found, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("src can be read") {
            let path = entry.expect("src can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let text = fs::read_to_string(&path).expect("sources are text");
                let below = path.strip_prefix(&root).expect("it is below src");
                found.push(Source { path: below.to_string_lossy().replace('\\', "/"), text });
            }
        }
    }
    found
}

/// Top-level modules and crates that `use` lines of a file name; nested braces are flattened.
fn imports(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for statement in code.split(';') {
        let statement = statement.trim_start();
        let lines: Vec<&str> = statement.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let Some(at) = lines.iter().position(|line| line.trim_start().starts_with("use ") || line.trim_start().starts_with("pub use "))
        else {
            continue;
        };
        let text = lines[at..].join(" ");
        let path = text.trim_start().trim_start_matches("pub ").trim_start_matches("use ").trim();
        flatten("", path, &mut found);
    }
    found
}

fn flatten(prefix: &str, path: &str, found: &mut Vec<String>) {
    let Some((head, rest)) = path.split_once('{') else {
        return found.push(format!("{prefix}{}", path.trim()));
    };
    let (mut depth, mut start) = (0, 0);
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    for (i, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                flatten(&format!("{prefix}{}", head.trim()), inner[start..i].trim(), found);
                start = i + 1;
            }
            _ => {}
        }
    }
    if !inner[start..].trim().is_empty() {
        flatten(&format!("{prefix}{}", head.trim()), inner[start..].trim(), found);
    }
}

#[test]
fn imports_are_flattened() {
    let found = imports("//! x\nuse crate::{\n    engine::flow::{Flow, Stamp},\n    ui,\n};\nuse std::fmt;\n");
    assert_eq!(found, ["crate::engine::flow::Flow", "crate::engine::flow::Stamp", "crate::ui", "std::fmt"]);
}

fn forbid(what: &str, of: impl Fn(&Source) -> bool, breach: impl Fn(&Source) -> Option<String>) {
    let breaches: Vec<String> = sources()
        .iter()
        .filter(|source| !source.is_test() && of(source))
        .filter_map(|source| Some(format!("{}: {}", source.path, breach(source)?)))
        .collect();
    assert!(breaches.is_empty(), "{what}:\n{}", breaches.join("\n"));
}

#[test]
fn rooms_never_import_rooms() {
    let room = |source: &Source| source.path.strip_prefix("rooms/").and_then(|rest| rest.split_once('/')).map(|(room, _)| room.to_owned());
    forbid(
        "a room imports another",
        |source| room(source).is_some(),
        |source| {
            let own = format!("crate::rooms::{}", room(source)?);
            imports(source.code()).into_iter().find(|path| path.starts_with("crate::rooms") && !path.starts_with(&own))
        },
    );
}

#[test]
fn a_flow_is_pure() {
    let flow = |source: &Source| source.path.starts_with("rooms/") && (source.path.contains("/flow/") || source.path.ends_with("/flow.rs"));
    let allowed = ["std::", "serde::", "thiserror::", "crate::engine::flow", "super::"];
    forbid("a flow imports more than std, serde, thiserror and engine::flow", flow, |source| {
        let modules: Vec<String> = declared(source.code());
        let fine = |path: &str| {
            allowed.iter().any(|allowed| path.starts_with(allowed)) || modules.iter().any(|module| path.starts_with(&format!("{module}::")))
        };
        imports(source.code()).into_iter().find(|path| !fine(path))
    });
}

/// The modules that a file declares.
fn declared(code: &str) -> Vec<String> {
    let name = |line: &str| {
        let line = line.trim_start_matches("pub ");
        Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    };
    code.lines().filter_map(name).collect()
}

#[test]
fn ui_knows_no_room_and_no_server() {
    let allowed = ["leptos", "web_sys", "js_sys", "wasm_bindgen", "gloo_timers", "pulldown_cmark"];
    let manifest = manifest("Cargo.toml");
    let crates = manifest["dependencies"].as_table().expect("a table").keys().map(|name| name.replace('-', "_"));
    let foreign: Vec<String> = crates.filter(|name| !allowed.contains(&name.as_str())).chain(["crate".to_owned()]).collect();
    forbid(
        "ui imports more than leptos, the browser and the Markdown parser",
        |source| source.path.starts_with("ui/"),
        |source| {
            imports(source.code())
                .into_iter()
                .find(|path| path.split("::").next().is_some_and(|first| foreign.iter().any(|name| name == first)))
        },
    );
}

#[test]
fn pages_and_views_never_name_the_server() {
    let view = |source: &Source| source.path.starts_with("rooms/") && (source.path.contains("/view/") || source.path.ends_with("/page.rs"));
    forbid("a page names the server", view, |source| {
        ["server::", "crate::models", "crate::store", "crate::http"]
            .into_iter()
            .find(|path| source.names(path))
            .map(str::to_owned)
            .filter(|path| path != "server::" || source.code().replace("leptos::prelude::*, server_fn::ServerFn", "").contains(" server::"))
    });
}

#[test]
fn engine_models_and_store_name_no_room() {
    let below = |source: &Source| ["engine/", "models/", "store/"].iter().any(|folder| source.path.starts_with(folder));
    forbid("a room is named below the rooms", below, |source| {
        let code = source.code().lines().filter(|line| !line.trim_start().starts_with("//"));
        // Whole words: a role may be called after what is done in a room.
        let mut words = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
        let named = words.find(|word| ["simulate", "research", "debate", "survey", "campaigns"].contains(word));
        named.or(source.names("crate::rooms").then_some("crate::rooms")).map(str::to_owned)
    });
}

#[test]
fn sql_lives_in_the_store() {
    forbid(
        "SQL outside the store",
        |source| !source.path.starts_with("store/"),
        |source| source.names("sqlx::").then(|| "sqlx".to_owned()),
    );
}

#[test]
fn a_cfg_stands_on_a_module() {
    forbid(
        "cfg on something other than a module",
        |_| true,
        |source| {
            let lines: Vec<&str> = source.code().lines().collect();
            let bad = |pair: &[&str]| {
                pair[0].trim_start().starts_with("#[cfg(")
                    && !["mod ", "pub mod ", "#["].iter().any(|start| pair[1].trim_start().starts_with(start))
            };
            lines.windows(2).find(|pair| bad(pair)).map(|pair| pair[1].trim().to_owned())
        },
    );
}

#[test]
fn files_functions_and_components_stay_small() {
    forbid(
        "too large",
        |_| true,
        |source| {
            let lines = source.code().lines().count();
            if lines > FILE {
                return Some(format!("{lines} lines in one file"));
            }
            functions(source.code())
                .into_iter()
                .find(|(_, lines, component)| *lines > if *component { COMPONENT } else { FUNCTION })
                .map(|(name, lines, _)| format!("{lines} lines in {name}"))
        },
    );
}

/// Functions with their length in lines and whether they are components. A match of one-line arms is exempt.
fn functions(code: &str) -> Vec<(String, usize, bool)> {
    let lines: Vec<&str> = code.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let starts = lines.iter().enumerate().filter(|(_, line)| {
        let line = line.trim_start();
        ["fn ", "pub fn ", "async fn ", "pub async fn ", "pub(super) fn "].iter().any(|start| line.starts_with(start))
            && !line.ends_with(';')
    });
    starts
        .map(|(at, line)| {
            let end = lines[at..].iter().position(|next| *next == format!("{}}}", " ".repeat(indent(line)))).unwrap_or_default();
            let arms = lines[at..at + end].iter().filter(|line| line.contains(" => \"")).count();
            let component = at > 0
                && lines[..at]
                    .iter()
                    .rev()
                    .take_while(|line| line.trim_start().starts_with("#[") || line.trim_start().starts_with("///"))
                    .any(|line| line.contains("component"));
            (line.trim().to_owned(), end - arms, component)
        })
        .collect()
}

/// Cargo.toml holds what builds the site, Leptos.toml what runs it; the keys they share are the same.
#[test]
fn both_leptos_headers_agree() {
    let header = |file: &str| manifest(file)["package"]["metadata"]["leptos"].clone();
    let (build, run) = (header("Cargo.toml"), header("Leptos.toml"));
    for (key, value) in run.as_table().expect("a table") {
        assert_eq!(Some(value), build.get(key), "{key} differs between Leptos.toml and Cargo.toml");
    }
}

#[test]
fn every_key_of_the_environment_is_in_the_example() {
    let example = fs::read_to_string(".env.example").expect("it is there");
    for key in crate::settings::Environment::known_keys() {
        assert!(
            example.lines().any(|line| line.trim_start_matches("# ").starts_with(&format!("{key}="))),
            "{key} is missing from .env.example"
        );
    }
}
