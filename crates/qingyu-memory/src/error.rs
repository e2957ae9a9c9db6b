//! Errors of memories, grouped by the caller's options.

/// The error of a memory.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The user has no memory with the id.
    #[error("there is no memory {id}")]
    Unknown {
        /// The requested id.
        id: String,
    },
    /// The user already has a memory of the same kind, project and topic; edit the existing memory.
    #[error("this is remembered already, as {id}")]
    AlreadyThere {
        /// The id of the existing memory.
        id: String,
    },
    /// A concurrent writer has changed the memory since the caller's read; fetch the memory again.
    #[error("memory {id} has changed: it is at revision {found}, not {expected}")]
    Changed {
        /// The memory.
        id: String,
        /// The revision read by the caller.
        expected: u64,
        /// The current revision.
        found: u64,
    },
    /// An argument is invalid.
    #[error("the {what} cannot be kept: {reason}")]
    Unfit {
        /// The argument: `text`, `key`, `user` …
        what: &'static str,
        /// The reason.
        reason: String,
    },
    /// The messages that must be kept exceed the budget.
    #[error("the messages that must stay take {needed} tokens, more than the budget of {budget}")]
    OverBudget {
        /// The tokens of the messages that must be kept.
        needed: u64,
        /// The budget in tokens.
        budget: u64,
    },
    /// A stored row cannot be deserialized: damaged, or written by a newer program.
    #[error("what is kept of {what} cannot be read: {message}")]
    BadRow {
        /// The damaged value.
        what: String,
        /// The description of the fault.
        message: String,
    },
    /// The embedded database, or the PostgreSQL server, returned an error.
    #[error(transparent)]
    Database(#[from] qingyu_db::Error),
    /// Another server does not answer, or refuses to authenticate; a later retry may succeed.
    #[error("cannot use {engine}: {reason}")]
    Unreachable {
        /// The server, such as `Redis`.
        engine: &'static str,
        /// The error of the server or the network.
        reason: String,
    },
    /// Another server answered, but refused the request.
    #[error("{engine} refused: {reason}")]
    Refused {
        /// The server, such as `MongoDB`.
        engine: &'static str,
        /// The server's message.
        reason: String,
    },
}

#[cfg(feature = "sqlite")]
impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error.into())
    }
}
