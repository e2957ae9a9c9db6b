//! Scheduled backups of the database and backups on request in the same folder, and how many of them are kept.
//!
//! The state is the files themselves, and a file in the data folder with the last failure. Names tell the data folder, since
//! several may share a folder of backups.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use qingyu_story::digest::{hexadecimal, prefix};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::error::failures::FailureContext;
use crate::settings::backups::{BackupSettings, interval};
use crate::settings::layers::Settings;
use crate::storage::data_folder;
use crate::storage::migration::FOLDER;
use crate::storage::written::write_whole;

/// The end of the names of backups.
const END: &str = ".db";
/// The time in names.
const TIME: &str = "%Y%m%dT%H%M%SZ";
/// The number of bytes of the digest in names.
const IDENTITY: usize = 3;
/// The file in the data folder with the last failure.
const FAILURE: &str = "backups.failure.json";
/// The file in the data folder that is locked while a process makes a backup.
const LOCK: &str = "backups.lock";
/// The time until another try after a failure.
const RETRY: Duration = Duration::from_secs(600);

/// Scheduled backups, and the next one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupStatus {
    /// Whether the database can be backed up here: `false` if it is on a PostgreSQL server, whose own tools copy it.
    pub is_available: bool,
    /// The interval, such as `1d`; `None` without a schedule.
    pub every: Option<String>,
    /// The number of scheduled backups to keep, and of backups on request.
    pub keep: u32,
    /// The folder; empty for callers with a key.
    pub folder: PathBuf,
    /// The scheduled backups and those on request, newest first.
    pub backups: Vec<BackupFile>,
    /// The time of the next backup, by a server at work; the present if it is due. `None` without a schedule, and for a
    /// database on a server.
    pub next: Option<Timestamp>,
    /// The failure of the last try; `None` if it succeeded.
    pub failure: Option<BackupFailure>,
}

impl BackupStatus {
    /// Returns whether the schedule has made no backup so far.
    pub(crate) fn is_missing(&self) -> bool {
        self.next.is_some() && newest_scheduled(&self.backups).is_none()
    }

    /// Returns whether the schedule has made no backup in two intervals, so that no server has been at work or all tries
    /// failed.
    pub(crate) fn is_overdue(&self, now: Timestamp) -> bool {
        let interval = self.every.as_deref().filter(|_| self.is_available).and_then(|every| interval(every).ok());
        let Some((interval, newest)) = interval.zip(newest_scheduled(&self.backups)) else { return false };
        later(newest.at, interval.saturating_mul(2)) < now
    }
}

/// A backup in the folder of scheduled backups.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupFile {
    /// The name of the file in the folder.
    pub name: String,
    /// The time of the backup.
    pub at: Timestamp,
    /// The size in bytes.
    pub bytes: u64,
    /// Whether it was made on request, not on schedule.
    pub is_requested: bool,
}

/// A failed backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupFailure {
    /// The time.
    pub at: Timestamp,
    /// The stable code of the error.
    pub code: String,
    /// The error.
    pub message: String,
}

/// The occasion of a backup. The backups of each are kept and deleted by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BackupOccasion {
    Schedule,
    Request,
}

impl BackupOccasion {
    const ALL: [Self; 2] = [Self::Schedule, Self::Request];

    /// Returns the beginning of the names.
    fn beginning(self) -> &'static str {
        match self {
            Self::Schedule => "auto-",
            Self::Request => "manual-",
        }
    }
}

/// The schedule of the settings.
#[derive(Debug)]
pub(crate) struct BackupSchedule {
    settings: BackupSettings,
    home: PathBuf,
    folder: PathBuf,
    /// A digest of the path of the database, in the names of its backups.
    identity: String,
    is_available: bool,
}

impl BackupSchedule {
    /// Returns the schedule of the settings, which may have no interval.
    pub(crate) fn of(settings: &Settings) -> Result<Self, Error> {
        let effective = settings.effective(None)?;
        let backups = effective.values.backups.clone();
        let home = settings.home().to_owned();
        let folder = backups.folder.clone().unwrap_or_else(|| home.join(FOLDER));
        let is_available = effective.values.storage.url.is_none();
        let identity = identity(&home, &settings.database());
        Ok(Self { settings: backups, home, folder, identity, is_available })
    }

    /// Returns whether the database can be backed up here.
    pub(crate) fn is_available(&self) -> bool {
        self.is_available
    }

    /// Returns the state at `now`.
    ///
    /// Returns a [`StorageFailure`](crate::StorageFailure) if the folder exists and cannot be read.
    pub(crate) fn status(&self, now: Timestamp) -> Result<BackupStatus, Error> {
        let BackupSettings { every, keep, .. } = self.settings.clone();
        let backups = self.backups()?;
        let failure = self.failure();
        let next = self.interval().map(|interval| {
            let newest = newest_scheduled(&backups);
            let after = newest.map_or(Timestamp::UNIX_EPOCH, |newest| later(newest.at, interval));
            let retry = failure.as_ref().map_or(Timestamp::UNIX_EPOCH, |failure| later(failure.at, RETRY));
            after.max(retry).max(now)
        });
        let (is_available, folder) = (self.is_available, self.folder.clone());
        Ok(BackupStatus { is_available, every, keep, folder, backups, next, failure })
    }

    /// Takes the turn of making a scheduled backup, if one is due at `now` and no other process makes one; released on
    /// drop. A failure is noted, and tried again later.
    pub(crate) fn take_turn(&self, now: Timestamp) -> Option<File> {
        self.due_turn(now).unwrap_or_else(|error| {
            self.note(BackupOccasion::Schedule, now, Err(&error));
            None
        })
    }

    fn due_turn(&self, now: Timestamp) -> Result<Option<File>, Error> {
        // Before the folder is looked at: a folder that cannot be read is tried again later as well.
        let is_waiting = self.failure().is_some_and(|failure| later(failure.at, RETRY) > now);
        if self.interval().is_none() || is_waiting || !self.is_due(now)? {
            return Ok(None);
        }
        let turn = self.lock()?;
        // Another process may have made one before the lock was free.
        Ok(if self.is_due(now)? { turn } else { None })
    }

    /// Takes the turn of making a backup on request at `now`; `None` if another process makes one. A failure is noted.
    pub(crate) fn take_turn_on_request(&self, now: Timestamp) -> Result<Option<File>, Error> {
        self.lock().inspect_err(|error| self.note(BackupOccasion::Request, now, Err(error)))
    }

    fn lock(&self) -> Result<Option<File>, Error> {
        data_folder::prepare(&self.home)?;
        data_folder::prepare(&self.folder)?;
        let path = self.home.join(LOCK);
        let failed = |error: std::io::Error| FailureContext { database: &path, run: "" }.file(&path, &error);
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(std::fs::TryLockError::WouldBlock) => Ok(None),
            // A file system without locks: two processes may make a backup each.
            Err(std::fs::TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(Some(file)),
            Err(std::fs::TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// Returns the folder of the backups.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of a backup made at `now`; numbered after others of the same second.
    pub(crate) fn path(&self, occasion: BackupOccasion, now: Timestamp) -> PathBuf {
        let stem = format!("{}{}-{}", occasion.beginning(), self.identity, now.strftime(TIME));
        let numbered = (2_u32..).map(|number| format!("{stem}-{number}{END}"));
        let names = std::iter::once(format!("{stem}{END}")).chain(numbered);
        names.map(|name| self.folder.join(name)).find(|path| !path.exists()).unwrap_or_default()
    }

    /// Notes the outcome of a try, and deletes the oldest backups of its occasion after a success.
    pub(crate) fn note(&self, occasion: BackupOccasion, now: Timestamp, outcome: Result<(), &Error>) {
        let path = self.home.join(FAILURE);
        let noted = match outcome {
            Ok(()) => {
                self.forget_oldest(occasion);
                match std::fs::remove_file(&path) {
                    Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                    _ => Ok(()),
                }
            }
            Err(error) => {
                let failure = BackupFailure { at: now, code: error.code().to_owned(), message: error.to_string() };
                tracing::warn!(%error, folder = %self.folder.display(), "backup failed");
                serde_json::to_string(&failure)
                    .map_err(std::io::Error::other)
                    .and_then(|text| write_whole(&path, &text))
            }
        };
        if let Err(error) = noted {
            tracing::warn!(%error, path = %path.display(), "failed to note the outcome of a backup");
        }
    }

    fn is_due(&self, now: Timestamp) -> Result<bool, Error> {
        Ok(self.status(now)?.next.is_some_and(|next| next <= now))
    }

    fn interval(&self) -> Option<Duration> {
        // The settings are validated.
        self.settings.every.as_deref().filter(|_| self.is_available).and_then(|every| interval(every).ok())
    }

    fn backups(&self) -> Result<Vec<BackupFile>, Error> {
        let failed =
            |error: std::io::Error| FailureContext { database: &self.folder, run: "" }.file(&self.folder, &error);
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(Vec::new());
            }
            Err(error) => return Err(failed(error)),
        };
        let mut backups: Vec<(u32, BackupFile)> =
            entries.flatten().filter_map(|entry| self.backup(&entry.path())).collect();
        backups.sort_by_key(|(number, backup)| std::cmp::Reverse((backup.at, *number)));
        Ok(backups.into_iter().map(|(_, backup)| backup).collect())
    }

    /// Returns the backup of this database at `path`, with its number in its second; `None` for any other file.
    fn backup(&self, path: &Path) -> Option<(u32, BackupFile)> {
        let name = path.file_name()?.to_str()?;
        let stem = name.strip_suffix(END)?;
        let mut occasions = BackupOccasion::ALL.into_iter();
        let (occasion, rest) =
            occasions.find_map(|occasion| Some((occasion, stem.strip_prefix(occasion.beginning())?)))?;
        let moment = match rest.strip_prefix(self.identity.as_str()).and_then(|rest| rest.strip_prefix('-')) {
            Some(moment) => moment,
            // Earlier releases wrote no digest. Nobody else writes into the folder in the data folder.
            None if occasion == BackupOccasion::Schedule && self.folder == self.home.join(FOLDER) => rest,
            None => return None,
        };
        let (time, number) = match moment.split_once('-') {
            Some((time, number)) => (time, number.parse().ok()?),
            None => (moment, 1),
        };
        let at = DateTime::strptime(TIME, time).ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
        let file = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let is_requested = occasion == BackupOccasion::Request;
        Some((number, BackupFile { name: name.to_owned(), at, bytes: file.len(), is_requested }))
    }

    fn failure(&self) -> Option<BackupFailure> {
        serde_json::from_slice(&std::fs::read(self.home.join(FAILURE)).ok()?).ok()
    }

    fn forget_oldest(&self, occasion: BackupOccasion) {
        let mut backups = self.backups().unwrap_or_default();
        backups.retain(|backup| backup.is_requested == (occasion == BackupOccasion::Request));
        let keep = usize::try_from(self.settings.keep).unwrap_or(usize::MAX).max(1);
        for BackupFile { name, .. } in backups.into_iter().skip(keep) {
            if let Err(error) = std::fs::remove_file(self.folder.join(&name)) {
                tracing::warn!(%error, %name, "failed to delete an old backup");
            }
        }
    }
}

/// Returns the digest of the database of a data folder for names.
fn identity(home: &Path, database: &Path) -> String {
    // The same folder under another name, such as by a link, is the same.
    let real = home.canonicalize().or_else(|_| std::path::absolute(home)).unwrap_or_else(|_| home.to_owned());
    let database = database.strip_prefix(home).map_or_else(|_| database.to_owned(), |name| real.join(name));
    hexadecimal(&prefix::<IDENTITY>(database.as_os_str().as_encoded_bytes()))
}

/// Returns the newest scheduled backup; `backups` are sorted, newest first.
fn newest_scheduled(backups: &[BackupFile]) -> Option<&BackupFile> {
    backups.iter().find(|backup| !backup.is_requested)
}

/// Returns the time after an interval.
pub(crate) fn later(at: Timestamp, interval: Duration) -> Timestamp {
    at.checked_add(interval).unwrap_or(Timestamp::MAX)
}
