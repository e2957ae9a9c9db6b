//! The state of the mirror of a book, its switches, and updates on request.

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::folder::{ChangedFiles, MirrorFolder, mirrors_below};
use super::outcome::{MirrorCommit, MirrorReading, MirrorReadingRecord, MirrorUpdate, MirrorUpdateRecord};
use crate::access::scope::LOCAL;
use crate::error::Error;
use crate::settings::change::SettingEdit;
use crate::settings::values::MirrorSettings;
use crate::studio::Studio;

/// The state of the mirror of a book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorStatus {
    /// Whether the book can have a mirror: a folder for mirrors is set, and the book is one of the local user.
    pub is_available: bool,
    /// Whether the mirror is kept up to date after each save.
    pub on: bool,
    /// Whether the mirror is a git repository with a commit for each update.
    pub git: bool,
    /// Whether the caller may switch commits on: they start a program, so only the local user of the server's machine may.
    pub may_commit: bool,
    /// The folder of the book, without the folders above it for callers with a key; `None` before the first update.
    pub folder: Option<PathBuf>,
    /// The version of the project in the mirror; `None` before the first update.
    pub version: Option<u64>,
    /// The present version of the project.
    pub project_version: u64,
    /// The last update.
    pub(crate) last_update: Option<MirrorUpdateRecord>,
    /// The last time that edits were read back.
    pub(crate) last_reading: Option<MirrorReadingRecord>,
    /// The files that were changed outside and not read back.
    pub changed: Vec<String>,
    /// The files that were deleted outside; the next update writes them again.
    pub deleted: Vec<String>,
}

/// Outcome of an update of a mirror on request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorRun {
    /// The edits read back before the update, if that was asked for.
    pub read: Option<MirrorReading>,
    /// The update.
    pub update: MirrorUpdate,
}

impl Studio {
    /// Returns the state of the mirror of a project, which is not changed.
    ///
    /// Returns [`Error::Unwritten`] if the mirror cannot be read.
    pub(crate) async fn mirror_status(&self, project: &str) -> Result<MirrorStatus, Error> {
        let row = self.find_project(project).await?;
        let MirrorSettings { folder, on, git } = self.settings().values(Some(&row.id))?.mirror;
        let root = folder.filter(|_| self.scope().user() == LOCAL);
        let mut status = MirrorStatus {
            is_available: root.is_some(),
            on: on && root.is_some(),
            git,
            may_commit: self.scope().demand_machine().is_ok(),
            folder: None,
            version: None,
            project_version: row.version,
            last_update: None,
            last_reading: None,
            changed: Vec::new(),
            deleted: Vec::new(),
        };
        let Some(root) = root else { return Ok(status) };
        let id = row.id;
        let look = move || {
            let found = mirrors_below(&root)?.into_iter().find(|mirror| mirror.state.project == id);
            found.map(|mirror| mirror.changed().map(|changed| (mirror, changed))).transpose()
        };
        let Some((MirrorFolder { path, state }, changed)) = self.in_turn(look).await? else { return Ok(status) };
        let ChangedFiles { changed, not_utf8, deleted } = changed;
        status.folder = Some(self.told_mirror(path));
        status.version = Some(state.version);
        status.last_update = state.last_update.map(|update| {
            let commit = self.told_commit(update.commit);
            MirrorUpdateRecord { commit, ..update }
        });
        status.last_reading = state.last_reading;
        status.changed = changed.into_iter().map(|file| file.path).chain(not_utf8).collect();
        status.deleted = deleted;
        Ok(status)
    }

    /// Switches the mirror of a project, or its commits, on or off; `None` leaves a switch as it is.
    ///
    /// Returns [`Error::NoMirror`] without a folder for mirrors, and [`Error::Forbidden`] if a caller with a key switches
    /// commits on, since they start a program.
    pub(crate) async fn set_mirror(
        &self,
        project: &str,
        on: Option<bool>,
        git: Option<bool>,
    ) -> Result<MirrorStatus, Error> {
        let id = self.find_project(project).await?.id;
        if !self.mirror_status(&id).await?.is_available {
            return Err(Error::NoMirror { project: id });
        }
        if git == Some(true) {
            self.scope().demand_machine()?;
        }
        for (key, value) in [("mirror.on", on), ("mirror.git", git)] {
            if let Some(value) = value {
                self.settings().write(Some(&id), &SettingEdit::new(key, Some(Value::Bool(value)))?)?;
            }
        }
        self.mirror_status(&id).await
    }

    /// Updates the mirror of a project below the folder of the settings, after reading edits back if `is_read`.
    ///
    /// Returns [`Error::NoMirror`] without a folder for mirrors, and [`Error::Unwritten`] if the folder cannot be written.
    pub(crate) async fn run_mirror(&self, project: &str, is_read: bool) -> Result<MirrorRun, Error> {
        let id = self.find_project(project).await?.id;
        let folder = match self.scope().user() == LOCAL {
            true => self.mirror_folder(&id).await?,
            false => None,
        };
        let Some(folder) = folder else { return Err(Error::NoMirror { project: id }) };
        let read = match is_read {
            true => Some(self.read_mirror(&id, &folder).await?),
            false => None,
        };
        let MirrorUpdate { folder, version, written, removed, kept, commit } = self.mirror(&id, &folder, false).await?;
        if let MirrorCommit::Failed { message } = &commit {
            tracing::warn!(project = %id, reason = message.as_str(), "failed to commit a mirror");
        }
        let (folder, commit) = (self.told_mirror(folder), self.told_commit(commit));
        Ok(MirrorRun { read, update: MirrorUpdate { folder, version, written, removed, kept, commit } })
    }

    /// Returns the folder for the caller: without the folders above it for callers with a key.
    fn told_mirror(&self, folder: PathBuf) -> PathBuf {
        if self.scope().key().is_none() {
            return folder;
        }
        folder.file_name().map(PathBuf::from).unwrap_or_default()
    }

    /// Returns the outcome of a commit for the caller: without the message of git, which names paths, for callers with a
    /// key.
    fn told_commit(&self, commit: MirrorCommit) -> MirrorCommit {
        match commit {
            MirrorCommit::Failed { .. } if self.scope().key().is_some() => {
                MirrorCommit::Failed { message: String::new() }
            }
            told => told,
        }
    }
}
