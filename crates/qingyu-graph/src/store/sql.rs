//! What the SQL stores share: the queries of a journal's parts, and values on their way in and out.

use super::{Journal, Lease, Record, RecordKind};
use crate::Error;

/// What every query of records selects between a position and the body, in this order.
pub(super) const RECORD: &str = "record.scope, record.branch, record.parent, record.kind, record.task, record.key";

/// The query of what one checkpoint needs: in each row its position, a [`RECORD`], its `body` as that database knows it,
/// and the record's own position, in no order, for the bodies would be sorted with it. `head` is a query of one row: the
/// checkpoint's `thread`, `scope` and `position`, and as `base` the position of its last snapshot.
///
/// It is one statement, so that it sees one state of the thread. Either half has an index of its own; of a head that it
/// might look into, SQLite would think that the index of positions saves the sorting, and read the whole thread.
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

/// What such a query has found; `None` without a snapshot.
pub(super) fn journal(
    records: impl IntoIterator<Item = Result<(u64, Record, u64), Error>>,
) -> Result<Option<Journal>, Error> {
    let mut records = records.into_iter().collect::<Result<Vec<_>, _>>()?;
    records.sort_by_key(|(_, _, position)| *position);
    let mut journal = Journal::default();
    for (head, record, _) in records {
        journal.head = head;
        if record.kind.is_checkpoint() { &mut journal.checkpoints } else { &mut journal.pending }.push(record);
    }
    Ok((!journal.checkpoints.is_empty()).then_some(journal))
}

/// The text of a body. Bodies are most of what is read, and this checks Chinese text several times faster than the standard
/// library.
pub(super) fn text(bytes: &[u8]) -> Result<String, Error> {
    let text = simdutf8::basic::from_utf8(bytes).map_err(|_| corrupt("the body of a record is not UTF-8"))?;
    Ok(text.to_owned())
}

/// The kind that is stored under `name`.
pub(super) fn kind(name: &str) -> Result<RecordKind, Error> {
    let kind = RecordKind::ALL.into_iter().find(|kind| kind.name() == name);
    kind.ok_or_else(|| corrupt(&format!("unknown record kind {name}")))
}

pub(super) fn fenced(lease: &Lease) -> Error {
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

/// A position that a caller names; it may be any number.
pub(super) fn bound(position: u64) -> i64 {
    i64::try_from(position).unwrap_or(i64::MAX)
}

pub(super) fn limit(rows: usize) -> i64 {
    i64::try_from(rows).unwrap_or(i64::MAX)
}
