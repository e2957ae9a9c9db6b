//! Runs as they stand in lists.

use qingyu_store::Run;

use crate::outcome::Ending;
use crate::{Error, RunRow, Studio, calls};

impl Studio {
    /// All runs, newest first. A run whose process died is [`Interrupted`](crate::RunStatus::Interrupted).
    pub async fn runs(&self) -> Result<Vec<RunRow>, Error> {
        let mut runs = self.runs_table().list().await.map_err(|error| self.place("").store(error))?;
        runs.retain(|run| self.scope().sees(&run.project));
        self.run_rows(runs).await
    }

    /// The runs of a project, newest first. The project is named by its id, the beginning of it, or one of its runs.
    pub async fn runs_of(&self, project: &str) -> Result<Vec<RunRow>, Error> {
        let project = self.find_project(project).await?.id;
        let runs = self.runs_table().of_project(&project).await.map_err(|error| self.place("").store(error))?;
        self.run_rows(runs).await
    }

    /// The newest run of a project, if it has one. The project is named as for [`runs_of`](Self::runs_of).
    pub async fn newest_run(&self, project: &str) -> Result<Option<RunRow>, Error> {
        let project = self.find_project(project).await?.id;
        let run = self.runs_table().newest_of_project(&project).await.map_err(|error| self.place("").store(error))?;
        Ok(self.run_rows(run.into_iter().collect()).await?.pop())
    }

    /// A run as it stands in lists, named by its id or the beginning of it.
    pub async fn run(&self, run: &str) -> Result<RunRow, Error> {
        let run = self.find_run(run).await?;
        self.run_row(run).await
    }

    pub(crate) async fn run_rows(&self, runs: Vec<Run>) -> Result<Vec<RunRow>, Error> {
        let mut rows = Vec::with_capacity(runs.len());
        for run in runs {
            rows.push(self.run_row(run).await?);
        }
        Ok(rows)
    }

    async fn run_row(&self, run: Run) -> Result<RunRow, Error> {
        let bad = |error| self.place(&run.id).store(error);
        let title = self.projects_table().get(&run.project).await.map_err(bad)?.title;
        let usage = self.runs_table().usage(&run.id).await.map_err(bad)?;
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
}
