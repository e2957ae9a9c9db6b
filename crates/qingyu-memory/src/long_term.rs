//! Long-term memory: permanent memories of a user.

mod interface;
#[cfg(feature = "sqlite")]
mod pending;
mod rank;
pub(crate) mod row;
#[cfg(feature = "sqlite")]
mod stored;

pub use interface::LongTermMemory;
pub use rank::{MemoryMatch, rank};
pub use row::{Edit, Evidence, Kind, LONGEST_TEXT, Memory, MemoryFilter, MemoryId, NewMemory, Source, Standing, What};
#[cfg(feature = "sqlite")]
pub use stored::StoredLongTerm;
