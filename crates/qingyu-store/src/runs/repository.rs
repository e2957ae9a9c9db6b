//! The runs of a user: their start, status and event log.

use std::time::Duration;

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension, Row};
use serde_json::Value;

use super::events::{LoggedEvent, append, events};
use super::row::{Run, RunStatus, find, get};
use crate::access::{AuditAct, RequestTicket, audit, idempotency, used};
use crate::row::{from_count, to_count};
use crate::{Error, ProjectDraft, ServerId, id, servers};

/// The initial data of a run.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// The user's words.
    pub requirement: String,
    /// The settings which determine the behaviour of the run, so that a resumed run behaves the same.
    pub config: Value,
    /// The default model of most roles.
    pub model: String,
}

/// The runs of a user.
#[derive(Debug, Clone)]
pub struct Runs {
    pub(super) database: Database,
    pub(super) user: String,
    pub(super) key: Option<String>,
    /// Maximum number of concurrent runs with the key.
    parallel: Option<u32>,
    server: Option<ServerId>,
    request: Option<RunRequest>,
}

/// An idempotent request answered by creating a run.
#[derive(Debug, Clone)]
struct RunRequest {
    ticket: RequestTicket,
    answer: fn(&Run) -> Value,
}

impl Runs {
    /// Returns the runs of `user`.
    pub fn new(database: &Database, user: &str) -> Self {
        Self { database: database.clone(), user: user.into(), key: None, parallel: None, server: None, request: None }
    }

    /// Returns the repository with a key, to which started runs and paid calls are booked.
    #[must_use]
    pub fn with_key(self, key: Option<&str>) -> Self {
        Self { key: key.map(str::to_owned), ..self }
    }

    /// Returns the repository with at most `most` concurrent runs for the key.
    #[must_use]
    pub fn with_parallel(self, most: Option<u32>) -> Self {
        Self { parallel: most, ..self }
    }

    /// Returns the repository with a server: if the server dies, other servers take over the runs created, even before
    /// their start. Writes to runs taken over by other servers return [`Error::Lost`].
    #[must_use]
    pub fn of_server(self, server: Option<&ServerId>) -> Self {
        Self { server: server.cloned(), ..self }
    }

    /// Returns the repository with an idempotent request: the run and the response are committed together.
    #[must_use]
    pub fn under(self, ticket: RequestTicket, answer: fn(&Run) -> Value) -> Self {
        Self { request: Some(RunRequest { ticket, answer }), ..self }
    }

    /// Creates a run with a new id, also the id of its thread. Returns [`Error::Busy`] if a run not in `dead` is active
    /// on the project. Of several concurrent callers, one succeeds.
    ///
    /// With a request, returns [`Error::Taken`] without creating a run if the request was answered already or belongs
    /// to another caller now.
    pub async fn create(&self, project: &str, new: NewRun, dead: Vec<String>, at: Timestamp) -> Result<Run, Error> {
        let (runs, project) = (self.clone(), project.to_owned());
        let job = move |connection: &Connection| {
            // Concurrent callers block here until the commit.
            connection.lock(&project)?;
            let working = "SELECT id FROM run WHERE user_id = ?1 AND project_id = ?2 AND status = 'running'";
            let mut working = connection.prepare_cached(working)?;
            for run in working.query_map((&runs.user, &project), |row| row.get::<_, String>(0))? {
                let run = run?;
                if !dead.contains(&run) {
                    return Err(Error::Busy { run });
                }
            }
            runs.insert(connection, &project, &new, at)
        };
        self.database.write(job).await
    }

    /// Creates a project and its first run in a transaction.
    pub async fn create_in_new_project(&self, project: ProjectDraft, new: NewRun, at: Timestamp) -> Result<Run, Error> {
        let runs = self.clone();
        let job = move |connection: &Connection| {
            let project = crate::projects::insert(connection, &runs.user, project, at)?;
            runs.insert(connection, &project.id, &new, at)
        };
        self.database.write(job).await
    }

    /// Locks a run until the transaction ends; returns its project. Returns [`Error::Lost`] if another server has taken
    /// over the run.
    fn hold(&self, connection: &Connection, run: &str) -> Result<String, Error> {
        connection.lock(run)?;
        let select = "SELECT project_id, server FROM run WHERE user_id = ?1 AND id = ?2";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let found = connection.prepare_cached(select)?.query_row((&self.user, run), read).optional()?;
        let (project, server): (String, Option<String>) =
            found.ok_or_else(|| Error::UnknownRun { given: run.to_owned() })?;
        match &self.server {
            Some(ours) if server.as_deref() != Some(ours.as_str()) => Err(Error::Lost { run: run.to_owned() }),
            _ => Ok(project),
        }
    }

    /// Returns an error if the key can start no more runs: [`Error::KeyRevoked`], or [`Error::KeyBusy`] at the limit of
    /// concurrent runs. Concurrent starts with the same key, or with another of the same member, wait for the commit, so that
    /// both are counted.
    fn refuse_over_key(&self, connection: &Connection) -> Result<(), Error> {
        let Some(key) = &self.key else { return Ok(()) };
        used::lock(connection, key)?;
        let revoked = "SELECT revoked FROM api_key WHERE id = ?1";
        let revoked = connection.prepare_cached(revoked)?.query_row([key], |row| row.get::<_, Option<String>>(0));
        if revoked.optional()?.flatten().is_some() {
            return Err(Error::KeyRevoked { id: key.clone() });
        }
        let Some(most) = self.parallel else { return Ok(()) };
        if used::runs_at_work(connection, key)? >= u64::from(most) { Err(Error::KeyBusy { most }) } else { Ok(()) }
    }

    fn insert(&self, connection: &Connection, project: &str, new: &NewRun, at: Timestamp) -> Result<Run, Error> {
        self.refuse_over_key(connection)?;
        crate::projects::to_write(connection, &self.user, project)?;
        let id = id::run();
        connection
            .prepare_cached(
                "INSERT INTO run(user_id, project_id, id, thread_id, requirement, config, model, status, started, key_id,
                                 server)
                 VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            )?
            .execute((
                &self.user,
                project,
                &id,
                &new.requirement,
                new.config.to_string(),
                &new.model,
                RunStatus::Running.name(),
                at.to_string(),
                &self.key,
                self.server.as_ref().map(ServerId::as_str),
            ))?;
        let run = get(connection, &self.user, &id)?;
        match &self.request {
            Some(RunRequest { ticket, answer }) if !idempotency::finish(connection, ticket, 200, &answer(&run))? => {
                Err(Error::Taken)
            }
            _ => Ok(run),
        }
    }

    /// Returns the run with the id.
    pub async fn get(&self, id: &str) -> Result<Run, Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        self.database.read(move |connection| get(connection, &user, &id)).await
    }

    /// Returns the run with the id, or the only run with the id prefix (with or without `r-`).
    pub async fn find(&self, given: &str) -> Result<Run, Error> {
        let (user, given) = (self.user.clone(), given.trim().to_lowercase());
        self.database.read(move |connection| find(connection, &user, given)).await
    }

    /// Records that a process works on the run again: a server, or the command line. Returns [`Error::Lost`] if another
    /// caller did so since the run was read, or the run has ended.
    pub async fn resumed(&self, run: &Run, server: Option<&ServerId>) -> Result<(), Error> {
        let (user, key, id, seen) = (self.user.clone(), self.key.clone(), run.id.clone(), run.server.clone());
        let (runs, is_at_work, status) = (self.clone(), run.status == RunStatus::Running, run.status.name());
        let server = server.map(|server| server.as_str().to_owned());
        let job = move |connection: &Connection| {
            // An active run is counted already.
            if !is_at_work {
                runs.refuse_over_key(connection)?;
            }
            connection.lock(&id)?;
            crate::projects::to_write(connection, &user, &get(connection, &user, &id)?.project)?;
            // A new start clears the stall count and the stop request; a server continuing the run keeps both.
            let update = "UPDATE run SET status = 'running', ended = NULL, server = ?3,
                                         stop = CASE WHEN status = 'running' AND CAST(?3 AS text) IS NOT NULL THEN stop ELSE 0 END,
                                         key_id = coalesce(?4, key_id),
                                         stalls = CASE WHEN status = 'running' THEN stalls ELSE 0 END
                          WHERE user_id = ?1 AND id = ?2 AND server IS NOT DISTINCT FROM ?5
                          AND status = ?6";
            let changed = connection.prepare_cached(update)?.execute((&user, &id, server, key, seen, status))?;
            match changed {
                0 => Err(Error::Lost { run: get(connection, &user, &id)?.id }),
                _ => Ok(()),
            }
        };
        self.database.write(job).await
    }

    /// Reverts [`resumed`](Self::resumed) for a run read before, if no server works on the run: restores the status as
    /// read. Does nothing if a server has the run now, or the run has ended.
    pub async fn given_back(&self, run: &Run) -> Result<(), Error> {
        let (user, run) = (self.user.clone(), run.clone());
        let job = move |connection: &Connection| {
            connection.lock(&run.id)?;
            let update = "UPDATE run SET status = ?3, ended = ?4, server = ?5
                          WHERE user_id = ?1 AND id = ?2 AND server IS NULL AND status = 'running'";
            let ended = run.ended.map(|ended| ended.to_string());
            connection.prepare_cached(update)?.execute(qingyu_db::params![
                user,
                run.id,
                run.status.name(),
                ended,
                run.server
            ])?;
            Ok(())
        };
        self.database.write(job).await
    }

    /// Records that `server` takes over the run from the dead server in `run`. Returns how often in a row servers have
    /// died with the run's thread at `position`. Orderly shutdowns do not count, and deaths within `apart` of each
    /// other count once: another cause may have killed the servers.
    ///
    /// Returns [`Error::Lost`] if another server has the run now, or the run has ended. Call before any work on the
    /// run, so that an immediate crash is counted as well.
    pub async fn taken_over(&self, run: &Run, server: &ServerId, position: u64, apart: Duration) -> Result<u64, Error> {
        let (user, id, dead) = (self.user.clone(), run.id.clone(), run.server.clone());
        let server = server.as_str().to_owned();
        let now = servers::now(self.database.dialect());
        let counts = format!(
            "EXISTS (SELECT 1 FROM server WHERE server.id = run.server)
             AND (stalled_at IS DISTINCT FROM ?4 OR stall_counted IS NULL OR stall_counted <= {now} - ?6)"
        );
        let job = move |connection: &Connection| {
            connection.lock(&id)?;
            let update = format!(
                "UPDATE run SET server = ?5, stalled_at = ?4,
                                stalls = CASE WHEN stalled_at IS DISTINCT FROM ?4 THEN 0 ELSE stalls END
                                    + CASE WHEN {counts} THEN 1 ELSE 0 END,
                                stall_counted = CASE WHEN {counts} THEN {now} ELSE stall_counted END
                 WHERE user_id = ?1 AND id = ?2 AND server IS NOT DISTINCT FROM ?3 AND status = 'running'
                 RETURNING stalls"
            );
            let values = (&user, &id, dead, to_count(position), server, apart.as_secs_f64());
            let stalls =
                connection.prepare_cached(&update)?.query_row(values, |row| row.get::<_, i64>(0)).optional()?;
            match stalls {
                Some(stalls) => Ok(from_count(stalls)),
                None => Err(Error::Lost { run: get(connection, &user, &id)?.id }),
            }
        };
        self.database.write(job).await
    }

    /// Replaces the settings of a run, with `act` appended to the audit.
    pub async fn change_config(&self, id: &str, config: Value, act: AuditAct, at: Timestamp) -> Result<(), Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            let update = "UPDATE run SET config = ?3 WHERE user_id = ?1 AND id = ?2";
            match connection.prepare_cached(update)?.execute((&user, &id, config.to_string()))? {
                0 => Err(Error::UnknownRun { given: id }),
                _ => audit::append(connection, &act, at),
            }
        };
        self.database.write(job).await
    }

    /// Requests to stop the run. Returns whether the run was active, according to its row.
    pub async fn want_stopped(&self, id: &str) -> Result<bool, Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            let update = "UPDATE run SET stop = 1 WHERE user_id = ?1 AND id = ?2 AND status = 'running'";
            Ok(connection.prepare_cached(update)?.execute((user, id))? > 0)
        };
        self.database.write(job).await
    }

    /// Returns whether a stop of the run was requested.
    pub async fn is_to_stop(&self, id: &str) -> Result<bool, Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            let select = "SELECT stop FROM run WHERE user_id = ?1 AND id = ?2";
            let found = connection.prepare_cached(select)?.query_row((user, id), |row| row.get(0)).optional()?;
            Ok(found.unwrap_or(false))
        };
        self.database.read(job).await
    }

    /// Records the end, wait or stop of the run together with the last event of its log; returns the sequence number of
    /// the event.
    pub async fn ended(
        &self,
        id: &str,
        status: RunStatus,
        outcome: Value,
        last: Value,
        at: Timestamp,
    ) -> Result<u64, Error> {
        let (runs, id) = (self.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            let project = runs.hold(connection, &id)?;
            end(connection, &runs.user, (&project, &id), status, &outcome, &last, at)
        };
        self.database.write(job).await
    }

    /// Records the end of a run without an active process, as read. Returns [`Error::Lost`] if a process has worked on
    /// the run since.
    pub async fn given_up(
        &self,
        run: &Run,
        status: RunStatus,
        outcome: Value,
        last: Value,
        at: Timestamp,
    ) -> Result<u64, Error> {
        let (user, seen) = (self.user.clone(), run.clone());
        let job = move |connection: &Connection| {
            connection.lock(&seen.id)?;
            let found = get(connection, &user, &seen.id)?;
            if (&found.server, found.status) != (&seen.server, seen.status) {
                return Err(Error::Lost { run: seen.id });
            }
            end(connection, &user, (&seen.project, &seen.id), status, &outcome, &last, at)
        };
        self.database.write(job).await
    }

    /// Appends to the event log in a transaction; returns the sequence number of the first event.
    pub async fn append_events(&self, run: &str, events: Vec<(Timestamp, Value)>) -> Result<u64, Error> {
        let (runs, run) = (self.clone(), run.to_owned());
        let job = move |connection: &Connection| {
            let project = runs.hold(connection, &run)?;
            append(connection, &runs.user, &project, &run, &events)
        };
        self.database.write(job).await
    }

    /// Returns at most `most` events after sequence number `after`, oldest first.
    pub async fn events(&self, run: &str, after: u64, most: usize) -> Result<Vec<LoggedEvent>, Error> {
        let (user, run) = (self.user.clone(), run.to_owned());
        self.database.read(move |connection| events(connection, &user, &run, after, most)).await
    }
}

fn end(
    connection: &Connection,
    user: &str,
    (project, run): (&str, &str),
    status: RunStatus,
    outcome: &Value,
    last: &Value,
    at: Timestamp,
) -> Result<u64, Error> {
    let update = "UPDATE run SET status = ?3, ended = ?4, outcome = ?5, stop = 0 WHERE user_id = ?1 AND id = ?2";
    connection.prepare_cached(update)?.execute((user, run, status.name(), at.to_string(), outcome.to_string()))?;
    append(connection, user, project, run, &[(at, last.clone())])
}
