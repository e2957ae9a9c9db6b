//! The steps of a plan, with the analysis and the tools that a planner answers beside them.

use std::collections::BTreeSet;

use qingyu_story::Agent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// The review agent; its step is the last of every plan.
pub const REVIEW_AGENT: &str = "review_agent";

/// Agents allowed in a plan, under the names given to the planner.
pub const AGENTS: [&str; 6] =
    ["worldview_agent", "outline_agent", "character_agent", "plot_agent", "style_agent", REVIEW_AGENT];

/// Tools allowed in a step, under the names given to the planner.
pub const TOOLS: [&str; 6] = ["OutlineTool", "CharacterTool", "RelationTool", "TimelineTool", "SettingTool", "RAGTool"];

/// Maximum number of steps in a plan.
pub(crate) const MAX_STEPS: usize = 24;

impl ExecutionPlan {
    /// Returns the step with this id.
    pub fn step(&self, step_id: u32) -> Option<&Step> {
        self.steps.iter().find(|step| step.step_id == step_id)
    }

    /// Returns the direct and transitive dependencies of `step_id`.
    pub(crate) fn needed_by(&self, step_id: u32) -> BTreeSet<u32> {
        let mut needed = BTreeSet::new();
        let mut open = vec![step_id];
        while let Some(step) = open.pop().and_then(|id| self.step(id)) {
            open.extend(step.dependencies.iter().filter(|dependency| needed.insert(**dependency)));
        }
        needed
    }
}

impl Step {
    /// Returns the specialist of the step; `None` for the review.
    pub(crate) fn specialist(&self) -> Option<Agent> {
        Agent::ALL.into_iter().find(|agent| agent.name() == self.agent)
    }

    /// Returns whether the step is the review.
    pub(crate) fn is_review(&self) -> bool {
        self.agent == REVIEW_AGENT
    }
}
