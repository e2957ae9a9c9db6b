//! The execution plan of a creation.
//!
//! - [`mod@check`]: a planner's plan becomes one that can run, or says what is wrong with it
//! - [`schedule`]: what may run now, in groups and on the longest chain
//! - [`mod@adjust`]: changes to a plan while it runs
//! - [`fallback`]: the plan to use when there is no other

use std::collections::BTreeSet;

use qingyu_story::Agent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub mod adjust;
pub mod check;
pub mod fallback;
pub mod schedule;
#[cfg(test)]
mod tests;

pub use adjust::adjust;
pub use check::{Checked, Problem, check};
pub use fallback::default_plan;
pub use schedule::ready;

/// What the requirement asks for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RequirementAnalysis {
    /// What kind of work it is.
    #[serde(rename = "type")]
    pub kind: RequirementKind,
    /// How much of it.
    pub complexity: Complexity,
    /// What it takes: `worldview`, `character`, `outline`, `plot`, `style`.
    pub required_capabilities: Vec<String>,
}

/// What kind of work a requirement asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RequirementKind {
    /// A new story.
    #[default]
    NewCreation,
    /// More of a story that is there.
    Extension,
    /// Changes to a story that is there.
    Modification,
}

/// How much work a requirement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Complexity {
    /// One task.
    Simple,
    /// Three to five.
    #[default]
    Medium,
    /// More.
    Complex,
}

/// The steps of a creation and how they hang together.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ExecutionPlan {
    /// The steps, in any order; the review is the last to run.
    pub steps: Vec<Step>,
    /// The sum over the steps.
    pub total_estimated_tokens: u64,
    /// Groups of steps that may run at once. Computed from the dependencies, whatever the planner says.
    pub parallelizable_steps: Vec<Vec<u32>>,
    /// The longest chain by estimated tokens. Computed as well.
    pub critical_path: Vec<u32>,
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Step {
    /// Its number, unique in the plan.
    pub step_id: u32,
    /// Who does it: `worldview_agent`, `character_agent`, `outline_agent`, `plot_agent`, `style_agent`, `review_agent`.
    pub agent: String,
    /// What is to be done.
    pub task_description: String,
    /// Tools it needs.
    pub required_tools: Vec<String>,
    /// Steps whose work it needs.
    pub dependencies: Vec<u32>,
    /// What it will cost.
    pub estimated_tokens: u64,
}

/// What the agents may use.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ToolConfiguration {
    /// Look up passages of the material by their words.
    pub enable_rag: bool,
    /// Look up who is connected with whom.
    pub enable_knowledge_graph: bool,
    /// How much of the material an agent is shown.
    pub context_mode: ContextMode,
}

impl Default for ToolConfiguration {
    fn default() -> Self {
        Self { enable_rag: true, enable_knowledge_graph: false, context_mode: ContextMode::Auto }
    }
}

/// How much of the material an agent is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ContextMode {
    /// What its step depends on.
    #[default]
    Auto,
    /// Names only.
    Minimal,
    /// Everything.
    Full,
}

/// The agent that reviews; the last step of every plan is its.
pub const REVIEW_AGENT: &str = "review_agent";

/// The agents a plan may name, as the planner is told them.
pub const AGENTS: [&str; 6] =
    ["worldview_agent", "outline_agent", "character_agent", "plot_agent", "style_agent", REVIEW_AGENT];

/// The tools a step may ask for, as the planner is told them.
pub const TOOLS: [&str; 6] = ["OutlineTool", "CharacterTool", "RelationTool", "TimelineTool", "SettingTool", "RAGTool"];

/// The most steps a plan may have.
pub const MAX_STEPS: usize = 24;

impl ExecutionPlan {
    /// The step with this number.
    pub fn step(&self, step_id: u32) -> Option<&Step> {
        self.steps.iter().find(|step| step.step_id == step_id)
    }

    /// The steps that `step_id` needs, directly or through others.
    pub fn needed_by(&self, step_id: u32) -> BTreeSet<u32> {
        let mut needed = BTreeSet::new();
        let mut open = vec![step_id];
        while let Some(step) = open.pop().and_then(|id| self.step(id)) {
            open.extend(step.dependencies.iter().filter(|dependency| needed.insert(**dependency)));
        }
        needed
    }
}

impl Step {
    /// The specialist that does it; none for the review.
    pub fn specialist(&self) -> Option<Agent> {
        Agent::ALL.into_iter().find(|agent| agent.name() == self.agent)
    }

    /// Whether it is the review.
    pub fn is_review(&self) -> bool {
        self.agent == REVIEW_AGENT
    }
}
