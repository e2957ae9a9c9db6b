//! Kinds of failures.

use super::Error;

/// What the caller can do about a failure. Each door derives its status from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The request says what cannot be: change it.
    Input,
    /// The request, or a text in it, is too long: shorten it.
    TooLong,
    /// The caller is not known: give a key.
    Unauthenticated,
    /// The caller may not do this.
    Forbidden,
    /// What is named does not exist.
    NotFound,
    /// Another caller has changed it or is at work on it: read it again, then ask again.
    Conflict,
    /// It is not in the state that this needs: bring it there first.
    State,
    /// A model, or its provider's filter, does not do this: ask for something else or another model.
    Refused,
    /// More than a limit allows at the moment: ask again later.
    Limit,
    /// The budget is used up: raise it.
    Budget,
    /// A key, a model or a setting is missing or wrong here.
    Setup,
    /// The provider refuses the account, or does not answer at the address that is set.
    Account,
    /// The provider of a model failed: ask again later, or another one.
    Provider,
    /// The server or its database is not available at the moment: ask again later.
    Unavailable,
    /// A step of a run failed: its message says why.
    Step,
    /// No space is left.
    DiskFull,
    /// Files or tables cannot be used as they are.
    Storage,
    /// Stored data are damaged.
    Damaged,
    /// A fault of this program.
    Internal,
}

impl ErrorKind {
    /// Whether the message may tell of the machine that it runs on, and is for its log alone.
    pub fn is_of_the_machine(self) -> bool {
        matches!(self, Self::DiskFull | Self::Storage | Self::Damaged | Self::Internal)
    }
}

impl Error {
    /// Whether the database was away, or busy for too long.
    pub(crate) fn is_of_absent_database(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::DatabaseBusy { .. })
    }

    /// Whether the disk of the database was full, or could not be written.
    pub(crate) fn is_of_bad_disk(&self) -> bool {
        matches!(self, Self::DiskFull { .. } | Self::Storage { .. })
    }

    /// Whether a run may be gone on with a little later all the same.
    pub(crate) fn is_passing(&self) -> bool {
        let is_in_the_way = matches!(self, Self::ThreadBusy { .. } | Self::Overloaded { .. } | Self::Stopping { .. });
        is_in_the_way || self.is_of_absent_database() || self.is_of_bad_disk()
    }
}
