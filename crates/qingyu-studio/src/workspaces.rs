//! Projects as tools see them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt;
use futures::future::BoxFuture;
use jiff::Timestamp;
use qingyu_store::{Change, ChangeKey, KeptPiece, Kind, Stories, StoryChange, change};
use qingyu_story::{Config, Document, PieceKind, ids};
use qingyu_tools::workspace::{DocumentVersion, Error, Loaded, Made, NewProject, ProjectEntry, Provenance, Save};
use qingyu_tools::{Engine, Toolbox, Workspace, Workspaces, mcp, workspace};
use qingyu_web::SearchKind;

use crate::produce_orders::Orders;
use crate::shelf::new_project;
use crate::studio::project_row;
use crate::{ProjectRow, Studio};

/// What stands before the tool in the log: in the step of a change that one made, and as the run if there is none.
const TOOL: &str = "tool ";

/// The projects of a studio, opened as calls name them.
#[derive(Debug)]
struct Projects {
    studio: Studio,
    /// The project of calls that name none.
    usual: Option<String>,
    /// One workspace for each project, so that what it knows of a version serves all calls.
    open: Mutex<BTreeMap<String, Arc<LocalWorkspace>>>,
}

/// A project that was opened, for doors that show it to tools at a distance.
#[derive(Debug, Clone)]
pub struct OpenProject {
    /// What it is called, and its version.
    pub row: ProjectRow,
    /// The highest number given in ids of its pieces, by prefix.
    pub last_ids: BTreeMap<String, u64>,
    /// Its story.
    pub workspace: Arc<dyn Workspace>,
}

/// A project of the embedded store.
#[derive(Debug)]
struct LocalWorkspace {
    project: String,
    studio: Studio,
    /// The story as it was loaded last.
    loaded: Mutex<Option<Loaded>>,
}

impl Studio {
    /// An engine with the writing tools, that of projects and the content tools, over all projects. Calls that name no project mean `usual`, or the only one.
    pub fn engine(&self, usual: Option<String>) -> Engine {
        self.engine_of(self.toolbox(), usual)
    }

    /// As [`engine`](Self::engine), with the tools of the servers that the settings name; and what could not be mounted.
    pub async fn engine_with_servers(&self) -> Result<(Engine, Vec<mcp::Error>), crate::Error> {
        let servers = self.settings().values(None)?.mcp_servers;
        let mut toolbox = self.toolbox();
        let missing = mcp::mount(&servers, &self.seen_environment(), &mut toolbox).await;
        Ok((self.engine_of(toolbox, None), missing))
    }

    /// As [`engine`](Self::engine); if `tool` is one of a server that the settings name, with the tools of that server,
    /// unless who asks may not call them anyway.
    pub(crate) async fn engine_for(&self, tool: &str, usual: Option<String>) -> Result<Engine, crate::Error> {
        let mut toolbox = self.toolbox();
        if toolbox.find(tool).is_none()
            && let Some((name, _)) = tool.split_once("__")
            && let Some(server) = self.settings().values(None)?.mcp_servers.0.remove(name)
            && server.permission <= self.allowance()
        {
            let one = mcp::McpServers(BTreeMap::from([(name.to_owned(), server)]));
            for problem in mcp::mount(&one, &self.seen_environment(), &mut toolbox).await {
                tracing::warn!(%problem, "a server of others could not be mounted");
            }
        }
        Ok(self.engine_of(toolbox, usual))
    }

    /// The project that is named by its id, the beginning of it, or one of its runs. Nothing of its story is read yet.
    pub async fn open_project(&self, given: &str) -> Result<OpenProject, crate::Error> {
        let project = self.find_project(given).await?;
        let (studio, loaded) = (self.clone(), Mutex::default());
        let workspace = Arc::new(LocalWorkspace { project: project.id.clone(), studio, loaded });
        Ok(OpenProject { last_ids: project.last_ids.clone(), row: project_row(project), workspace })
    }

    /// Begins a project without any piece; its title is made from the premise if there is none.
    pub async fn begin_project(&self, new: NewProject) -> Result<ProjectRow, crate::Error> {
        self.scope().demand_all()?;
        let NewProject { title, language, premise } = new;
        let new = new_project(title.as_deref(), &premise, language);
        let project = self.projects_table().create(new, Timestamp::now()).await;
        Ok(project_row(project.map_err(|error| self.place("").store(error))?))
    }

    /// One project as tools see it, and the tools over it.
    pub(crate) fn workspace(&self, project: &str) -> (Arc<dyn Workspace>, Arc<Engine>) {
        let (studio, loaded) = (self.clone(), Mutex::default());
        let workspace = Arc::new(LocalWorkspace { project: project.to_owned(), studio, loaded });
        let engine = Engine::new(Toolbox::writing(), workspace::only(Arc::clone(&workspace)));
        (workspace, Arc::new(engine))
    }

    /// All tools. What is wrong with the settings of the web is said by the runs that need it; here nothing is searched then.
    fn toolbox(&self) -> Toolbox {
        let settings = self.settings().effective(None).ok();
        let settings = settings.filter(|settings| settings.values.web.search != SearchKind::None);
        let search = settings.and_then(|settings| self.web(&settings).ok()).and_then(|web| web.search);
        Toolbox::writing().with_projects().with_content(Arc::new(Orders::new(self.clone())), search)
    }

    fn engine_of(&self, toolbox: Toolbox, usual: Option<String>) -> Engine {
        let projects = Projects { studio: self.clone(), usual, open: Mutex::default() };
        Engine::new(toolbox, Arc::new(projects))
    }
}

impl Workspaces for Projects {
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
            let workspace = open.entry(id.clone()).or_insert_with(|| {
                Arc::new(LocalWorkspace { project: id, studio: self.studio.clone(), loaded: Mutex::default() })
            });
            Ok(Arc::clone(workspace) as _)
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

    fn create(&self, new: NewProject) -> BoxFuture<'_, Result<ProjectEntry, Error>> {
        async move { self.studio.begin_project(new).await.map(entry).map_err(failed) }.boxed()
    }
}

fn entry(row: ProjectRow) -> ProjectEntry {
    let ProjectRow { project, title, language, premise, version, .. } = row;
    ProjectEntry { project, title, language, premise, version }
}

impl LocalWorkspace {
    fn stories(&self) -> &Stories {
        self.studio.stories_table()
    }

    fn known(&self) -> Option<Loaded> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn know(&self, loaded: Loaded) {
        *self.loaded.lock().unwrap_or_else(PoisonError::into_inner) = Some(loaded);
    }

    async fn take(&self, save: Save) -> Result<u64, Error> {
        let changes = change::difference(&save.before, &save.after);
        let Provenance { agent, tool, run, prompt_hash, model, .. } = save.provenance;
        let run = run.unwrap_or_else(|| format!("{TOOL}{tool}"));
        if changes.is_empty() && self.version().await? == save.expected {
            return Ok(save.expected);
        }
        let save = qingyu_store::Save {
            project: self.project.clone(),
            key: ChangeKey { run, step: format!("{TOOL}{tool}/{}", save.key), iteration: 0 },
            provenance: qingyu_store::Provenance { agent, prompt_hash, model, tokens: 0 },
            expected: Some(save.expected),
            changes,
        };
        Ok(self.stories().save(save, Timestamp::now()).await.map_err(not_stored)?.version)
    }

    async fn versions(&self, document: &str) -> Result<Vec<DocumentVersion>, Error> {
        let log = self.stories().changes(&self.project).await.map_err(not_stored)?;
        let mut versions: Vec<DocumentVersion> = Vec::new();
        for entry in log {
            for change in &entry.changes {
                if change.names() != (Kind::Piece(PieceKind::Document), document) {
                    continue;
                }
                let Change::Put(piece) = change else {
                    versions.clear();
                    continue;
                };
                let kept: Document = serde_json::from_value(piece.body.clone())
                    .map_err(|error| Error::Damaged { what: document.into(), message: error.to_string() })?;
                let made = Some(made(&entry));
                match versions.last_mut() {
                    // A new title is no new version.
                    Some(last) if last.version == kept.version && last.text == kept.text => {}
                    _ => versions.push(DocumentVersion { version: kept.version, text: kept.text, made }),
                }
            }
        }
        Ok(versions)
    }
}

impl Workspace for LocalWorkspace {
    fn project(&self) -> &str {
        &self.project
    }

    fn version(&self) -> BoxFuture<'_, Result<u64, Error>> {
        async { Ok(self.studio.projects_table().get(&self.project).await.map_err(not_stored)?.version) }.boxed()
    }

    fn load(&self) -> BoxFuture<'_, Result<Loaded, Error>> {
        async {
            let version = self.version().await?;
            if let Some(known) = self.known().filter(|known| known.version == version) {
                return Ok(known);
            }
            let mut kept = self.stories().load(&self.project).await.map_err(not_stored)?;
            ids::assign(&mut kept.story);
            let loaded = Loaded { story: Arc::new(kept.story), version: kept.version };
            self.know(loaded.clone());
            Ok(loaded)
        }
        .boxed()
    }

    fn checks(&self) -> Result<Config, Error> {
        self.studio.checker(Some(&self.project)).map_err(failed)
    }

    fn save(&self, save: Save) -> BoxFuture<'_, Result<u64, Error>> {
        self.take(save).boxed()
    }

    fn document_versions<'a>(&'a self, document: &'a str) -> BoxFuture<'a, Result<Vec<DocumentVersion>, Error>> {
        self.versions(document).boxed()
    }

    fn provenance<'a>(&'a self, kind: PieceKind, id: &'a str) -> BoxFuture<'a, Result<Option<Made>, Error>> {
        async move {
            let pieces = self.stories().pieces(&self.project).await.map_err(not_stored)?;
            let found = pieces.into_iter().find(|kept| kept.piece.kind == Kind::Piece(kind) && kept.piece.id == id);
            Ok(found.map(|KeptPiece { change, key, provenance, at, .. }| Made {
                version: change,
                provenance: told(key, provenance),
                at,
            }))
        }
        .boxed()
    }
}

fn made(entry: &StoryChange) -> Made {
    Made { version: entry.seq, provenance: told(entry.key.clone(), entry.provenance.clone()), at: entry.at }
}

/// Who made a change, as tools tell it.
fn told(key: ChangeKey, provenance: qingyu_store::Provenance) -> Provenance {
    let qingyu_store::Provenance { agent, prompt_hash, model, .. } = provenance;
    let tool = key.step.strip_prefix(TOOL).and_then(|step| step.split_once('/')).map(|(tool, _)| tool.to_owned());
    let run = Some(key.run).filter(|run| !run.starts_with(TOOL));
    Provenance { agent, tool: tool.unwrap_or_default(), run, prompt_hash, model, note: String::new() }
}

fn not_stored(error: qingyu_store::Error) -> Error {
    use qingyu_store::Error as Store;
    match error {
        Store::UnknownProject { given } => Error::UnknownProject { project: given },
        Store::Conflict { expected, found, .. } => Error::Conflict { expected, found },
        Store::BadRow { what, message } => Error::Damaged { what, message },
        error @ (Store::Binned { .. } | Store::NotBinned { .. }) => Error::Refused { message: error.to_string() },
        error => Error::Unavailable { message: error.to_string(), retry_after: None },
    }
}

fn failed(error: crate::Error) -> Error {
    match error {
        crate::Error::UnknownProject { given } => Error::UnknownProject { project: given },
        crate::Error::DatabaseBusy { .. } | crate::Error::Unreachable { .. } => {
            Error::Unavailable { message: error.to_string(), retry_after: None }
        }
        error => Error::Refused { message: error.to_string() },
    }
}
