//! Errors of a model folder.

use std::path::{Path, PathBuf};

/// The error of a model folder. Every message names the file.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The file is missing or cannot be read.
    #[error("{} cannot be read: {message}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's error.
        message: String,
    },
    /// The file is damaged, or has an unexpected format.
    #[error("{} is damaged: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Description of the error.
        message: String,
    },
    /// The kind of model is unsupported.
    #[error("{} asks for what is not served: {message}", path.display())]
    Unsupported {
        /// The file with the unsupported setting.
        path: PathBuf,
        /// The required and the supported values.
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
