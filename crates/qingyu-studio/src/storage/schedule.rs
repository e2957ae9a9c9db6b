//! Scheduled backups of the database, and how many of them are kept.
//!
//! The state is in the folder of the backups: the files themselves, and a file with the last failure.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::error::failures::FailureContext;
use crate::settings::backups::{BackupSettings, interval};
use crate::settings::layers::Settings;
use crate::storage::data_folder;
use crate::storage::migration::FOLDER;
use crate::storage::written::write_whole;

/// The beginning and the end of the names of scheduled backups, with the time between; names sort by time.
const BEGINNING: &str = "auto-";
const END: &str = ".db";
/// The time in names.
const TIME: &str = "%Y%m%dT%H%M%SZ";
/// The file with the last failure.
const FAILURE: &str = "auto.failure.json";
/// The file that is locked while a process makes a scheduled backup.
const LOCK: &str = "auto.lock";
/// The time until another try after a failure.
const RETRY: Duration = Duration::from_secs(600);

/// Scheduled backups, and the next one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupStatus {
    /// The interval, such as `1d`; `None` without a schedule.
    pub every: Option<String>,
    /// The number of scheduled backups to keep.
    pub keep: u32,
    /// The folder; empty for callers with a key.
    pub folder: PathBuf,
    /// The scheduled backups, newest first.
    pub backups: Vec<BackupFile>,
    /// The time of the next backup, by a server at work; the present if it is due. `None` without a schedule.
    pub next: Option<Timestamp>,
    /// The failure of the last try; `None` if it succeeded.
    pub failure: Option<BackupFailure>,
}

impl BackupStatus {
    /// Returns whether no backup was made in two intervals, so that no server has been at work or all tries failed.
    pub(crate) fn is_overdue(&self, now: Timestamp) -> bool {
        let interval = self.every.as_deref().and_then(|every| interval(every).ok());
        let Some((interval, newest)) = interval.zip(self.backups.first()) else { return false };
        later(newest.at, interval.saturating_mul(2)) < now
    }
}

/// A scheduled backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupFile {
    /// The name of the file in the folder.
    pub name: String,
    /// The time of the backup.
    pub at: Timestamp,
    /// The size in bytes.
    pub bytes: u64,
}

/// A failed scheduled backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackupFailure {
    /// The time.
    pub at: Timestamp,
    /// The stable code of the error.
    pub code: String,
    /// The error.
    pub message: String,
}

/// The schedule of the settings.
#[derive(Debug)]
pub(crate) struct BackupSchedule {
    settings: BackupSettings,
    folder: PathBuf,
}

impl BackupSchedule {
    /// Returns the schedule of the settings, which may have no interval.
    pub(crate) fn of(settings: &Settings) -> Result<Self, Error> {
        let backups = settings.effective(None)?.values.backups.clone();
        let folder = backups.folder.clone().unwrap_or_else(|| settings.home().join(FOLDER));
        Ok(Self { settings: backups, folder })
    }

    /// Returns the state at `now`.
    ///
    /// Returns a [`StorageFailure`](crate::StorageFailure) if the folder exists and cannot be read.
    pub(crate) fn status(&self, now: Timestamp) -> Result<BackupStatus, Error> {
        let BackupSettings { every, keep, .. } = self.settings.clone();
        let backups = self.backups()?;
        let failure = self.failure();
        let next = self.interval().map(|interval| {
            let after = backups.first().map_or(Timestamp::UNIX_EPOCH, |newest| later(newest.at, interval));
            let retry = failure.as_ref().map_or(Timestamp::UNIX_EPOCH, |failure| later(failure.at, RETRY));
            after.max(retry).max(now)
        });
        Ok(BackupStatus { every, keep, folder: self.folder.clone(), backups, next, failure })
    }

    /// Takes the turn of making a backup, if one is due at `now` and no other process makes one; released on drop.
    pub(crate) fn take_turn(&self, now: Timestamp) -> Result<Option<File>, Error> {
        if !self.is_due(now)? {
            return Ok(None);
        }
        let turn = self.lock()?;
        // Another process may have made one before the lock was free.
        Ok(if self.is_due(now)? { turn } else { None })
    }

    /// Takes the turn of making a backup at once; `None` if another process makes one.
    pub(crate) fn lock(&self) -> Result<Option<File>, Error> {
        data_folder::prepare(&self.folder)?;
        let path = self.folder.join(LOCK);
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

    /// Returns the path of a backup made at `now`.
    pub(crate) fn path(&self, now: Timestamp) -> PathBuf {
        self.folder.join(format!("{BEGINNING}{}{END}", now.strftime(TIME)))
    }

    /// Notes the outcome of a try, and deletes the oldest backups after a success.
    pub(crate) fn note(&self, now: Timestamp, outcome: Result<(), &Error>) {
        let path = self.folder.join(FAILURE);
        let noted = match outcome {
            Ok(()) => {
                self.forget_oldest();
                match std::fs::remove_file(&path) {
                    Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                    _ => Ok(()),
                }
            }
            Err(error) => {
                let failure = BackupFailure { at: now, code: error.code().to_owned(), message: error.to_string() };
                tracing::warn!(%error, folder = %self.folder.display(), "scheduled backup failed");
                serde_json::to_string(&failure)
                    .map_err(std::io::Error::other)
                    .and_then(|text| write_whole(&path, &text))
            }
        };
        if let Err(error) = noted {
            tracing::warn!(%error, path = %path.display(), "failed to note the outcome of a scheduled backup");
        }
    }

    fn is_due(&self, now: Timestamp) -> Result<bool, Error> {
        Ok(self.status(now)?.next.is_some_and(|next| next <= now))
    }

    fn interval(&self) -> Option<Duration> {
        // The settings are validated.
        self.settings.every.as_deref().and_then(|every| interval(every).ok())
    }

    fn backups(&self) -> Result<Vec<BackupFile>, Error> {
        let failed =
            |error: std::io::Error| FailureContext { database: &self.folder, run: "" }.file(&self.folder, &error);
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut backups: Vec<BackupFile> = entries.flatten().filter_map(|entry| backup(&entry.path())).collect();
        backups.sort_by(|a, b| a.name.cmp(&b.name));
        backups.reverse();
        Ok(backups)
    }

    fn failure(&self) -> Option<BackupFailure> {
        serde_json::from_slice(&std::fs::read(self.folder.join(FAILURE)).ok()?).ok()
    }

    fn forget_oldest(&self) {
        let backups = self.backups().unwrap_or_default();
        let keep = usize::try_from(self.settings.keep).unwrap_or(usize::MAX).max(1);
        for BackupFile { name, .. } in backups.into_iter().skip(keep) {
            if let Err(error) = std::fs::remove_file(self.folder.join(&name)) {
                tracing::warn!(%error, %name, "failed to delete an old backup");
            }
        }
    }
}

/// Returns the scheduled backup at `path`; `None` for any other file.
fn backup(path: &Path) -> Option<BackupFile> {
    let name = path.file_name()?.to_str()?;
    let time = name.strip_prefix(BEGINNING)?.strip_suffix(END)?;
    let at = DateTime::strptime(TIME, time).ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
    let file = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    Some(BackupFile { name: name.to_owned(), at, bytes: file.len() })
}

/// Returns the time after an interval.
fn later(at: Timestamp, interval: Duration) -> Timestamp {
    at.checked_add(interval).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(folder: &Path, every: Option<&str>, keep: u32) -> BackupSchedule {
        let settings = BackupSettings { every: every.map(str::to_owned), keep, folder: None };
        BackupSchedule { settings, folder: folder.to_owned() }
    }

    fn at(time: &str) -> Timestamp {
        time.parse().unwrap()
    }

    /// Makes a backup, as far as its file.
    fn make(schedule: &BackupSchedule, time: &str) {
        std::fs::write(schedule.path(at(time)), "db").unwrap();
        schedule.note(at(time), Ok(()));
    }

    #[test]
    fn a_backup_is_due_after_its_interval() {
        let folder = tempfile::tempdir().unwrap();
        let schedule = schedule(folder.path(), Some("1d"), 7);
        assert!(schedule.take_turn(at("2026-11-01T08:00:00Z")).unwrap().is_some(), "none so far");
        make(&schedule, "2026-11-01T08:00:00Z");
        assert!(schedule.take_turn(at("2026-11-02T07:59:59Z")).unwrap().is_none());
        assert!(schedule.take_turn(at("2026-11-02T08:00:00Z")).unwrap().is_some());
        let status = schedule.status(at("2026-11-01T09:00:00Z")).unwrap();
        assert_eq!(status.next, Some(at("2026-11-02T08:00:00Z")));
        assert!(!status.is_overdue(at("2026-11-03T07:00:00Z")) && status.is_overdue(at("2026-11-03T09:00:00Z")));
        assert_eq!((status.backups[0].at, status.backups[0].bytes), (at("2026-11-01T08:00:00Z"), 2));
    }

    #[test]
    fn nothing_is_due_without_a_schedule() {
        let folder = tempfile::tempdir().unwrap();
        let schedule = schedule(&folder.path().join("not there"), None, 7);
        assert!(schedule.take_turn(at("2026-11-01T08:00:00Z")).unwrap().is_none());
        let status = schedule.status(at("2026-11-01T08:00:00Z")).unwrap();
        assert_eq!((status.next, status.is_overdue(at("2026-12-01T08:00:00Z"))), (None, false));
        assert!(!folder.path().join("not there").exists());
    }

    #[test]
    fn the_newest_are_kept_and_nothing_else_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let others = ["before-20260101T000000Z-5.db", "mine.db", "auto-x.db", "auto-20260101T000000Z.db.txt"];
        for other in others {
            std::fs::write(folder.path().join(other), "").unwrap();
        }
        let schedule = schedule(folder.path(), Some("1d"), 2);
        for day in 1..=5 {
            make(&schedule, &format!("2026-11-0{day}T08:00:00Z"));
        }
        let status = schedule.status(at("2026-11-06T08:00:00Z")).unwrap();
        let names: Vec<String> = status.backups.into_iter().map(|backup| backup.name).collect();
        assert_eq!(names, ["auto-20261105T080000Z.db", "auto-20261104T080000Z.db"]);
        assert!(others.iter().all(|other| folder.path().join(other).exists()));
    }

    #[test]
    fn a_failure_is_told_and_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let schedule = schedule(folder.path(), Some("1d"), 7);
        make(&schedule, "2026-11-01T08:00:00Z");
        let error = Error::Unwritten { message: "no space left".into() };
        schedule.note(at("2026-11-02T08:00:00Z"), Err(&error));
        let status = schedule.status(at("2026-11-02T08:00:00Z")).unwrap();
        assert_eq!(status.failure.as_ref().map(|failure| failure.code.as_str()), Some("unwritten"));
        assert_eq!(status.next, Some(at("2026-11-02T08:10:00Z")));
        assert_eq!(status.backups.len(), 1, "nothing is deleted after a failure");
        make(&schedule, "2026-11-02T08:10:00Z");
        assert_eq!(schedule.status(at("2026-11-02T09:00:00Z")).unwrap().failure, None);
    }

    #[test]
    fn one_process_makes_a_backup() {
        let folder = tempfile::tempdir().unwrap();
        let schedule = schedule(folder.path(), Some("1d"), 7);
        let turn = schedule.lock().unwrap();
        assert!(turn.is_some());
        assert!(schedule.take_turn(at("2026-11-01T08:00:00Z")).unwrap().is_none());
        drop(turn);
        assert!(schedule.take_turn(at("2026-11-01T08:00:00Z")).unwrap().is_some());
    }
}
