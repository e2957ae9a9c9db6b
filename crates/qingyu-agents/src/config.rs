//! Switches and limits of the pipeline.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::meta_scheduler::Thresholds;

/// The switches of the pipeline, `pipeline_config` in a run's state. With all switches off it is the fixed pipeline of
/// version 1: outline, characters, plot, review; a failed review starts again from the first agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PipelineConfig {
    /// How many directions of a new book a person may choose from before it is planned; none are offered at 0.
    pub directions: u32,
    /// A planner makes the plan; otherwise it is the default one: world, outline, characters, plot, style, review.
    pub enable_planner: bool,
    /// A failed review is diagnosed and only the pieces with issues are corrected; otherwise everything is regenerated.
    pub enable_meta_scheduler: bool,
    /// Agents see the project's material as `context_mode` says; otherwise only what their step depends on.
    pub enable_workspace_context: bool,
    /// Agents may be given passages found by their words, if the plan asks for it.
    pub enable_rag: bool,
    /// Agents may be shown the connections between characters, if the plan asks for it.
    pub enable_knowledge_graph: bool,
    /// Agents are shown the author's preferences, and new ones are learnt from the author's decisions.
    pub preferences: bool,
    /// How many correction rounds there may be before a person decides.
    pub max_iterations: u32,
    /// Which score leads where.
    pub(crate) thresholds: Thresholds,
    /// The share of what is missing to 100 that a round must gain; with less, a person decides.
    pub auto_downgrade_threshold: f64,
}

impl Default for PipelineConfig {
    fn default() -> Self {
        Self {
            directions: 0,
            enable_planner: true,
            enable_meta_scheduler: true,
            enable_workspace_context: true,
            enable_rag: true,
            enable_knowledge_graph: true,
            preferences: true,
            max_iterations: 3,
            thresholds: Thresholds::default(),
            auto_downgrade_threshold: 0.3,
        }
    }
}

impl PipelineConfig {
    /// Returns whether all switches of version 2 are off: the run has the fixed course of version 1.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        let is_version_2 = self.enable_planner
            || self.enable_meta_scheduler
            || self.enable_workspace_context
            || self.enable_rag
            || self.enable_knowledge_graph;
        !is_version_2
    }

    /// Returns the maximum number of supersteps of a run, for `thread.recursion_limit(..)`.
    ///
    /// Each step of a plan and each corrected agent takes two; room is left for a few rejections and a dozen requests
    /// for other directions.
    pub fn supersteps(&self) -> u32 {
        let rounds = self.max_iterations + 8;
        2 * crate::plan::MAX_STEPS as u32 + 40 + rounds * 16
    }
}
