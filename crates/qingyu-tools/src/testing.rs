//! Test support: the suite for workspaces, a scripted tool, a producer without models, and fuzzed calls.

pub mod fuzz;
mod no_producer;
pub mod scripted;
pub mod suite;

pub use fuzz::fuzz;
pub use no_producer::NoProducer;
pub use scripted::ScriptedTool;
