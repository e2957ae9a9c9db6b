//! Runs: what was started, what it told, what it paid for.

use jiff::Timestamp;
use qingyu_db::Database;
use rusqlite::{Connection, OptionalExtension, Row};
use serde_json::Value;

use crate::row::{beginning, from_count, from_json, to_count, to_json, to_time};
use crate::spending::{self, Spending, SpendingQuery};
use crate::{Error, NewProject, id};

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
}

const COLUMNS: &str = "id, project_id, thread_id, requirement, config, model, status, started, ended, outcome";

impl Runs {
    /// The runs of `user`.
    pub fn new(database: &Database, user: &str) -> Self {
        Self { database: database.clone(), user: user.into() }
    }

    /// Makes a run with a new id, which is also its thread's.
    pub async fn create(&self, project: &str, new: NewRun, at: Timestamp) -> Result<Run, Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        self.database.write(move |connection| insert(connection, &user, &project, &new, at)).await
    }

    /// Makes a project and its first run; both or neither.
    pub async fn create_in_new_project(&self, project: NewProject, new: NewRun, at: Timestamp) -> Result<Run, Error> {
        let user = self.user.clone();
        let job = move |connection: &Connection| {
            let project = crate::projects::insert(connection, &user, project, at)?;
            insert(connection, &user, &project.id, &new, at)
        };
        self.database.write(job).await
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

    /// All runs, newest first.
    pub async fn list(&self) -> Result<Vec<Run>, Error> {
        let user = self.user.clone();
        let job = move |connection: &Connection| {
            let sql = format!("SELECT {COLUMNS} FROM run WHERE user_id = ?1 ORDER BY started DESC, id");
            select(connection, &sql, [user])
        };
        self.database.read(job).await
    }

    /// The runs of a project, newest first.
    pub async fn of_project(&self, project: &str) -> Result<Vec<Run>, Error> {
        let (user, project) = (self.user.clone(), project.to_owned());
        let job = move |connection: &Connection| {
            let sql =
                format!("SELECT {COLUMNS} FROM run WHERE user_id = ?1 AND project_id = ?2 ORDER BY started DESC, id");
            select(connection, &sql, (user, project))
        };
        self.database.read(job).await
    }

    /// Writes down that a process works on the run again.
    pub async fn resumed(&self, id: &str) -> Result<(), Error> {
        self.set(id, RunStatus::Running, None, None).await
    }

    /// Writes down how the run ended, or that it waits or was stopped.
    pub async fn ended(&self, id: &str, status: RunStatus, outcome: Value, at: Timestamp) -> Result<(), Error> {
        self.set(id, status, Some(at), Some(outcome)).await
    }

    async fn set(
        &self,
        id: &str,
        status: RunStatus,
        ended: Option<Timestamp>,
        outcome: Option<Value>,
    ) -> Result<(), Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            let changed = connection
                .prepare_cached(
                    "UPDATE run SET status = ?3, ended = ?4, outcome = coalesce(?5, outcome)
                     WHERE user_id = ?1 AND id = ?2",
                )?
                .execute((
                    &user,
                    &id,
                    status.name(),
                    ended.map(|at| at.to_string()),
                    outcome.map(|it| it.to_string()),
                ))?;
            if changed == 0 { Err(Error::UnknownRun { given: id }) } else { Ok(()) }
        };
        self.database.write(job).await
    }

    /// Writes down paid calls, in one transaction. One that is told again changes nothing. Returns how many were new.
    pub async fn record_calls(&self, run: &str, calls: Vec<Call>, at: Timestamp) -> Result<usize, Error> {
        let (user, run) = (self.user.clone(), run.to_owned());
        let job = move |connection: &Connection| {
            let project = get(connection, &user, &run)?.project;
            let mut fresh = 0;
            for call in &calls {
                fresh += insert_call(connection, &user, &project, &run, call, at)?;
            }
            Ok(fresh)
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
        let (user, project) = (self.user.clone(), project.map(str::to_owned));
        let job = move |connection: &Connection| spending::insert(connection, &user, project.as_deref(), &call, at);
        self.database.write(job).await
    }

    /// What calls have cost, one row for each that can be told apart by what `query` asks; oldest first.
    pub async fn spending(&self, query: SpendingQuery) -> Result<Vec<Spending>, Error> {
        let user = self.user.clone();
        self.database.read(move |connection| spending::rows(connection, &user, &query)).await
    }

    async fn usage_where(&self, condition: &'static str, value: &str) -> Result<Vec<AgentUsage>, Error> {
        let (user, value) = (self.user.clone(), value.to_owned());
        self.database.read(move |connection| usage(connection, condition, &user, &value)).await
    }

    /// Appends to the event log, in one transaction; returns the place of the first.
    pub async fn append_events(&self, run: &str, events: Vec<(Timestamp, Value)>) -> Result<u64, Error> {
        let (user, run) = (self.user.clone(), run.to_owned());
        self.database.write(move |connection| append(connection, &user, &run, &events)).await
    }

    /// The events after place `after`, oldest first.
    pub async fn events(&self, run: &str, after: u64) -> Result<Vec<LoggedEvent>, Error> {
        let (user, run) = (self.user.clone(), run.to_owned());
        self.database.read(move |connection| events(connection, &user, &run, after)).await
    }
}

fn insert(connection: &Connection, user: &str, project: &str, new: &NewRun, at: Timestamp) -> Result<Run, Error> {
    crate::projects::get(connection, user, project)?;
    let id = id::run();
    connection
        .prepare_cached(
            "INSERT INTO run(user_id, project_id, id, thread_id, requirement, config, model, status, started)
             VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute((
            user,
            project,
            &id,
            &new.requirement,
            new.config.to_string(),
            &new.model,
            RunStatus::Running.name(),
            at.to_string(),
        ))?;
    get(connection, user, &id)
}

fn get(connection: &Connection, user: &str, id: &str) -> Result<Run, Error> {
    let sql = format!("SELECT {COLUMNS} FROM run WHERE user_id = ?1 AND id = ?2");
    let row = connection.prepare_cached(&sql)?.query_row((user, id), |row| Ok(read(row))).optional()?;
    row.unwrap_or_else(|| Err(Error::UnknownRun { given: id.into() }))
}

fn find(connection: &Connection, user: &str, given: String) -> Result<Run, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM run WHERE user_id = ?1 AND (id LIKE ?2 ESCAPE '\\' OR id LIKE ?3 ESCAPE '\\') ORDER BY id"
    );
    let pattern = beginning(&given);
    let mut matches =
        if given.is_empty() { Vec::new() } else { select(connection, &sql, (user, &pattern, format!("r-{pattern}")))? };
    match matches.len() {
        0 => Err(Error::UnknownRun { given }),
        1 => Ok(matches.remove(0)),
        _ => Err(Error::Ambiguous { given, matches: matches.into_iter().map(|run| run.id).collect() }),
    }
}

fn select(connection: &Connection, sql: &str, parameters: impl rusqlite::Params) -> Result<Vec<Run>, Error> {
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
        id,
    })
}

fn insert_call(
    connection: &Connection,
    user: &str,
    project: &str,
    run: &str,
    call: &Call,
    at: Timestamp,
) -> Result<usize, Error> {
    let rows = connection
        .prepare_cached(
            "INSERT INTO call(user_id, project_id, run_id, key, agent, purpose, model, input, cached, output, estimated,
                              cost_micros, currency, attempts, repaired, millis, at, chapter, replayed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
             ON CONFLICT (run_id, key) DO NOTHING",
        )?
        .execute(rusqlite::params![
            user,
            project,
            run,
            call.key,
            call.agent,
            call.purpose,
            call.model,
            to_count(call.input),
            to_count(call.cached),
            to_count(call.output),
            call.estimated,
            call.cost_micros.map(to_count),
            call.currency,
            call.attempts,
            call.repaired,
            to_count(call.millis),
            at.to_string(),
            call.chapter,
            call.replayed,
        ])?;
    Ok(rows)
}

fn usage(connection: &Connection, condition: &str, user: &str, value: &str) -> Result<Vec<AgentUsage>, Error> {
    let sql = format!(
        "SELECT agent, currency, count(*), sum(input), sum(cached), sum(output), max(estimated), sum(cost_micros),
                count(cost_micros)
         FROM call WHERE user_id = ?1 AND {condition} GROUP BY agent, currency ORDER BY agent, currency"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map((user, value), |row| {
        let calls: i64 = row.get(2)?;
        let all_priced = row.get::<_, i64>(8)? == calls;
        Ok(AgentUsage {
            agent: row.get(0)?,
            currency: row.get(1)?,
            calls: from_count(calls),
            input: from_count(row.get(3)?),
            cached: from_count(row.get(4)?),
            output: from_count(row.get(5)?),
            estimated: row.get(6)?,
            cost_micros: row.get::<_, Option<i64>>(7)?.filter(|_| all_priced).map(from_count),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn append(connection: &Connection, user: &str, run: &str, events: &[(Timestamp, Value)]) -> Result<u64, Error> {
    let project = get(connection, user, run)?.project;
    let last: i64 = connection
        .prepare_cached("SELECT coalesce(max(seq), 0) FROM event_log WHERE user_id = ?1 AND run_id = ?2")?
        .query_row((user, run), |row| row.get(0))?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO event_log(user_id, project_id, run_id, seq, at, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    for (seq, (at, body)) in (last + 1..).zip(events) {
        insert.execute((user, &project, run, seq, at.to_string(), to_json(body)))?;
    }
    Ok(from_count(last + 1))
}

fn events(connection: &Connection, user: &str, run: &str, after: u64) -> Result<Vec<LoggedEvent>, Error> {
    let mut select = connection.prepare_cached(
        "SELECT seq, at, body FROM event_log WHERE user_id = ?1 AND run_id = ?2 AND seq > ?3 ORDER BY seq",
    )?;
    let read = |row: &Row<'_>| -> Result<LoggedEvent, Error> {
        let seq = from_count(row.get(0)?);
        Ok(LoggedEvent {
            seq,
            at: to_time(&row.get::<_, String>(1)?)?,
            body: from_json(&row.get::<_, String>(2)?, || format!("event {seq} of {run}"))?,
        })
    };
    let rows = select.query_map((user, run, to_count(after)), |row| Ok(read(row)))?;
    rows.map(|row| row?).collect()
}
