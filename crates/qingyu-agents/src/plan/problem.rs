//! Validation errors of a plan.

use serde::{Deserialize, Serialize};

/// A validation error in a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PlanProblem {
    /// No steps.
    #[error("the plan has no step that makes anything")]
    Empty,
    /// Too many steps.
    #[error("the plan has {count} steps, at most {max} are allowed")]
    TooManySteps {
        /// Number of steps.
        count: usize,
        /// Maximum number of steps.
        max: usize,
    },
    /// An unknown agent.
    #[error("step {step} names the agent {agent:?}, which does not exist")]
    UnknownAgent {
        /// Id of the step.
        step: u32,
        /// Name of the agent.
        agent: String,
    },
    /// A duplicate step id.
    #[error("the number {step} is given to several steps")]
    DuplicateStep {
        /// The duplicate id.
        step: u32,
    },
    /// A dependency on an unknown step.
    #[error("step {step} depends on step {dependency}, which does not exist")]
    UnknownDependency {
        /// Id of the step.
        step: u32,
        /// Id of the dependency.
        dependency: u32,
    },
    /// A dependency cycle.
    #[error("the steps {} wait for each other", join(steps))]
    Cycle {
        /// Ids of the cycle; each step waits for the next, the last for the first.
        steps: Vec<u32>,
    },
    /// More than one review.
    #[error("the steps {} are all reviews, one is allowed", join(steps))]
    SeveralReviews {
        /// Ids of the reviews.
        steps: Vec<u32>,
    },
    /// A step depends on the review.
    #[error("step {step} depends on the review, which comes last")]
    AfterReview {
        /// Id of the step.
        step: u32,
    },
}

fn join(steps: &[u32]) -> String {
    steps.iter().map(u32::to_string).collect::<Vec<_>>().join(" -> ")
}
