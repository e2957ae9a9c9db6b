//! What can go wrong, sorted by what the caller can do.

use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::ErrorCode;

/// Why the database could not do what was asked.
///
/// It is `Clone` because one failed commit fails every job that shared it.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// Another process held the write lock for longer than the busy time-out; trying again later may work.
    #[error("the database is busy: another process is writing to it")]
    Busy,
    /// There is no room left; nothing of the failed transaction was stored.
    #[error("the disk is full")]
    DiskFull,
    /// The file or its folder may not be written.
    #[error("the database is read-only")]
    ReadOnly,
    /// The file exists but is something else, or is damaged.
    #[error("{path} is not a database")]
    NotADatabase {
        /// The file that was opened.
        path: PathBuf,
    },
    /// The file cannot be opened or created.
    #[error("cannot open the database {path}: {reason}")]
    CannotOpen {
        /// The file that was opened.
        path: PathBuf,
        /// What the operating system or SQLite said.
        reason: String,
    },
    /// A newer program has migrated this file; this one would not understand it.
    #[error("the database was migrated by a newer program: {owner} has {found}, which is unknown here")]
    NewerSchema {
        /// Whose tables they are.
        owner: String,
        /// The first migration that this program does not know.
        found: String,
    },
    /// The text of a migration is not what was applied to this file.
    #[error("migration {name} of {owner} was edited after it had been applied")]
    EditedMigration {
        /// Whose tables they are.
        owner: String,
        /// The migration whose text differs.
        name: String,
    },
    /// The SQLite library has a known corruption bug in its write-ahead log.
    #[error("SQLite {found} is too old, at least {needed} is needed")]
    OldLibrary {
        /// The version that is linked.
        found: String,
        /// The lowest safe version.
        needed: &'static str,
    },
    /// A job panicked or ended the writer's transaction; what it wrote is undone.
    #[error("a database job broke off: {reason}")]
    BrokenJob {
        /// What the job did.
        reason: String,
    },
    /// The thread that owns the connection has ended.
    #[error("the database is closed")]
    Closed,
    /// Any other refusal of SQLite, mostly a constraint or a mistake in SQL.
    #[error(transparent)]
    Sqlite(Arc<rusqlite::Error>),
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy,
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::ReadOnly) => Self::ReadOnly,
            _ => Self::Sqlite(Arc::new(error)),
        }
    }
}

impl Error {
    /// Sorts an error met while opening `path`.
    pub(crate) fn opening(path: &std::path::Path, error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::NotADatabase { path: path.to_owned() },
            Some(ErrorCode::CannotOpen) => Self::CannotOpen { path: path.to_owned(), reason: error.to_string() },
            _ => error.into(),
        }
    }
}
