//! Projects by name.

use qingyu_store::Project;

use crate::error::{Error, Noun};
use crate::studio::Studio;

impl Studio {
    /// Returns the visible projects, newest first.
    pub(crate) async fn seen_projects(&self) -> Result<Vec<Project>, Error> {
        let mut projects = self.projects_table().list().await.map_err(|error| self.place("").store(error))?;
        projects.retain(|project| self.scope().sees(&project.id));
        Ok(projects)
    }

    /// Returns the project named by its ID, a prefix of the ID, or one of its runs.
    pub(crate) async fn find_project(&self, given: &str) -> Result<Project, Error> {
        let found = match self.projects_table().find(given).await {
            Err(qingyu_store::Error::UnknownProject { .. }) => match self.runs_table().find(given).await {
                Ok(run) => self.projects_table().get(&run.project).await,
                Err(qingyu_store::Error::UnknownRun { given }) => Err(qingyu_store::Error::UnknownProject { given }),
                Err(error) => Err(error),
            },
            found => found,
        };
        let project = found.map_err(|error| self.place("").store(error))?;
        if self.scope().sees(&project.id) { Ok(project) } else { Err(Error::unknown(Noun::Project, given)) }
    }
}
