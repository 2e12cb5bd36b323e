//! The one writer of the file: writes that come in while a commit goes on are committed together.

use crate::store::StoreError;
use futures::future::BoxFuture;
use sqlx::{Connection, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

/// Writes committed together at most.
const BATCH: usize = 128;

type Job = Box<dyn for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Acknowledge> + Send>;
/// Answers whoever asked for the write, once the commit has gone through or has not.
type Acknowledge = Box<dyn FnOnce(bool) + Send>;

/// Where writes are handed in. The writer lets go of the connection when the last of these is gone.
pub struct Writer(mpsc::Sender<Job>);

impl Writer {
    pub fn spawn(connection: SqliteConnection) -> Self {
        let (sender, jobs) = mpsc::channel(1024);
        tokio::spawn(write_in_groups(connection, jobs));
        Writer(sender)
    }

    /// Answers once the write is committed.
    pub async fn write<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::new(move |connection| {
            Box::pin(async move {
                let result = in_savepoint(connection, work).await;
                let acknowledge: Acknowledge = Box::new(move |committed| {
                    let _ = sender.send(if committed { result } else { Err(StoreError::Closed) });
                });
                acknowledge
            })
        });
        self.0.send(job).await.map_err(|_| StoreError::Closed)?;
        receiver.await.map_err(|_| StoreError::Closed)?
    }
}

async fn write_in_groups(mut connection: SqliteConnection, mut jobs: mpsc::Receiver<Job>) {
    let mut group = Vec::with_capacity(BATCH);
    while jobs.recv_many(&mut group, BATCH).await > 0 {
        let mut acknowledgements = Vec::with_capacity(group.len());
        let committed = commit(&mut connection, group.drain(..), &mut acknowledgements).await;
        if let Err(error) = &committed {
            tracing::error!(%error, "a group of writes was not committed");
            let _ = sqlx::query("ROLLBACK").execute(&mut connection).await;
        }
        for acknowledge in acknowledgements {
            acknowledge(committed.is_ok());
        }
    }
    let _ = connection.close().await;
}

async fn commit(
    connection: &mut SqliteConnection,
    group: impl Iterator<Item = Job>,
    acknowledgements: &mut Vec<Acknowledge>,
) -> Result<(), sqlx::Error> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    for job in group {
        acknowledgements.push(job(connection).await);
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}

/// One failing write leaves the others of its group alone.
async fn in_savepoint<T, W>(connection: &mut SqliteConnection, work: W) -> Result<T, StoreError>
where
    W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>>,
{
    sqlx::query("SAVEPOINT job").execute(&mut *connection).await?;
    let result = work(connection).await;
    let end = if result.is_ok() { "RELEASE job" } else { "ROLLBACK TO job; RELEASE job" };
    sqlx::raw_sql(end).execute(connection).await?;
    result
}
