//! Requests that must not be carried out twice.
//!
//! What a request makes is kept together with its answer, or with word of what it is, so that no crash falls between: see
//! [`Runs::under`](crate::Runs::under) and [`Stories::under`](crate::Stories::under).

use std::time::Duration;

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension};
use serde_json::Value;
use uuid::Uuid;

use crate::Error;
use crate::row::from_json;

/// How long an answer is kept.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// How long whoever works on a request counts as alive after it was heard last.
const LEASE: Duration = Duration::from_secs(10);

/// The request of a ticket (user, key, holder), as long as it is its own and not answered.
const HELD: &str = "user_id = ?1 AND key = ?2 AND holder = ?3 AND status IS NULL";

/// What is to be done about a request that names a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Begun {
    /// Carry it out: nobody has, or whoever did is gone.
    Fresh(Ticket),
    /// Whoever carried it out is gone without an answer, but had made or changed this: it must not be carried out again.
    Interrupted {
        /// Who answers it now.
        ticket: Ticket,
        /// The project.
        made: String,
    },
    /// It is being carried out.
    Running,
    /// It was answered so.
    Done {
        /// The status of the answer.
        status: u16,
        /// The answer.
        answer: Value,
    },
    /// The key was used for another request.
    OtherRequest,
}

/// Who carries a request out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    user: String,
    key: String,
    holder: String,
}

/// The requests of a database that named keys.
#[derive(Debug, Clone)]
pub struct Idempotency {
    database: Database,
}

impl Idempotency {
    /// The requests of `database`.
    pub fn new(database: &Database) -> Self {
        Self { database: database.clone() }
    }

    /// Begins a request of `user` under `key`; `request` is a digest of its method, path and body.
    ///
    /// Of several who begin at the same time, one is told [`Begun::Fresh`] or [`Begun::Interrupted`]. Whoever is told so has to
    /// [`keep`](Self::keep) it if it takes longer than ten seconds, and to [`finish`](Self::finish) it, or to
    /// [`release`](Self::release) it.
    pub async fn begin(&self, user: &str, key: &str, request: &str, now: Timestamp) -> Result<Begun, Error> {
        let (user, key, request) = (user.to_owned(), key.to_owned(), request.to_owned());
        let job = move |connection: &Connection| {
            let oldest = millis(now) - KEPT.as_millis() as i64;
            connection.prepare_cached("DELETE FROM idempotency WHERE begun < ?1")?.execute([oldest])?;
            let ticket = Ticket { user, key, holder: Uuid::new_v4().simple().to_string() };
            if !take(connection, &ticket, &request, now)? {
                return found(connection, &ticket, &request);
            }
            let made = "SELECT made FROM idempotency WHERE user_id = ?1 AND key = ?2";
            let made = connection.prepare_cached(made)?.query_row((&ticket.user, &ticket.key), |row| row.get(0))?;
            Ok(match made {
                Some(made) => Begun::Interrupted { ticket, made },
                None => Begun::Fresh(ticket),
            })
        };
        self.database.write(job).await
    }

    /// Says that the request is still worked on. Gives false if somebody else does by now.
    pub async fn keep(&self, ticket: &Ticket, now: Timestamp) -> Result<bool, Error> {
        let Ticket { user, key, holder } = ticket.clone();
        let sql = format!("UPDATE idempotency SET heard = ?4 WHERE {HELD}");
        let job = move |connection: &Connection| {
            Ok(connection.prepare_cached(&sql)?.execute((user, key, holder, millis(now)))? > 0)
        };
        self.database.write(job).await
    }

    /// Writes down the answer. Gives false, and changes nothing, if it is answered already or somebody else works on it by now.
    pub async fn finish(&self, ticket: &Ticket, status: u16, answer: &Value) -> Result<bool, Error> {
        let (ticket, answer) = (ticket.clone(), answer.clone());
        self.database.write(move |connection: &Connection| finish(connection, &ticket, status, &answer)).await
    }

    /// Says that nobody works on the request any more, so that it may be begun again at once: afresh, or as one that was interrupted
    /// if it has made something all the same. Whoever loses the database after COMMIT was sent does not know. Gives false, and changes
    /// nothing, if it is answered already or somebody else works on it by now.
    pub async fn release(&self, ticket: &Ticket) -> Result<bool, Error> {
        let Ticket { user, key, holder } = ticket.clone();
        let job = move |connection: &Connection| {
            let held = (&user, &key, &holder);
            // Waits for a transaction that is still on its way, and sees what it has made.
            let forget = format!("DELETE FROM idempotency WHERE {HELD} AND made IS NULL");
            let forgotten = connection.prepare_cached(&forget)?.execute(held)?;
            let leave = format!("UPDATE idempotency SET heard = 0 WHERE {HELD}");
            let left = connection.prepare_cached(&leave)?.execute(held)?;
            Ok(forgotten + left > 0)
        };
        self.database.write(job).await
    }
}

/// Takes the request if nobody has, or from whoever has not been heard for long. One statement, so that only one succeeds.
fn take(connection: &Connection, ticket: &Ticket, request: &str, now: Timestamp) -> Result<bool, Error> {
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

/// Writes down the answer in a transaction of the caller's; gives whether the request was still the ticket's.
pub(crate) fn finish(connection: &Connection, ticket: &Ticket, status: u16, answer: &Value) -> Result<bool, Error> {
    let sql = format!("UPDATE idempotency SET status = ?4, answer = ?5 WHERE {HELD}");
    let values = (&ticket.user, &ticket.key, &ticket.holder, status, answer.to_string());
    Ok(connection.prepare_cached(&sql)?.execute(values)? > 0)
}

/// Writes down, in a transaction of the caller's, that the request has made or changed a project. Fails with [`Error::Taken`] if the
/// request is another's by now.
pub(crate) fn made(connection: &Connection, ticket: Option<&Ticket>, project: &str) -> Result<(), Error> {
    let Some(Ticket { user, key, holder }) = ticket else { return Ok(()) };
    let sql = "UPDATE idempotency SET made = ?4 WHERE user_id = ?1 AND key = ?2 AND holder = ?3";
    match connection.prepare_cached(sql)?.execute((user, key, holder, project))? {
        0 => Err(Error::Taken),
        _ => Ok(()),
    }
}

fn found(connection: &Connection, ticket: &Ticket, request: &str) -> Result<Begun, Error> {
    let select = "SELECT request, status, answer FROM idempotency WHERE user_id = ?1 AND key = ?2";
    let found = connection
        .prepare_cached(select)?
        .query_row((&ticket.user, &ticket.key), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let (known, status, answer): (String, Option<u16>, Option<String>) = found.unwrap_or_default();
    if known != request {
        return Ok(Begun::OtherRequest);
    }
    match (status, answer) {
        (Some(status), Some(answer)) => {
            Ok(Begun::Done { status, answer: from_json(&answer, || format!("answer of {}", ticket.key))? })
        }
        _ => Ok(Begun::Running),
    }
}

fn millis(at: Timestamp) -> i64 {
    at.as_millisecond()
}
