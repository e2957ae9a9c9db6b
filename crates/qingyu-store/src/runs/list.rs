//! Lists of runs.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use qingyu_db::sql::{Connection, Param, ToParam};

use super::calls::{self, AgentUsage};
use super::repository::Runs;
use super::row::{COLUMNS, Run, get, read};
use crate::Error;

/// A query for runs; by default all runs. The cost of a list depends on its length only.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunQuery {
    /// Only runs of the project.
    pub project: Option<String>,
    /// Only runs of the projects.
    pub projects: Option<BTreeSet<String>>,
    /// Only runs with the status.
    pub standing: Standing,
    /// Only the newest run of each project, if the run matches the query.
    pub newest_of_each: bool,
    /// Only runs listed after the run, which need not match the query.
    pub after: Option<String>,
    /// Maximum number of runs.
    pub limit: Option<u32>,
}

/// A filter by status, as last recorded by the process of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standing {
    /// Any status.
    #[default]
    Any,
    /// Active, or waiting for a person.
    Open,
    /// Active.
    AtWork,
}

/// A run with details for a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedRun {
    /// The run.
    pub run: Run,
    /// The title of its project.
    pub title: String,
    /// The usage, by agent.
    pub usage: Vec<AgentUsage>,
}

impl Runs {
    /// Returns runs, newest first.
    ///
    /// Returns [`Error::UnknownRun`] if the run `after` is unknown.
    pub async fn list(&self, query: RunQuery) -> Result<Vec<Run>, Error> {
        let user = self.user.clone();
        self.database.read(move |connection| RunListSql::of(connection, &user, &query)?.runs(connection)).await
    }

    /// Returns runs with details, newest first. Errors as for [`list`](Self::list).
    pub async fn listed(&self, query: RunQuery) -> Result<Vec<ListedRun>, Error> {
        let user = self.user.clone();
        let job = move |connection: &Connection| RunListSql::of(connection, &user, &query)?.listed(connection);
        self.database.read(job).await
    }
}

/// A query as conditions, order and limit of a statement.
struct RunListSql<'q> {
    tail: String,
    params: Vec<Param<'q>>,
}

impl<'q> RunListSql<'q> {
    fn of(connection: &Connection, user: &'q str, query: &'q RunQuery) -> Result<Self, Error> {
        let mut wanted = Self { tail: "WHERE user_id = ?1".into(), params: vec![user.param()] };
        if let Some(project) = &query.project {
            wanted.tail.push_str(" AND project_id = ");
            wanted.put(&[project.param()]);
        }
        if let Some(projects) = &query.projects {
            let mut projects: Vec<Param<'q>> = projects.iter().map(|project| Param::Text(project)).collect();
            // Prepared statements are cached by text, so the number of placeholders is rounded up to a power of two.
            projects.resize(projects.len().next_power_of_two(), projects.last().copied().unwrap_or(Param::Null));
            wanted.tail.push_str(" AND project_id IN (");
            wanted.put(&projects);
            wanted.tail.push(')');
        }
        wanted.tail.push_str(match query.standing {
            Standing::Any => "",
            // Must match the text of the partial index.
            Standing::Open => " AND status IN ('running', 'waiting')",
            Standing::AtWork => " AND status = 'running'",
        });
        if query.newest_of_each {
            wanted.tail.push_str(
                " AND NOT EXISTS (SELECT 1 FROM run AS later WHERE later.user_id = ?1 AND later.project_id = run.project_id
                  AND (later.started, later.id) > (run.started, run.id))",
            );
        }
        if let Some(after) = &query.after {
            get(connection, user, after)?;
            wanted.tail.push_str(" AND (started, id) < (SELECT started, id FROM run WHERE user_id = ?1 AND id = ");
            wanted.put(&[after.param()]);
            wanted.tail.push(')');
        }
        wanted.tail.push_str(" ORDER BY started DESC, id DESC");
        if let Some(limit) = query.limit {
            wanted.tail.push_str(" LIMIT ");
            wanted.put(&[Param::Integer(limit.into())]);
        }
        Ok(wanted)
    }

    /// Appends placeholders, separated by commas.
    fn put(&mut self, values: &[Param<'q>]) {
        for (position, value) in values.iter().enumerate() {
            self.params.push(*value);
            let comma = if position == 0 { "" } else { ", " };
            write!(self.tail, "{comma}?{}", self.params.len()).expect("a text takes everything");
        }
    }

    fn runs(&self, connection: &Connection) -> Result<Vec<Run>, Error> {
        let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM run {}", self.tail))?;
        let rows = statement.query_map(&self.params[..], |row| Ok(read(row)))?;
        rows.map(|row| row?).collect()
    }

    fn listed(&self, connection: &Connection) -> Result<Vec<ListedRun>, Error> {
        // Both statements must read the same snapshot.
        let snapshot = connection.snapshot()?;
        let of_these = format!("run_id IN (SELECT id FROM run {})", self.tail);
        let mut usage: HashMap<String, Vec<AgentUsage>> = HashMap::new();
        for (run, row) in calls::usage(connection, "run_id", &of_these, &self.params[..])? {
            usage.entry(run).or_default().push(row);
        }
        let title = "(SELECT title FROM project WHERE project.id = run.project_id)";
        let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS}, {title} FROM run {}", self.tail))?;
        let rows = statement.query_map(&self.params[..], |row| Ok((read(row), row.get(11)?)))?;
        let mut listed = Vec::new();
        for row in rows {
            let (run, title) = row?;
            let run = run?;
            listed.push(ListedRun { usage: usage.remove(&run.id).unwrap_or_default(), title, run });
        }
        drop(snapshot);
        Ok(listed)
    }
}
