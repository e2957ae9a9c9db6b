//! Titles of projects, the archive, the bin.

use std::time::Duration;

use qingyu_graph::store::Owner;
use qingyu_store::{ProjectStatus, Standing};

use crate::error::Error;
use crate::projects::row::{ProjectRow, project_row};
use crate::studio::Studio;

/// The maximum length of a title, in characters.
const TITLE_LIMIT: usize = 200;
/// The lease on a thread during deletion.
const HELD: Duration = Duration::from_secs(30);

impl Studio {
    /// Changes the title or the status (shelf, archive, bin) of a project, or both.
    ///
    /// Returns [`Error::ThreadBusy`] if a run is working on a project to be moved to the bin, and [`Error::BadRequest`]
    /// if the title is empty or longer than 200 characters.
    pub async fn update_project(
        &self,
        project: &str,
        title: Option<&str>,
        status: Option<ProjectStatus>,
    ) -> Result<ProjectRow, Error> {
        let found = self.find_project(project).await?;
        let bad = |error| self.place("").store(error);
        let bad_title = |message: String| Error::BadRequest { path: "title".into(), message };
        let title = title.map(str::trim);
        match title {
            Some("") => return Err(bad_title("a title is needed".into())),
            Some(title) if title.chars().count() > TITLE_LIMIT => {
                return Err(bad_title(format!("a title has at most {TITLE_LIMIT} characters")));
            }
            Some(title) if title.chars().any(char::is_control) => {
                return Err(bad_title("a title is one line".into()));
            }
            _ => {}
        }
        if status == Some(ProjectStatus::Binned) {
            self.refuse_at_work(&found.id).await?;
        }
        if let Some(title) = title {
            self.projects_table().rename(&found.id, title).await.map_err(bad)?;
        }
        if let Some(status) = status {
            self.projects_table().set_status(&found.id, status).await.map_err(bad)?;
        }
        Ok(project_row(self.projects_table().get(&found.id).await.map_err(bad)?))
    }

    /// Deletes a project in the bin, irreversibly, with its branches, history, runs and recordings; returns the deleted
    /// project. Spending records are kept.
    ///
    /// Returns [`Error::ProjectNotBinned`] if the project is not in the bin.
    pub(crate) async fn delete_project(&self, project: &str) -> Result<ProjectRow, Error> {
        self.scope().demand_all()?;
        let found = self.find_project(project).await?;
        let deleted = self.projects_table().delete(&found.id).await;
        let (projects, runs) = deleted.map_err(|error| self.place("").store(error))?;
        for run in &runs {
            self.delete_thread(run).await;
            remove_file(&self.cassette(run));
        }
        for project in &projects {
            remove_file(&self.settings().project_file(project));
        }
        tracing::info!(project = found.id, runs = runs.len(), "project deleted");
        Ok(project_row(found))
    }

    /// Deletes the engine's thread of a run. Leftovers after an error belong to no project and are harmless.
    async fn delete_thread(&self, run: &str) {
        let (threads, id) = (self.threads(), run.into());
        let deleted = async {
            let lease = threads.acquire(&id, &Owner::this_process(), HELD).await?;
            threads.delete(&lease).await
        };
        if let Err(error) = deleted.await {
            tracing::warn!(run, %error, "thread not deleted");
        }
    }

    async fn refuse_at_work(&self, project: &str) -> Result<(), Error> {
        for run in self.runs_of_project(project, Standing::AtWork, None).await? {
            if self.is_worked_on(&run.id).await? {
                return Err(Error::ThreadBusy { run: run.id });
            }
        }
        Ok(())
    }
}

fn remove_file(path: &std::path::Path) {
    match std::fs::remove_file(path) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => tracing::warn!(path = %path.display(), %error, "file of a deleted project not removed"),
    }
}
