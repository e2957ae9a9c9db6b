//! Doubles for tests: a scripted search and reader.

mod scripted;

pub use scripted::{ScriptedReader, ScriptedSearch};
