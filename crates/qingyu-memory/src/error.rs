//! What can go wrong, sorted by what the caller can do.

/// Why a memory could not do what was asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The user has no memory with this id.
    #[error("there is no memory {id}")]
    Unknown {
        /// What was asked for.
        id: String,
    },
    /// The user has a memory of this kind, project and topic already; change that one.
    #[error("this is remembered already, as {id}")]
    AlreadyThere {
        /// The memory that is there.
        id: String,
    },
    /// Another writer has changed the memory since it was read; read it again.
    #[error("memory {id} has changed: it is at revision {found}, not {expected}")]
    Changed {
        /// The memory.
        id: String,
        /// The revision that the caller had read.
        expected: u64,
        /// The revision that it has.
        found: u64,
    },
    /// What was given cannot be kept.
    #[error("the {what} cannot be kept: {reason}")]
    Unfit {
        /// What was given: `text`, `key`, `user` …
        what: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// What must stay of a conversation is more than the budget; nothing can be left out for it.
    #[error("what must stay costs {needed} tokens, more than the budget of {budget}")]
    OverBudget {
        /// The tokens of what must stay.
        needed: u64,
        /// The tokens there are.
        budget: u64,
    },
    /// What is kept cannot be read: it is damaged, or of a newer program.
    #[error("what is kept of {what} cannot be read: {message}")]
    BadRow {
        /// Which value.
        what: String,
        /// What is wrong with it.
        message: String,
    },
    /// The embedded database, or the PostgreSQL server, said no.
    #[error(transparent)]
    Database(#[from] qingyu_db::Error),
    /// Another server does not answer, or does not let us in; trying again later may work.
    #[error("cannot use {engine}: {reason}")]
    Unreachable {
        /// Which server, such as `Redis`.
        engine: &'static str,
        /// What it, or the network, said.
        reason: String,
    },
    /// Another server answered, but did not do what was asked.
    #[error("{engine} refused: {reason}")]
    Refused {
        /// Which server, such as `MongoDB`.
        engine: &'static str,
        /// What it said.
        reason: String,
    },
}

#[cfg(feature = "sqlite")]
impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error.into())
    }
}
