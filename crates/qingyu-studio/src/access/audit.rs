//! The audit log: actor, origin, action and result of each administrative change.

use jiff::Timestamp;
use qingyu_store::{Audit, AuditAct, AuditCheck, AuditRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::control::AccessControl;
use crate::access::scope::Right;
use crate::error::Error;

/// The maximum number of entries per page.
const MOST: usize = 1000;

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditEntry {
    /// The sequence number, from 1.
    pub seq: u64,
    /// The time.
    pub at: Timestamp,
    /// The user.
    pub user: String,
    /// The ID of the used key.
    pub key: Option<String>,
    /// The action, such as `key.make`.
    pub action: String,
    /// The object, such as the ID of a key.
    pub object: String,
    /// The origin of the call.
    pub origin: String,
    /// The result: `ok`, or the code of a failure.
    pub result: String,
    /// The digest of the entry and all entries before.
    pub digest: String,
}

/// The result of verifying the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditState {
    /// The number of valid entries, from the first.
    pub rows: u64,
    /// The digest of the last valid entry. Stored elsewhere, the digest proves later that no earlier entry was changed.
    pub digest: String,
    /// The first sequence number with a changed, inserted or missing entry; `None` for an intact log.
    pub broken_at: Option<u64>,
}

impl From<AuditRow> for AuditEntry {
    fn from(row: AuditRow) -> Self {
        let AuditRow { seq, at, act: AuditAct { user, key, action, object, origin, result }, digest } = row;
        Self { seq, at, user, key, action, object, origin, result, digest }
    }
}

impl AccessControl {
    /// Returns entries, newest first, at most `most`, before sequence number `before`: all entries for
    /// [`Right::Admin`], the caller's own entries otherwise.
    pub async fn audit(&self, before: Option<u64>, most: usize) -> Result<Vec<AuditEntry>, Error> {
        let user = (!self.scope().may(Right::Admin)).then(|| self.scope().user());
        let rows = self.audit_table().list(user, before, most.min(MOST)).await.map_err(|error| self.failed(error))?;
        Ok(rows.into_iter().map(AuditEntry::from).collect())
    }

    /// Verifies the whole chain and returns the first broken entry, if any. Requires [`Right::Admin`].
    pub async fn verify_audit(&self) -> Result<AuditState, Error> {
        self.scope().demand(Right::Admin)?;
        let AuditCheck { rows, digest, broken_at } =
            self.audit_table().verify().await.map_err(|error| self.failed(error))?;
        Ok(AuditState { rows, digest, broken_at })
    }

    /// Appends an entry about the caller's action on `object` and its result. Names and IDs only: no contents, no
    /// secrets.
    pub async fn record<T>(&self, action: &str, object: &str, result: &Result<T, Error>) -> Result<(), Error> {
        self.record_as(action, object, result.as_ref().err().map_or("ok", Error::code)).await
    }

    /// Appends an entry with a result code: `ok`, or the code of the failure.
    pub async fn record_as(&self, action: &str, object: &str, result: &str) -> Result<(), Error> {
        let act = AuditAct { result: result.to_owned(), ..self.act(action, object) };
        self.audit_table().append(act, Timestamp::now()).await.map_err(|error| self.failed(error))
    }

    fn audit_table(&self) -> Audit {
        Audit::new(self.studio.database())
    }
}
