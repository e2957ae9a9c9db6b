//! Queries for journals: one statement each.

use rusqlite::{Connection, Params, Row};

use super::packing::{BODY, unpacked};
use crate::error::Error;
use crate::store::record::{CheckpointJournal, JournalRecord, ThreadId};
use crate::store::sql::{RECORD, bound, journal, journal_query, kind, limit, position};

/// The newest checkpoint of the graph, from the thread's row.
pub(super) const OWN_HEAD: &str = "SELECT number AS thread, '' AS scope, head AS position, snapshot AS base
    FROM graph_thread WHERE id = ?1 AND snapshot > 0";
/// The newest checkpoint of the scope `?2`.
pub(super) const SCOPE_HEAD: &str = "SELECT number AS thread, ?2 AS scope,
        (SELECT max(position) FROM graph_record
         WHERE thread = number AND scope = ?2 AND kind IN ('snapshot', 'delta')) AS position,
        (SELECT max(position) FROM graph_record
         WHERE thread = number AND scope = ?2 AND kind IN ('snapshot', 'delta') AND kind = 'snapshot') AS base
    FROM graph_thread WHERE id = ?1";
/// The checkpoint at `?2`.
pub(super) const HEAD_AT: &str = "SELECT checkpoint.thread, checkpoint.scope, checkpoint.position,
        (SELECT max(earlier.position) FROM graph_record AS earlier
         WHERE earlier.thread = checkpoint.thread AND earlier.scope = checkpoint.scope
             AND earlier.position <= checkpoint.position
             AND earlier.kind IN ('snapshot', 'delta') AND earlier.kind = 'snapshot') AS base
    FROM graph_record AS checkpoint
    WHERE checkpoint.thread = (SELECT number FROM graph_thread WHERE id = ?1) AND checkpoint.position = ?2
        AND checkpoint.kind IN ('snapshot', 'delta')";

pub(super) fn newest(
    connection: &Connection,
    thread: &ThreadId,
    scope: &str,
) -> Result<Option<CheckpointJournal>, Error> {
    if scope.is_empty() {
        return read(connection, OWN_HEAD, [thread.as_str()]);
    }
    read(connection, SCOPE_HEAD, (thread.as_str(), scope))
}

pub(super) fn at(
    connection: &Connection,
    thread: &ThreadId,
    position: u64,
) -> Result<Option<CheckpointJournal>, Error> {
    read(connection, HEAD_AT, (thread.as_str(), bound(position)))
}

fn read(connection: &Connection, head: &str, parameters: impl Params) -> Result<Option<CheckpointJournal>, Error> {
    let found = |row: &Row<'_>| placed(row).and_then(|(head, record)| Ok((head, record, position(row.get(8)?)?)));
    journal(connection.prepare_cached(&journal_query(head, BODY))?.query_and_then(parameters, found)?)
}

pub(super) fn count_damaged(connection: &Connection) -> Result<usize, Error> {
    let mut select = connection.prepare("SELECT packed FROM graph_record WHERE packed IS NOT NULL")?;
    let mut rows = select.query([])?;
    let mut damaged = 0;
    while let Some(row) = rows.next()? {
        damaged += usize::from(unpacked(row.get_ref(0)?).is_err());
    }
    Ok(damaged)
}

pub(super) fn checkpoints(
    connection: &Connection,
    thread: &ThreadId,
    scope: &str,
    before: u64,
    rows: usize,
) -> Result<Vec<(u64, JournalRecord)>, Error> {
    let sql = format!(
        "SELECT position, {RECORD}, {BODY} FROM graph_record AS record
         WHERE thread = (SELECT number FROM graph_thread WHERE id = ?1) AND scope = ?2 AND position < ?3
             AND kind IN ('snapshot', 'delta')
         ORDER BY position DESC LIMIT ?4"
    );
    let parameters = (thread.as_str(), scope, bound(before), limit(rows));
    connection.prepare_cached(&sql)?.query_and_then(parameters, placed)?.collect()
}

pub(super) fn records(
    connection: &Connection,
    thread: &ThreadId,
    after: u64,
    rows: usize,
) -> Result<Vec<(u64, JournalRecord)>, Error> {
    let sql = format!(
        "SELECT position, {RECORD}, {BODY} FROM graph_record AS record
         WHERE thread = (SELECT number FROM graph_thread WHERE id = ?1) AND position > ?2
         ORDER BY position LIMIT ?3"
    );
    let parameters = (thread.as_str(), bound(after), limit(rows));
    connection.prepare_cached(&sql)?.query_and_then(parameters, placed)?.collect()
}

pub(super) fn threads(connection: &Connection, after: Option<&ThreadId>, rows: usize) -> Result<Vec<ThreadId>, Error> {
    // The default bound is the empty name, which comes first.
    let (comparison, name) = after.map_or((">=", ""), |after| (">", after.as_str()));
    let sql = format!("SELECT id FROM graph_thread WHERE snapshot > 0 AND id {comparison} ?1 ORDER BY id LIMIT ?2");
    let mut select = connection.prepare_cached(&sql)?;
    let found = select.query_map((name, limit(rows)), |row| row.get::<_, String>(0))?;
    Ok(found.map(|name| name.map(ThreadId::from)).collect::<Result<_, _>>()?)
}

/// Parses a row into the position and the record.
fn placed(row: &Row<'_>) -> Result<(u64, JournalRecord), Error> {
    let record = JournalRecord {
        scope: row.get(1)?,
        branch: position(row.get(2)?)?,
        parent: position(row.get(3)?)?,
        kind: kind(&row.get::<_, String>(4)?)?,
        task: row.get(5)?,
        key: row.get(6)?,
        body: unpacked(row.get_ref(7)?)?,
    };
    Ok((position(row.get(0)?)?, record))
}
