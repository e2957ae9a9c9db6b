//! A store in one SQLite file.

mod packing;
mod reading;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_db::{SqlMigrations, Sqlite};
use rusqlite::{Connection, OptionalExtension};

use super::interface::{JoinedWrite, Store};
use super::owner::Owner;
use super::record::{CheckpointJournal, JournalRecord, RecordKind, ThreadId, ThreadLease};
use super::sql::{bound, fenced, number, position};
use crate::error::{Error, SharedError};
use packing::PackedRecord;

/// A store in a [`Sqlite`] database, beside other tables.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    database: Sqlite,
}

/// The work of a joined write; runs inside the commit's transaction.
type Work = Box<dyn FnOnce(&Connection) -> Result<(), Error> + Send>;

impl SqliteStore {
    /// The migrations of the store's tables.
    pub const MIGRATIONS: SqlMigrations = SqlMigrations {
        owner: "graph",
        files: &[
            ("0001_journal", include_str!("0001_journal.sql")),
            ("0002_scopes", include_str!("0002_scopes.sql")),
            ("0003_packed", include_str!("0003_packed.sql")),
        ],
    };

    /// Opens the store and migrates the tables.
    pub async fn open(database: Sqlite) -> Result<Self, Error> {
        database.migrate(&Self::MIGRATIONS).await?;
        Ok(Self { database })
    }

    /// Reads every compressed record and returns the number of records that fail to decompress, as when a page of the
    /// file is lost: SQLite's own check validates the pages of a long value, not the content.
    pub async fn count_damaged(&self) -> Result<usize, Error> {
        self.database.read(reading::count_damaged).await
    }

    /// Returns a write to tables of the same database, for [`crate::Context::commit_with`].
    ///
    /// An error of `work` fails the run and rolls back the whole transaction.
    pub fn joined<E>(work: impl FnOnce(&Connection) -> Result<(), E> + Send + 'static) -> JoinedWrite
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let work: Work = Box::new(move |tx| work(tx).map_err(|error| Error::Store(SharedError::new(error))));
        JoinedWrite::new(work)
    }
}

impl Store for SqliteStore {
    fn acquire<'a>(
        &'a self,
        thread: &'a ThreadId,
        owner: &'a Owner,
        duration: Duration,
    ) -> BoxFuture<'a, Result<ThreadLease, Error>> {
        let (thread, owner) = (thread.clone(), owner.clone());
        self.database.write(move |tx| acquire(tx, thread, &owner, duration)).boxed()
    }

    fn holder<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<String>, Error>> {
        let thread = thread.clone();
        let job =
            move |connection: &Connection| Ok(living_holder(connection, &thread)?.map(|holder| holder.describe()));
        self.database.read(job).boxed()
    }

    fn renew<'a>(&'a self, lease: &'a ThreadLease, duration: Duration) -> BoxFuture<'a, Result<(), Error>> {
        let lease = lease.clone();
        self.database
            .write(move |tx| {
                let sql = "UPDATE graph_thread SET expires_ms = unixepoch('subsec') * 1000 + ?3
                           WHERE id = ?1 AND epoch = ?2 AND owner IS NOT NULL";
                let held = tx.prepare_cached(sql)?.execute((
                    lease.thread.as_str(),
                    number(lease.epoch),
                    milliseconds(duration),
                ))?;
                if held == 0 { Err(fenced(&lease)) } else { Ok(()) }
            })
            .boxed()
    }

    fn release<'a>(&'a self, lease: &'a ThreadLease) -> BoxFuture<'a, Result<(), Error>> {
        let lease = lease.clone();
        self.database
            .write(move |tx| {
                tx.prepare_cached("UPDATE graph_thread SET owner = NULL WHERE id = ?1 AND epoch = ?2")?
                    .execute((lease.thread.as_str(), number(lease.epoch)))?;
                Ok(())
            })
            .boxed()
    }

    fn append<'a>(
        &'a self,
        lease: &'a ThreadLease,
        records: Vec<JournalRecord>,
        joined: Vec<JoinedWrite>,
    ) -> BoxFuture<'a, Result<u64, Error>> {
        let lease = lease.clone();
        // Compressed here and not inside the write: all threads share one writer.
        let records: Vec<PackedRecord> = records.into_iter().map(PackedRecord::new).collect();
        self.database.write(move |tx| append(tx, &lease, &records, joined)).boxed()
    }

    fn newest<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
    ) -> BoxFuture<'a, Result<Option<CheckpointJournal>, Error>> {
        let (thread, scope) = (thread.clone(), scope.to_owned());
        self.database.read(move |connection| reading::newest(connection, &thread, &scope)).boxed()
    }

    fn at<'a>(
        &'a self,
        thread: &'a ThreadId,
        position: u64,
    ) -> BoxFuture<'a, Result<Option<CheckpointJournal>, Error>> {
        let thread = thread.clone();
        self.database.read(move |connection| reading::at(connection, &thread, position)).boxed()
    }

    fn checkpoints<'a>(
        &'a self,
        thread: &'a ThreadId,
        scope: &'a str,
        before: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, JournalRecord)>, Error>> {
        let (thread, scope) = (thread.clone(), scope.to_owned());
        self.database.read(move |connection| reading::checkpoints(connection, &thread, &scope, before, limit)).boxed()
    }

    fn records<'a>(
        &'a self,
        thread: &'a ThreadId,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, JournalRecord)>, Error>> {
        let thread = thread.clone();
        self.database.read(move |connection| reading::records(connection, &thread, after, limit)).boxed()
    }

    fn threads<'a>(&'a self, after: Option<&'a ThreadId>, limit: usize) -> BoxFuture<'a, Result<Vec<ThreadId>, Error>> {
        let after = after.cloned();
        self.database.read(move |connection| reading::threads(connection, after.as_ref(), limit)).boxed()
    }

    fn prune<'a>(
        &'a self,
        lease: &'a ThreadLease,
        before: u64,
        keep: &'a BTreeSet<String>,
    ) -> BoxFuture<'a, Result<(), Error>> {
        let (lease, keep) = (lease.clone(), keep.clone());
        self.database.write(move |tx| prune(tx, &lease, before, &keep)).boxed()
    }

    fn delete<'a>(&'a self, lease: &'a ThreadLease) -> BoxFuture<'a, Result<(), Error>> {
        let lease = lease.clone();
        self.database.write(move |tx| delete(tx, &lease)).boxed()
    }
}

fn acquire(tx: &Connection, thread: ThreadId, owner: &Owner, duration: Duration) -> Result<ThreadLease, Error> {
    if let Some(holder) = living_holder(tx, &thread)? {
        return Err(Error::ThreadBusy { thread: thread.to_string(), holder: holder.describe() });
    }
    let owner = serde_json::to_string(owner)
        .map_err(|error| Error::Encode { what: "the owner".to_owned(), reason: error.to_string() })?;
    let sql = "INSERT INTO graph_thread(id, epoch, owner, expires_ms)
               VALUES (?1, 1, ?2, unixepoch('subsec') * 1000 + ?3)
               ON CONFLICT (id) DO UPDATE
               SET epoch = epoch + 1, owner = excluded.owner, expires_ms = excluded.expires_ms
               RETURNING epoch";
    let parameters = (thread.as_str(), owner, milliseconds(duration));
    let epoch = position(tx.prepare_cached(sql)?.query_row(parameters, |row| row.get(0))?)?;
    Ok(ThreadLease { thread, epoch })
}

/// Returns the owner of a lease that has not expired, unless the owner is known to be dead.
fn living_holder(connection: &Connection, thread: &ThreadId) -> Result<Option<Owner>, Error> {
    let sql = "SELECT owner FROM graph_thread
               WHERE id = ?1 AND owner IS NOT NULL AND expires_ms > unixepoch('subsec') * 1000";
    let held: Option<String> =
        connection.prepare_cached(sql)?.query_row([thread.as_str()], |row| row.get(0)).optional()?;
    let Some(held) = held else { return Ok(None) };
    let holder: Owner = serde_json::from_str(&held)
        .map_err(|error| Error::Corrupt { reason: format!("the owner of thread {thread}: {error}") })?;
    Ok(Some(holder).filter(|holder| !holder.is_dead()))
}

fn append(
    tx: &Connection,
    lease: &ThreadLease,
    records: &[PackedRecord],
    joined: Vec<JoinedWrite>,
) -> Result<u64, Error> {
    let count = records.len() as u64;
    // The distance of the graph's newest checkpoint and snapshot from the end of the batch, if present.
    let newest = |wanted: fn(RecordKind) -> bool| {
        let own = |packed: &PackedRecord| packed.record.scope.is_empty() && wanted(packed.record.kind);
        records.iter().rev().position(own).map(|behind| number(behind as u64))
    };
    let sql = "UPDATE graph_thread SET last = last + ?3,
                   head = ifnull(last + ?3 - ?4, head), snapshot = ifnull(last + ?3 - ?5, snapshot)
               WHERE id = ?1 AND epoch = ?2 AND owner IS NOT NULL
               RETURNING number, last";
    let parameters = (
        lease.thread.as_str(),
        number(lease.epoch),
        number(count),
        newest(RecordKind::is_checkpoint),
        newest(|kind| kind == RecordKind::Snapshot),
    );
    let held = tx.prepare_cached(sql)?.query_row(parameters, |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)));
    let (thread, last) = held.optional()?.ok_or_else(|| fenced(lease))?;
    let last = position(last)?;
    let mut insert = tx.prepare_cached(
        "INSERT INTO graph_record(thread, position, epoch, scope, branch, parent, kind, task, key, body, packed)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    for (at, packed) in (last - count + 1..).zip(records) {
        let record = &packed.record;
        let (body, packed) = packed.columns();
        insert.execute((
            thread,
            number(at),
            number(lease.epoch),
            &record.scope,
            number(record.branch),
            number(record.parent),
            record.kind.name(),
            &record.task,
            &record.key,
            body,
            packed,
        ))?;
    }
    for write in joined {
        write.work::<Work>()?(tx)?;
    }
    Ok(last)
}

fn prune(tx: &Connection, lease: &ThreadLease, before: u64, keep: &BTreeSet<String>) -> Result<(), Error> {
    // A graph without its newest snapshot has no checkpoint any more.
    let sql = "UPDATE graph_thread SET head = iif(snapshot >= ?3, head, 0), snapshot = iif(snapshot >= ?3, snapshot, 0)
               WHERE id = ?1 AND epoch = ?2 AND owner IS NOT NULL
               RETURNING number";
    let own_before = if keep.contains("") { 0 } else { bound(before) };
    let parameters = (lease.thread.as_str(), number(lease.epoch), own_before);
    let thread = tx.prepare_cached(sql)?.query_row(parameters, |row| row.get::<_, i64>(0)).optional()?;
    let thread = thread.ok_or_else(|| fenced(lease))?;
    let sql = "DELETE FROM graph_record
               WHERE thread = ?1 AND position < ?2 AND scope NOT IN (SELECT value FROM json_each(?3))";
    tx.prepare_cached(sql)?.execute((thread, bound(before), serde_json::json!(keep).to_string()))?;
    Ok(())
}

fn delete(tx: &Connection, lease: &ThreadLease) -> Result<(), Error> {
    let sql = "UPDATE graph_thread SET owner = NULL, last = 0, head = 0, snapshot = 0
               WHERE id = ?1 AND epoch = ?2 AND owner IS NOT NULL
               RETURNING number";
    let parameters = (lease.thread.as_str(), number(lease.epoch));
    let thread = tx.prepare_cached(sql)?.query_row(parameters, |row| row.get::<_, i64>(0)).optional()?;
    let thread = thread.ok_or_else(|| fenced(lease))?;
    tx.prepare_cached("DELETE FROM graph_record WHERE thread = ?1")?.execute([thread])?;
    Ok(())
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 2)
}
