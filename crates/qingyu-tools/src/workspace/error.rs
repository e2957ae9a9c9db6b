//! Errors of reading and writing a project, grouped by the caller's options.

use std::time::Duration;

/// The error of reading or writing a project.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The project does not exist, or not for the caller.
    #[error("there is no project '{project}'")]
    UnknownProject {
        /// The requested project.
        project: String,
    },
    /// No project was named, and there is not exactly one.
    #[error("name a project by project_id")]
    NoProject,
    /// The project was changed since it was read; read again.
    #[error("the project is at version {found}, not {expected}")]
    Conflict {
        /// The expected version.
        expected: u64,
        /// The current version.
        found: u64,
    },
    /// The store is unavailable; a retry may succeed.
    #[error("the workspace is not available: {message}")]
    Unavailable {
        /// Description of the failure.
        message: String,
        /// Wait before a retry, if known.
        retry_after: Option<Duration>,
    },
    /// The change is refused, or the caller is not authorized.
    #[error("the workspace refuses: {message}")]
    Refused {
        /// The reason.
        message: String,
    },
    /// A server without transactions saved only part of a change.
    #[error("only {done} of {total} changes were saved, up to version {version}: {message}")]
    PartlySaved {
        /// Number of pieces saved.
        done: usize,
        /// Number of pieces in total.
        total: usize,
        /// The resulting version.
        version: u64,
        /// The interrupting error.
        message: String,
    },
    /// The stored or received data cannot be parsed.
    #[error("{what} cannot be read: {message}")]
    Damaged {
        /// The damaged data.
        what: String,
        /// Description of the error.
        message: String,
    },
}

/// Returns the error for a project that cannot be found.
pub(super) fn unknown(project: Option<&str>) -> Error {
    Error::UnknownProject { project: project.unwrap_or_default().to_owned() }
}
