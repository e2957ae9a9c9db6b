//! Threads of a graph in a store.
//!
//! `snapshot` is a thread as stored; `handle` starts and resumes runs; `history`, `fork`, `call` and `upkeep` import
//! both.

mod call;
mod fork;
mod handle;
mod history;
mod snapshot;
mod upkeep;

pub use call::Call;
pub use handle::Thread;
pub use history::{Page, PastCheckpoint, ThreadMoment};
pub use snapshot::{CheckpointId, Snapshot};
