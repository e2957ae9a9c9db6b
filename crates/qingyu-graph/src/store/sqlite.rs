//! Threads in one SQLite file.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_db::{Database, Migrations};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row};

use super::{JoinedWrite, Journal, Lease, Owner, Record, RecordKind, Store, ThreadId};
use crate::Error;

const MIGRATIONS: Migrations =
    Migrations { owner: "graph", files: &[("0001_journal", include_str!("0001_journal.sql"))] };

/// Keeps threads in a [`Database`], beside the tables of others.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    database: Database,
}

/// The work of a joined write; it runs inside the commit's transaction.
type Work = Box<dyn FnOnce(&Connection) -> Result<(), Error> + Send>;

impl SqliteStore {
    /// Brings the tables up to date and uses them.
    pub async fn open(database: Database) -> Result<Self, Error> {
        database.migrate(&MIGRATIONS).await?;
        Ok(Self { database })
    }

    /// A write to tables of the same database, for [`crate::Context::commit_with`].
    ///
    /// An error of `work` fails the run and undoes the whole commit.
    pub fn joined<E>(work: impl FnOnce(&Connection) -> Result<(), E> + Send + 'static) -> JoinedWrite
    where
        E: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let work: Work =
            Box::new(move |tx| work(tx).map_err(|error| Error::Store(crate::error::SharedError::new(error))));
        JoinedWrite::new(work)
    }
}

impl Store for SqliteStore {
    fn acquire<'a>(
        &'a self,
        thread: &'a ThreadId,
        owner: &'a Owner,
        duration: Duration,
    ) -> BoxFuture<'a, Result<Lease, Error>> {
        let (thread, owner) = (thread.clone(), owner.clone());
        self.database.write(move |tx| acquire(tx, thread, &owner, duration)).boxed()
    }

    fn holder<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<String>, Error>> {
        let thread = thread.clone();
        let job =
            move |connection: &Connection| Ok(living_holder(connection, &thread)?.map(|holder| holder.describe()));
        self.database.read(job).boxed()
    }

    fn renew<'a>(&'a self, lease: &'a Lease, duration: Duration) -> BoxFuture<'a, Result<(), Error>> {
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

    fn release<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), Error>> {
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
        lease: &'a Lease,
        records: Vec<Record>,
        joined: Vec<JoinedWrite>,
    ) -> BoxFuture<'a, Result<u64, Error>> {
        let lease = lease.clone();
        self.database.write(move |tx| append(tx, &lease, &records, joined)).boxed()
    }

    fn newest<'a>(&'a self, thread: &'a ThreadId) -> BoxFuture<'a, Result<Option<Journal>, Error>> {
        let thread = thread.clone();
        self.database.read(move |connection| newest(connection, &thread)).boxed()
    }

    fn at<'a>(&'a self, thread: &'a ThreadId, position: u64) -> BoxFuture<'a, Result<Option<Journal>, Error>> {
        let thread = thread.clone();
        self.database.read(move |connection| at(connection, &thread, position)).boxed()
    }

    fn checkpoints<'a>(
        &'a self,
        thread: &'a ThreadId,
        before: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<(u64, Record)>, Error>> {
        let thread = thread.clone();
        self.database.read(move |connection| checkpoints(connection, &thread, before, limit)).boxed()
    }
}

fn acquire(tx: &Connection, thread: ThreadId, owner: &Owner, duration: Duration) -> Result<Lease, Error> {
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
    let epoch =
        tx.prepare_cached(sql)?.query_row((thread.as_str(), owner, milliseconds(duration)), |row| position(row, 0))?;
    Ok(Lease { thread, epoch })
}

/// The owner of a lease that has not run out, unless the owner is known to be dead.
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

fn append(tx: &Connection, lease: &Lease, records: &[Record], joined: Vec<JoinedWrite>) -> Result<u64, Error> {
    let count = records.len() as u64;
    // How far before the end the newest checkpoint and snapshot of this batch stand, if it has any.
    let newest = |wanted: fn(RecordKind) -> bool| {
        records.iter().rev().position(|record| wanted(record.kind)).map(|behind| number(behind as u64))
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
    let head = tx.prepare_cached(sql)?.query_row(parameters, |row| Ok((row.get::<_, i64>(0)?, position(row, 1)?)));
    let (thread, last) = head.optional()?.ok_or_else(|| fenced(lease))?;
    let mut insert = tx.prepare_cached(
        "INSERT INTO graph_record(thread, position, epoch, branch, parent, kind, task, key, body)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for (at, record) in (last - count + 1..).zip(records) {
        insert.execute((
            thread,
            number(at),
            number(lease.epoch),
            number(record.branch),
            number(record.parent),
            record.kind.name(),
            &record.task,
            &record.key,
            &record.body,
        ))?;
    }
    for write in joined {
        write.work::<Work>()?(tx)?;
    }
    Ok(last)
}

fn newest(connection: &Connection, thread: &ThreadId) -> Result<Option<Journal>, Error> {
    let sql = "SELECT number, head, snapshot FROM graph_thread WHERE id = ?1 AND head > 0";
    let found = connection
        .prepare_cached(sql)?
        .query_row([thread.as_str()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    found.map(|(thread, head, snapshot)| journal(connection, thread, head, snapshot)).transpose()
}

fn at(connection: &Connection, thread: &ThreadId, position: u64) -> Result<Option<Journal>, Error> {
    let sql = "SELECT thread, position,
                   (SELECT max(position) FROM graph_record AS earlier
                    WHERE earlier.thread = graph_record.thread AND position <= ?2 AND kind = 'snapshot')
               FROM graph_record
               WHERE thread = (SELECT number FROM graph_thread WHERE id = ?1)
                   AND position = ?2 AND kind IN ('snapshot', 'delta')";
    let found = connection
        .prepare_cached(sql)?
        .query_row((thread.as_str(), bound(position)), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    found.map(|(thread, head, snapshot)| journal(connection, thread, head, snapshot)).transpose()
}

/// What the checkpoint at `head` needs, of which the last snapshot is at `snapshot`.
fn journal(connection: &Connection, thread: i64, head: i64, snapshot: i64) -> Result<Journal, Error> {
    let sql = "SELECT branch, parent, kind, task, key, body, position FROM graph_record
               WHERE thread = ?1 AND position >= ?2
                   AND CASE WHEN kind IN ('snapshot', 'delta') THEN position <= ?3 ELSE parent = ?3 END
               ORDER BY position";
    let mut select = connection.prepare_cached(sql)?;
    let mut journal = Journal::default();
    for found in select.query_map((thread, snapshot, head), |row| Ok((position(row, 6)?, record(row)?)))? {
        let (position, record) = found?;
        if record.kind.is_checkpoint() {
            journal.head = position;
            journal.checkpoints.push(record);
        } else {
            journal.pending.push(record);
        }
    }
    Ok(journal)
}

fn checkpoints(
    connection: &Connection,
    thread: &ThreadId,
    before: u64,
    limit: usize,
) -> Result<Vec<(u64, Record)>, Error> {
    let sql = "SELECT branch, parent, kind, task, key, body, position FROM graph_record
               WHERE thread = (SELECT number FROM graph_thread WHERE id = ?1)
                   AND position < ?2 AND kind IN ('snapshot', 'delta')
               ORDER BY position DESC LIMIT ?3";
    let mut select = connection.prepare_cached(sql)?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let found =
        select.query_map((thread.as_str(), bound(before), limit), |row| Ok((position(row, 6)?, record(row)?)))?;
    Ok(found.collect::<Result<_, _>>()?)
}

fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let name: String = row.get(2)?;
    let kind = RecordKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        rusqlite::Error::FromSqlConversionFailure(2, Type::Text, format!("unknown record kind {name}").into())
    })?;
    Ok(Record {
        branch: position(row, 0)?,
        parent: position(row, 1)?,
        kind,
        task: row.get(3)?,
        key: row.get(4)?,
        body: row.get(5)?,
    })
}

fn fenced(lease: &Lease) -> Error {
    Error::Fenced { thread: lease.thread.to_string() }
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX / 2)
}

fn number(value: u64) -> i64 {
    i64::try_from(value).expect("positions and epochs are counted from 1 and stay far below 2^63")
}

/// A position that a caller names; it may be any number.
fn bound(position: u64) -> i64 {
    i64::try_from(position).unwrap_or(i64::MAX)
}

fn position(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(column)?;
    u64::try_from(value).map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Integer, error.into()))
}
