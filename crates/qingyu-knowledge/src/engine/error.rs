//! What can go wrong with an engine, sorted by what the caller can do.

use crate::pattern;

/// Why an engine could not do what was asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The server does not answer, is starting or stopping, or broke off; trying again may work.
    #[error("{engine} at {address} does not answer: {reason}")]
    Unreachable {
        /// What it is.
        engine: &'static str,
        /// Host and port; never a password.
        address: String,
        /// What the network said.
        reason: String,
    },
    /// Somebody else holds what is needed; trying again later will work.
    #[error("{engine} at {address} is busy")]
    Busy {
        /// What it is.
        engine: &'static str,
        /// Host and port.
        address: String,
    },
    /// The server answers and does not do it.
    #[error("{engine} at {address} refuses: {reason}")]
    Refused {
        /// What it is.
        engine: &'static str,
        /// Host and port.
        address: String,
        /// What it said.
        reason: String,
    },
    /// What the server sent is not what it should be.
    #[error("{engine} at {address} sent what was not expected: {reason}")]
    BadAnswer {
        /// What it is.
        engine: &'static str,
        /// Host and port.
        address: String,
        /// What is wrong.
        reason: String,
    },
    /// The address of a server cannot be read.
    #[error("the address of {engine} cannot be used: {reason}")]
    BadAddress {
        /// What it is.
        engine: &'static str,
        /// What is wrong with it; it does not repeat the address, which may hold a password.
        reason: String,
    },
    /// A vector of another length than those of the same model.
    #[error("vectors of {model} have {expected} dimensions, not {found}")]
    Dimensions {
        /// The model.
        model: String,
        /// The length of what is kept.
        expected: usize,
        /// The length of this one.
        found: usize,
    },
    /// A vector with an infinite value, or one that is no number.
    #[error("a vector of {model} has a value that is not a finite number")]
    NotFinite {
        /// The model.
        model: String,
    },
    /// The engine has no words for it.
    #[error("{engine} cannot say it: {what}")]
    Unsupported {
        /// What it is.
        engine: &'static str,
        /// What it cannot say.
        what: String,
    },
    /// The pattern cannot be asked.
    #[error(transparent)]
    Pattern(#[from] pattern::Error),
}

impl Error {
    /// What to do about it, if there is more to say than the error does.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unreachable { .. } => Some("start the server, or set its address in the settings; then try again"),
            Self::Busy { .. } => Some("try again in a moment"),
            Self::Refused { .. } => Some("look at the user, the password and the rights in the settings"),
            Self::BadAddress { .. } => Some("write it as scheme://host:port"),
            Self::Dimensions { .. } => {
                Some("give the new embedder another name, or forget the project and embed it anew")
            }
            Self::BadAnswer { .. } | Self::NotFinite { .. } | Self::Unsupported { .. } | Self::Pattern(_) => None,
        }
    }
}
