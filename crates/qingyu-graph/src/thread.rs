//! Threads of a graph in a store.
//!
//! `snapshot` is the content of a thread; `stored` starts and resumes runs whatever the state, and `handle` is the same
//! for a type of state; `history`, `fork`, `call` and `upkeep` import all three, and add to both.

mod call;
mod fork;
mod handle;
mod history;
mod snapshot;
mod stored;
mod upkeep;

pub use call::Call;
pub use handle::Thread;
pub use history::{Page, PastCheckpoint, ThreadMoment};
pub use snapshot::{CheckpointId, Snapshot};
