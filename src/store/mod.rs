//! Where runs and their logs live. The only place with SQL, apart from the campaign library's own catalogue.

use crate::engine::{
    entry::Partial,
    flow::{Stamp, Status},
};
use serde_json::Value;
use uuid::Uuid;

mod sqlite;
#[cfg(test)]
pub mod story;

pub use sqlite::SqliteStore;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The log has grown, or the lease was lost: reload, decide again.
    #[error("the log has moved on")]
    Conflict,
    #[error("there is no such run")]
    NotFound,
    #[error("the idempotency key was used for another request")]
    KeyReused,
    #[error("{file} is in use by another Colloquy process. Stop that one, or set DATABASE_URL to another file.")]
    InUse { file: String },
    #[error("{0}")]
    Open(String),
    #[error("store: {0}")]
    Database(#[from] sqlx::Error),
    #[error("store: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    #[error("store: unreadable row: {0}")]
    Decode(String),
    #[error("the store is closed")]
    Closed,
}

/// An idempotency key with what it was used for.
#[derive(Clone, Debug)]
pub struct InputKey {
    pub scope: String,
    pub key: String,
    /// Tells a repeated request from another one under the same key.
    pub fingerprint: String,
}

pub struct NewRun {
    pub id: Uuid,
    pub kind: &'static str,
    pub owner: String,
    pub title: String,
    pub setup: Value,
    pub status: Status,
    pub at: i64,
    /// Its first entries, numbered from 1.
    pub log: Vec<EventRow>,
    pub key: Option<InputKey>,
    /// A client's own id of the conversation; taken from the run that had it, unless that one goes on:
    /// then nothing is created, and that one is answered.
    pub external_id: Option<String>,
    /// The run whose log this one's begins with.
    pub parent: Option<Uuid>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    pub id: Uuid,
    pub kind: String,
    pub owner: String,
    pub title: String,
    pub status: Status,
    pub setup: Value,
    pub seq: i64,
    pub created_at: i64,
    pub updated_at: i64,
    pub input_tokens: i64,
    pub output_tokens: i64,
    pub cost_micros: i64,
    pub external_id: Option<String>,
    pub pinned: bool,
    /// Gone for people, kept for an undo.
    pub deleted_at: Option<i64>,
    pub parent: Option<Uuid>,
}

/// What a person may change of a run besides its log.
#[derive(Clone, Debug)]
pub enum RunChange {
    Title(String),
    Pinned(bool),
    /// When it was deleted, or that it was not.
    Deleted(Option<i64>),
}

/// A persona an owner has saved for one of the rooms; what `text` holds is that room's.
#[derive(Clone, Debug, PartialEq)]
pub struct PersonaRow {
    pub name: String,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EventRow {
    pub stamp: Stamp,
    pub body: Value,
}

/// Entries to add behind entry `after`, and what the run's row says from then on.
#[derive(Clone, Debug)]
pub struct Append {
    pub run: Uuid,
    pub after: i64,
    /// An outcome's fence: the lease under which its call was made. A person's command has none.
    pub epoch: Option<i64>,
    pub at: i64,
    pub bodies: Vec<Value>,
    pub status: Status,
    /// Steps whose partial text stays; all others' is dropped.
    pub open: Vec<i64>,
    pub input_tokens: i64,
    pub output_tokens: i64,
    pub cost_micros: i64,
}

/// A text that is being written, as it was when `seq` was its run's last entry.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenText {
    pub run: Uuid,
    pub seq: i64,
    pub partial: Partial,
}

/// What the budgets count: runs started and tokens used since a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    pub runs: i64,
    pub tokens: i64,
}

#[async_trait::async_trait]
pub trait Store: Send + Sync {
    /// Creates the run with its first entries. The same key with the same fingerprint answers the run
    /// that is there already.
    async fn create(&self, run: NewRun) -> Result<Uuid, StoreError>;
    /// The run that was started under this key, unless it was deleted; `KeyReused` where the fingerprint is another.
    async fn started(&self, key: &InputKey) -> Result<Option<Uuid>, StoreError>;
    async fn run(&self, id: Uuid) -> Result<Option<RunRow>, StoreError>;
    /// The log behind entry `after`, in order.
    async fn events(&self, id: Uuid, after: i64) -> Result<Vec<EventRow>, StoreError>;
    /// Fenced by `after` and, for outcomes, the lease epoch; `Conflict` writes nothing.
    async fn append(&self, append: Append) -> Result<(), StoreError>;
    /// Takes the lease and answers its new epoch.
    async fn claim(&self, id: Uuid, server: Uuid) -> Result<i64, StoreError>;
    /// Runs that are running and not deleted, with their rooms.
    async fn running(&self) -> Result<Vec<(Uuid, String)>, StoreError>;
    /// Texts of any runs, together. One whose run has moved on since, or was deleted, is left out: its step may be over.
    async fn save_partials(&self, texts: Vec<OpenText>) -> Result<(), StoreError>;
    async fn partials(&self, id: Uuid) -> Result<Vec<Partial>, StoreError>;
    /// An owner's runs that are not deleted and, where `words` are given, hold them in title or log: the pinned
    /// first, and the newest of each.
    async fn list(&self, owner: &str, words: &str, limit: i64) -> Result<Vec<RunRow>, StoreError>;
    /// How many [`list`](Store::list) would answer without a limit.
    async fn count(&self, owner: &str, words: &str) -> Result<i64, StoreError>;
    async fn external(&self, owner: &str, kind: &str, external_id: &str) -> Result<Option<RunRow>, StoreError>;
    /// The runs that go on from somewhere in this one, the oldest first.
    async fn forks(&self, id: Uuid) -> Result<Vec<RunRow>, StoreError>;
    async fn change(&self, id: Uuid, change: RunChange) -> Result<(), StoreError>;
    /// Shares the run under `token` and answers it; a run that is shared already keeps the token it has.
    async fn share(&self, id: Uuid, token: &str, at: i64) -> Result<String, StoreError>;
    async fn unshare(&self, id: Uuid) -> Result<(), StoreError>;
    async fn share_of(&self, id: Uuid) -> Result<Option<String>, StoreError>;
    /// The run that this token opens.
    async fn shared(&self, token: &str) -> Result<Option<Uuid>, StoreError>;
    /// Deletes every word of an owner's; only bare rows stay for the budgets, until they are purged. Answers whose they are.
    async fn erase(&self, owner: &str, at: i64) -> Result<Vec<Uuid>, StoreError>;
    /// Removes for good what was deleted before a time and, where given, what has not changed since another
    /// and is neither pinned nor running; answers how many runs.
    async fn purge(&self, deleted_before: i64, idle_before: Option<i64>) -> Result<u64, StoreError>;
    /// An owner's personas of a room, by name.
    async fn personas(&self, owner: &str, room: &str) -> Result<Vec<PersonaRow>, StoreError>;
    /// Replaces the one of that name.
    async fn save_persona(&self, owner: &str, room: &str, persona: PersonaRow, at: i64) -> Result<(), StoreError>;
    async fn delete_persona(&self, owner: &str, room: &str, name: &str) -> Result<(), StoreError>;
    /// For one owner, or for all.
    async fn spent(&self, owner: Option<&str>, since: i64) -> Result<Spent, StoreError>;
    /// The named secret, made on first use and the same ever after.
    async fn secret(&self, name: &str) -> Result<Vec<u8>, StoreError>;
    async fn ping(&self) -> Result<(), StoreError>;
}
