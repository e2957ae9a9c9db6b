//! The event log of runs.

use jiff::Timestamp;
use qingyu_db::sql::{Connection, Row};
use serde_json::Value;

use crate::error::Error;
use crate::row::{from_count, from_json, to_count, to_json, to_time};

/// An entry of a run's event log.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedEvent {
    /// Sequence number, from 1.
    pub seq: u64,
    /// Time of the event.
    pub at: Timestamp,
    /// The event.
    pub body: Value,
}

/// Appends to the event log; returns the sequence number of the first event.
pub(super) fn append(
    connection: &Connection,
    user: &str,
    project: &str,
    run: &str,
    events: &[(Timestamp, Value)],
) -> Result<u64, Error> {
    let last: i64 = connection
        .prepare_cached("SELECT coalesce(max(seq), 0) FROM event_log WHERE user_id = ?1 AND run_id = ?2")?
        .query_row((user, run), |row| row.get(0))?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO event_log(user_id, project_id, run_id, seq, at, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for (seq, (at, body)) in (last + 1..).zip(events) {
        insert.execute((user, project, run, seq, at.to_string(), to_json(body)))?;
    }
    Ok(from_count(last + 1))
}

/// Returns at most `most` events after sequence number `after`, oldest first.
pub(super) fn events(
    connection: &Connection,
    user: &str,
    run: &str,
    after: u64,
    most: usize,
) -> Result<Vec<LoggedEvent>, Error> {
    let mut select = connection.prepare_cached(
        "SELECT seq, at, body FROM event_log WHERE user_id = ?1 AND run_id = ?2 AND seq > ?3 ORDER BY seq LIMIT ?4",
    )?;
    let read = |row: &Row<'_>| -> Result<LoggedEvent, Error> {
        let seq = from_count(row.get(0)?);
        Ok(LoggedEvent {
            seq,
            at: to_time(&row.get::<_, String>(1)?)?,
            body: from_json(&row.get::<_, String>(2)?, || format!("event {seq} of {run}"))?,
        })
    };
    let rows = select.query_map((user, run, to_count(after), to_count(most as u64)), |row| Ok(read(row)))?;
    rows.map(|row| row?).collect()
}
