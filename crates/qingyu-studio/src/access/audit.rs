//! What was done, by whom, from where, with what end.

use jiff::Timestamp;
use qingyu_store::{Act, Audit, AuditCheck, AuditRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Access, Right};
use crate::Error;

/// The most entries of one list.
const MOST: usize = 1000;

/// An entry of the audit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditEntry {
    /// Its place, from 1.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub user: String,
    /// The id of the key that was used.
    pub key: Option<String>,
    /// What, such as `key.make`.
    pub action: String,
    /// To what, such as the id of a key.
    pub object: String,
    /// From where.
    pub origin: String,
    /// `ok`, or the code of a failure.
    pub result: String,
    /// Of the entry and of all before it.
    pub digest: String,
}

/// How the audit stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditState {
    /// How many entries hold together, from the first.
    pub rows: u64,
    /// The digest of the last of them. Noted elsewhere, it shows later that nothing before was changed.
    pub digest: String,
    /// The first place where an entry was changed, added or is missing; none if all is well.
    pub broken_at: Option<u64>,
}

impl From<AuditRow> for AuditEntry {
    fn from(row: AuditRow) -> Self {
        let AuditRow { seq, at, act: Act { user, key, action, object, origin, result }, digest } = row;
        Self { seq, at, user, key, action, object, origin, result, digest }
    }
}

impl Access {
    /// What was done, newest first, at most `most` entries before place `before`: everything for [`Right::Admin`], one's own
    /// for others.
    pub async fn audit(&self, before: Option<u64>, most: usize) -> Result<Vec<AuditEntry>, Error> {
        let user = (!self.scope().may(Right::Admin)).then(|| self.scope().user());
        let rows = self.audit_table().list(user, before, most.min(MOST)).await.map_err(|error| self.failed(error))?;
        Ok(rows.into_iter().map(AuditEntry::from).collect())
    }

    /// Goes along the whole chain, and names the first place where it is broken. Demands [`Right::Admin`].
    pub async fn verify_audit(&self) -> Result<AuditState, Error> {
        self.scope().demand(Right::Admin)?;
        let AuditCheck { rows, digest, broken_at } =
            self.audit_table().verify().await.map_err(|error| self.failed(error))?;
        Ok(AuditState { rows, digest, broken_at })
    }

    /// Writes down what whoever asks has done to `object`, and what came of it. Names and ids only: no contents, no secrets.
    pub async fn record<T>(&self, action: &str, object: &str, result: &Result<T, Error>) -> Result<(), Error> {
        self.record_as(action, object, result.as_ref().err().map_or("ok", Error::code)).await
    }

    /// The same, with the code of what came of it: `ok`, or that of the failure.
    pub async fn record_as(&self, action: &str, object: &str, result: &str) -> Result<(), Error> {
        let act = Act { result: result.to_owned(), ..self.act(action, object) };
        self.audit_table().append(act, Timestamp::now()).await.map_err(|error| self.failed(error))
    }

    fn audit_table(&self) -> Audit {
        Audit::new(self.studio.database())
    }
}
