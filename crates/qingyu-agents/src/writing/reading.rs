//! Chapters that are only read: several concurrently, in two passes.
//!
//! ```text
//! next_chapter → extract (each chapter) → record → assess (each chapter) → mark → next_chapter
//! ```
//!
//! Extracted facts are inserted into the story first, in the order of the book; then each chapter is reviewed against
//! all of them.

use qingyu_story::settlement::Extraction;
use serde::{Deserialize, Serialize};

use super::accepted::SettledCounts;
use super::book::ChapterInHand;
use super::plan::ChapterPlan;
use super::review::{ChapterReview, Verdict};
use super::trouble::Trouble;
use crate::call::CallRecord;

/// A chapter during its reading, with the results so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ChapterInReading {
    /// The chapter, as of the start of the reading.
    pub(crate) chapter: ChapterInHand,
    /// Plan of the chapter, from the outline.
    pub(crate) plan: ChapterPlan,
    /// Part of the context card shared by all chapters.
    pub(crate) stable: String,
    /// Facts extracted by a model or by rules.
    pub(crate) extraction: Extraction,
    /// The reading model; `None` for rules alone.
    pub(crate) read_by: Option<String>,
    /// Reason no model could read the chapter.
    pub(crate) trouble: Option<Trouble>,
    /// Whether the text changed during the reading.
    pub(crate) changed: bool,
    /// Number of pieces inserted by the settlement.
    pub(crate) settled: SettledCounts,
    /// Verdict of the review.
    pub(crate) verdict: Option<Verdict>,
    /// The reviewer's answer, if valid.
    pub(crate) review: Option<ChapterReview>,
    /// Costs of the calls.
    pub(crate) spent: CallCosts,
}

/// The costs of the calls for a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct CallCosts {
    /// Number of calls.
    pub(crate) calls: u32,
    /// Tokens of the calls.
    pub(crate) tokens: u64,
    /// Known price in millionths of the currency.
    pub(crate) cost_micros: u64,
}

impl CallCosts {
    /// Adds the costs of a call.
    pub(super) fn add(&mut self, record: &CallRecord) {
        self.calls += 1;
        self.tokens += record.tokens();
        self.cost_micros += record.cost_micros.unwrap_or_default();
    }
}

impl ChapterInReading {
    /// Returns whether a model has read and reviewed the current text.
    pub(super) fn is_read(&self) -> bool {
        !self.changed && self.read_by.is_some() && self.verdict.as_ref().is_some_and(|verdict| verdict.read)
    }
}
