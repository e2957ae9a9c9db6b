//! Long-term memory: permanent memories of a user.

mod interface;
#[cfg(feature = "sqlite")]
mod pending;
mod rank;
mod row;
#[cfg(feature = "sqlite")]
mod stored;
mod volatile;

pub use interface::LongTermMemory;
pub use rank::{MemoryMatch, rank};
pub use row::{
    Edit, Evidence, Kind, LONGEST_TEXT, MOST_EVIDENCE, Memory, MemoryFilter, MemoryId, NewMemory, Source, Standing,
    What,
};
#[cfg(feature = "sqlite")]
pub use stored::StoredLongTerm;
pub use volatile::VolatileLongTerm;
