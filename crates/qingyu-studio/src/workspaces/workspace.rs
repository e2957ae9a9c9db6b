//! A project as seen by tools.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures::FutureExt;
use futures::future::BoxFuture;
use jiff::Timestamp;
use qingyu_llm::cassette::Recorder;
use qingyu_store::{KeptPiece, StoredChange, StoredKind, Stories, StoryChange, change};
use qingyu_story::{ChangeKey, Config, Document, PieceKind, Provenance, ids};
use qingyu_tools::workspace::{DocumentVersion, Error, FoundPassages, LoadedStory, Made, PassageQuery, WorkspaceSave};
use qingyu_tools::{Engine, Toolbox, Workspace, workspace};

use crate::error::{Noun, StorageFailure};
use crate::projects::row::{ProjectRow, project_row};
use crate::runs::tape;
use crate::settings::values::WorkspaceSettings;
use crate::studio::Studio;
use crate::workspaces::remote::RemoteProject;

/// The start of the keys of tools' changes, unlike any key of an agent or a person.
const TOOL: &str = "tool ";

/// An opened project, for front ends with remote tools.
#[derive(Debug, Clone)]
pub struct OpenProject {
    /// The project's row, including its version.
    pub row: ProjectRow,
    /// The highest assigned number in piece IDs, by prefix.
    pub last_ids: BTreeMap<String, u64>,
    /// The workspace with the story.
    pub workspace: Arc<dyn Workspace>,
}

/// A workspace, and the engine with its tools.
pub(crate) type EquippedWorkspace = (Arc<dyn Workspace>, Arc<Engine>);

/// A project in the embedded store.
#[derive(Debug)]
pub(crate) struct LocalWorkspace {
    project: String,
    studio: Studio,
    /// A cache of the last loaded story.
    loaded: Mutex<Option<LoadedStory>>,
    /// Whether the first loaded story stays valid, whatever is written meanwhile.
    is_snapshot: bool,
    /// The recorder of the run that works on the project, if any.
    recorder: Option<Arc<Recorder>>,
}

impl Studio {
    /// Opens the project named by its ID, a prefix of the ID, or one of its runs, without loading its story.
    pub async fn open_project(&self, given: &str) -> Result<OpenProject, crate::Error> {
        let project = self.find_project(given).await?;
        let workspace = Arc::new(LocalWorkspace::new(self, project.id.clone()));
        Ok(OpenProject { last_ids: project.last_ids.clone(), row: project_row(project), workspace })
    }

    /// Returns the workspace of a project, and the engine with its tools. What other servers find for its tools is
    /// recorded by `recorder`.
    pub(crate) fn workspace(&self, project: &str, recorder: Option<&Arc<Recorder>>) -> EquippedWorkspace {
        alone(LocalWorkspace { recorder: recorder.cloned(), ..LocalWorkspace::new(self, project.to_owned()) })
    }

    /// Returns a workspace for reading: its story stays as first loaded. Otherwise as [`workspace`](Self::workspace).
    pub(crate) fn workspace_as_of_now(&self, project: &str, recorder: Option<&Arc<Recorder>>) -> EquippedWorkspace {
        let workspace = LocalWorkspace::new(self, project.to_owned());
        alone(LocalWorkspace { is_snapshot: true, recorder: recorder.cloned(), ..workspace })
    }

    /// Returns the workspace and the engine of a project whose story is on the server of `settings`; `None` if the story
    /// is here.
    pub(crate) fn workspace_elsewhere(
        &self,
        project: &str,
        settings: &WorkspaceSettings,
    ) -> Result<Option<EquippedWorkspace>, crate::Error> {
        let Some(workspace) = self.remote_workspace(project, settings)? else { return Ok(None) };
        let projects = RemoteProject::new(project, Arc::clone(&workspace));
        Ok(Some((workspace, Arc::new(Engine::new(Toolbox::writing(), Arc::new(projects))))))
    }
}

fn alone(workspace: LocalWorkspace) -> EquippedWorkspace {
    let workspace = Arc::new(workspace);
    let engine = Engine::new(Toolbox::writing(), workspace::only(Arc::clone(&workspace)));
    (workspace, Arc::new(engine))
}

impl LocalWorkspace {
    pub(super) fn new(studio: &Studio, project: String) -> Self {
        Self { project, studio: studio.clone(), loaded: Mutex::default(), is_snapshot: false, recorder: None }
    }

    fn stories(&self) -> &Stories {
        self.studio.stories_table()
    }

    fn known(&self) -> Option<LoadedStory> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn know(&self, loaded: LoadedStory) {
        *self.loaded.lock().unwrap_or_else(PoisonError::into_inner) = Some(loaded);
    }

    async fn take(&self, save: WorkspaceSave) -> Result<u64, Error> {
        let changes = change::difference(&save.before, &save.after);
        let Provenance { tool, run, .. } = &save.provenance;
        let run = run.clone().unwrap_or_else(|| format!("{TOOL}{tool}"));
        if changes.is_empty() && self.version().await? == save.expected {
            return Ok(save.expected);
        }
        let save = qingyu_store::StorySave {
            project: self.project.clone(),
            key: ChangeKey { run, step: format!("{TOOL}{tool}/{}", save.key), iteration: 0 },
            provenance: save.provenance,
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
                if change.names() != (StoredKind::Piece(PieceKind::Document), document) {
                    continue;
                }
                let StoredChange::Put(piece) = change else {
                    versions.clear();
                    continue;
                };
                let kept: Document = serde_json::from_value(piece.body.clone())
                    .map_err(|error| Error::Damaged { what: document.into(), message: error.to_string() })?;
                let made = Some(provenance_of(&entry));
                match versions.last_mut() {
                    // A change of title does not create a version.
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
        async {
            if let Some(known) = self.known().filter(|_| self.is_snapshot) {
                return Ok(known.version);
            }
            Ok(self.studio.projects_table().get(&self.project).await.map_err(not_stored)?.version)
        }
        .boxed()
    }

    fn load(&self) -> BoxFuture<'_, Result<LoadedStory, Error>> {
        async {
            let version = self.version().await?;
            if let Some(known) = self.known().filter(|known| known.version == version) {
                return Ok(known);
            }
            let mut kept = self.stories().load(&self.project).await.map_err(not_stored)?;
            ids::assign(&mut kept.story);
            let loaded = LoadedStory { story: Arc::new(kept.story), version: kept.version };
            self.know(loaded.clone());
            Ok(loaded)
        }
        .boxed()
    }

    fn checks(&self) -> BoxFuture<'_, Result<Config, Error>> {
        async { self.studio.checker(Some(&self.project)).await.map_err(failed) }.boxed()
    }

    fn save(&self, save: WorkspaceSave) -> BoxFuture<'_, Result<u64, Error>> {
        self.take(save).boxed()
    }

    fn document_versions<'a>(&'a self, document: &'a str) -> BoxFuture<'a, Result<Vec<DocumentVersion>, Error>> {
        self.versions(document).boxed()
    }

    fn provenance<'a>(&'a self, kind: PieceKind, id: &'a str) -> BoxFuture<'a, Result<Option<Made>, Error>> {
        async move {
            let pieces = self.stories().pieces(&self.project).await.map_err(not_stored)?;
            let found =
                pieces.into_iter().find(|kept| kept.piece.kind == StoredKind::Piece(kind) && kept.piece.id == id);
            Ok(found.map(|KeptPiece { change, provenance, at, .. }| Made { version: change, provenance, at }))
        }
        .boxed()
    }

    // All pieces are read at once, and not for each id.
    fn newest<'a>(&'a self, kind: PieceKind, ids: &'a [String]) -> BoxFuture<'a, Result<Option<u64>, Error>> {
        async move {
            let pieces = self.stories().pieces(&self.project).await.map_err(not_stored)?;
            let is_meant =
                |kept: &KeptPiece| kept.piece.kind == StoredKind::Piece(kind) && ids.contains(&kept.piece.id);
            Ok(pieces.into_iter().filter(is_meant).map(|kept| kept.change).max())
        }
        .boxed()
    }

    fn search<'a>(&'a self, query: &'a PassageQuery) -> BoxFuture<'a, Result<Option<FoundPassages>, Error>> {
        async move {
            if let Some(props) = self.studio.props() {
                return Ok(tape::recorded_passages(&props.recording, query));
            }
            let found = self.studio.passages_on_servers(&self.project, query).await.map_err(failed)?;
            if let (Some(recorder), Some(found)) = (&self.recorder, &found) {
                tape::record_passages(recorder, query, found);
            }
            Ok(found)
        }
        .boxed()
    }
}

fn provenance_of(entry: &StoryChange) -> Made {
    Made { version: entry.seq, provenance: entry.provenance.clone(), at: entry.at }
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

pub(crate) fn failed(error: crate::Error) -> Error {
    match error {
        crate::Error::Unknown { what: Noun::Project, given, .. } => Error::UnknownProject { project: given },
        crate::Error::Storage(StorageFailure::Busy { .. } | StorageFailure::Unreachable { .. }) => {
            Error::Unavailable { message: error.to_string(), retry_after: None }
        }
        error => Error::Refused { message: error.to_string() },
    }
}
