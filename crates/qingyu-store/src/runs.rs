//! Runs: what was started, what it told, what it paid for.

mod calls;
mod list;

use std::time::Duration;

use jiff::Timestamp;
use qingyu_db::Database;
use qingyu_db::sql::{Connection, OptionalExtension, Row};
use serde_json::Value;

use crate::access::{Ticket, idempotency};
use crate::row::{beginning, from_count, from_json, to_count, to_json, to_time};
use crate::spending::{self, Spending, SpendingQuery};
use crate::{Error, NewProject, ServerId, id, servers};

pub use list::{ListedRun, RunQuery, Standing};

/// How a run stands, as far as its last process wrote it down.
///
/// A process that is killed leaves `Running` behind; who asks decides by the engine's lease whether that is still true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunStatus {
    /// A process works on it.
    Running,
    /// It waits for a person.
    Waiting,
    /// It ended well.
    Done,
    /// It ended with a failure.
    Failed,
    /// It was stopped.
    Interrupted,
}

impl RunStatus {
    const ALL: [Self; 5] = [Self::Running, Self::Waiting, Self::Done, Self::Failed, Self::Interrupted];

    fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
        }
    }
}

/// What a run begins with.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// The user's words.
    pub requirement: String,
    /// Everything that decides how it goes on, so that a resumed run goes on the same way.
    pub config: Value,
    /// The model of most roles.
    pub model: String,
}

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Its id.
    pub id: String,
    /// Its project.
    pub project: String,
    /// The engine's thread.
    pub thread: String,
    /// The user's words.
    pub requirement: String,
    /// What decides how it goes on.
    pub config: Value,
    /// The model of most roles.
    pub model: String,
    /// How it stands.
    pub status: RunStatus,
    /// When it began.
    pub started: Timestamp,
    /// When it ended, was stopped or began to wait.
    pub ended: Option<Timestamp>,
    /// What came of it.
    pub outcome: Option<Value>,
    /// The server that works on it, or did last; none for a run of the command line.
    pub server: Option<String>,
}

/// A model call that was paid for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Call {
    /// Unique in the run; the same when the call is told again.
    pub key: String,
    /// Who called.
    pub agent: String,
    /// Why, such as `outline.generate`.
    pub purpose: String,
    /// The model that answered.
    pub model: String,
    /// Tokens of the request.
    pub input: u64,
    /// Of these, read from the provider's cache.
    pub cached: u64,
    /// Tokens of the answer.
    pub output: u64,
    /// Whether an estimator counted.
    pub estimated: bool,
    /// The price in millionths of `currency`, if it is known.
    pub cost_micros: Option<u64>,
    /// The currency of the price.
    pub currency: Option<String>,
    /// The chapter it worked on, if it worked on one.
    pub chapter: Option<u32>,
    /// Whether its answer came from a cassette and was not paid for.
    pub replayed: bool,
    /// How often the model was asked.
    pub attempts: u32,
    /// Whether the answer had to be repaired.
    pub repaired: bool,
    /// How long it took.
    pub millis: u64,
}

/// What tells the charge of a request apart from others of its call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeKey {
    /// The execution of the run in which it was sent; later ones are greater.
    pub execution: String,
    /// Its number in the execution.
    pub number: u64,
}

/// What the calls of one agent cost in one currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentUsage {
    /// The agent.
    pub agent: String,
    /// How many calls.
    pub calls: u64,
    /// Tokens of the requests.
    pub input: u64,
    /// Of these, read from caches.
    pub cached: u64,
    /// Tokens of the answers.
    pub output: u64,
    /// Whether an estimator counted some.
    pub estimated: bool,
    /// The price of all; none if the price of any is unknown.
    pub cost_micros: Option<u64>,
    /// Its currency.
    pub currency: Option<String>,
}

/// An entry of a run's event log.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedEvent {
    /// Its place, from 1.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// What.
    pub body: Value,
}

/// The runs of one user.
#[derive(Debug, Clone)]
pub struct Runs {
    database: Database,
    user: String,
    key: Option<String>,
    /// The most runs at work with the key.
    parallel: Option<u32>,
    server: Option<ServerId>,
    request: Option<Request>,
}

/// A request that is answered by making a run.
#[derive(Debug, Clone)]
struct Request {
    ticket: Ticket,
    answer: fn(&Run) -> Value,
}

const COLUMNS: &str = "id, project_id, thread_id, requirement, config, model, status, started, ended, outcome, server";

impl Runs {
    /// The runs of `user`.
    pub fn new(database: &Database, user: &str) -> Self {
        Self { database: database.clone(), user: user.into(), key: None, parallel: None, server: None, request: None }
    }

    /// The same, with what is started and paid for from here on written down for a key.
    #[must_use]
    pub fn with_key(self, key: Option<&str>) -> Self {
        Self { key: key.map(str::to_owned), ..self }
    }

    /// The same, with at most `most` runs at work at once with the key.
    #[must_use]
    pub fn with_parallel(self, most: Option<u32>) -> Self {
        Self { parallel: most, ..self }
    }

    /// The same for a server: if it dies, what is made from here on is another's to work on, even before it has begun to. What it
    /// writes down of runs that were taken from it is refused with [`Error::Lost`].
    #[must_use]
    pub fn of_server(self, server: Option<&ServerId>) -> Self {
        Self { server: server.cloned(), ..self }
    }

    /// The same under a request that is to be carried out once: the run and the answer to the request are kept together.
    #[must_use]
    pub fn under(self, ticket: Ticket, answer: fn(&Run) -> Value) -> Self {
        Self { request: Some(Request { ticket, answer }), ..self }
    }

    /// Makes a run with a new id, which is also its thread's, unless one that is not among `dead` works on the project: then it
    /// fails with [`Error::Busy`]. Of several at once, one succeeds.
    ///
    /// Under a request it fails with [`Error::Taken`], and makes nothing, if that was answered already or is another's by now.
    pub async fn create(&self, project: &str, new: NewRun, dead: Vec<String>, at: Timestamp) -> Result<Run, Error> {
        let (runs, project) = (self.clone(), project.to_owned());
        let job = move |connection: &Connection| {
            // Whoever comes at the same time waits here until this is decided.
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

    /// Makes a project and its first run; both or neither.
    pub async fn create_in_new_project(&self, project: NewProject, new: NewRun, at: Timestamp) -> Result<Run, Error> {
        let runs = self.clone();
        let job = move |connection: &Connection| {
            let project = crate::projects::insert(connection, &runs.user, project, at)?;
            runs.insert(connection, &project.id, &new, at)
        };
        self.database.write(job).await
    }

    /// Holds a run until the transaction ends; gives its project. Fails with [`Error::Lost`] if another server has it by now.
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

    /// Fails if the key begins no more runs: with [`Error::KeyRevoked`], or with [`Error::KeyBusy`] if as many are at work as may be.
    /// Whoever begins one at the same time with the key waits until this transaction ends, so that both are counted.
    fn refuse_over_key(&self, connection: &Connection) -> Result<(), Error> {
        let Some(key) = &self.key else { return Ok(()) };
        connection.lock(key)?;
        let revoked = "SELECT revoked FROM api_key WHERE id = ?1";
        let revoked = connection.prepare_cached(revoked)?.query_row([key], |row| row.get::<_, Option<String>>(0));
        if revoked.optional()?.flatten().is_some() {
            return Err(Error::KeyRevoked { id: key.clone() });
        }
        let Some(most) = self.parallel else { return Ok(()) };
        let at_work = "SELECT count(*) FROM run WHERE key_id = ?1 AND status = 'running'";
        let at_work: i64 = connection.prepare_cached(at_work)?.query_row([key], |row| row.get(0))?;
        if from_count(at_work) >= u64::from(most) { Err(Error::KeyBusy { most }) } else { Ok(()) }
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
            Some(Request { ticket, answer }) if !idempotency::finish(connection, ticket, 200, &answer(&run))? => {
                Err(Error::Taken)
            }
            _ => Ok(run),
        }
    }

    /// The run with this id.
    pub async fn get(&self, id: &str) -> Result<Run, Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        self.database.read(move |connection| get(connection, &user, &id)).await
    }

    /// The run with this id, or the only one whose id begins like it (with or without its `r-`).
    pub async fn find(&self, given: &str) -> Result<Run, Error> {
        let (user, given) = (self.user.clone(), given.trim().to_lowercase());
        self.database.read(move |connection| find(connection, &user, given)).await
    }

    /// Writes down that a process works on the run again: a server, or the command line. Fails with [`Error::Lost`] if somebody else
    /// has done so since the run was read, or it has ended.
    pub async fn resumed(&self, run: &Run, server: Option<&ServerId>) -> Result<(), Error> {
        let (user, key, id, seen) = (self.user.clone(), self.key.clone(), run.id.clone(), run.server.clone());
        let (runs, is_at_work, status) = (self.clone(), run.status == RunStatus::Running, run.status.name());
        let server = server.map(|server| server.as_str().to_owned());
        let job = move |connection: &Connection| {
            // One that is at work already is counted.
            if !is_at_work {
                runs.refuse_over_key(connection)?;
            }
            connection.lock(&id)?;
            crate::projects::to_write(connection, &user, &get(connection, &user, &id)?.project)?;
            // What somebody begins anew has not stalled, nor is it to stop; what a server only goes on with may be.
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

    /// Takes back what [`resumed`](Self::resumed) has written down of a run that was read before and that no server works on: it stands
    /// as it stood then. Changes nothing if a server has it by now, or it has ended.
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

    /// Writes down that `server` works on the run from now on, which another one that is dead was working on when it was read. Gives
    /// how often in a row servers have died with its thread at `position`; those that said that they go do not count, and of those
    /// that die within `apart` of each other one does: that may be whatever kills servers there, and the run a bystander.
    ///
    /// Fails with [`Error::Lost`] if somebody else has it by now, or it has ended. It is to be called before anything of the run
    /// is done: what kills its server at once must be counted as well.
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

    /// Writes down that somebody wants the run stopped. Gives whether it was being worked on, as far as its row says.
    pub async fn want_stopped(&self, id: &str) -> Result<bool, Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            let update = "UPDATE run SET stop = 1 WHERE user_id = ?1 AND id = ?2 AND status = 'running'";
            Ok(connection.prepare_cached(update)?.execute((user, id))? > 0)
        };
        self.database.write(job).await
    }

    /// Whether somebody wants the run stopped.
    pub async fn is_to_stop(&self, id: &str) -> Result<bool, Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            let select = "SELECT stop FROM run WHERE user_id = ?1 AND id = ?2";
            let found = connection.prepare_cached(select)?.query_row((user, id), |row| row.get(0)).optional()?;
            Ok(found.unwrap_or(false))
        };
        self.database.read(job).await
    }

    /// Writes down how the run ended, or that it waits or was stopped, and the last event of its log with it; gives the event's
    /// place.
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

    /// The same of a run that nobody works on, as it was read. Fails with [`Error::Lost`] if somebody has worked on it since.
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

    /// Writes down paid calls, in one transaction. One that is told again changes nothing; a new one takes the place of the
    /// charges that were booked for it. Returns how many were new.
    pub async fn record_calls(&self, run: &str, calls: Vec<Call>, at: Timestamp) -> Result<usize, Error> {
        let (user, run) = (self.user.clone(), run.to_owned());
        let job = move |connection: &Connection| {
            let project = project_of(connection, &user, &run)?;
            let mut fresh = 0;
            for call in &calls {
                fresh += calls::insert(connection, &user, &project, &run, call, at)?;
            }
            Ok(fresh)
        };
        self.database.write(job).await
    }

    /// Books charges of calls whose end is not known yet, in one transaction. They stand for themselves until the call is
    /// recorded; that of a call which never succeeds stays.
    pub async fn record_charges(&self, run: &str, charges: Vec<(ChargeKey, Call)>, at: Timestamp) -> Result<(), Error> {
        let (user, run) = (self.user.clone(), run.to_owned());
        let job = move |connection: &Connection| {
            let project = project_of(connection, &user, &run)?;
            for (key, charge) in &charges {
                calls::insert_charge(connection, &user, &project, &run, (key, charge), at)?;
            }
            Ok(())
        };
        self.database.write(job).await
    }

    /// What a run paid for, by agent.
    pub async fn usage(&self, run: &str) -> Result<Vec<AgentUsage>, Error> {
        self.usage_where("run_id = ?2", run).await
    }

    /// What all runs of a project paid for, by agent.
    pub async fn usage_of_project(&self, project: &str) -> Result<Vec<AgentUsage>, Error> {
        self.usage_where("project_id = ?2", project).await
    }

    /// Writes down a paid call that belongs to no run, such as that of a question; `project` if it was about one.
    pub async fn record_outside(&self, project: Option<&str>, call: Call, at: Timestamp) -> Result<(), Error> {
        let (user, key, project) = (self.user.clone(), self.key.clone(), project.map(str::to_owned));
        let job = move |connection: &Connection| {
            spending::insert(connection, &user, key.as_deref(), project.as_deref(), &call, at)
        };
        self.database.write(job).await
    }

    /// What calls have cost, one row for each that can be told apart by what `query` asks; oldest first.
    pub async fn spending(&self, query: SpendingQuery) -> Result<Vec<Spending>, Error> {
        let user = self.user.clone();
        self.database.read(move |connection| spending::rows(connection, &user, &query)).await
    }

    /// What calls have cost altogether, one row for each model and currency, and for calls whose price is not known.
    pub async fn spent(&self, query: SpendingQuery) -> Result<Vec<Spending>, Error> {
        let user = self.user.clone();
        self.database.read(move |connection| spending::totals(connection, &user, &query)).await
    }

    async fn usage_where(&self, condition: &'static str, value: &str) -> Result<Vec<AgentUsage>, Error> {
        let (user, value) = (self.user.clone(), value.to_owned());
        let job = move |connection: &Connection| calls::usage(connection, "user_id", condition, (&user, &value));
        Ok(self.database.read(job).await?.into_iter().map(|(_, usage)| usage).collect())
    }

    /// Appends to the event log, in one transaction; returns the place of the first.
    pub async fn append_events(&self, run: &str, events: Vec<(Timestamp, Value)>) -> Result<u64, Error> {
        let (runs, run) = (self.clone(), run.to_owned());
        let job = move |connection: &Connection| {
            let project = runs.hold(connection, &run)?;
            append(connection, &runs.user, &project, &run, &events)
        };
        self.database.write(job).await
    }

    /// The events after place `after`, oldest first, at most `most` of them.
    pub async fn events(&self, run: &str, after: u64, most: usize) -> Result<Vec<LoggedEvent>, Error> {
        let (user, run) = (self.user.clone(), run.to_owned());
        self.database.read(move |connection| events(connection, &user, &run, after, most)).await
    }
}

fn get(connection: &Connection, user: &str, id: &str) -> Result<Run, Error> {
    let sql = format!("SELECT {COLUMNS} FROM run WHERE user_id = ?1 AND id = ?2");
    let row = connection.prepare_cached(&sql)?.query_row((user, id), |row| Ok(read(row))).optional()?;
    row.unwrap_or_else(|| Err(Error::UnknownRun { given: id.into() }))
}

/// The project of a run.
fn project_of(connection: &Connection, user: &str, id: &str) -> Result<String, Error> {
    let select = "SELECT project_id FROM run WHERE user_id = ?1 AND id = ?2";
    let found = connection.prepare_cached(select)?.query_row((user, id), |row| row.get(0)).optional()?;
    found.ok_or_else(|| Error::UnknownRun { given: id.into() })
}

fn find(connection: &Connection, user: &str, given: String) -> Result<Run, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM run WHERE user_id = ?1 AND (id LIKE ?2 ESCAPE '\\' OR id LIKE ?3 ESCAPE '\\') ORDER BY id"
    );
    // Whole, as programs give it, it is found at once; a beginning is compared with every run.
    match get(connection, user, &given) {
        Err(Error::UnknownRun { .. }) => {}
        found => return found,
    }
    let pattern = beginning(&given);
    let mut matches =
        if given.is_empty() { Vec::new() } else { select(connection, &sql, (user, &pattern, format!("r-{pattern}")))? };
    match matches.len() {
        0 => Err(Error::UnknownRun { given }),
        1 => Ok(matches.remove(0)),
        _ => Err(Error::Ambiguous { given, matches: matches.into_iter().map(|run| run.id).collect() }),
    }
}

fn select(connection: &Connection, sql: &str, parameters: impl qingyu_db::sql::Params) -> Result<Vec<Run>, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(parameters, |row| Ok(read(row)))?;
    rows.map(|row| row?).collect()
}

fn read(row: &Row<'_>) -> Result<Run, Error> {
    let id: String = row.get(0)?;
    let status: String = row.get(6)?;
    let status = RunStatus::ALL
        .into_iter()
        .find(|known| known.name() == status)
        .ok_or_else(|| Error::BadRow { what: format!("status of {id}"), message: format!("{status} is not known") })?;
    let outcome: Option<String> = row.get(9)?;
    Ok(Run {
        project: row.get(1)?,
        thread: row.get(2)?,
        requirement: row.get(3)?,
        config: from_json(&row.get::<_, String>(4)?, || format!("config of {id}"))?,
        model: row.get(5)?,
        status,
        started: to_time(&row.get::<_, String>(7)?)?,
        ended: row.get::<_, Option<String>>(8)?.map(|at| to_time(&at)).transpose()?,
        outcome: outcome.map(|text| from_json(&text, || format!("outcome of {id}"))).transpose()?,
        server: row.get(10)?,
        id,
    })
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

fn append(
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

fn events(connection: &Connection, user: &str, run: &str, after: u64, most: usize) -> Result<Vec<LoggedEvent>, Error> {
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
