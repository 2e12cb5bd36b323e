//! The one writer of the file: writes that come in while a commit goes on are committed together.

use super::append;
use crate::store::{Append, OpenText, StoreError};
use futures::future::BoxFuture;
use sqlx::{Connection, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

/// Writes committed together at most.
const BATCH: usize = 128;

type Reply = oneshot::Sender<Result<(), StoreError>>;
type Work = Box<dyn for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Acknowledge> + Send>;
/// Answers whoever asked for the write, once the commit has gone through or has not.
type Acknowledge = Box<dyn FnOnce(bool) + Send>;

/// The writes that come often have statements for many of them; the others bring their own.
enum Job {
    Append(Append, Reply),
    Texts(Vec<OpenText>, Reply),
    Other(Work),
}

/// Where writes are handed in. The writer lets go of the connection when the last of these is gone.
pub struct Writer(mpsc::Sender<Job>);

impl Writer {
    pub fn spawn(connection: SqliteConnection) -> Self {
        let (sender, jobs) = mpsc::channel(1024);
        tokio::spawn(write_in_groups(connection, jobs));
        Writer(sender)
    }

    pub async fn append(&self, add: Append) -> Result<(), StoreError> {
        self.answered(|reply| Job::Append(add, reply)).await
    }

    pub async fn save_partials(&self, texts: Vec<OpenText>) -> Result<(), StoreError> {
        self.answered(|reply| Job::Texts(texts, reply)).await
    }

    /// Answers once the write is committed.
    pub async fn write<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        self.answered(|sender| {
            Job::Other(Box::new(move |connection| {
                Box::pin(async move {
                    let result = in_savepoint(connection, work).await;
                    let acknowledge: Acknowledge = Box::new(move |committed| {
                        let _ = sender.send(if committed { result } else { Err(StoreError::Closed) });
                    });
                    acknowledge
                })
            }))
        })
        .await
    }

    async fn answered<T>(&self, job: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Job) -> Result<T, StoreError> {
        let (sender, receiver) = oneshot::channel();
        self.0.send(job(sender)).await.map_err(|_| StoreError::Closed)?;
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

/// Nobody of a group has been answered yet, so its writes may go in any order. Texts go before appends, which
/// drop those of steps that are over. A reply that is dropped unanswered says that nothing was written.
async fn commit(
    connection: &mut SqliteConnection,
    group: impl Iterator<Item = Job>,
    acknowledgements: &mut Vec<Acknowledge>,
) -> Result<(), sqlx::Error> {
    let (mut appends, mut replies, mut texts, mut others) = (vec![], vec![], vec![], vec![]);
    for job in group {
        match job {
            Job::Append(add, reply) => {
                appends.push(add);
                replies.push(reply);
            }
            Job::Texts(more, reply) => {
                texts.extend(more);
                acknowledgements.push(acknowledge(reply, true));
            }
            Job::Other(work) => others.push(work),
        }
    }
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    if !texts.is_empty() {
        append::save_partials(connection, &texts).await?;
    }
    let landed = append::append(connection, &appends).await?;
    acknowledgements.extend(replies.into_iter().zip(landed).map(|(reply, landed)| acknowledge(reply, landed)));
    for work in others {
        acknowledgements.push(work(connection).await);
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(())
}

fn acknowledge(reply: Reply, landed: bool) -> Acknowledge {
    Box::new(move |committed| {
        let _ = reply.send(match (committed, landed) {
            (true, true) => Ok(()),
            (true, false) => Err(StoreError::Conflict),
            (false, _) => Err(StoreError::Closed),
        });
    })
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
