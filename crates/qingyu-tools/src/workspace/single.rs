//! A single project as all projects.

use std::sync::Arc;

use futures::future::BoxFuture;

use super::error::{Error, unknown};
use super::project::{LoadedStory, ProjectEntry, ProjectSeed, Workspace, Workspaces};

/// Returns the workspaces of a frontend with a single project.
pub fn only(workspace: impl Workspace + 'static) -> Arc<dyn Workspaces> {
    Arc::new(SingleWorkspace(Arc::new(workspace)))
}

#[derive(Debug)]
struct SingleWorkspace(Arc<dyn Workspace>);

impl Workspaces for SingleWorkspace {
    fn open<'a>(&'a self, project: Option<&'a str>) -> BoxFuture<'a, Result<Arc<dyn Workspace>, Error>> {
        let known = project.is_none_or(|project| project == self.0.project());
        let found = if known { Ok(Arc::clone(&self.0)) } else { Err(unknown(project)) };
        Box::pin(async move { found })
    }

    fn list(&self) -> BoxFuture<'_, Result<Vec<ProjectEntry>, Error>> {
        Box::pin(async {
            let LoadedStory { story, version } = self.0.load().await?;
            let (project, title) = (self.0.project().to_owned(), String::new());
            Ok(vec![ProjectEntry { project, title, language: story.language, premise: story.premise.clone(), version }])
        })
    }

    fn create(&self, _: ProjectSeed) -> BoxFuture<'_, Result<ProjectEntry, Error>> {
        let message = format!("there is one project here, '{}', and no room for another", self.0.project());
        Box::pin(async { Err(Error::Refused { message }) })
    }
}
