//! Test support: the suite for workspaces, a scripted tool, and fuzzed calls.

pub mod fuzz;
pub mod scripted;
pub mod suite;

pub use fuzz::fuzz;
pub use scripted::ScriptedTool;
