//! What is wrong with a folder.

use std::path::{Path, PathBuf};

/// Why a folder cannot serve. Every message names the file.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The file is not there, or cannot be read.
    #[error("{} cannot be read: {message}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        message: String,
    },
    /// The file is damaged, or not what its name says.
    #[error("{} is damaged: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The model is of a kind that is not served.
    #[error("{} asks for what is not served: {message}", path.display())]
    Unsupported {
        /// The file that says so.
        path: PathBuf,
        /// What it asks for, and what is served.
        message: String,
    },
}

impl Error {
    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        Self::Unreadable { path: path.into(), message: error.to_string() }
    }

    pub(crate) fn damaged(path: &Path, message: impl std::fmt::Display) -> Self {
        Self::Damaged { path: path.into(), message: message.to_string() }
    }

    pub(crate) fn unsupported(path: &Path, message: impl Into<String>) -> Self {
        Self::Unsupported { path: path.into(), message: message.into() }
    }
}
