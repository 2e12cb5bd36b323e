//! What is asked for on the command line.

use colloquy::{settings::Settings, store::SqliteStore};
use std::path::PathBuf;

const USAGE: &str = "\
Usage: colloquy                serve, as Leptos.toml and the environment say
       colloquy backup FILE    copy the store into a new file, also while a server runs
       colloquy help | --version";

#[derive(Debug, PartialEq)]
pub enum Command {
    Serve,
    Backup(PathBuf),
    /// Something to say, and no more.
    Say(String),
}

impl Command {
    /// The words behind the program's name; an error is a sentence with the usage.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let words: Vec<String> = words.into_iter().collect();
        match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            [] => Ok(Command::Serve),
            ["backup", file] if !file.starts_with('-') => Ok(Command::Backup(file.into())),
            ["backup", ..] => Err(format!("backup takes the name of one new file.\n{USAGE}")),
            ["help" | "--help" | "-h"] => Ok(Command::Say(USAGE.to_owned())),
            ["--version" | "-V"] => Ok(Command::Say(format!("colloquy {}", env!("CARGO_PKG_VERSION")))),
            [first, ..] => Err(format!("“{first}” is not understood.\n{USAGE}")),
        }
    }
}

/// Copies the store, and says how large the copy is and how to go back to it.
pub async fn backup(settings: &Settings, file: PathBuf) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let bytes = SqliteStore::backup(&settings.database_url, &file).await?;
    let name = file.display();
    Ok(format!(
        "{name} holds all of {} ({}), and only you may read it: it holds the key that signs cookies as well.\n\
         To go back to it, stop the server and start it with DATABASE_URL=sqlite://{name}.",
        settings.database_url,
        size(bytes),
    ))
}

fn size(bytes: u64) -> String {
    match bytes {
        ..1_000_000 => format!("{} KB", bytes.div_ceil(1_000)),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_or_refused_with_the_usage() {
        let parse = |words: &str| Command::parse(words.split_whitespace().map(str::to_owned));
        assert_eq!(parse(""), Ok(Command::Serve));
        assert_eq!(parse("backup a.db"), Ok(Command::Backup("a.db".into())));
        assert!(matches!(parse("--help"), Ok(Command::Say(said)) if said.contains("backup FILE")));
        assert!(matches!(parse("--version"), Ok(Command::Say(said)) if said.contains(env!("CARGO_PKG_VERSION"))));
        for words in ["backup", "backup --force", "backup a b", "serve", "help me"] {
            assert!(parse(words).is_err_and(|said| said.contains("Usage:")), "{words}");
        }
    }

    #[test]
    fn sizes_are_read_by_people() {
        for (bytes, expect) in [(1, "1 KB"), (999_999, "1000 KB"), (12_340_000, "12.3 MB")] {
            assert_eq!(size(bytes), expect);
        }
    }
}
