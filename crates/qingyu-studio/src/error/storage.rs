//! Failures of the database and of files.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// The number of seconds until a retry of an unavailable or busy database.
const DATABASE_AWAY: u64 = 2;

/// The replacement for the database's address.
const SERVER: &str = "the database server";

/// A failure of the database or of a file.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StorageFailure {
    /// The database server is not usable.
    #[error("cannot use the database server {server}: {message}")]
    Unreachable {
        /// The address of the server.
        server: String,
        /// The message of the server or the network.
        message: String,
    },
    /// Backups are for database files only; a database server has its own tools.
    #[error("the database is on a server, whose own tools copy it: {command}")]
    OnServer {
        /// The command to copy the database.
        command: String,
    },
    /// The target file exists; files are never overwritten.
    #[error("{} is there already", path.display())]
    TargetExists {
        /// The file.
        path: PathBuf,
    },
    /// A database exists at the target of a restore.
    #[error("there is a database already: {}", path.display())]
    HasData {
        /// The database.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("no space left for {}", path.display())]
    DiskFull {
        /// The path.
        path: PathBuf,
    },
    /// The folder or file is not writable.
    #[error("{} cannot be written: {message}", path.display())]
    ReadOnly {
        /// The path.
        path: PathBuf,
        /// The message of the system.
        message: String,
    },
    /// The database is damaged, or the file is no database.
    #[error("{} is damaged: {message}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The damage.
        message: String,
    },
    /// Another process locked the database for too long; retry.
    #[error("{} is busy", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// A newer release wrote the database.
    #[error("{} was written by a newer release", path.display())]
    NewerData {
        /// The file.
        path: PathBuf,
    },
    /// Any other database error.
    #[error("the database failed: {message}")]
    Failed {
        /// The file.
        path: PathBuf,
        /// The database's message.
        message: String,
    },
}

impl StorageFailure {
    /// Returns the data of the failure, an object.
    pub(super) fn data(&self) -> Value {
        match self {
            Self::Unreachable { server, message } => {
                json!({"server": server, "message": message, "retry_after": DATABASE_AWAY})
            }
            Self::OnServer { command } => json!({"command": command}),
            Self::TargetExists { path }
            | Self::HasData { path }
            | Self::DiskFull { path }
            | Self::NewerData { path } => json!({"path": path}),
            Self::Busy { path } => json!({"path": path, "retry_after": DATABASE_AWAY}),
            Self::ReadOnly { path, message } | Self::Corrupt { path, message } | Self::Failed { path, message } => {
                json!({"path": path, "message": message})
            }
        }
    }

    /// Removes folders and the address of the database from the failure.
    pub(super) fn for_others(self) -> Self {
        match self {
            Self::TargetExists { path } => Self::TargetExists { path: name_of(&path) },
            Self::HasData { path } => Self::HasData { path: name_of(&path) },
            Self::DiskFull { path } => Self::DiskFull { path: name_of(&path) },
            Self::Busy { path } => Self::Busy { path: name_of(&path) },
            Self::NewerData { path } => Self::NewerData { path: name_of(&path) },
            Self::ReadOnly { path, message } => {
                Self::ReadOnly { message: without_folder(&message, &path), path: name_of(&path) }
            }
            Self::Corrupt { path, message } => {
                Self::Corrupt { message: without_folder(&message, &path), path: name_of(&path) }
            }
            Self::Failed { path, message } => {
                Self::Failed { message: without_folder(&message, &path), path: name_of(&path) }
            }
            Self::Unreachable { server, message } => {
                let message = message.replace(&server, SERVER);
                tracing::warn!(server, message, "database server unreachable");
                Self::Unreachable { server: SERVER.into(), message }
            }
            // The command has the address of the server and a folder of this machine.
            Self::OnServer { .. } => Self::OnServer { command: "pg_dump".into() },
        }
    }
}

/// Returns the name of the file without its folder.
pub(super) fn name_of(path: &Path) -> PathBuf {
    path.file_name().map(PathBuf::from).unwrap_or_default()
}

/// Returns the message with the path replaced by the file name.
pub(super) fn without_folder(message: &str, path: &Path) -> String {
    match path.parent().and_then(Path::to_str).filter(|folder| folder.len() > 1) {
        Some(folder) => message.replace(&format!("{folder}/"), "").replace(folder, ""),
        None => message.to_owned(),
    }
}
