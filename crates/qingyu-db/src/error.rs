//! What can go wrong, sorted by what the caller can do.

use std::path::PathBuf;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use std::sync::Arc;

#[cfg(feature = "sqlite")]
use rusqlite::ErrorCode;
#[cfg(feature = "postgres")]
use tokio_postgres::error::SqlState;

/// Why the database could not do what was asked.
///
/// It is `Clone` because one failed commit fails every job that shared it.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// Another held a lock, or every connection, for longer than the time-out; trying again later may work.
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
    /// The file is a database, and something in it is wrong.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// Nothing is written over what is there.
    #[error("{path} is there already")]
    Exists {
        /// The file.
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
    /// A row was asked for, and there is none.
    #[error("there is no such row")]
    NoRow,
    /// A value in a row is not what it is read as.
    #[error("a value cannot be read: {reason}")]
    BadValue {
        /// Why.
        reason: String,
    },
    /// The thread that owns the connection has ended.
    #[error("the database is closed")]
    Closed,
    /// The server does not answer, is starting or stopping, or does not let us in.
    #[error("cannot use the database server {server}: {reason}")]
    Unreachable {
        /// Where it is.
        server: String,
        /// What it, or the network, said.
        reason: String,
    },
    /// Any other refusal of PostgreSQL, mostly a constraint or a mistake in SQL.
    #[cfg(feature = "postgres")]
    #[error("{}", chain(&**.0))]
    Postgres(Arc<tokio_postgres::Error>),
    /// Any other refusal of SQLite, mostly a constraint or a mistake in SQL.
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

/// What `error` says, with what it says of its cause.
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
            // Without an answer of the server it is the connection, unless we misunderstood each other.
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
            // 08 connection, 25P03 ended for standing idle, 28 authorization, 3D no such database, 57P the server is
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
    /// Sorts an error met while opening `path`.
    pub(crate) fn opening(path: &std::path::Path, error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::NotADatabase { path: path.to_owned() },
            Some(ErrorCode::CannotOpen) => Self::CannotOpen { path: path.to_owned(), reason: error.to_string() },
            _ => error.into(),
        }
    }
}

impl Error {
    /// Whether a row was not written because there is one like it, or because what it names is not there.
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
