//! Names of the orchestrator and its nodes.

/// The orchestrator's name in errors and cost records.
pub(crate) const NAME: &str = "orchestrator";
/// Name of the node that splits the task.
pub const SPLIT: &str = "split";
/// Name of the node that starts ready sub-tasks.
pub(crate) const DISPATCH: &str = "dispatch";
/// Name of the node that runs one sub-task.
pub(crate) const WORK: &str = "work";
/// Name of the node that writes proposals.
pub(crate) const SETTLE: &str = "settle";
/// Name of the node that returns the answer.
pub(crate) const GATHER: &str = "gather";
