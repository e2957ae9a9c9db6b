//! Access control: accounts and their keys, the audit log, and idempotent requests.
//!
//! Changes of accounts and keys are committed together with their audit entry.

mod accounts;
pub(crate) mod audit;
pub(crate) mod idempotency;
mod keys;
pub(crate) mod used;

pub use accounts::{AccountRole, Accounts, UserAccount};
pub use audit::{Audit, AuditAct, AuditCheck, AuditRow};
pub use idempotency::{Idempotency, RequestStart, RequestTicket};
pub use keys::{ApiKey, KeyLimits, Keys};
pub use used::KeyUse;
