//! Who may ask: accounts and their keys, what they did, and which requests were answered already.
//!
//! Changes of accounts and keys are written with their entry in the audit, both or neither.

mod accounts;
mod audit;
pub(crate) mod idempotency;
mod keys;
mod used;

pub use accounts::{Account, Accounts, Role};
pub use audit::{Act, Audit, AuditCheck, AuditRow};
pub use idempotency::{Begun, Idempotency, Ticket};
pub use keys::{ApiKey, KeyLimits, Keys};
pub use used::KeyUse;
