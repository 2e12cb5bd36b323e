//! Server functions for any run. Those that change something are plain forms' targets and lead on to a page.

use super::{Card, Sent, Verb};
use crate::read;
use crate::{engine::follow::Snapshot, error::AppError};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What `/runs` shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shelf {
    pub cards: Vec<Card>,
    /// What was searched for; empty when nothing was.
    pub words: String,
    /// How many there are, in words.
    pub count: String,
    /// Where more of them are shown, if there are more.
    pub more: Option<String>,
    /// The run that was deleted just now.
    pub deleted: Option<Card>,
    /// All was deleted just now.
    pub erased: bool,
    /// How long what is here stays, in a sentence.
    pub kept: String,
    /// A real phone shows what stands on the desk otherwise.
    pub desk: bool,
    pub refused: Option<AppError>,
}

/// What a run's page in its room shows, and its replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    pub snapshot: Snapshot,
    /// May whoever looks at it command it?
    pub mine: bool,
    /// The run that it continues.
    pub parent: Option<Card>,
    /// Those that go on from somewhere in it.
    pub forks: Vec<Card>,
}

/// What the page about a run shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    pub card: Card,
    /// Its reader is its owner; a guest reads facts and takes a copy.
    pub mine: bool,
    /// Each with its name.
    pub facts: Vec<(String, String)>,
    /// Its read-only link, if there is one.
    pub link: Option<String>,
    /// The bench with this run's setup.
    pub again: String,
    /// Where it plays again, once it is over.
    pub replay: Option<String>,
    pub refused: Option<AppError>,
}

/// A turn of a run, to be put into other words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    pub card: Card,
    /// Which of its turns, from 0.
    pub turn: u32,
    /// As it was said, or as it was sent before and refused.
    pub text: String,
    /// Characters of it at most.
    pub max: usize,
    /// What is wrong with the text, where it was sent before.
    pub fault: Option<String>,
    /// Makes a repeated request harmless.
    pub key: String,
}

/// The newest runs of whoever asks: a list of [`Card`]s.
#[server(prefix = "/api/fn", endpoint = "recent_runs")]
pub async fn recent_runs() -> Result<Sent, AppError> {
    Sent::pack(super::server::recent().await)
}

/// A [`Shelf`]. `search` is the query of the page's address.
#[server(prefix = "/api/fn", endpoint = "list_runs")]
pub async fn list_runs(search: String) -> Result<Sent, AppError> {
    Sent::pack(super::server::list(&search).await)
}

/// An [`About`].
#[server(prefix = "/api/fn", endpoint = "about_run")]
pub async fn about_run(id: String) -> Result<Sent, AppError> {
    Sent::pack(super::server::about(&id).await)
}

/// A [`Turn`], by its number (from 0). `search` is the address's part behind its `?`.
#[server(prefix = "/api/fn", endpoint = "open_turn")]
pub async fn open_turn(id: String, turn: u32, #[server(default)] search: String) -> Result<Sent, AppError> {
    Sent::pack(super::server::turn(&id, turn, &search).await)
}

/// Goes on from a turn (from 0) in other words, as a new run, and leads to its page. `key` makes a repeated request harmless; it
/// may be empty.
#[server(prefix = "/api/fn", endpoint = "fork_run")]
pub async fn fork_run(id: String, turn: u32, text: String, #[server(default)] key: String) -> Result<(), AppError> {
    super::server::fork(&id, turn, text, key).await
}

/// Stops or continues a run.
#[server(prefix = "/api/fn", endpoint = "command_run")]
pub async fn command_run(id: String, verb: Verb) -> Result<(), AppError> {
    super::server::act(&id, verb).await
}

#[server(prefix = "/api/fn", endpoint = "rename_run")]
pub async fn rename_run(id: String, title: String) -> Result<(), AppError> {
    super::server::rename(&id, &title).await
}

#[server(prefix = "/api/fn", endpoint = "pin_run")]
pub async fn pin_run(id: String, pinned: bool) -> Result<(), AppError> {
    super::server::pin(&id, pinned).await
}

#[server(prefix = "/api/fn", endpoint = "delete_run")]
pub async fn delete_run(id: String) -> Result<(), AppError> {
    super::server::delete(&id).await
}

#[server(prefix = "/api/fn", endpoint = "undelete_run")]
pub async fn undelete_run(id: String) -> Result<(), AppError> {
    super::server::undelete(&id).await
}

/// Makes the read-only link, or revokes it.
#[server(prefix = "/api/fn", endpoint = "share_run")]
pub async fn share_run(id: String, shared: bool) -> Result<(), AppError> {
    super::server::share(&id, shared).await
}

/// Deletes everything of whoever asks, for good; `sure` must be `yes`.
#[server(prefix = "/api/fn", endpoint = "erase_me")]
pub async fn erase_me(sure: Option<String>) -> Result<(), AppError> {
    super::server::erase(sure.as_deref()).await
}

read!(struct Shelf { cards, words, count, more, deleted, erased, kept, desk, refused });
read!(struct Opened { snapshot, mine, parent, forks });
read!(struct Turn { card, turn, text, max, fault, key });
read!(struct About { card, mine, facts, link, again, replay, refused });
