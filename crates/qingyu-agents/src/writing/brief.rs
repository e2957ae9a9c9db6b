//! Chapter briefs for a human writer: the plan and the necessary context.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plan::ChapterPlan;

/// What somebody needs who writes a chapter by hand.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Brief {
    /// The number of the chapter.
    pub chapter: u32,
    /// Its title.
    pub title: String,
    /// Chinese characters or English words that it is to have.
    pub words: u32,
    /// What is to happen; gaps are marked `〔待写〕`.
    pub plan: ChapterPlan,
    /// Whether the plan was made from the outline alone.
    pub from_outline: bool,
    /// What must be known: the context card.
    pub card: String,
}
