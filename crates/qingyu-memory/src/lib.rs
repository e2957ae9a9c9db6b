//! Memories of a user and of a conversation.
//!
//! Three kinds of memory, by lifetime:
//!
//! - [`short_term`]: values of one conversation, each with an expiry; an expired value is never returned
//! - [`long_term`]: permanent memories of a user: preferences, history, knowledge, with evidence
//! - [`working`]: the part of a conversation that fits into a model's window
//!
//! and related modules:
//!
//! - [`learning`]: long-term memories from a user's actions
//! - [`clock`]: the time, chosen by the creator of a memory
//! - `name`: validated names; `tables`: the tables of memories, for both databases
//! - [`Error`]: errors, grouped by the caller's options
//!
//! Nothing here knows a story or a run. Every value belongs to one [`UserId`]; no query crosses users.
//!
//! Features: `sqlite` (default) stores memories in the studio's file; `testing` has the test suites for every
//! implementation of the traits here, and in-memory implementations.

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
