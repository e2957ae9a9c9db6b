//! The input and the result of a research, and what its parts share: calls, and words on one line.

use qingyu_production::research::Report;
use qingyu_story::Language;

use crate::call::{CallRecord, CallSpec};
use crate::production::names::RESEARCHER;
use crate::prompts::PromptName;

/// The input of a research.
pub(in crate::production) struct ResearchRequest {
    pub(in crate::production) question: String,
    pub(in crate::production) premise: String,
    /// The constraints of the project.
    pub(in crate::production) rules: Vec<String>,
    pub(in crate::production) language: Language,
    pub(in crate::production) max_queries: usize,
    pub(in crate::production) max_sources: usize,
}

/// The result of a research.
pub(in crate::production) struct ResearchResult {
    pub(in crate::production) report: Report,
    pub(in crate::production) records: Vec<CallRecord>,
    pub(in crate::production) warnings: Vec<String>,
}

/// Returns the words separated by single blanks.
pub(super) fn folded(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the words on one line, at most `most` characters of it.
pub(super) fn line(words: &str, most: usize) -> String {
    folded(words).chars().take(most).collect()
}

/// Returns the spec of a research call.
pub(super) fn call(act: &'static str, part: String, name: PromptName) -> CallSpec<'static> {
    CallSpec::of(RESEARCHER, format!("research.{act}"), part, [PromptName::RESEARCH_SYSTEM, name], 0.0)
}
