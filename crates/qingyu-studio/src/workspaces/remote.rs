//! Projects whose story is on another studio's server.

use std::sync::Arc;

use futures::future::BoxFuture;
use qingyu_tools::workspace::remote::{RemoteLimits, Server};
use qingyu_tools::workspace::{Error as WorkspaceFailure, ProjectEntry, ProjectSeed, only};
use qingyu_tools::{Workspace, Workspaces};

use crate::error::Error;
use crate::settings::layer::SettingLayer;
use crate::settings::values::WorkspaceSettings;
use crate::studio::Studio;

impl Studio {
    /// Returns the workspace of a project on the server of its settings; `None` if its story is here. Sends nothing yet.
    ///
    /// Returns [`Error::BadSettings`] if the address is invalid, or the variable of the key is not set.
    pub(super) fn remote_workspace(
        &self,
        project: &str,
        settings: &WorkspaceSettings,
    ) -> Result<Option<Arc<dyn Workspace>>, Error> {
        let Some(url) = &settings.url else { return Ok(None) };
        let bad = |name: &str, message: String| Error::BadSettings {
            layer: SettingLayer::Project,
            source_name: None,
            key: format!("workspace.{name}"),
            message,
        };
        let key = match &settings.key_env {
            Some(name) => {
                let key = self.settings().environment().get(name);
                Some(key.ok_or_else(|| bad("key_env", format!("the environment variable {name} is not set")))?)
            }
            None => None,
        };
        let server = Server::new(url, key, RemoteLimits::default());
        let server = server.map_err(|error| bad("url", error.to_string()))?;
        Ok(Some(server.project(settings.project.as_deref().unwrap_or(project))))
    }
}

/// A single project with its story elsewhere, known by its name here as well as there.
#[derive(Debug)]
pub(super) struct RemoteProject {
    here: String,
    workspace: Arc<dyn Workspace>,
    alone: Arc<dyn Workspaces>,
}

impl RemoteProject {
    pub(super) fn new(here: &str, workspace: Arc<dyn Workspace>) -> Self {
        Self { here: here.to_owned(), alone: only(Arc::clone(&workspace)), workspace }
    }
}

impl Workspaces for RemoteProject {
    fn open<'a>(&'a self, project: Option<&'a str>) -> BoxFuture<'a, Result<Arc<dyn Workspace>, WorkspaceFailure>> {
        if project == Some(self.here.as_str()) {
            let workspace = Arc::clone(&self.workspace);
            return Box::pin(async move { Ok(workspace) });
        }
        self.alone.open(project)
    }

    fn list(&self) -> BoxFuture<'_, Result<Vec<ProjectEntry>, WorkspaceFailure>> {
        self.alone.list()
    }

    fn create(&self, new: ProjectSeed) -> BoxFuture<'_, Result<ProjectEntry, WorkspaceFailure>> {
        self.alone.create(new)
    }
}
