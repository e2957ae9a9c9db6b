//! Limits of a production.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The limits of a production.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ProductionConfig {
    /// Most tokens of what a field is made from, over all its sources.
    pub source_tokens: u64,
    /// How many lines of the conversation a model is shown.
    pub conversation_lines: usize,
    /// After how many questions the interview asks whether that is enough.
    pub interview_questions: usize,
    /// Most sources that a research reads.
    pub research_sources: usize,
    /// Most queries that a research makes.
    pub research_queries: usize,
    /// Most characters of content that a simulated consumer or a judge is given.
    pub reading_characters: usize,
    /// How often content is judged in an evaluation.
    pub evaluation_runs: u32,
}

impl Default for ProductionConfig {
    fn default() -> Self {
        Self {
            source_tokens: 12_000,
            conversation_lines: 12,
            interview_questions: 4,
            research_sources: 10,
            research_queries: 4,
            reading_characters: 40_000,
            evaluation_runs: 3,
        }
    }
}
