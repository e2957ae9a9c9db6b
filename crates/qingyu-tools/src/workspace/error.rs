//! Why a project cannot be read or written, sorted by what the caller can do.

use std::time::Duration;

/// Why a project cannot be read or written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// There is no such project, or not for this caller.
    #[error("there is no project '{project}'")]
    UnknownProject {
        /// What was asked for.
        project: String,
    },
    /// No project was named, and there is not just one.
    #[error("name a project by project_id")]
    NoProject,
    /// Somebody else changed the project since it was read; read it again.
    #[error("the project is at version {found}, not {expected}")]
    Conflict {
        /// The version the change was made for.
        expected: u64,
        /// The version it has.
        found: u64,
    },
    /// It does not answer; later it may.
    #[error("the workspace is not available: {message}")]
    Unavailable {
        /// What happened.
        message: String,
        /// How long to wait, if it is known.
        retry_after: Option<Duration>,
    },
    /// It will not take this change, or not from this caller.
    #[error("the workspace refuses: {message}")]
    Refused {
        /// Why.
        message: String,
    },
    /// A server without transactions took a part of a change only.
    #[error("only {done} of {total} changes were saved, up to version {version}: {message}")]
    PartlySaved {
        /// How many pieces were saved.
        done: usize,
        /// How many there were.
        total: usize,
        /// The version after them.
        version: u64,
        /// What stopped it.
        message: String,
    },
    /// What is stored, or what came over the wire, cannot be read.
    #[error("{what} cannot be read: {message}")]
    Damaged {
        /// What.
        what: String,
        /// What is wrong with it.
        message: String,
    },
}
