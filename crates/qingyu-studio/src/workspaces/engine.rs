//! The tools over the projects of a studio.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt;
use futures::future::BoxFuture;
use qingyu_tools::workspace::{Error, ProjectEntry, ProjectSeed};
use qingyu_tools::{Engine, Permission, Toolbox, Workspace, Workspaces, mcp};
use qingyu_web::SearchKind;

use crate::access::scope::Right;
use crate::productions::orders::ProductionOrders;
use crate::projects::row::ProjectRow;
use crate::studio::Studio;
use crate::workspaces::workspace::{LocalWorkspace, failed};

/// The projects of a studio, opened by the calls.
#[derive(Debug)]
struct StudioProjects {
    studio: Studio,
    /// The default project of calls.
    usual: Option<String>,
    /// A cache of one workspace per project, sharing loaded versions between calls.
    open: Mutex<BTreeMap<String, Arc<dyn Workspace>>>,
}

impl Studio {
    /// Returns the caller's permission for tools.
    pub fn allowance(&self) -> Permission {
        match self.scope().right() {
            Right::Read | Right::Comment | Right::Suggest => Permission::Read,
            Right::Write | Right::Approve => Permission::Write,
            Right::Admin => Permission::Admin,
        }
    }

    /// Returns an engine with the writing tools, the project tool and the content tools, for all projects. Calls
    /// without a project use `usual`, or the only project.
    pub fn engine(&self, usual: Option<String>) -> Engine {
        self.engine_of(self.toolbox(), usual)
    }

    /// Returns an engine as [`engine`](Self::engine) does, with the tools of the configured tool servers, and the
    /// errors of servers failing to mount.
    pub async fn engine_with_servers(&self) -> Result<(Engine, Vec<mcp::Error>), crate::Error> {
        let servers = self.settings().values(None)?.mcp_servers;
        let mut toolbox = self.toolbox();
        let missing = mcp::mount(&servers, &self.seen_environment(), &mut toolbox).await;
        Ok((self.engine_of(toolbox, None), missing))
    }

    /// Returns an engine as [`engine`](Self::engine) does; if `tool` belongs to a configured tool server, and the
    /// caller has the right to call it, with the tools of that server.
    pub(crate) async fn engine_for(&self, tool: &str, usual: Option<String>) -> Result<Engine, crate::Error> {
        let mut toolbox = self.toolbox();
        if toolbox.find(tool).is_none()
            && let Some((name, _)) = tool.split_once("__")
            && let Some(server) = self.settings().values(None)?.mcp_servers.0.remove(name)
            && server.permission <= self.allowance()
        {
            let one = mcp::McpServers(BTreeMap::from([(name.to_owned(), server)]));
            for problem in mcp::mount(&one, &self.seen_environment(), &mut toolbox).await {
                tracing::warn!(%problem, "failed to mount the tools of an mcp server");
            }
        }
        Ok(self.engine_of(toolbox, usual))
    }

    /// Returns all tools. Web settings with errors are reported by the runs using them; here the web tools are omitted.
    pub(crate) fn toolbox(&self) -> Toolbox {
        let settings = self.settings().effective(None).ok();
        let settings = settings.filter(|settings| settings.values.web.search != SearchKind::None);
        let search = settings.and_then(|settings| self.web(&settings).ok()).and_then(|web| web.search);
        Toolbox::writing().with_projects().with_content(Arc::new(ProductionOrders::new(self.clone())), search)
    }

    fn engine_of(&self, toolbox: Toolbox, usual: Option<String>) -> Engine {
        let projects = StudioProjects { studio: self.clone(), usual, open: Mutex::default() };
        Engine::new(toolbox, Arc::new(projects))
    }
}

impl Workspaces for StudioProjects {
    fn open<'a>(&'a self, project: Option<&'a str>) -> BoxFuture<'a, Result<Arc<dyn Workspace>, Error>> {
        async move {
            let id = match project.or(self.usual.as_deref()) {
                Some(given) => self.studio.find_project(given).await.map_err(failed)?.id,
                None => match self.studio.projects().await.map_err(failed)?.as_slice() {
                    [only] => only.project.clone(),
                    _ => return Err(Error::NoProject),
                },
            };
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = open.get(&id) {
                return Ok(Arc::clone(known));
            }
            let settings = self.studio.settings().values(Some(&id)).map_err(failed)?.workspace;
            let workspace = match self.studio.remote_workspace(&id, &settings).map_err(failed)? {
                Some(elsewhere) => elsewhere,
                None => Arc::new(LocalWorkspace::new(&self.studio, id.clone())),
            };
            open.insert(id, Arc::clone(&workspace));
            Ok(workspace)
        }
        .boxed()
    }

    fn list(&self) -> BoxFuture<'_, Result<Vec<ProjectEntry>, Error>> {
        async {
            let projects = self.studio.projects().await.map_err(failed)?;
            Ok(projects.into_iter().map(entry).collect())
        }
        .boxed()
    }

    fn create(&self, new: ProjectSeed) -> BoxFuture<'_, Result<ProjectEntry, Error>> {
        async move { self.studio.begin_project(new).await.map(entry).map_err(failed) }.boxed()
    }
}

pub(crate) fn entry(row: ProjectRow) -> ProjectEntry {
    let ProjectRow { project, title, language, premise, version, .. } = row;
    ProjectEntry { project, title, language, premise, version }
}
