//! The records of a thread: their content, the state rebuilt from them, and the writer of a run.
//!
//! `body` and `call_site` are the content of records; `pending` and `rebuilt` read it, and `writer` imports them.

mod body;
mod call_site;
mod pending;
mod rebuilt;
mod writer;

pub(crate) use body::{CheckpointMark, StoredStep};
pub use body::{ReachedBreakpoint, Source};
pub(crate) use call_site::CallSite;
pub(crate) use pending::{OpenQuestion, PendingSuperstep, read_pending};
pub(crate) use rebuilt::{RebuiltCheckpoint, ReplayWeight};
pub use writer::Durability;
pub(crate) use writer::{CheckpointChange, ThreadJournalWriter};
