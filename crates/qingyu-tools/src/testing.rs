//! For tests: the suite that every workspace must pass, and a tool with a script.

pub mod scripted;
pub mod suite;

pub use scripted::ScriptedTool;
