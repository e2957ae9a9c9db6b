//! The error type, with variants by possible reaction of the caller.

use std::path::PathBuf;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use std::sync::Arc;

#[cfg(feature = "sqlite")]
use rusqlite::ErrorCode;
#[cfg(feature = "postgres")]
use tokio_postgres::error::SqlState;

/// An error of the database.
///
/// `Clone` because a failed commit fails every job in the same transaction.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// A lock, a connection or a statement timed out, or transactions conflicted; a later retry may succeed.
    #[error("the database is busy: another process is writing to it")]
    Busy,
    /// The disk is full; nothing of the failed transaction was stored.
    #[error("the disk is full")]
    DiskFull,
    /// The file or folder is not writable.
    #[error("the database is read-only")]
    ReadOnly,
    /// The file exists but is not a database, or is damaged.
    #[error("{path} is not a database")]
    NotADatabase {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file is a database with damaged content.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The path of the file.
        path: PathBuf,
        /// The problem reported by SQLite.
        reason: String,
    },
    /// A file exists and must not be overwritten.
    #[error("{path} is there already")]
    Exists {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file cannot be opened or created.
    #[error("cannot open the database {path}: {reason}")]
    CannotOpen {
        /// The path of the file.
        path: PathBuf,
        /// The message of the operating system or SQLite.
        reason: String,
    },
    /// The file has migrations of a newer program, unknown to this program.
    #[error("the database was migrated by a newer program: {owner} has {found}, which is unknown here")]
    NewerSchema {
        /// The owner of the tables.
        owner: String,
        /// The first unknown migration.
        found: String,
    },
    /// The text of a migration differs from the text applied to the file.
    #[error("migration {name} of {owner} was edited after it had been applied")]
    EditedMigration {
        /// The owner of the tables.
        owner: String,
        /// The changed migration.
        name: String,
    },
    /// The SQLite library has a known corruption bug in the write-ahead log.
    #[error("SQLite {found} is too old, at least {needed} is needed")]
    OldLibrary {
        /// The linked version.
        found: String,
        /// The lowest safe version.
        needed: &'static str,
    },
    /// A job panicked or ended the writer's transaction; the writes of the job were rolled back.
    #[error("a database job broke off: {reason}")]
    BrokenJob {
        /// The job's mistake.
        reason: String,
    },
    /// A query returned no row where a row was required.
    #[error("there is no such row")]
    NoRow,
    /// A value in a row has an unexpected type or range.
    #[error("a value cannot be read: {reason}")]
    BadValue {
        /// The mismatch.
        reason: String,
    },
    /// The thread owning the connection has ended.
    #[error("the database is closed")]
    Closed,
    /// The server does not answer, is starting or stopping, or rejected authentication.
    #[error("cannot use the database server {server}: {reason}")]
    Unreachable {
        /// The address of the server.
        server: String,
        /// The message of the server or the network.
        reason: String,
    },
    /// Any other PostgreSQL error, mostly a constraint or a mistake in SQL.
    #[cfg(feature = "postgres")]
    #[error("{}", chain(&**.0))]
    Postgres(Arc<tokio_postgres::Error>),
    /// Any other SQLite error, mostly a constraint or a mistake in SQL.
    #[cfg(feature = "sqlite")]
    #[error(transparent)]
    Sqlite(Arc<rusqlite::Error>),
}

#[cfg(feature = "sqlite")]
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

/// Returns the message of `error` followed by the message of the cause.
#[cfg(feature = "postgres")]
pub(crate) fn chain(error: &tokio_postgres::Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

#[cfg(feature = "postgres")]
impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(code) = error.code() else {
            // Without an answer from the server the connection failed, except for protocol errors.
            let is_lost = error.is_closed()
                || std::error::Error::source(&error).is_some_and(<dyn std::error::Error>::is::<std::io::Error>);
            return if is_lost { Self::unreachable(&error) } else { Self::Postgres(Arc::new(error)) };
        };
        match code {
            &SqlState::TOO_MANY_CONNECTIONS
            | &SqlState::LOCK_NOT_AVAILABLE
            | &SqlState::QUERY_CANCELED
            | &SqlState::T_R_SERIALIZATION_FAILURE
            | &SqlState::T_R_DEADLOCK_DETECTED => Self::Busy,
            &SqlState::DISK_FULL => Self::DiskFull,
            &SqlState::READ_ONLY_SQL_TRANSACTION => Self::ReadOnly,
            // 08 connection, 25P03 ended by the idle timeout, 28 authorization, 3D no such database, 57P server
            // starting or stopping.
            code if ["08", "25P03", "28", "3D", "57P"].iter().any(|class| code.code().starts_with(class)) => {
                Self::unreachable(&error)
            }
            _ => Self::Postgres(Arc::new(error)),
        }
    }
}

#[cfg(feature = "postgres")]
impl Error {
    fn unreachable(error: &tokio_postgres::Error) -> Self {
        Self::Unreachable { server: "PostgreSQL".to_owned(), reason: chain(error) }
    }
}

#[cfg(feature = "sqlite")]
impl Error {
    /// Maps an error met while opening `path`.
    pub(crate) fn opening(path: &std::path::Path, error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::NotADatabase { path: path.to_owned() },
            Some(ErrorCode::CannotOpen) => Self::CannotOpen { path: path.to_owned(), reason: error.to_string() },
            _ => error.into(),
        }
    }
}

impl Error {
    /// Returns whether a write failed because of a duplicate row or a missing referenced row.
    pub fn is_constraint(&self) -> bool {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(error) => error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation),
            #[cfg(feature = "postgres")]
            Self::Postgres(error) => error.code().is_some_and(|code| code.code().starts_with("23")),
            _ => false,
        }
    }
}
