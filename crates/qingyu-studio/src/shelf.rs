//! The shelf: titles and covers of projects, the archive, the bin.

use std::time::Duration;

use qingyu_graph::store::Owner;
use qingyu_store::{Cover, NewProject, Standing};
use qingyu_story::{Language, title};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use qingyu_store::ProjectStatus;

use crate::studio::project_row;
use crate::{Error, ProjectRow, Studio};

/// The most bytes of a picture on a cover: 2 MB.
pub const COVER_LIMIT: usize = 2_000_000;
/// The most characters of a title.
pub const TITLE_LIMIT: usize = 200;

/// How long a thread is held to be deleted.
const HELD: Duration = Duration::from_secs(30);

/// The picture on the cover of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CoverPicture {
    /// What it is, such as `image/png`; none if there is no picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Its bytes, in base64; empty if there is no picture.
    #[serde(default, with = "crate::encoded")]
    #[schemars(with = "String", extend("contentEncoding" = "base64"))]
    pub picture: Vec<u8>,
}

impl From<Option<Cover>> for CoverPicture {
    fn from(cover: Option<Cover>) -> Self {
        let (media_type, picture) = cover.map(|cover| (cover.media_type, cover.picture)).unzip();
        Self { media_type, picture: picture.unwrap_or_default() }
    }
}

/// A project to be made: with the title that is given, or that the words name; one that has to do without is called untitled.
pub(crate) fn new_project(given: Option<&str>, premise: &str, language: Language) -> NewProject {
    let given = given.map(str::trim).filter(|title| !title.is_empty()).map(str::to_owned);
    let found = given.or_else(|| title::named_in(premise));
    let untitled = found.is_none();
    let title = found.unwrap_or_else(|| title::untitled(language).to_owned());
    NewProject { title, language, premise: premise.to_owned(), untitled }
}

impl Studio {
    /// Gives a project another title, puts it on the shelf, into the archive or into the bin, or both.
    ///
    /// Fails with [`Error::ThreadBusy`] if a run works on a project that is to go into the bin, and with
    /// [`Error::BadRequest`] if the title is empty or has more than [`TITLE_LIMIT`] characters.
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

    /// Deletes a project that is in the bin, with its branches, its past, its runs and their recordings; returns it as it was.
    /// There is no way back. What was paid stays in the books.
    ///
    /// Fails with [`Error::ProjectNotBinned`] if it is not in the bin.
    pub async fn delete_project(&self, project: &str) -> Result<ProjectRow, Error> {
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

    /// Deletes what the engine has of a run. What cannot be deleted belongs to no project any more, and does no harm.
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

    /// The picture on the cover of a project.
    pub async fn cover(&self, project: &str) -> Result<CoverPicture, Error> {
        Ok(self.cover_of(project).await?.into())
    }

    /// The same, as bytes.
    pub(crate) async fn cover_of(&self, project: &str) -> Result<Option<Cover>, Error> {
        let id = self.find_project(project).await?.id;
        self.projects_table().cover(&id).await.map_err(|error| self.place("").store(error))
    }

    /// Puts a picture on the cover of a project; an empty one takes away what is there.
    ///
    /// Fails with [`Error::BadCover`] if it is no PNG, JPEG or WebP, or has more than [`COVER_LIMIT`] bytes.
    pub async fn set_cover(&self, project: &str, picture: Vec<u8>) -> Result<CoverPicture, Error> {
        let id = self.find_project(project).await?.id;
        let bad = |reason: &str| Error::BadCover { reason: reason.into() };
        let cover = match picture {
            picture if picture.is_empty() => None,
            picture if picture.len() > COVER_LIMIT => return Err(bad("too_large")),
            picture => {
                let media_type = media_type(&picture).ok_or_else(|| bad("format"))?.to_owned();
                Some(Cover { media_type, picture })
            }
        };
        let set = self.projects_table().set_cover(&id, cover.clone()).await;
        set.map_err(|error| self.place("").store(error))?;
        Ok(cover.into())
    }
}

/// What the bytes are by how they begin, if it is something that can stand on a cover.
fn media_type(picture: &[u8]) -> Option<&'static str> {
    match picture {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

fn remove_file(path: &std::path::Path) {
    match std::fs::remove_file(path) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => tracing::warn!(path = %path.display(), %error, "file of a deleted project not removed"),
    }
}
