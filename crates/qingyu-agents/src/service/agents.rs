//! Which agents there are.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use super::Agent;
use crate::prompts::Folder;

/// The agents that are built in: a line each.
fn builtin() -> Vec<Arc<dyn Agent>> {
    vec![
        Arc::new(super::creative::Creative),
        Arc::new(super::analysis::Analysis),
        Arc::new(super::text_review::TextReview),
        Arc::new(super::assistant::Assistant),
        Arc::new(super::data_analysis::DataAnalysis),
        Arc::new(super::checker::Checker),
    ]
}

/// Agents by name. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Agents(Arc<BTreeMap<&'static str, Arc<dyn Agent>>>);

impl Agents {
    /// Those that are built in.
    pub fn builtin() -> Self {
        static BUILTIN: LazyLock<Agents> =
            LazyLock::new(|| builtin().into_iter().fold(Agents::default(), Agents::with));
        BUILTIN.clone()
    }

    /// The same with `agent`, in the place of the one of that name if there is one.
    #[must_use]
    pub fn with(mut self, agent: Arc<dyn Agent>) -> Self {
        Arc::make_mut(&mut self.0).insert(agent.name(), agent);
        self
    }

    /// The agent of that name.
    pub fn find(&self, name: &str) -> Option<&Arc<dyn Agent>> {
        self.0.get(name)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Agent>> {
        self.0.values()
    }

    /// Their names.
    pub fn names(&self) -> Vec<String> {
        self.0.keys().map(|name| (*name).to_owned()).collect()
    }
}

/// The prompts of the agents that are built in.
pub(crate) fn prompt_folders() -> Vec<&'static Folder> {
    Agents::builtin().iter().filter_map(|agent| agent.prompts()).collect()
}
