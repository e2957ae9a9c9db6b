//! What is remembered of a user and a talk.
//!
//! Three kinds of memory, by how long they last:
//!
//! - [`short_term`]: values of one talk, each with an expiry; what has expired is never given back
//! - [`long_term`]: what is known of a user for good: preferences, history, knowledge, with their evidence
//! - [`working`]: what of a conversation still fits into a model's window
//!
//! and what belongs to them:
//!
//! - [`learning`]: what a user does, as long-term memories
//! - [`clock`]: the time, chosen by whoever makes a memory
//! - [`Error`]: what can go wrong, sorted by what the caller can do
//!
//! Nothing here knows a story or a run. Every value belongs to one [`UserId`]; no query crosses users.
//!
//! Features: `sqlite` (default) keeps memories in the studio's file; `testing` has the suites that every implementation
//! of a trait here must pass, wherever it is.

pub mod clock;
mod error;
pub mod learning;
pub mod long_term;
mod name;
pub mod short_term;
#[cfg(feature = "sqlite")]
mod tables;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod working;

pub use clock::{Clock, SystemClock};
pub use error::Error;
pub use long_term::{LongTermMemory, Memory, MemoryId};
pub use name::UserId;
pub use short_term::{ShortTermMemory, Talk};
