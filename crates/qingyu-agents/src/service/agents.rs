//! The registry of agents.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::agent::ServiceAgent;

/// Returns the built-in agents, a line each.
fn builtin() -> Vec<Arc<dyn ServiceAgent>> {
    vec![
        Arc::new(super::creative::CreativeAgent),
        Arc::new(super::analysis::AnalysisAgent),
        Arc::new(super::text_review::TextReviewAgent),
        Arc::new(super::assistant::AssistantAgent),
        Arc::new(super::data_analysis::DataAnalysisAgent),
        Arc::new(super::checker::CheckerAgent),
    ]
}

/// Agents by name. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct AgentRegistry(Arc<BTreeMap<&'static str, Arc<dyn ServiceAgent>>>);

impl AgentRegistry {
    /// Returns the built-in agents.
    pub fn builtin() -> Self {
        static BUILTIN: LazyLock<AgentRegistry> =
            LazyLock::new(|| builtin().into_iter().fold(AgentRegistry::default(), AgentRegistry::with));
        BUILTIN.clone()
    }

    /// Registers `agent`, replacing an agent with the same name.
    #[must_use]
    pub(crate) fn with(mut self, agent: Arc<dyn ServiceAgent>) -> Self {
        Arc::make_mut(&mut self.0).insert(agent.name(), agent);
        self
    }

    /// Returns whether an agent with this name is registered.
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Returns the agent with this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Arc<dyn ServiceAgent>> {
        self.0.get(name)
    }

    /// Returns an iterator over all agents, sorted by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<dyn ServiceAgent>> {
        self.0.values()
    }

    /// Returns the names of all agents.
    pub fn names(&self) -> Vec<String> {
        self.0.keys().map(|name| (*name).to_owned()).collect()
    }
}
