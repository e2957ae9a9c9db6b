//! Errors of engines, grouped by the caller's options.

use crate::pattern;

/// The error of an engine.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The server does not answer, is starting or stopping, or broke off; a retry may succeed.
    #[error("{engine} at {address} does not answer: {reason}")]
    Unreachable {
        /// The name of the engine.
        engine: &'static str,
        /// Host and port; never a password.
        address: String,
        /// The network error.
        reason: String,
    },
    /// A needed resource is locked by another caller; a later retry will succeed.
    #[error("{engine} at {address} is busy")]
    Busy {
        /// The name of the engine.
        engine: &'static str,
        /// Host and port.
        address: String,
    },
    /// The server refused the request.
    #[error("{engine} at {address} refuses: {reason}")]
    Refused {
        /// The name of the engine.
        engine: &'static str,
        /// Host and port.
        address: String,
        /// The server's message.
        reason: String,
    },
    /// The server's response is invalid.
    #[error("{engine} at {address} sent an unexpected answer: {reason}")]
    BadAnswer {
        /// The name of the engine.
        engine: &'static str,
        /// Host and port.
        address: String,
        /// The description of the fault.
        reason: String,
    },
    /// The address of a server cannot be parsed.
    #[error("the address of {engine} cannot be used: {reason}")]
    BadAddress {
        /// The name of the engine.
        engine: &'static str,
        /// The description of the fault, without the address, which may contain a password.
        reason: String,
    },
    /// A vector has another length than the vectors of the same model.
    #[error("vectors of {model} have {expected} dimensions, not {found}")]
    Dimensions {
        /// The model.
        model: String,
        /// The length of the stored vectors.
        expected: usize,
        /// The length of the vector.
        found: usize,
    },
    /// A vector has an infinite value or a NaN.
    #[error("a vector of {model} has a value that is not a finite number")]
    NotFinite {
        /// The model.
        model: String,
    },
    /// The engine does not support the query.
    #[error("{engine} cannot express the query: {what}")]
    Unsupported {
        /// The name of the engine.
        engine: &'static str,
        /// The unsupported part.
        what: String,
    },
    /// The pattern is invalid.
    #[error(transparent)]
    Pattern(#[from] pattern::Error),
}
