//! How tools see one project: its story as a whole, with a version.
//!
//! - [`Workspace`]: loads and saves one project; [`Workspaces`]: finds projects
//! - [`MemoryWorkspace`]: a project in memory, and in a file if there is one
//! - [`RemoteWorkspace`]: a project on a server
//! - [`difference`](mod@difference): what happened to which piece between two stories

pub mod difference;
mod error;
mod memory;
pub mod remote;

use std::fmt::Debug;
use std::sync::Arc;

use futures::future::BoxFuture;
use jiff::Timestamp;
use qingyu_story::{Config, Language, PieceKind, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use difference::{PieceChange, difference};
pub use error::Error;
pub use memory::MemoryWorkspace;
pub use remote::RemoteWorkspace;

/// One project, whole. Versions grow by one with every save that changes something.
///
/// [`testing::suite`](crate::testing::suite) holds every implementation to this.
pub trait Workspace: Debug + Send + Sync {
    /// The id of the project; the same every time.
    fn project(&self) -> &str;

    /// The version the project has now. Cheap: it is asked before every answer out of the cache.
    fn version(&self) -> BoxFuture<'_, Result<u64, Error>>;

    /// The story and its version, of one moment. All pieces that can have an id have one.
    fn load(&self) -> BoxFuture<'_, Result<Loaded, Error>>;

    /// Which rules of the checker run on the story, and how bad their findings are; all as they are by themselves where
    /// nothing is set.
    ///
    /// Fails with [`Error::Refused`] if what is set cannot be read.
    fn checks(&self) -> Result<Config, Error> {
        Ok(Config::default())
    }

    /// Puts [`Save::after`] in the place of [`Save::before`], in one transaction, and gives the version from then on.
    ///
    /// Fails with [`Error::Conflict`], and changes nothing, if the project is not at [`Save::expected`]. Saving again
    /// under a key that was saved before changes nothing and gives the version the project has.
    fn save(&self, save: Save) -> BoxFuture<'_, Result<u64, Error>>;

    /// The versions that a document had, oldest first, the present one last; empty if there is no such document.
    /// `document` is an id.
    fn document_versions<'a>(&'a self, document: &'a str) -> BoxFuture<'a, Result<Vec<DocumentVersion>, Error>>;

    /// The change that made a piece what it is; `None` if that was before the log begins, or there is no such piece.
    /// `id` is the piece's id, or the name of its kind for what there is only one of.
    fn provenance<'a>(&'a self, kind: PieceKind, id: &'a str) -> BoxFuture<'a, Result<Option<Made>, Error>>;
}

impl<W: Workspace + ?Sized> Workspace for Arc<W> {
    fn project(&self) -> &str {
        (**self).project()
    }

    fn version(&self) -> BoxFuture<'_, Result<u64, Error>> {
        (**self).version()
    }

    fn load(&self) -> BoxFuture<'_, Result<Loaded, Error>> {
        (**self).load()
    }

    fn checks(&self) -> Result<Config, Error> {
        (**self).checks()
    }

    fn save(&self, save: Save) -> BoxFuture<'_, Result<u64, Error>> {
        (**self).save(save)
    }

    fn document_versions<'a>(&'a self, document: &'a str) -> BoxFuture<'a, Result<Vec<DocumentVersion>, Error>> {
        (**self).document_versions(document)
    }

    fn provenance<'a>(&'a self, kind: PieceKind, id: &'a str) -> BoxFuture<'a, Result<Option<Made>, Error>> {
        (**self).provenance(kind, id)
    }
}

/// Finds projects for calls that name one, and begins new ones.
pub trait Workspaces: Debug + Send + Sync {
    /// The project of that id; the only one if none is named.
    ///
    /// Fails with [`Error::UnknownProject`], and with [`Error::NoProject`] if none is named and there is not just one.
    fn open<'a>(&'a self, project: Option<&'a str>) -> BoxFuture<'a, Result<Arc<dyn Workspace>, Error>>;

    /// All projects, newest first.
    ///
    /// Fails with [`Error::Refused`] where they cannot be listed.
    fn list(&self) -> BoxFuture<'_, Result<Vec<ProjectEntry>, Error>>;

    /// Begins a project without any piece, which [`open`](Self::open) finds from then on.
    ///
    /// Fails with [`Error::Refused`] where none can be begun.
    fn create(&self, new: NewProject) -> BoxFuture<'_, Result<ProjectEntry, Error>>;
}

/// A project in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectEntry {
    /// Its id, by which calls name it as `project_id`.
    #[serde(alias = "id")]
    pub project: String,
    /// Its title; empty if it has none but its id.
    #[serde(default)]
    pub title: String,
    /// The language of the work.
    #[serde(default)]
    pub language: Language,
    /// The words it began with.
    #[serde(default)]
    pub premise: String,
    /// Its version; 0 before the first change.
    #[serde(default)]
    pub version: u64,
}

/// What a project begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewProject {
    /// Its title; made from the premise if there is none.
    pub title: Option<String>,
    /// The language of the work.
    pub language: Language,
    /// The author's words for what the book is about.
    pub premise: String,
}

/// A story as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The story.
    pub story: Arc<Story>,
    /// The version of the project.
    pub version: u64,
}

/// What is to be saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Save {
    /// The story as it was loaded.
    pub before: Arc<Story>,
    /// The story as it is to be.
    pub after: Story,
    /// The version that `before` is of.
    pub expected: u64,
    /// What the save is named by: the call, or any other unique word.
    pub key: String,
    /// Who makes it.
    pub provenance: Provenance,
}

/// Who makes a change, and how.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(rename = "ChangeProvenance")]
pub struct Provenance {
    /// The agent, `person`, or a foreign client.
    pub agent: String,
    /// The tool.
    pub tool: String,
    /// The run, if it belongs to one.
    pub run: Option<String>,
    /// The hash of the prompt, if a model asked for it.
    pub prompt_hash: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// A word on it, such as the label of a version; kept where the store has room for it.
    pub note: String,
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

/// The workspaces of a door that has one project only.
pub fn only(workspace: impl Workspace + 'static) -> Arc<dyn Workspaces> {
    Arc::new(Only(Arc::new(workspace)))
}

#[derive(Debug)]
struct Only(Arc<dyn Workspace>);

impl Workspaces for Only {
    fn open<'a>(&'a self, project: Option<&'a str>) -> BoxFuture<'a, Result<Arc<dyn Workspace>, Error>> {
        let known = project.is_none_or(|project| project == self.0.project());
        let found = if known { Ok(Arc::clone(&self.0)) } else { Err(unknown(project)) };
        Box::pin(async move { found })
    }

    fn list(&self) -> BoxFuture<'_, Result<Vec<ProjectEntry>, Error>> {
        Box::pin(async {
            let Loaded { story, version } = self.0.load().await?;
            let (project, title) = (self.0.project().to_owned(), String::new());
            Ok(vec![ProjectEntry { project, title, language: story.language, premise: story.premise.clone(), version }])
        })
    }

    fn create(&self, _: NewProject) -> BoxFuture<'_, Result<ProjectEntry, Error>> {
        let message = format!("there is one project here, '{}', and no room for another", self.0.project());
        Box::pin(async { Err(Error::Refused { message }) })
    }
}

fn unknown(project: Option<&str>) -> Error {
    Error::UnknownProject { project: project.unwrap_or_default().to_owned() }
}
