//! Writing the mirror of a book.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use jiff::Timestamp;
use qingyu_formats::{MirrorFile, mirror};

use super::folder::{MirrorFolder, TouchedFiles};
use super::git::commit;
use super::outcome::{MirrorCommit, MirrorUpdate, MirrorUpdateRecord};
use crate::error::Error;
use crate::settings::values::MirrorSettings;
use crate::studio::Studio;

/// One mirror is written at a time: a command and the keeper may both want to.
static WRITING: Mutex<()> = Mutex::new(());
/// The file in the data folder that is locked while a process writes mirrors. It is not in the mirrors, where git and the
/// author would meet it, and where it would be in the way of a rename.
const LOCK: &str = "mirrors.lock";

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
            mirror_folder.note_update(MirrorUpdateRecord {
                at: Timestamp::now(),
                written: touched.written.len(),
                removed: touched.removed.len(),
                kept: touched.kept.clone(),
                commit: commit.clone(),
            })?;
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

    /// Runs blocking work on the mirror of a project as it is now on disk, in turn.
    pub(super) async fn in_mirror<T: Send + 'static>(
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
    let other = || io::Error::other(format!("{}: the mirror of another project", path.display()));
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
