//! Listing and creation of projects.

use jiff::Timestamp;
use qingyu_store::{Project, ProjectStatus};
use qingyu_tools::workspace::ProjectSeed;

use crate::error::Error;
use crate::projects::draft::new_project;
use crate::projects::row::{ProjectRow, project_row};
use crate::studio::Studio;

impl Studio {
    /// Returns the projects on the shelf, newest first.
    pub async fn projects(&self) -> Result<Vec<ProjectRow>, Error> {
        self.projects_of(ProjectStatus::Active).await
    }

    /// Returns the projects with the given status, newest first.
    pub(crate) async fn projects_of(&self, status: ProjectStatus) -> Result<Vec<ProjectRow>, Error> {
        let unread = self.projects_table().unread().await.map_err(|error| self.place("").store(error))?;
        let row = |project: Project| {
            let unread = unread.get(&project.id).copied().unwrap_or_default();
            ProjectRow { unread: Some(unread), ..project_row(project) }
        };
        Ok(self.seen_projects().await?.into_iter().filter(|project| project.status == status).map(row).collect())
    }

    /// Returns the project named by its ID, a prefix of the ID, or one of its runs.
    pub async fn project(&self, given: &str) -> Result<ProjectRow, Error> {
        Ok(project_row(self.find_project(given).await?))
    }

    /// Creates an empty project; the title defaults to a title derived from the premise.
    pub(crate) async fn begin_project(&self, new: ProjectSeed) -> Result<ProjectRow, crate::error::Error> {
        self.scope().demand_all()?;
        let ProjectSeed { title, language, premise } = new;
        let new = new_project(title.as_deref(), &premise, language);
        let project = self.projects_table().create(new, Timestamp::now()).await;
        Ok(project_row(project.map_err(|error| self.place("").store(error))?))
    }
}
