//! Listing of runs.

use qingyu_store::{ListedRun, RunQuery, Standing};

use crate::error::Error;
use crate::runs::approver::approver_of;
use crate::runs::kind::RunKind;
use crate::runs::outcome::RunEnding;
use crate::runs::row::RunRow;
use crate::spending::calls;
use crate::studio::Studio;

/// A filter of runs; all runs by default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunsRequest {
    /// Restricts to a project: its ID, a prefix of the ID, or one of its runs.
    pub project: Option<String>,
    /// Restricts to working and waiting runs.
    pub open: bool,
    /// Restricts to runs after the given run in list order, for the next page.
    pub after: Option<String>,
    /// The maximum number of runs; all by default.
    pub limit: Option<u32>,
}

impl Studio {
    /// Returns all runs, newest first. A run with a dead process is [`Interrupted`](crate::RunStatus::Interrupted).
    pub async fn runs(&self) -> Result<Vec<RunRow>, Error> {
        self.runs_by(&RunsRequest::default()).await
    }

    /// Returns the matching runs, newest first.
    pub async fn runs_by(&self, request: &RunsRequest) -> Result<Vec<RunRow>, Error> {
        let project = match &request.project {
            Some(project) => Some(self.find_project(project).await?.id),
            None => None,
        };
        let after = match &request.after {
            Some(run) => Some(self.find_run(run).await?.id),
            None => None,
        };
        let standing = if request.open { Standing::Open } else { Standing::Any };
        let projects = self.scope().projects().cloned();
        let query = RunQuery { project, projects, standing, after, limit: request.limit, ..RunQuery::default() };
        self.run_rows(self.listed(query).await?).await
    }

    /// Returns the newest run of each project, newest first.
    pub async fn newest_runs(&self) -> Result<Vec<RunRow>, Error> {
        let projects = self.scope().projects().cloned();
        let query = RunQuery { projects, newest_of_each: true, ..RunQuery::default() };
        self.run_rows(self.listed(query).await?).await
    }

    /// Returns the newest run of a project, if any. The project is named by its ID, a prefix of the ID, or one of its
    /// runs.
    pub async fn newest_run(&self, project: &str) -> Result<Option<RunRow>, Error> {
        let request = RunsRequest { project: Some(project.to_owned()), limit: Some(1), ..RunsRequest::default() };
        Ok(self.runs_by(&request).await?.pop())
    }

    /// Returns a run as in lists, by ID or prefix.
    pub async fn run(&self, run: &str) -> Result<RunRow, Error> {
        let run = self.find_run(run).await?;
        let bad = |error| self.place(&run.id).store(error);
        let title = self.projects_table().get(&run.project).await.map_err(bad)?.title;
        let usage = self.runs_table().usage(&run.id).await.map_err(bad)?;
        self.run_row(ListedRun { run, title, usage }).await
    }

    pub(crate) async fn run_rows(&self, listed: Vec<ListedRun>) -> Result<Vec<RunRow>, Error> {
        let mut rows = Vec::with_capacity(listed.len());
        for run in listed {
            rows.push(self.run_row(run).await?);
        }
        Ok(rows)
    }

    async fn run_row(&self, ListedRun { run, title, usage }: ListedRun) -> Result<RunRow, Error> {
        Ok(RunRow {
            status: self.status_of(&run).await?,
            kind: RunKind::of(&run),
            quality_score: RunEnding::kept(&run).quality_score,
            approver: approver_of(&run).map(str::to_owned),
            usage: calls::sum(&usage),
            run: run.id,
            project: run.project,
            title,
            requirement: run.requirement,
            model: run.model,
            started: run.started,
            ended: run.ended,
        })
    }
}
