//! A store on a PostgreSQL server, shared by any number of processes.

mod appender;
mod reading;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_db::{Postgres, PostgresClient, SqlMigrations};
use tokio_postgres::Transaction;

use self::appender::{APPEND, Append, Appender, append};
use super::interface::{JoinedWrite, Store};
use super::owner::Owner;
use super::record::{CheckpointJournal, JournalRecord, ThreadId, ThreadLease};
use super::sql::{bound, fenced, number, position};
use crate::error::{Error, SharedError};

const MIGRATIONS: SqlMigrations = SqlMigrations {
    owner: "graph",
    files: &[
        ("0001_journal", include_str!("postgres/0001_journal.sql")),
        ("0002_scopes", include_str!("postgres/0002_scopes.sql")),
    ],
};

/// A store in a schema of a [`Postgres`] server, beside other tables.
///
/// Leases use the server's clock, so the clocks of the processes do not matter.
#[derive(Debug, Clone)]
pub struct PostgresStore {
    postgres: Postgres,
    appender: Appender,
}

/// The work of a joined write; runs inside the commit's transaction.
type Work = Box<dyn for<'a> FnOnce(&'a Transaction<'a>) -> BoxFuture<'a, Result<(), Error>> + Send>;

impl PostgresStore {
    /// Opens the store and migrates the tables. Needs a Tokio runtime, which runs the appends.
    pub async fn open(postgres: Postgres) -> Result<Self, Error> {
        postgres.migrate(&MIGRATIONS).await?;
        let appender = Appender::start(postgres.clone());
        Ok(Self { postgres, appender })
    }

    /// Returns a write to tables of the same schema, for [`crate::Context::commit_with`].
    ///
    /// An error of `work` fails the run and rolls back the whole transaction. Concurrent writers of the same rows, or
    /// of the same thread, wait for the commit, so the work should be short.
    pub fn joined<E>(
        work: impl for<'a> FnOnce(&'a Transaction<'a>) -> BoxFuture<'a, Result<(), E>> + Send + 'static,
    ) -> JoinedWrite
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>> + 'static,
    {
        let work: Work = Box::new(move |tx| work(tx).map(|done| done.map_err(|error| refused(error.into()))).boxed());
        JoinedWrite::new(work)
    }

    async fn append_joined(&self, records: Append, joined: Vec<JoinedWrite>) -> Result<u64, Error> {
        let joined = joined.into_iter().map(JoinedWrite::work::<Work>).collect::<Result<Vec<_>, _>>()?;
        let mut client = self.postgres.client().await?;
        let statement = client.prepare_cached(APPEND).await?;
        let tx = client.transaction().await?;
        let last = append(&*tx, &statement, &[records]).await?.remove(0)?;
        for work in joined {
            work(&tx).await?;
        }
        tx.commit().await?;
        Ok(last)
    }

    async fn acquire_lease(&self, thread: &ThreadId, owner: &Owner, duration: Duration) -> Result<ThreadLease, Error> {
        let client = self.postgres.client().await?;
        let mut dead = None;
        let described = serde_json::to_string(owner)
            .map_err(|error| Error::Encode { what: "the owner".to_owned(), reason: error.to_string() })?;
        // Committed to the disk whatever the settings are: no epoch may be issued twice.
        let sql = "INSERT INTO graph_thread AS thread(id, epoch, owner, expires)
                   SELECT $1, 1, $2, clock_timestamp() + $3::bigint * interval '1 millisecond'
                   FROM set_config('synchronous_commit', 'on', true)
                   ON CONFLICT (id) DO UPDATE
                   SET epoch = thread.epoch + 1, owner = excluded.owner,
                       expires = clock_timestamp() + $3::bigint * interval '1 millisecond'
                   WHERE thread.owner IS NULL OR thread.expires <= clock_timestamp() OR thread.epoch = $4::bigint
                   RETURNING epoch";
        let statement = client.prepare_cached(sql).await?;
        // Other processes may release and acquire between the two statements, but hardly again and again.
        for _ in 0..ATTEMPTS {
            let milliseconds = milliseconds(duration);
            if let Some(row) =
                client.query_opt(&statement, &[&thread.as_str(), &described, &milliseconds, &dead]).await?
            {
                return Ok(ThreadLease { thread: thread.clone(), epoch: position(row.try_get(0)?)? });
            }
            match holder(&client, thread).await? {
                Some((epoch, holder)) if holder.is_dead() => dead = Some(epoch),
                Some((_, holder)) => {
                    return Err(Error::ThreadBusy { thread: thread.to_string(), holder: holder.describe() });
                }
                None => {}
            }
        }
        Err(qingyu_db::Error::Busy.into())
    }

    async fn prune_records(&self, lease: &ThreadLease, before: u64, keep: &BTreeSet<String>) -> Result<(), Error> {
        // A graph without its newest snapshot has no checkpoint any more.
        let held = "UPDATE graph_thread
                    SET head = CASE WHEN snapshot >= $3 THEN head ELSE 0 END,
                        snapshot = CASE WHEN snapshot >= $3 THEN snapshot ELSE 0 END
                    WHERE id = $1 AND epoch = $2 AND owner IS NOT NULL
                    RETURNING number";
        let removal = "DELETE FROM graph_record WHERE thread = $1 AND position < $2 AND scope <> ALL($3::text[])";
        let mut client = self.postgres.client().await?;
        let (held, removal) = (client.prepare_cached(held).await?, client.prepare_cached(removal).await?);
        let tx = client.transaction().await?;
        let own_before = if keep.contains("") { 0 } else { bound(before) };
        let row = tx.query_opt(&held, &[&lease.thread.as_str(), &number(lease.epoch), &own_before]).await?;
        let thread: i64 = row.ok_or_else(|| fenced(lease))?.try_get(0)?;
        tx.execute(&removal, &[&thread, &bound(before), &keep.iter().collect::<Vec<_>>()]).await?;
        Ok(tx.commit().await?)
    }

    async fn delete_records(&self, lease: &ThreadLease) -> Result<(), Error> {
        let held = "UPDATE graph_thread SET owner = NULL, last = 0, head = 0, snapshot = 0
                    WHERE id = $1 AND epoch = $2 AND owner IS NOT NULL
                    RETURNING number";
        let removal = "DELETE FROM graph_record WHERE thread = $1";
        let mut client = self.postgres.client().await?;
        let (held, removal) = (client.prepare_cached(held).await?, client.prepare_cached(removal).await?);
        // Two statements: the second sees every record appended before the first locked the thread's row.
        let tx = client.transaction().await?;
        let row = tx.query_opt(&held, &[&lease.thread.as_str(), &number(lease.epoch)]).await?;
        let thread: i64 = row.ok_or_else(|| fenced(lease))?.try_get(0)?;
        tx.execute(&removal, &[&thread]).await?;
        Ok(tx.commit().await?)
    }
}

/// The number of retries for an acquisition disturbed by concurrent processes.
const ATTEMPTS: usize = 10;

impl Store for PostgresStore {
    fn acquire<'a>(
        &'a self,
        thread: &'a ThreadId,
        owner: &'a Owner,
        duration: Duration,
    ) -> BoxFuture<'a, Result<ThreadLease, Error>> {
        self.acquire_lease(thread, owner, duration).boxed()
    }

    fn holder<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<String>, Error>> {
        async move {
            let held = holder(&self.postgres.client().await?, thread).await?;
            Ok(held.filter(|(_, owner)| !owner.is_dead()).map(|(_, owner)| owner.describe()))
        }
        .boxed()
    }

    fn renew<'a>(&'a self, lease: &'a ThreadLease, duration: Duration) -> BoxFuture<'a, Result<(), Error>> {
        async move {
            // Need not be on the disk: after a crash of the server the lease only expires earlier.
            let sql = "UPDATE graph_thread SET expires = clock_timestamp() + $3::bigint * interval '1 millisecond'
                       WHERE id = $1 AND epoch = $2 AND owner IS NOT NULL
                       AND set_config('synchronous_commit', 'off', true) = 'off'";
            let client = self.postgres.client().await?;
            let statement = client.prepare_cached(sql).await?;
            let (epoch, milliseconds) = (number(lease.epoch), milliseconds(duration));
            let held = client.execute(&statement, &[&lease.thread.as_str(), &epoch, &milliseconds]).await?;
            if held == 0 { Err(fenced(lease)) } else { Ok(()) }
        }
        .boxed()
    }

    fn release<'a>(&'a self, lease: &'a ThreadLease) -> BoxFuture<'a, Result<(), Error>> {
        async move {
            // Need not be on the disk: after a crash of the server the lease expires by itself.
            let sql = "UPDATE graph_thread SET owner = NULL WHERE id = $1 AND epoch = $2
                       AND set_config('synchronous_commit', 'off', true) = 'off'";
            let client = self.postgres.client().await?;
            let statement = client.prepare_cached(sql).await?;
            client.execute(&statement, &[&lease.thread.as_str(), &number(lease.epoch)]).await?;
            Ok(())
        }
        .boxed()
    }

    fn append<'a>(
        &'a self,
        lease: &'a ThreadLease,
        records: Vec<JournalRecord>,
        joined: Vec<JoinedWrite>,
    ) -> BoxFuture<'a, Result<u64, Error>> {
        let append = Append { lease: lease.clone(), records };
        if joined.is_empty() { self.appender.run(append).boxed() } else { self.append_joined(append, joined).boxed() }
    }

    fn newest<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
    ) -> BoxFuture<'a, Result<Option<CheckpointJournal>, Error>> {
        async move { reading::newest(&self.postgres.client().await?, thread, scope).await }.boxed()
    }

    fn at<'a>(
        &'a self,
        thread: &'a ThreadId,
        position: u64,
    ) -> BoxFuture<'a, Result<Option<CheckpointJournal>, Error>> {
        async move { reading::at(&self.postgres.client().await?, thread, position).await }.boxed()
    }

    fn checkpoints<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
        before: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, JournalRecord)>, Error>> {
        async move { reading::checkpoints(&self.postgres.client().await?, thread, scope, before, limit).await }.boxed()
    }

    fn records<'a>(
        &'a self,
        thread: &'a ThreadId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, JournalRecord)>, Error>> {
        async move { reading::records(&self.postgres.client().await?, thread, after, limit).await }.boxed()
    }

    fn threads<'a>(&'a self, after: Option<&'a ThreadId>, limit: usize) -> BoxFuture<'a, Result<Vec<ThreadId>, Error>> {
        async move { reading::threads(&self.postgres.client().await?, after, limit).await }.boxed()
    }

    fn prune<'a>(
        &'a self,
        lease: &'a ThreadLease,
        before: u64,
        keep: &'a BTreeSet<String>,
    ) -> BoxFuture<'a, Result<(), Error>> {
        self.prune_records(lease, before, keep).boxed()
    }

    fn delete<'a>(&'a self, lease: &'a ThreadLease) -> BoxFuture<'a, Result<(), Error>> {
        self.delete_records(lease).boxed()
    }
}

/// Returns epoch and owner of a lease that has not expired.
async fn holder(client: &PostgresClient, thread: &ThreadId) -> Result<Option<(i64, Owner)>, Error> {
    let sql = "SELECT epoch, owner FROM graph_thread
               WHERE id = $1 AND owner IS NOT NULL AND expires > clock_timestamp()";
    let statement = client.prepare_cached(sql).await?;
    let Some(row) = client.query_opt(&statement, &[&thread.as_str()]).await? else { return Ok(None) };
    let owner = serde_json::from_str(row.try_get(1)?)
        .map_err(|error| Error::Corrupt { reason: format!("the owner of thread {thread}: {error}") })?;
    Ok(Some((row.try_get(0)?, owner)))
}

/// Returns the error of a joined write: errors of the server keep their kind.
fn refused(error: Box<dyn std::error::Error + Send + Sync>) -> Error {
    match error.downcast::<tokio_postgres::Error>() {
        Ok(error) => (*error).into(),
        Err(error) => Error::Store(SharedError::new(error)),
    }
}

fn milliseconds(duration: Duration) -> i64 {
    /// About a hundred years in milliseconds: a longer interval overflows a timestamp.
    const LONGEST: i64 = 100 * 365 * 24 * 3600 * 1000;
    i64::try_from(duration.as_millis()).unwrap_or(LONGEST).min(LONGEST)
}
