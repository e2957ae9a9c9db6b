//! The context of the prompt that splits a task.

use qingyu_story::Language;
use serde::{Deserialize, Serialize};

/// Context of purpose `orchestrator.split`; fills `prompts/orchestrator/split`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct SplitContext {
    /// The user's words.
    pub description: String,
    /// Language of the description.
    pub language: Language,
    /// Available agents, a line each.
    pub(crate) agents: Vec<AgentSummary>,
    /// The chapter named by the task.
    pub chapter: Option<String>,
    /// Whether the task includes a text.
    pub has_text: bool,
    /// Maximum number of parts.
    pub max_subtasks: usize,
}

impl SplitContext {
    /// Returns whether the agent `name` is available.
    pub fn offers(&self, name: &str) -> bool {
        self.agents.iter().any(|agent| agent.name == name)
    }
}

/// An agent, as listed in the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct AgentSummary {
    /// Name of the agent.
    pub(crate) name: String,
    /// Skills of the agent.
    pub(crate) does: String,
    /// Whether the agent may propose changes of a text.
    pub(crate) changes: bool,
}
