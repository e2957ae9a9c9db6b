//! Runs as they stand in lists.

use qingyu_store::{ListedRun, Run, RunQuery, Standing};

use crate::outcome::Ending;
use crate::{Error, RunRow, Studio, calls};

/// Which runs are listed; all of them by default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunsRequest {
    /// Only those of this project: its id, the beginning of it, or one of its runs.
    pub project: Option<String>,
    /// Only those that are worked on or wait for somebody.
    pub open: bool,
    /// Only those that are listed after this run, as the next page is.
    pub after: Option<String>,
    /// The most; all without it.
    pub limit: Option<u32>,
}

impl Studio {
    /// All runs, newest first. A run whose process died is [`Interrupted`](crate::RunStatus::Interrupted).
    pub async fn runs(&self) -> Result<Vec<RunRow>, Error> {
        self.runs_by(&RunsRequest::default()).await
    }

    /// The runs that are asked for, newest first.
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

    /// The newest run of each project that has one, newest first.
    pub async fn newest_runs(&self) -> Result<Vec<RunRow>, Error> {
        let projects = self.scope().projects().cloned();
        let query = RunQuery { projects, newest_of_each: true, ..RunQuery::default() };
        self.run_rows(self.listed(query).await?).await
    }

    /// The newest run of a project, if it has one. The project is named by its id, the beginning of it, or one of its runs.
    pub async fn newest_run(&self, project: &str) -> Result<Option<RunRow>, Error> {
        let request = RunsRequest { project: Some(project.to_owned()), limit: Some(1), ..RunsRequest::default() };
        Ok(self.runs_by(&request).await?.pop())
    }

    /// A run as it stands in lists, named by its id or the beginning of it.
    pub async fn run(&self, run: &str) -> Result<RunRow, Error> {
        let run = self.find_run(run).await?;
        let bad = |error| self.place(&run.id).store(error);
        let title = self.projects_table().get(&run.project).await.map_err(bad)?.title;
        let usage = self.runs_table().usage(&run.id).await.map_err(bad)?;
        self.run_row(ListedRun { run, title, usage }).await
    }

    pub(crate) async fn listed(&self, query: RunQuery) -> Result<Vec<ListedRun>, Error> {
        self.runs_table().listed(query).await.map_err(|error| self.place("").store(error))
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
            quality_score: Ending::kept(&run).quality_score,
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

    /// The runs of a project as they are kept, newest first; `project` is its id.
    pub(crate) async fn runs_of_project(
        &self,
        project: &str,
        standing: Standing,
        limit: Option<u32>,
    ) -> Result<Vec<Run>, Error> {
        let query = RunQuery { project: Some(project.to_owned()), standing, limit, ..RunQuery::default() };
        self.runs_table().list(query).await.map_err(|error| self.place("").store(error))
    }
}
