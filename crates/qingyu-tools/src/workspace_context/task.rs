//! A writing task.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What the context is for.
    pub(super) task_type: TaskType,
    /// How far around the chapter to look: what the chapter itself names; also what is tied to that; everything.
    pub(super) context_scope: Scope,
    /// The chapter: the id or name of its outline node, or of its text. Left out, continue_writing takes the last one
    /// that has text, create_chapter the first after it that has none.
    pub(super) chapter_id: Option<String>,
    /// Characters that matter beside those of the chapter: ids, names or aliases.
    pub(super) character_ids: Option<Vec<String>>,
    /// The most tokens that related_content may cost; 8000 if left out.
    #[schemars(range(min = 50, max = 1_000_000))]
    pub(super) max_tokens: Option<u64>,
}

/// What the context is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TaskType {
    ContinueWriting,
    CreateChapter,
    ReviewContent,
}

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scope {
    CurrentChapter,
    FullProject,
    RelatedEntities,
}
