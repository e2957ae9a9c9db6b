//! The rows of runs.

use jiff::Timestamp;
use qingyu_db::sql::{Connection, OptionalExtension, Params, Row};
use serde_json::Value;

use crate::error::Error;
use crate::row::{beginning, from_json, to_time};

/// The status of a run, as last recorded by its process.
///
/// A killed process leaves `Running` behind; callers check the engine's lease to see whether the process is alive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunStatus {
    /// A process works on the run.
    Running,
    /// The run waits for a person.
    Waiting,
    /// The run succeeded.
    Done,
    /// The run failed.
    Failed,
    /// The run was stopped.
    Interrupted,
}

impl RunStatus {
    const ALL: [Self; 5] = [Self::Running, Self::Waiting, Self::Done, Self::Failed, Self::Interrupted];

    /// Returns the name stored in a row.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
        }
    }
}

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The id.
    pub id: String,
    /// The project.
    pub project: String,
    /// The engine's thread.
    pub thread: String,
    /// The user's words.
    pub requirement: String,
    /// The settings which determine the behaviour of the run.
    pub config: Value,
    /// The default model of most roles.
    pub model: String,
    /// The status.
    pub status: RunStatus,
    /// Start time.
    pub started: Timestamp,
    /// Time of the end, of the stop, or since when the run waits.
    pub ended: Option<Timestamp>,
    /// The outcome.
    pub outcome: Option<Value>,
    /// The current or last server; `None` for a run of the command line.
    pub server: Option<String>,
}

/// The columns of a run, in the order of [`read`].
pub(super) const COLUMNS: &str =
    "id, project_id, thread_id, requirement, config, model, status, started, ended, outcome, server";

/// Returns the run with the id.
pub(super) fn get(connection: &Connection, user: &str, id: &str) -> Result<Run, Error> {
    let sql = format!("SELECT {COLUMNS} FROM run WHERE user_id = ?1 AND id = ?2");
    let row = connection.prepare_cached(&sql)?.query_row((user, id), |row| Ok(read(row))).optional()?;
    row.unwrap_or_else(|| Err(Error::UnknownRun { given: id.into() }))
}

/// Returns the project of a run.
pub(super) fn project_of(connection: &Connection, user: &str, id: &str) -> Result<String, Error> {
    let select = "SELECT project_id FROM run WHERE user_id = ?1 AND id = ?2";
    let found = connection.prepare_cached(select)?.query_row((user, id), |row| row.get(0)).optional()?;
    found.ok_or_else(|| Error::UnknownRun { given: id.into() })
}

/// Returns the run with the id, or the only run with the id prefix.
pub(super) fn find(connection: &Connection, user: &str, given: String) -> Result<Run, Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM run WHERE user_id = ?1 AND (id LIKE ?2 ESCAPE '\\' OR id LIKE ?3 ESCAPE '\\') ORDER BY id"
    );
    // A full id, as given by programs, is found by key; a prefix is compared with every run.
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

fn select(connection: &Connection, sql: &str, parameters: impl Params) -> Result<Vec<Run>, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(parameters, |row| Ok(read(row)))?;
    rows.map(|row| row?).collect()
}

/// Reads the columns [`COLUMNS`].
pub(super) fn read(row: &Row<'_>) -> Result<Run, Error> {
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
