//! Reactions of the studio itself to an error: retry, wait, or record it as plain data.

use crate::error::record::FailureRecord;
use crate::error::{Error, StorageFailure};

impl Error {
    /// Returns the error as plain data.
    pub fn failure(&self) -> FailureRecord {
        FailureRecord { code: self.code().into(), message: self.to_string(), data: self.data() }
    }
}

impl Error {
    /// Returns whether the database was unavailable, or locked for too long.
    pub(crate) fn is_of_absent_database(&self) -> bool {
        matches!(self, Self::Storage(StorageFailure::Unreachable { .. } | StorageFailure::Busy { .. }))
    }

    /// Returns whether the database's disk was full or not writable.
    pub(crate) fn is_of_bad_disk(&self) -> bool {
        matches!(self, Self::Storage(StorageFailure::DiskFull { .. } | StorageFailure::Failed { .. }))
    }

    /// Returns whether a later retry of the run may succeed.
    pub(crate) fn is_passing(&self) -> bool {
        let is_in_the_way = matches!(self, Self::ThreadBusy { .. } | Self::Overloaded { .. } | Self::Stopping { .. });
        is_in_the_way || self.is_of_absent_database() || self.is_of_bad_disk()
    }
}
