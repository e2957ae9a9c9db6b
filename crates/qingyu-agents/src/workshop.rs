//! Resources of a pipeline.

use std::sync::Arc;

use qingyu_llm::price::Prices;
use qingyu_llm::roles::ModelRoutes;
use qingyu_tools::Engine;

use crate::archive::WorkArchive;
use crate::prompts::Prompts;

/// Models, prompts and settings of a pipeline. Cheap to clone.
#[derive(Debug, Clone)]
pub struct PipelineResources {
    /// Models by purpose.
    pub models: ModelRoutes,
    /// Prices of calls.
    pub prices: Arc<Prices>,
    /// Prompt templates.
    pub prompts: Arc<Prompts>,
    /// Configuration of the checker's rules.
    pub rules: Arc<qingyu_story::check::Config>,
    /// Maximum tokens of an answer; `None` uses the provider's default.
    pub answer_tokens: Option<u32>,
    /// Storage of finished work beside the run's state; `None` stores nothing.
    pub archive: Option<Arc<dyn WorkArchive>>,
    /// Tools of the specialists on the run's project, called where a step of the plan names them; `None` calls none.
    pub tools: Option<Arc<Engine>>,
}

impl PipelineResources {
    /// Returns a workshop with these models, the built-in prompts and prices, all rules, no archive and no tools.
    pub fn new(models: ModelRoutes) -> Self {
        Self {
            models,
            prices: Arc::new(Prices::built_in()),
            prompts: Arc::new(Prompts::builtin()),
            rules: Arc::default(),
            answer_tokens: None,
            archive: None,
            tools: None,
        }
    }
}
