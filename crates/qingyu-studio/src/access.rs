//! Authorization: callers and their rights, users, keys with limits, and the audit log.
//!
//! Modules, lowest first: `limits`, `ears`, `presented`; the caller's `scope`; `control` with the [`AccessControl`], and its
//! operations in `users`, `keys`, `members` and `audit`.

pub(crate) mod audit;
pub(crate) mod control;
pub(crate) mod ears;
pub(crate) mod keys;
pub(crate) mod limits;
pub(crate) mod members;
pub(crate) mod presented;
pub(crate) mod scope;
pub(crate) mod users;

pub use audit::{AuditEntry, AuditState};
pub use control::AccessControl;
pub use keys::{CreatedKey, KeyRequest, KeyRow, KeyState};
pub use limits::{ExceededLimit, KeyUsageLimits};
pub use members::{CreatedMember, MemberRequest, MemberRow};
pub use presented::Secret;
pub use scope::{AccessScope, Right};
pub use users::{UserRequest, UserRole, UserRow};
