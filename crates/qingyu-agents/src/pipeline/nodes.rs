//! Nodes of the pipeline.

pub(super) mod directions;
pub(super) mod human;
pub(super) mod meta;
pub(super) mod planner;
pub(super) mod review;
pub(super) mod specialist;
