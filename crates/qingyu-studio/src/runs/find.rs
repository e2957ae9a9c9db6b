//! Runs by name, and the stored runs of a project.

use qingyu_store::{ListedRun, Run, RunQuery, Standing};

use crate::error::{Error, Noun};
use crate::studio::Studio;

impl Studio {
    /// Returns the run named by its ID, a prefix of the ID, or its project (the newest run).
    pub(crate) async fn find_run(&self, given: &str) -> Result<Run, Error> {
        let bad = |error| self.place("").store(error);
        let unknown = || Error::unknown(Noun::Run, given);
        let run = match self.runs_table().find(given).await {
            Err(qingyu_store::Error::UnknownRun { given }) => {
                let project = match self.projects_table().find(&given).await {
                    Err(qingyu_store::Error::UnknownProject { .. }) => return Err(unknown()),
                    found => found.map_err(bad)?,
                };
                self.runs_of_project(&project.id, Standing::Any, Some(1)).await?.pop().ok_or_else(unknown)?
            }
            found => found.map_err(bad)?,
        };
        if self.scope().sees(&run.project) { Ok(run) } else { Err(unknown()) }
    }

    pub(crate) async fn listed(&self, query: RunQuery) -> Result<Vec<ListedRun>, Error> {
        self.runs_table().listed(query).await.map_err(|error| self.place("").store(error))
    }

    /// Returns the stored runs of a project, newest first; `project` is the full ID.
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
