//! The interface to projects.

use std::fmt::Debug;
use std::sync::Arc;

use futures::future::BoxFuture;
use jiff::Timestamp;
use qingyu_knowledge::Hit;
use qingyu_story::{Config, Language, PieceKind, Provenance, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::Error;

/// A project as a whole. The version grows by 1 with every save with changes.
///
/// [`testing::suite`](crate::testing::suite) validates every implementation.
pub trait Workspace: Debug + Send + Sync {
    /// Returns the id of the project; always the same.
    fn project(&self) -> &str;

    /// Returns the current version of the project. Cheap: called before every cached answer.
    fn version(&self) -> BoxFuture<'_, Result<u64, Error>>;

    /// Loads the story and its version, consistently. All pieces with an id field have ids.
    fn load(&self) -> BoxFuture<'_, Result<LoadedStory, Error>>;

    /// Returns the checker's configuration: the enabled rules with their severities, genres, and earlier books; defaults to
    /// the built-in configuration.
    ///
    /// Fails with [`Error::Refused`] if the configuration cannot be parsed.
    fn checks(&self) -> BoxFuture<'_, Result<Config, Error>> {
        Box::pin(async { Ok(Config::default()) })
    }

    /// Replaces [`WorkspaceSave::before`] by [`WorkspaceSave::after`] in a transaction and returns the new version.
    ///
    /// Fails with [`Error::Conflict`], without changes, if the project is not at [`WorkspaceSave::expected`]. A repeated save
    /// with an already saved key changes nothing and returns the current version.
    fn save(&self, save: WorkspaceSave) -> BoxFuture<'_, Result<u64, Error>>;

    /// Returns the versions of a document, oldest first, the current version last; empty if there is no such document.
    /// `document` is an id.
    fn document_versions<'a>(&'a self, document: &'a str) -> BoxFuture<'a, Result<Vec<DocumentVersion>, Error>>;

    /// Returns the last change of a piece's content; `None` if before the start of the log, or for an unknown piece. `id` is
    /// the piece's id, or the name of its kind for a singleton. Who only moved the piece is not its author.
    fn provenance<'a>(&'a self, kind: PieceKind, id: &'a str) -> BoxFuture<'a, Result<Option<Made>, Error>>;

    /// Returns the version of the project at the last change of the content of any of the pieces of a kind, as
    /// [`provenance`](Self::provenance) tells it; `None` if none of them is in the log.
    fn newest<'a>(&'a self, kind: PieceKind, ids: &'a [String]) -> BoxFuture<'a, Result<Option<u64>, Error>> {
        Box::pin(async move {
            let mut newest: Option<u64> = None;
            for id in ids {
                newest = newest.max(self.provenance(kind, id).await?.map(|made| made.version));
            }
            Ok(newest)
        })
    }

    /// Searches the passages of the project on the search servers of the installation; `None` without such servers: the
    /// caller then searches the story itself.
    ///
    /// A server that is down is replaced, and named in [`FoundPassages::engines`].
    fn search<'a>(&'a self, _query: &'a PassageQuery) -> BoxFuture<'a, Result<Option<FoundPassages>, Error>> {
        Box::pin(async { Ok(None) })
    }
}

impl<W: Workspace + ?Sized> Workspace for Arc<W> {
    fn project(&self) -> &str {
        (**self).project()
    }

    fn version(&self) -> BoxFuture<'_, Result<u64, Error>> {
        (**self).version()
    }

    fn load(&self) -> BoxFuture<'_, Result<LoadedStory, Error>> {
        (**self).load()
    }

    fn checks(&self) -> BoxFuture<'_, Result<Config, Error>> {
        (**self).checks()
    }

    fn save(&self, save: WorkspaceSave) -> BoxFuture<'_, Result<u64, Error>> {
        (**self).save(save)
    }

    fn document_versions<'a>(&'a self, document: &'a str) -> BoxFuture<'a, Result<Vec<DocumentVersion>, Error>> {
        (**self).document_versions(document)
    }

    fn provenance<'a>(&'a self, kind: PieceKind, id: &'a str) -> BoxFuture<'a, Result<Option<Made>, Error>> {
        (**self).provenance(kind, id)
    }

    fn newest<'a>(&'a self, kind: PieceKind, ids: &'a [String]) -> BoxFuture<'a, Result<Option<u64>, Error>> {
        (**self).newest(kind, ids)
    }

    fn search<'a>(&'a self, query: &'a PassageQuery) -> BoxFuture<'a, Result<Option<FoundPassages>, Error>> {
        (**self).search(query)
    }
}

/// Finds and creates projects.
pub trait Workspaces: Debug + Send + Sync {
    /// Opens the named project; by default the only project.
    ///
    /// Fails with [`Error::UnknownProject`], and with [`Error::NoProject`] if no project is named and there is not
    /// exactly one.
    fn open<'a>(&'a self, project: Option<&'a str>) -> BoxFuture<'a, Result<Arc<dyn Workspace>, Error>>;

    /// Returns all projects, newest first.
    ///
    /// Fails with [`Error::Refused`] if listing is unsupported.
    fn list(&self) -> BoxFuture<'_, Result<Vec<ProjectEntry>, Error>>;

    /// Creates an empty project, available to [`open`](Self::open) from then on.
    ///
    /// Fails with [`Error::Refused`] if creating is unsupported.
    fn create(&self, new: ProjectSeed) -> BoxFuture<'_, Result<ProjectEntry, Error>>;
}

/// A project in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectEntry {
    /// The id, used by calls as `project_id`.
    #[serde(alias = "id")]
    pub project: String,
    /// The title; empty by default.
    #[serde(default)]
    pub title: String,
    /// The language of the work.
    #[serde(default)]
    pub language: Language,
    /// The initial premise.
    #[serde(default)]
    pub premise: String,
    /// The version; 0 before the first change.
    #[serde(default)]
    pub version: u64,
}

/// The initial data of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectSeed {
    /// The title; by default derived from the premise.
    pub title: Option<String>,
    /// The language of the work.
    pub language: Language,
    /// The premise in the author's words.
    pub premise: String,
}

/// A search for passages of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassageQuery {
    /// The words, or a question.
    pub text: String,
    /// The kinds of pieces; all if empty.
    pub kinds: Vec<PieceKind>,
    /// Restricts to content before the chapter at this position of the book, from 1.
    pub before: Option<u32>,
    /// The maximum number of hits.
    pub limit: usize,
}

/// The passages found by search servers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundPassages {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// The servers, and whether each was used: objects with `part`, `server`, `state` and `reason`.
    pub engines: Vec<Value>,
}

/// A loaded story.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedStory {
    /// The story.
    pub story: Arc<Story>,
    /// The version of the project.
    pub version: u64,
}

/// The parameters of a save.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkspaceSave {
    /// The story as loaded.
    pub before: Arc<Story>,
    /// The story to save.
    pub after: Story,
    /// The version of `before`.
    pub expected: u64,
    /// Idempotency key of the save: the call id, or any other unique string.
    pub key: String,
    /// The provenance of the change.
    pub provenance: Provenance,
}

/// A change, as the log has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PieceMade")]
pub struct Made {
    /// The version of the project from then on.
    pub version: u64,
    /// Who made it.
    pub provenance: Provenance,
    /// When.
    pub at: Timestamp,
}

/// One version of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentVersion {
    /// The version of the document.
    pub version: u32,
    /// The text.
    pub text: String,
    /// The change that made it; `None` if that was before the log begins.
    pub made: Option<Made>,
}
