//! Code shared by the SQL stores: queries for parts of a journal, and conversion of values.

use super::record::{CheckpointJournal, JournalRecord, RecordKind, ThreadLease};
use crate::error::Error;

/// The columns selected by every query of records between the position and the body, in order.
pub(super) const RECORD: &str = "record.scope, record.branch, record.parent, record.kind, record.task, record.key";

/// Returns the query for the records of one checkpoint: in each row the checkpoint's position, a [`RECORD`], the `body`
/// as an expression of the database, and the record's own position; unordered, for a sort would include the bodies.
/// `head` is a query of one row: the checkpoint's `thread`, `scope` and `position`, and as `base` the position of the
/// last snapshot.
///
/// A single statement sees a single state of the thread. Either half has a separate index; without a materialized head,
/// SQLite would use the index of positions to avoid the sort, and read the whole thread.
pub(super) fn journal_query(head: &str, body: &str) -> String {
    format!(
        "WITH head AS MATERIALIZED ({head})
         SELECT head.position AS head, {RECORD}, {body}, record.position AS position
         FROM head CROSS JOIN graph_record AS record
         WHERE record.thread = head.thread AND record.scope = head.scope
             AND record.position BETWEEN head.base AND head.position AND record.kind IN ('snapshot', 'delta')
         UNION ALL
         SELECT head.position AS head, {RECORD}, {body}, record.position AS position
         FROM head CROSS JOIN graph_record AS record
         WHERE record.thread = head.thread AND record.parent = head.position
             AND record.kind NOT IN ('snapshot', 'delta')"
    )
}

/// Collects the rows of such a query into a journal; `None` without a snapshot.
pub(super) fn journal(
    records: impl IntoIterator<Item = Result<(u64, JournalRecord, u64), Error>>,
) -> Result<Option<CheckpointJournal>, Error> {
    let mut records = records.into_iter().collect::<Result<Vec<_>, _>>()?;
    records.sort_by_key(|(_, _, position)| *position);
    let mut journal = CheckpointJournal::default();
    for (head, record, _) in records {
        journal.head = head;
        if record.kind.is_checkpoint() { &mut journal.checkpoints } else { &mut journal.pending }.push(record);
    }
    Ok((!journal.checkpoints.is_empty()).then_some(journal))
}

/// Returns a body as text. Bodies are most of the data, and this validation of Chinese text is several times faster
/// than the standard library.
pub(super) fn text(bytes: &[u8]) -> Result<String, Error> {
    let text = simdutf8::basic::from_utf8(bytes).map_err(|_| corrupt("the body of a record is not UTF-8"))?;
    Ok(text.to_owned())
}

/// Returns the kind with the stored name `name`.
pub(super) fn kind(name: &str) -> Result<RecordKind, Error> {
    let kind = RecordKind::ALL.into_iter().find(|kind| kind.name() == name);
    kind.ok_or_else(|| corrupt(&format!("unknown record kind {name}")))
}

pub(super) fn fenced(lease: &ThreadLease) -> Error {
    Error::Fenced { thread: lease.thread.to_string() }
}

pub(super) fn corrupt(reason: &str) -> Error {
    Error::Corrupt { reason: reason.to_owned() }
}

pub(super) fn number(value: u64) -> i64 {
    i64::try_from(value).expect("positions and epochs are counted from 1 and stay far below 2^63")
}

pub(super) fn position(value: i64) -> Result<u64, Error> {
    u64::try_from(value).map_err(|_| corrupt(&format!("{value} is no position")))
}

/// Converts a position given by a caller, which may be any number, to a bound in range.
pub(super) fn bound(position: u64) -> i64 {
    i64::try_from(position).unwrap_or(i64::MAX)
}

pub(super) fn limit(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}
