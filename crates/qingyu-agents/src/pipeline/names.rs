//! Names of the nodes of the pipeline, beside those of the agents.

/// Name of the node that offers directions of a new book, if requested.
pub(crate) const DIRECTIONS: &str = "directions";
/// Name of the planner node.
pub const PLANNER: &str = "planner_agent";
/// Name of the node that starts ready agents.
pub(crate) const DISPATCH: &str = "dispatch";
/// Name of the node that decides after a report.
pub(crate) const META_SCHEDULER: &str = "meta_scheduler";
/// Name of the node that asks a person.
pub const HUMAN_REVIEW: &str = "human_review";
