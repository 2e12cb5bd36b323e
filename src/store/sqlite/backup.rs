//! A consistent copy of the store, also while a server writes to it.

use super::SqliteStore;
use crate::store::StoreError;
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{
    fs::{self, File},
    os::unix::fs::OpenOptionsExt,
    path::Path,
    str::FromStr,
};

impl SqliteStore {
    /// Copies the store at `sqlite://path` into a new file that only its owner may read; answers its size in bytes.
    /// Reads as any reader does, so the process that owns the store need not be stopped.
    pub async fn backup(url: &str, file: &Path) -> Result<u64, StoreError> {
        let options = SqliteConnectOptions::from_str(url)
            .map_err(|error| StoreError::Open(format!("DATABASE_URL is not a SQLite address: {error}")))?
            .read_only(true);
        let mut reader =
            SqliteConnection::connect_with(&options).await.map_err(|error| StoreError::Open(format!("{url} cannot be opened: {error}")))?;
        let refused = |error| StoreError::Open(format!("{} cannot be made: {error}. Nothing is overwritten.", file.display()));
        // SQLite takes some names for more than names; a whole path is only a path.
        let file = &std::path::absolute(file).map_err(refused)?;
        let copy = File::options().write(true).create_new(true).mode(0o600).open(file).map_err(refused)?;
        let copied = copy_into(&mut reader, file).await.and_then(|()| {
            copy.sync_all()?;
            match copy.metadata()?.len() {
                0 => Err(std::io::Error::other("nothing was written")),
                bytes => Ok(bytes),
            }
        });
        let _ = reader.close().await;
        copied
            .inspect_err(|_| drop(fs::remove_file(file)))
            .map_err(|error| StoreError::Open(format!("The copy was not finished, and {} is removed: {error}", file.display())))
    }
}

/// One read transaction, so the copy is the store as it was at one moment.
async fn copy_into(reader: &mut SqliteConnection, file: &Path) -> std::io::Result<()> {
    let name = file.to_str().ok_or_else(|| std::io::Error::other("the file's name is not text"))?;
    sqlx::query("VACUUM INTO ?").bind(name).execute(reader).await.map_err(std::io::Error::other)?;
    Ok(())
}
