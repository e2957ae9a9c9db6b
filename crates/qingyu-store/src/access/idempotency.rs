//! Idempotency keys for requests.
//!
//! The result of a request is committed together with its response, or with a record of the result, to survive a crash:
//! see `Runs::under` and `Stories::under`.

use std::time::Duration;

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension};
use serde_json::Value;
use uuid::Uuid;

use crate::Error;
use crate::row::from_json;

/// The lifetime of a stored response.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// The time after its last renewal for which the holder of a request is presumed alive.
const LEASE: Duration = Duration::from_secs(10);

/// The request of a ticket (user, key, holder), while held and not answered.
const HELD: &str = "user_id = ?1 AND key = ?2 AND holder = ?3 AND status IS NULL";

/// The state of a request with an idempotency key.
#[derive(Debug, Clone, PartialEq)]
pub enum RequestStart {
    /// To be executed: a new request, or the earlier holder is dead.
    Fresh(RequestTicket),
    /// The earlier holder died without a response after creating or changing a project: must not be executed again.
    Interrupted {
        /// The ticket of the caller, now responsible for the response.
        ticket: RequestTicket,
        /// The project.
        made: String,
    },
    /// In progress.
    Running,
    /// Answered.
    Done {
        /// The status of the response.
        status: u16,
        /// The response.
        answer: Value,
    },
    /// The key was used for another request.
    OtherRequest,
}

/// The right to execute a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestTicket {
    user: String,
    key: String,
    holder: String,
}

/// The requests of a database with idempotency keys.
#[derive(Debug, Clone)]
pub struct Idempotency {
    database: Database,
}

impl Idempotency {
    /// Returns the requests of `database`.
    pub fn new(database: &Database) -> Self {
        Self { database: database.clone() }
    }

    /// Begins a request of `user` under `key`; `request` is a digest of method, path and body.
    ///
    /// Of several concurrent callers, only one gets [`RequestStart::Fresh`] or [`RequestStart::Interrupted`], and must
    /// [`keep`](Self::keep) the ticket if the request takes longer than ten seconds, and [`finish`](Self::finish) or
    /// [`release`](Self::release) the request.
    pub async fn begin(&self, user: &str, key: &str, request: &str, now: Timestamp) -> Result<RequestStart, Error> {
        let (user, key, request) = (user.to_owned(), key.to_owned(), request.to_owned());
        let job = move |connection: &Connection| {
            let oldest = millis(now) - KEPT.as_millis() as i64;
            connection.prepare_cached("DELETE FROM idempotency WHERE begun < ?1")?.execute([oldest])?;
            let ticket = RequestTicket { user, key, holder: Uuid::new_v4().simple().to_string() };
            if !take(connection, &ticket, &request, now)? {
                return found(connection, &ticket, &request);
            }
            let made = "SELECT made FROM idempotency WHERE user_id = ?1 AND key = ?2";
            let made = connection.prepare_cached(made)?.query_row((&ticket.user, &ticket.key), |row| row.get(0))?;
            Ok(match made {
                Some(made) => RequestStart::Interrupted { ticket, made },
                None => RequestStart::Fresh(ticket),
            })
        };
        self.database.write(job).await
    }

    /// Renews the lease of the request. Returns false if another caller holds the request now.
    pub async fn keep(&self, ticket: &RequestTicket, now: Timestamp) -> Result<bool, Error> {
        let RequestTicket { user, key, holder } = ticket.clone();
        let sql = format!("UPDATE idempotency SET heard = ?4 WHERE {HELD}");
        let job = move |connection: &Connection| {
            Ok(connection.prepare_cached(&sql)?.execute((user, key, holder, millis(now)))? > 0)
        };
        self.database.write(job).await
    }

    /// Stores the response. Returns false without effect if the request is answered already or another caller holds the
    /// request now.
    pub async fn finish(&self, ticket: &RequestTicket, status: u16, answer: &Value) -> Result<bool, Error> {
        let (ticket, answer) = (ticket.clone(), answer.clone());
        self.database.write(move |connection: &Connection| finish(connection, &ticket, status, &answer)).await
    }

    /// Releases the request for an immediate retry: as new, or as interrupted if a project was changed anyway, as after
    /// a connection lost during COMMIT. Returns false without effect if the request is answered already or another
    /// caller holds the request now.
    pub async fn release(&self, ticket: &RequestTicket) -> Result<bool, Error> {
        let RequestTicket { user, key, holder } = ticket.clone();
        let job = move |connection: &Connection| {
            let held = (&user, &key, &holder);
            // Waits for a pending transaction, to see its commit.
            let forget = format!("DELETE FROM idempotency WHERE {HELD} AND made IS NULL");
            let forgotten = connection.prepare_cached(&forget)?.execute(held)?;
            let leave = format!("UPDATE idempotency SET heard = 0 WHERE {HELD}");
            let left = connection.prepare_cached(&leave)?.execute(held)?;
            Ok(forgotten + left > 0)
        };
        self.database.write(job).await
    }
}

/// Takes the request if new, or if the lease of the holder has expired. A single statement, so that only one caller
/// succeeds.
fn take(connection: &Connection, ticket: &RequestTicket, request: &str, now: Timestamp) -> Result<bool, Error> {
    let now = millis(now);
    let taken = connection
        .prepare_cached(
            "INSERT INTO idempotency(user_id, key, request, holder, heard, begun) VALUES (?1, ?2, ?3, ?4, ?5, ?5)
             ON CONFLICT (user_id, key) DO UPDATE SET holder = excluded.holder, heard = excluded.heard
             WHERE idempotency.status IS NULL AND idempotency.request = excluded.request AND idempotency.heard < ?6",
        )?
        .execute((&ticket.user, &ticket.key, request, &ticket.holder, now, now - LEASE.as_millis() as i64))?;
    Ok(taken > 0)
}

/// Stores the response in the caller's transaction; returns whether the ticket was still valid.
pub(crate) fn finish(
    connection: &Connection,
    ticket: &RequestTicket,
    status: u16,
    answer: &Value,
) -> Result<bool, Error> {
    let sql = format!("UPDATE idempotency SET status = ?4, answer = ?5 WHERE {HELD}");
    let values = (&ticket.user, &ticket.key, &ticket.holder, status, answer.to_string());
    Ok(connection.prepare_cached(&sql)?.execute(values)? > 0)
}

/// Records a created or changed project in the caller's transaction. Returns [`Error::Taken`] if another caller holds
/// the request now.
pub(crate) fn made(connection: &Connection, ticket: Option<&RequestTicket>, project: &str) -> Result<(), Error> {
    let Some(RequestTicket { user, key, holder }) = ticket else { return Ok(()) };
    let sql = "UPDATE idempotency SET made = ?4 WHERE user_id = ?1 AND key = ?2 AND holder = ?3";
    match connection.prepare_cached(sql)?.execute((user, key, holder, project))? {
        0 => Err(Error::Taken),
        _ => Ok(()),
    }
}

fn found(connection: &Connection, ticket: &RequestTicket, request: &str) -> Result<RequestStart, Error> {
    let select = "SELECT request, status, answer FROM idempotency WHERE user_id = ?1 AND key = ?2";
    let found = connection
        .prepare_cached(select)?
        .query_row((&ticket.user, &ticket.key), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let (known, status, answer): (String, Option<u16>, Option<String>) = found.unwrap_or_default();
    if known != request {
        return Ok(RequestStart::OtherRequest);
    }
    match (status, answer) {
        (Some(status), Some(answer)) => {
            Ok(RequestStart::Done { status, answer: from_json(&answer, || format!("answer of {}", ticket.key))? })
        }
        _ => Ok(RequestStart::Running),
    }
}

fn millis(at: Timestamp) -> i64 {
    at.as_millisecond()
}
