//! Execution plans of a creation.
//!
//! - [`mod@check`]: validates and completes a planner's plan
//! - [`schedule`]: ready steps, parallel groups and the critical path
//! - `adjust`: changes to a plan during its run
//! - [`fallback`]: plans without a planner
//!
//! All of them work on the steps in `steps`; `problem` has the validation errors.

pub(crate) mod adjust;
pub mod check;
pub mod fallback;
mod problem;
pub mod schedule;
mod steps;
#[cfg(test)]
mod tests;

pub(crate) use adjust::adjust;
pub use check::check;
pub use fallback::{default_plan, fixed_plan};
pub use problem::PlanProblem;
pub use schedule::ready;
pub(crate) use steps::MAX_STEPS;
pub use steps::{
    AGENTS, Complexity, ContextMode, ExecutionPlan, REVIEW_AGENT, RequirementAnalysis, RequirementKind, Step, TOOLS,
    ToolConfiguration,
};
