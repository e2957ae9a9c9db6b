//! Short-term memory: values of one talk, each with an expiry.

pub(crate) mod interface;
#[cfg(feature = "sqlite")]
mod stored;

pub use interface::{DEFAULT_LIFETIME, ShortTermMemory, Talk, TalkEntry};
#[cfg(feature = "sqlite")]
pub use stored::StoredShortTerm;
