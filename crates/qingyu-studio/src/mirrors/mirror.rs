//! Writing the mirror of a book, and reading edits back from it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use qingyu_formats::{MirrorFile, chapter_text, chapter_title, mirror};
use qingyu_story::Document;
use qingyu_story::chapters::{ChapterEdit, ChapterName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::folder::{BesideFile, ChangedFile, ChangedFiles, MirrorFolder, TouchedFiles};
use super::git::{MirrorCommit, commit};
use crate::error::{ChapterEditRefusal, Error, Noun};
use crate::settings::values::MirrorSettings;
use crate::studio::Studio;

/// One mirror is written at a time: a command and the keeper may both want to.
static WRITING: Mutex<()> = Mutex::new(());
/// The file in the data folder that is locked while a process writes mirrors. It is not in the mirrors, where git and the
/// author would meet it, and where it would be in the way of a rename.
const LOCK: &str = "mirrors.lock";

/// Outcome of the update of a mirror.
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
    /// Outcome of the commit.
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
    /// Whether that file was edited, so that it was not replaced by the studio's present text.
    #[serde(default)]
    pub is_beside_kept: bool,
    /// The title of the chapter; empty if the chapter is gone.
    pub title: String,
}

/// A file that was not read back for a reason of its own; it stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorRefusal {
    /// The file.
    pub path: String,
    /// The reason.
    #[serde(flatten)]
    pub reason: MirrorRefusalReason,
}

/// Reason for which a file is not read back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum MirrorRefusalReason {
    /// The file is not UTF-8.
    NotUtf8,
    /// Another chapter has the title in the file.
    TitleTaken {
        /// The title in the file.
        title: String,
    },
    /// The text is no chapter, so that it is not renamed by its file.
    NotAChapter {
        /// The title in the file.
        title: String,
    },
    /// The text cannot have the title in the file.
    BadTitle {
        /// The title in the file.
        title: String,
        /// The reason in words.
        message: String,
    },
}

/// Outcome of reading a mirror back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorReading {
    /// The chapters that were edited.
    pub edited: Vec<MirrorEdit>,
    /// The chapters that were not.
    pub conflicts: Vec<MirrorConflict>,
    /// The files that were not read back for a reason of their own.
    #[serde(default)]
    pub refused: Vec<MirrorRefusal>,
    /// The changed files of cards, which are not read back.
    pub cards: Vec<String>,
}

/// Outcome of an edit from a file.
enum FileEdit {
    Edited(MirrorEdit),
    /// The chapter changed meanwhile.
    Changed,
    Refused(MirrorRefusalReason),
}

impl Studio {
    /// Returns the folder of a project's mirror below the folder of the settings; `None` without that setting. A folder
    /// with an earlier title of the project is renamed.
    ///
    /// Returns [`Error::Unwritten`] if the folder cannot be read or renamed.
    pub async fn mirror_folder(&self, project: &str) -> Result<Option<PathBuf>, Error> {
        let row = self.project(project).await?;
        let MirrorSettings { folder, .. } = self.settings().values(Some(&row.project))?.mirror;
        let Some(root) = folder else { return Ok(None) };
        let mirror = self.in_turn(move || MirrorFolder::below(&root, &row.project, &row.title)).await?;
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
        let is_committed = is_committed || self.settings().values(Some(&id))?.mirror.git;
        let update = move || -> io::Result<(TouchedFiles, MirrorCommit)> {
            let mut mirror_folder = opened(&path, &of)?;
            let files: Vec<MirrorFile> = mirror(&kept.story, &title);
            let touched = mirror_folder.update(&files, version)?;
            let commit = if is_committed { commit(&mut mirror_folder, &message)? } else { MirrorCommit::Off };
            Ok((touched, commit))
        };
        let (touched, commit) = self.in_turn(update).await?;
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
    /// text is put beside the file. A file that is not UTF-8, or whose title is refused, is left out; the others go on.
    ///
    /// Returns [`Error::Unwritten`] if the folder cannot be read or is the mirror of another project. Files that were
    /// read back before a failure stay read back.
    pub async fn read_mirror(&self, project: &str, folder: &Path) -> Result<MirrorReading, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let ChangedFiles { changed, not_utf8 } = self.in_mirror(&id, folder, |mirror| mirror.changed()).await?;
        let mut reading = MirrorReading::default();
        let refused = not_utf8.into_iter().map(|path| MirrorRefusal { path, reason: MirrorRefusalReason::NotUtf8 });
        reading.refused.extend(refused);
        for file in changed {
            if file.written.document.is_empty() {
                reading.cards.push(file.path);
                continue;
            }
            let found = kept.story.documents.iter().find(|document| document.id == file.written.document);
            let Some(document) = found else {
                let (path, beside, title) = (file.path, String::new(), String::new());
                reading.conflicts.push(MirrorConflict { path, beside, is_beside_kept: false, title });
                continue;
            };
            match self.edit_from(&id, folder, document, &file).await? {
                FileEdit::Edited(edited) => {
                    let version = edited.version;
                    self.in_mirror(&id, folder, move |mirror| mirror.accept(&file, version)).await?;
                    reading.edited.push(edited);
                }
                FileEdit::Changed => reading.conflicts.push(self.conflict(&id, folder, file).await?),
                FileEdit::Refused(reason) => reading.refused.push(MirrorRefusal { path: file.path, reason }),
            }
        }
        Ok(reading)
    }

    /// Edits a chapter as in its file: first the title, which may be refused, then the text.
    async fn edit_from(
        &self,
        project: &str,
        folder: &Path,
        document: &Document,
        file: &ChangedFile,
    ) -> Result<FileEdit, Error> {
        let text = chapter_text(&document.text, &file.content);
        let is_new = |title: &String| !title.split(' ').eq(document.title.split_whitespace());
        let new_title = chapter_title(&file.content).filter(is_new);
        let (path, title, version) = (file.path.clone(), document.title.clone(), document.version);
        let mut edit = MirrorEdit { path, title, version, change: None };
        // The studio has this text already, perhaps since a reading that was interrupted.
        if text == document.text && new_title.is_none() {
            return Ok(FileEdit::Edited(edit));
        }
        let (version, of) = (document.version, file.clone());
        let is_current = file.written.version == version
            || self.in_mirror(project, folder, move |mirror| Ok(mirror.is_settled(&of, version))).await?;
        if !is_current {
            return Ok(FileEdit::Changed);
        }
        if let Some(title) = new_title {
            let chapter = ChapterName::from(document.id.clone());
            match self.edit_chapters(project, &ChapterEdit::Rename { chapter, title: title.clone() }).await {
                Ok(renamed) => (edit.title, edit.change) = (title, renamed.change),
                Err(Error::BadChapterEdit { reason: ChapterEditRefusal::NameTaken, .. }) => {
                    return Ok(FileEdit::Refused(MirrorRefusalReason::TitleTaken { title }));
                }
                Err(Error::Unknown { what: Noun::Document, .. }) => {
                    return Ok(FileEdit::Refused(MirrorRefusalReason::NotAChapter { title }));
                }
                Err(Error::BadChapterEdit { message, .. }) => {
                    return Ok(FileEdit::Refused(MirrorRefusalReason::BadTitle { title, message }));
                }
                Err(error) => return Err(error),
            }
        }
        if text != document.text {
            match self.edit_chapter(project, &document.id, &text, Some(document.version)).await {
                Ok(edited) => (edit.version, edit.change) = (edited.version, edited.change.or(edit.change)),
                Err(Error::ChapterChanged { .. }) => return Ok(FileEdit::Changed),
                Err(error) => return Err(error),
            }
        }
        Ok(FileEdit::Edited(edit))
    }

    /// Puts the studio's text beside a file that cannot be read back.
    async fn conflict(&self, project: &str, folder: &Path, file: ChangedFile) -> Result<MirrorConflict, Error> {
        let now = self.chapter_text(project, &file.written.document).await?;
        let content = format!("# {}\n\n{}\n", now.title, now.text.trim_end());
        let path = file.path.clone();
        let put = move |mirror: &mut MirrorFolder| mirror.put_beside(&file, &content, now.version);
        let BesideFile { path: beside, is_kept } = self.in_mirror(project, folder, put).await?;
        Ok(MirrorConflict { path, beside, is_beside_kept: is_kept, title: now.title })
    }

    /// Runs blocking work on the mirror of a project as it is now on disk, in turn.
    async fn in_mirror<T: Send + 'static>(
        &self,
        project: &str,
        folder: &Path,
        work: impl FnOnce(&mut MirrorFolder) -> io::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        let (path, of) = (folder.to_owned(), project.to_owned());
        self.in_turn(move || work(&mut opened(&path, &of)?)).await
    }

    /// Runs blocking work on mirrors, one at a time among all processes with this data folder.
    pub(super) async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> Result<T, Error> {
        let home = self.home().to_owned();
        let done = tokio::task::spawn_blocking(move || {
            let _turn = WRITING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let _lock = locked(&home)?;
            work()
        });
        done.await
            .map_err(|error| Error::Internal { message: error.to_string() })?
            .map_err(|error| Error::Unwritten { message: error.to_string() })
    }
}

/// Waits for the lock of the mirrors of a data folder and returns it; it is released when the file is closed.
fn locked(home: &Path) -> io::Result<File> {
    std::fs::create_dir_all(home)?;
    let file = File::options().create(true).truncate(false).write(true).open(home.join(LOCK))?;
    match file.lock() {
        // A file system without locks: the processes rely on each file being written whole.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        result => result.map(|()| file),
    }
}

/// Opens a folder as the mirror of a project.
fn opened(path: &Path, project: &str) -> io::Result<MirrorFolder> {
    let other = || io::Error::other(format!("{} is the mirror of another project", path.display()));
    MirrorFolder::open(path, project)?.ok_or_else(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_has_the_lock() {
        let home = tempfile::tempdir().unwrap();
        let first = locked(home.path()).unwrap();
        let second = File::options().write(true).open(home.path().join(LOCK)).unwrap();
        assert!(matches!(second.try_lock(), Err(std::fs::TryLockError::WouldBlock)));
        drop(first);
        second.try_lock().unwrap();
    }
}
