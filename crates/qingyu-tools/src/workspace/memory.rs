//! A project in memory, optionally in a file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::future::{BoxFuture, ready};
use jiff::Timestamp;
use qingyu_story::{Document, Piece, PieceChange, PieceKind, Story, difference, ids};

use super::error::Error;
use super::project::{DocumentVersion, LoadedStory, Made, Workspace, WorkspaceSave};

/// A project in memory. Lost when dropped, unless opened from a file.
#[derive(Debug)]
pub struct MemoryWorkspace {
    project: String,
    file: Option<PathBuf>,
    state: Mutex<MemoryState>,
}

#[derive(Debug)]
struct MemoryState {
    story: Arc<Story>,
    version: u64,
    saved: BTreeSet<String>,
    made: BTreeMap<(PieceKind, String), Made>,
    documents: BTreeMap<String, Vec<DocumentVersion>>,
}

impl MemoryWorkspace {
    /// Returns a project with the given id. Pieces without an id get an id.
    pub fn new(project: &str, mut story: Story) -> Self {
        ids::assign(&mut story);
        let first = |document: &Document| {
            let version = DocumentVersion { version: document.version, text: document.text.clone(), made: None };
            (document.id.clone(), vec![version])
        };
        let documents = story.documents.iter().map(first).collect();
        let story = Arc::new(story);
        let state = MemoryState { story, version: 0, saved: BTreeSet::new(), made: BTreeMap::new(), documents };
        Self { project: project.to_owned(), file: None, state: Mutex::new(state) }
    }

    /// Opens the story in a JSON file, named by the file; every save rewrites the file. The log is in memory only.
    ///
    /// Fails with [`Error::Unavailable`] if the file cannot be read, and with [`Error::Damaged`] if the file does not
    /// contain a story.
    pub fn open(file: &Path) -> Result<Self, Error> {
        let what = file.display().to_string();
        let text = std::fs::read_to_string(file).map_err(|error| unavailable(&what, &error))?;
        let story = serde_json::from_str(&text).map_err(|error| Error::Damaged { what, message: error.to_string() })?;
        let project = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { file: Some(file.to_owned()), ..Self::new(&project, story) })
    }

    /// Returns the current story.
    pub fn story(&self) -> Arc<Story> {
        Arc::clone(&self.state().story)
    }

    fn state(&self) -> MutexGuard<'_, MemoryState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, save: WorkspaceSave) -> Result<u64, Error> {
        let mut state = self.state();
        if state.saved.contains(&save.key) {
            return Ok(state.version);
        }
        if save.expected != state.version {
            return Err(Error::Conflict { expected: save.expected, found: state.version });
        }
        let changes = difference(&state.story, &save.after);
        if changes.is_empty() && *state.story == save.after {
            return Ok(state.version);
        }
        if let Some(file) = &self.file {
            write(file, &save.after)?;
        }
        let made = Made { version: state.version + 1, provenance: save.provenance, at: Timestamp::now() };
        state.version = made.version;
        for change in &changes {
            note(&mut state, change, &made);
        }
        state.story = Arc::new(save.after);
        state.saved.insert(save.key);
        Ok(state.version)
    }
}

impl Workspace for MemoryWorkspace {
    fn project(&self) -> &str {
        &self.project
    }

    fn version(&self) -> BoxFuture<'_, Result<u64, Error>> {
        let version = self.state().version;
        Box::pin(ready(Ok(version)))
    }

    fn load(&self) -> BoxFuture<'_, Result<LoadedStory, Error>> {
        let state = self.state();
        let loaded = LoadedStory { story: Arc::clone(&state.story), version: state.version };
        Box::pin(ready(Ok(loaded)))
    }

    fn save(&self, save: WorkspaceSave) -> BoxFuture<'_, Result<u64, Error>> {
        Box::pin(async move { self.take(save) })
    }

    fn document_versions<'a>(&'a self, document: &'a str) -> BoxFuture<'a, Result<Vec<DocumentVersion>, Error>> {
        let versions = self.state().documents.get(document).cloned().unwrap_or_default();
        Box::pin(ready(Ok(versions)))
    }

    fn provenance<'a>(&'a self, kind: PieceKind, id: &'a str) -> BoxFuture<'a, Result<Option<Made>, Error>> {
        let made = self.state().made.get(&(kind, id.to_owned())).cloned();
        Box::pin(ready(Ok(made)))
    }
}

fn note(state: &mut MemoryState, change: &PieceChange, made: &Made) {
    let key = (change.kind(), change.id.clone());
    if change.is_deletion() {
        state.made.remove(&key);
        if change.kind() == PieceKind::Document {
            state.documents.remove(&change.id);
        }
        return;
    }
    if change.is_of_content() {
        state.made.insert(key, made.clone());
    }
    if let Piece::Document(document) = &change.piece {
        let versions = state.documents.entry(document.id.clone()).or_default();
        let version =
            DocumentVersion { version: document.version, text: document.text.clone(), made: Some(made.clone()) };
        match versions.last_mut() {
            // A new title is no new version.
            Some(last) if last.version == version.version && last.text == version.text => {}
            _ => versions.push(version),
        }
    }
}

/// Writes a temporary file and renames it, so that the file is complete at any moment.
fn write(file: &Path, story: &Story) -> Result<(), Error> {
    let what = file.display().to_string();
    let text = serde_json::to_string_pretty(story).expect("a story is plain data");
    let beside = file.with_extension("json.new");
    std::fs::write(&beside, text).map_err(|error| unavailable(&what, &error))?;
    std::fs::rename(&beside, file).map_err(|error| unavailable(&what, &error))
}

fn unavailable(what: &str, error: &std::io::Error) -> Error {
    Error::Unavailable { message: format!("{what}: {error}"), retry_after: None }
}
