//! For tests: the suite that every workspace must pass, a tool with a script, and calls with any arguments at all.

pub mod fuzz;
pub mod scripted;
pub mod suite;

pub use fuzz::fuzz;
pub use scripted::ScriptedTool;
