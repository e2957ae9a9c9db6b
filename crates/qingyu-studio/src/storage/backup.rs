//! Backup and restore of the whole database.
//!
//! A backup does not include files beside the database: settings, the author's own prompts and lists, recordings.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use qingyu_db::ReplacePolicy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::scope::Right;
use crate::error::failures::FailureContext;
use crate::error::{Error, StorageFailure};
use crate::settings::layers::Settings;
use crate::storage::data_folder;
use crate::storage::migration::{OWNERS, folder, moment};
use crate::storage::schedule::{BackupOccasion, BackupSchedule, BackupStatus};
use crate::studio::Studio;

/// A finished backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupSummary {
    /// The path of the backup file.
    pub path: PathBuf,
    /// The size in bytes.
    pub bytes: u64,
}

/// A restored backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupRestored {
    /// The path of the restored database.
    pub path: PathBuf,
    /// The path of the previous database, if there was a database to replace.
    pub replaced: Option<PathBuf>,
}

/// The treatment of an existing database during a restore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExistingDatabase {
    /// Refuse to restore.
    Stays,
    /// Keep the existing database under another name.
    IsReplaced,
}

impl Studio {
    /// Backs up the whole database, of all users, to a new file without blocking other work. Requires [`Right::Admin`].
    ///
    /// The backup is a consistent snapshot, validated, and readable by the owner only. Returns
    /// [`StorageFailure::TargetExists`] if the file exists.
    pub async fn backup(&self, to: &Path) -> Result<BackupSummary, Error> {
        self.scope().demand(Right::Admin)?;
        let Some(file) = self.database().as_sqlite() else {
            return Err(Error::Storage(StorageFailure::OnServer { command: self.dump_command(to) }));
        };
        let copied = file.back_up(to).await.map_err(|error| FailureContext { database: to, run: "" }.database(&error));
        let name = to.file_name().unwrap_or_default().to_string_lossy();
        self.access().record("backup", &name, &copied).await?;
        copied?;
        let bytes = std::fs::metadata(to).map_or(0, |file| file.len());
        Ok(BackupSummary { path: to.to_owned(), bytes })
    }

    /// Returns the scheduled backups of the settings, without opening the studio.
    ///
    /// Returns a [`StorageFailure`] if their folder cannot be read.
    pub fn scheduled_backups(settings: &Settings) -> Result<BackupStatus, Error> {
        BackupSchedule::of(settings)?.status(Timestamp::now())
    }

    /// Returns the scheduled backups, without paths for callers with a key.
    ///
    /// Returns a [`StorageFailure`] if their folder cannot be read.
    pub(crate) fn backups(&self) -> Result<BackupStatus, Error> {
        let mut status = Self::scheduled_backups(self.settings())?;
        if self.scope().key().is_some() {
            status.folder = PathBuf::new();
            if let Some(failure) = &mut status.failure {
                failure.message.clone_from(&failure.code);
            }
        }
        Ok(status)
    }

    /// Backs up the database into the folder of scheduled backups, which replaces the oldest backup on request if there are
    /// enough, and returns all of them. Requires [`Right::Admin`].
    ///
    /// Returns [`StorageFailure::Busy`] while another process makes one, and [`StorageFailure::OnServer`] for a database on a
    /// server.
    pub(crate) async fn back_up_now(&self) -> Result<BackupStatus, Error> {
        self.scope().demand(Right::Admin)?;
        let (schedule, now) = (BackupSchedule::of(self.settings())?, Timestamp::now());
        if !schedule.is_available() {
            let path = schedule.path(BackupOccasion::Request, now);
            return Err(Error::Storage(StorageFailure::OnServer { command: self.dump_command(&path) }));
        }
        let (schedule, turn) = blocking(move || {
            let turn = schedule.take_turn_on_request(now);
            (schedule, turn)
        })
        .await?;
        let Some(_turn) = turn? else {
            return Err(Error::Storage(StorageFailure::Busy { path: schedule.folder().to_owned() }));
        };
        self.back_up_for(schedule, BackupOccasion::Request).await?;
        self.backups()
    }

    /// Backs up the database if the schedule of the settings says so. A failure is noted, and tried again later.
    pub(crate) async fn back_up_if_due(&self) -> Result<(), Error> {
        if self.settings().effective(None)?.values.backups.every.is_none() {
            return Ok(());
        }
        let schedule = BackupSchedule::of(self.settings())?;
        // Files are not touched in the task of the heartbeat: the folder may be on a slow disk of the network.
        let (schedule, turn) = blocking(move || {
            let turn = schedule.take_turn(Timestamp::now());
            (schedule, turn)
        })
        .await?;
        if let Some(_turn) = turn {
            // The failure was noted and logged.
            let _ = self.back_up_for(schedule, BackupOccasion::Schedule).await;
        }
        Ok(())
    }

    async fn back_up_for(&self, schedule: BackupSchedule, occasion: BackupOccasion) -> Result<(), Error> {
        let now = Timestamp::now();
        let (schedule, path) = blocking(move || {
            let path = schedule.path(occasion, now);
            (schedule, path)
        })
        .await?;
        let made = self.backup(&path).await;
        blocking(move || {
            schedule.note(occasion, now, made.as_ref().map(|_| ()));
            made.map(drop)
        })
        .await?
    }

    /// Restores a backup as the database of the settings, atomically.
    ///
    /// Validates the whole backup first. Returns [`StorageFailure::Corrupt`] if the backup is damaged or from another
    /// program, [`StorageFailure::NewerData`] if a newer release wrote the backup, [`StorageFailure::HasData`] if an
    /// existing database must stay, and [`StorageFailure::Busy`] if the existing database is in use.
    pub async fn restore_backup(
        settings: &Settings,
        from: &Path,
        existing: ExistingDatabase,
    ) -> Result<BackupRestored, Error> {
        data_folder::prepare(settings.home())?;
        let path = settings.database();
        let replaced = (existing == ExistingDatabase::IsReplaced && path.exists())
            .then(|| folder(settings.home()).map(|folder| folder.join(format!("replaced-{}.db", moment()))))
            .transpose()?;
        let replace = replaced.clone().map_or(ReplacePolicy::Nothing, ReplacePolicy::KeepAs);
        let (source, target) = (from.to_owned(), path.clone());
        let restored = blocking(move || qingyu_db::restore(&source, &target, &OWNERS, &replace)).await?;
        restored.map_err(|error| match error {
            qingyu_db::Error::Exists { path } => Error::Storage(StorageFailure::HasData { path }),
            qingyu_db::Error::Busy => Error::Storage(StorageFailure::Busy { path: path.clone() }),
            qingyu_db::Error::CannotOpen { path, reason } => {
                Error::Storage(StorageFailure::ReadOnly { path, message: reason })
            }
            error => FailureContext { database: from, run: "" }.database(&error),
        })?;
        let name = from.file_name().unwrap_or_default().to_string_lossy();
        Self::open(settings.clone()).await?.access().record("restore", &name, &Ok(())).await?;
        Ok(BackupRestored { path, replaced })
    }

    /// Returns the command, without the password, to dump the schema of a database server.
    fn dump_command(&self, to: &Path) -> String {
        let storage = self.storage();
        let schema = storage.schema.as_deref().unwrap_or("qingyu");
        let address = storage.url.as_deref().map(without_password).unwrap_or_default();
        format!("pg_dump --format=custom --schema={schema} --file='{}' '{address}'", to.display())
    }
}

/// Runs work with files outside of the tasks of the runtime.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Error::Internal { message: error.to_string() })
}

/// Returns the address without the password.
fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    match rest.rsplit_once('@') {
        Some((user, host)) => format!("{scheme}://{}@{host}", user.split(':').next().unwrap_or_default()),
        None => address.to_owned(),
    }
}
