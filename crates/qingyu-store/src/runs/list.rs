//! Lists of runs.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use qingyu_db::sql::{Connection, Param, ToParam};

use super::{AgentUsage, COLUMNS, Run, Runs, calls, get, read};
use crate::Error;

/// Which runs are listed; all of them by default. Whatever is asked, a list costs what stands in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunQuery {
    /// Those of this project.
    pub project: Option<String>,
    /// Those of these projects.
    pub projects: Option<BTreeSet<String>>,
    /// Those that stand so.
    pub standing: Standing,
    /// Of the runs of each project only the newest, if it is one of those.
    pub newest_of_each: bool,
    /// Those that are listed after this run, which may be one that would not be listed itself.
    pub after: Option<String>,
    /// The most.
    pub limit: Option<u32>,
}

/// How the runs of a list stand, as far as their last process wrote it down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standing {
    /// In any way.
    #[default]
    Any,
    /// A process works on them, or they wait for a person.
    Open,
    /// A process works on them.
    AtWork,
}

/// A run with what a list shows beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedRun {
    /// The run.
    pub run: Run,
    /// The title of its project.
    pub title: String,
    /// What it paid for, by agent.
    pub usage: Vec<AgentUsage>,
}

impl Runs {
    /// Runs, newest first.
    ///
    /// Fails with [`Error::UnknownRun`] if there is no run they are to come after.
    pub async fn list(&self, query: RunQuery) -> Result<Vec<Run>, Error> {
        let user = self.user.clone();
        self.database.read(move |connection| Wanted::of(connection, &user, &query)?.runs(connection)).await
    }

    /// Runs with what lists show beside them, newest first. Fails as [`list`](Self::list) does.
    pub async fn listed(&self, query: RunQuery) -> Result<Vec<ListedRun>, Error> {
        let user = self.user.clone();
        let job = move |connection: &Connection| Wanted::of(connection, &user, &query)?.listed(connection);
        self.database.read(job).await
    }
}

/// A query as conditions, order and limit of a statement.
struct Wanted<'q> {
    tail: String,
    params: Vec<Param<'q>>,
}

impl<'q> Wanted<'q> {
    fn of(connection: &Connection, user: &'q str, query: &'q RunQuery) -> Result<Self, Error> {
        let mut wanted = Self { tail: "WHERE user_id = ?1".into(), params: vec![user.param()] };
        if let Some(project) = &query.project {
            wanted.tail.push_str(" AND project_id = ");
            wanted.put(&[project.param()]);
        }
        if let Some(projects) = &query.projects {
            let mut projects: Vec<Param<'q>> = projects.iter().map(|project| Param::Text(project)).collect();
            // A connection keeps what it has prepared: there is one wording for one project, one for two, for up to four, and so on.
            projects.resize(projects.len().next_power_of_two(), projects.last().copied().unwrap_or(Param::Null));
            wanted.tail.push_str(" AND project_id IN (");
            wanted.put(&projects);
            wanted.tail.push(')');
        }
        wanted.tail.push_str(match query.standing {
            Standing::Any => "",
            // Word by word what stands in the index.
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

    /// Writes the places of values, with commas between.
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
        // Both statements are to see the same runs.
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
