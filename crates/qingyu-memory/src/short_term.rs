//! Short-term memory: values of one talk, each with an expiry.

mod interface;
#[cfg(feature = "sqlite")]
mod stored;
mod volatile;

pub use interface::{DEFAULT_LIFETIME, LARGEST_VALUE, LONGEST_LIFETIME, ShortTermMemory, Talk, TalkEntry};
#[cfg(feature = "sqlite")]
pub use stored::StoredShortTerm;
pub use volatile::VolatileShortTerm;
