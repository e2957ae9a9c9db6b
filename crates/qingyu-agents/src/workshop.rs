//! What a pipeline works with.

use std::sync::Arc;

use qingyu_llm::price::Prices;
use qingyu_llm::roles::Models;

use crate::archive::Archive;
use crate::prompts::Prompts;

/// Models, prompts and settings of a pipeline. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Workshop {
    /// Which model serves which purpose.
    pub models: Models,
    /// What calls cost.
    pub prices: Arc<Prices>,
    /// The prompts.
    pub prompts: Arc<Prompts>,
    /// Which rules of the checker run.
    pub rules: Arc<qingyu_story::check::Config>,
    /// The most tokens an answer may have; the provider's own limit when absent.
    pub answer_tokens: Option<u32>,
    /// Where finished work is kept, beside the run's own state.
    pub archive: Option<Arc<dyn Archive>>,
}

impl Workshop {
    /// A workshop with these models, the built-in prompts and prices, all rules and no archive.
    pub fn new(models: Models) -> Self {
        Self {
            models,
            prices: Arc::new(Prices::built_in()),
            prompts: Arc::new(Prompts::builtin()),
            rules: Arc::default(),
            answer_tokens: None,
            archive: None,
        }
    }
}
