//! The names of the start and the end in edges and targets.

/// The start of every run; not a node.
pub const START: &str = "__start__";
/// The end of a branch of a run; not a node.
pub const END: &str = "__end__";
