//! Management of users and keys for a caller.

use qingyu_store::AuditAct;

use crate::access::scope::AccessScope;
use crate::error::Error;
use crate::studio::Studio;

/// Management of users and keys for the caller with the [`AccessScope`] of the [`Studio`]. Every change is appended to the
/// audit log.
#[derive(Debug, Clone)]
pub struct AccessControl {
    pub(super) studio: Studio,
    pub(super) origin: String,
}

impl Studio {
    /// Returns the management of users, keys and the audit log.
    pub fn access(&self) -> AccessControl {
        AccessControl { studio: self.clone(), origin: self.origin().to_owned() }
    }
}

impl AccessControl {
    /// Sets the caller's origin, such as an address, for the audit log.
    #[must_use]
    pub fn from(self, origin: &str) -> Self {
        Self { origin: origin.to_owned(), ..self }
    }

    pub(super) fn scope(&self) -> &AccessScope {
        self.studio.scope()
    }

    pub(crate) fn act(&self, action: &str, object: &str) -> AuditAct {
        AuditAct {
            user: self.scope().user().to_owned(),
            key: self.scope().key().map(str::to_owned),
            action: action.to_owned(),
            object: object.to_owned(),
            origin: self.origin.clone(),
            result: "ok".to_owned(),
        }
    }

    pub(super) fn failed(&self, error: qingyu_store::Error) -> Error {
        self.studio.place("").store(error)
    }
}
