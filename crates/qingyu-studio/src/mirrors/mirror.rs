//! Writing the mirror of a book, and reading edits back from it.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use qingyu_formats::{MirrorFile, chapter_text, chapter_title, mirror};
use qingyu_story::Document;
use qingyu_story::chapters::{ChapterEdit, ChapterName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::folder::{ChangedFile, MirrorFolder};
use super::git::{MirrorCommit, commit};
use crate::error::{Error, Noun};
use crate::settings::values::MirrorSettings;
use crate::studio::Studio;

/// One mirror is written at a time: a command and the keeper may both want to.
static WRITING: Mutex<()> = Mutex::new(());

/// What an update of a mirror did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorUpdate {
    /// The folder of the book.
    pub folder: PathBuf,
    /// The version of the project in it.
    pub version: u64,
    /// The files written.
    pub written: Vec<String>,
    /// The files deleted, since the book has them no longer.
    pub removed: Vec<String>,
    /// The files left as they are, since they were changed outside; chapters among them can be read back.
    pub kept: Vec<String>,
    /// What became of the commit.
    #[serde(flatten)]
    pub commit: MirrorCommit,
}

/// A chapter edited by reading it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorEdit {
    /// The file.
    pub path: String,
    /// The title of the chapter.
    pub title: String,
    /// The new version of the chapter.
    pub version: u32,
    /// The number of the change; `None` if only the layout of the file differed.
    pub change: Option<u64>,
}

/// A file that was not read back, since the chapter changed in the studio as well, or is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorConflict {
    /// The file; it stays as it is.
    pub path: String,
    /// The file with the studio's text, put beside it. To settle the conflict, bring both together in the first file,
    /// delete this one, and read again. Empty if the chapter is gone.
    pub beside: String,
    /// The title of the chapter; empty if the chapter is gone.
    pub title: String,
}

/// What was read back from a mirror.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorReading {
    /// The chapters that were edited.
    pub edited: Vec<MirrorEdit>,
    /// The chapters that were not.
    pub conflicts: Vec<MirrorConflict>,
    /// The changed files of cards, which are not read back.
    pub cards: Vec<String>,
}

impl Studio {
    /// Returns the folder of a project's mirror below the folder of the settings; `None` without that setting.
    ///
    /// Returns [`Error::Unwritten`] if the folder cannot be read.
    pub async fn mirror_folder(&self, project: &str) -> Result<Option<PathBuf>, Error> {
        let row = self.project(project).await?;
        let MirrorSettings { folder, .. } = self.settings().values(Some(&row.project))?.mirror;
        let Some(root) = folder else { return Ok(None) };
        let mirror = in_turn(move || MirrorFolder::below(&root, &row.project, &row.title)).await?;
        Ok(Some(mirror.path))
    }

    /// Writes the mirror of a project into `folder`, and commits it if `is_committed` or the settings say so. Files that
    /// were changed outside stay as they are.
    ///
    /// Returns [`Error::Unwritten`] if the folder cannot be written or is the mirror of another project.
    pub async fn mirror(&self, project: &str, folder: &Path, is_committed: bool) -> Result<MirrorUpdate, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let title = self.project(&id).await?.title;
        let version = kept.version;
        let message = format!("{title}: {version}");
        let (path, of) = (folder.to_owned(), id.clone());
        let touched = in_turn(move || {
            let mut mirror_folder = opened(&path, &of)?;
            let files: Vec<MirrorFile> = mirror(&kept.story, &title);
            mirror_folder.update(&files, version)
        })
        .await?;
        let is_committed = is_committed || self.settings().values(Some(&id))?.mirror.git;
        let commit = if is_committed { commit(folder, &message).await } else { MirrorCommit::Off };
        Ok(MirrorUpdate {
            folder: folder.to_owned(),
            version,
            written: touched.written,
            removed: touched.removed,
            kept: touched.kept,
            commit,
        })
    }

    /// Reads the chapters that were edited in the mirror at `folder` back into the project, each in a change of its own,
    /// as [`edit_chapter`](Self::edit_chapter) does. A chapter that changed in the studio as well stays, and the studio's
    /// text is put beside the file.
    ///
    /// Returns [`Error::Unwritten`] if the folder cannot be read or is the mirror of another project.
    pub async fn read_mirror(&self, project: &str, folder: &Path) -> Result<MirrorReading, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let (path, of) = (folder.to_owned(), id.clone());
        let (mut mirror_folder, changed) = in_turn(move || {
            let mirror_folder = opened(&path, &of)?;
            let changed = mirror_folder.changed()?;
            Ok((mirror_folder, changed))
        })
        .await?;
        let mut reading = MirrorReading::default();
        for file in changed {
            if file.written.document.is_empty() {
                reading.cards.push(file.path);
                continue;
            }
            let found = kept.story.documents.iter().find(|document| document.id == file.written.document);
            let Some(document) = found else {
                reading.conflicts.push(MirrorConflict { path: file.path, beside: String::new(), title: String::new() });
                continue;
            };
            let is_current =
                file.written.version == document.version || mirror_folder.is_settled(&file, document.version);
            let edited = match is_current {
                true => self.edit_from(&id, document, &file).await?,
                false => None,
            };
            match edited {
                Some(edited) => {
                    mirror_folder.accept(&file, edited.version);
                    reading.edited.push(edited);
                }
                None => reading.conflicts.push(self.conflict(&id, &mut mirror_folder, &file).await?),
            }
        }
        in_turn(move || mirror_folder.save()).await?;
        Ok(reading)
    }

    /// Edits a chapter as in its file, text and title; `None` if it changed meanwhile, or cannot have that title.
    async fn edit_from(
        &self,
        project: &str,
        document: &Document,
        file: &ChangedFile,
    ) -> Result<Option<MirrorEdit>, Error> {
        let text = chapter_text(&document.text, &file.content);
        let (path, title) = (file.path.clone(), document.title.clone());
        let mut edit = MirrorEdit { path, title, version: document.version, change: None };
        if text != document.text {
            match self.edit_chapter(project, &document.id, &text, Some(document.version)).await {
                Ok(edited) => (edit.version, edit.change) = (edited.version, edited.change),
                Err(Error::ChapterChanged { .. }) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        let is_new = |title: &String| !title.split(' ').eq(document.title.split_whitespace());
        if let Some(title) = chapter_title(&file.content).filter(is_new) {
            let chapter = ChapterName::from(document.id.clone());
            let rename = ChapterEdit::Rename { chapter, title: title.clone() };
            match self.edit_chapters(project, &rename).await {
                Ok(renamed) => (edit.title, edit.change) = (title, renamed.change),
                Err(Error::BadChapterEdit { .. } | Error::Unknown { what: Noun::Document, .. }) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(Some(edit))
    }

    /// Puts the studio's text beside a file that cannot be read back.
    async fn conflict(
        &self,
        project: &str,
        mirror_folder: &mut MirrorFolder,
        file: &ChangedFile,
    ) -> Result<MirrorConflict, Error> {
        let now = self.chapter_text(project, &file.written.document).await?;
        let content = format!("# {}\n\n{}\n", now.title, now.text.trim_end());
        let beside = mirror_folder.put_beside(file, &content, now.version).map_err(|error| unwritten(&error))?;
        Ok(MirrorConflict { path: file.path.clone(), beside, title: now.title })
    }
}

/// Opens a folder as the mirror of a project.
fn opened(path: &Path, project: &str) -> io::Result<MirrorFolder> {
    let other = || io::Error::other(format!("{} is the mirror of another project", path.display()));
    MirrorFolder::open(path, project)?.ok_or_else(other)
}

/// Runs blocking work on mirrors, one at a time.
pub(super) async fn in_turn<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(move || {
        let _turn = WRITING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        work()
    });
    done.await.map_err(|error| Error::Internal { message: error.to_string() })?.map_err(|error| unwritten(&error))
}

fn unwritten(error: &io::Error) -> Error {
    Error::Unwritten { message: error.to_string() }
}
