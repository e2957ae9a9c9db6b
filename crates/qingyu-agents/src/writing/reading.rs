//! Chapters that are only read: several at a time, side by side, in two passes.
//!
//! ```text
//! next_chapter → extract (each chapter) → record → assess (each chapter) → mark → next_chapter
//! ```
//!
//! What the chapters say goes into the story first, in the order of the book; then each is reviewed against all of it.

use qingyu_story::settlement::Extraction;
use serde::{Deserialize, Serialize};

use super::book::ChapterInHand;
use super::plan::ChapterPlan;
use super::review::{ChapterReview, Verdict};
use super::state::{ContextCard, SettledCounts, Trouble, WritingState};
use crate::call::CallRecord;

/// A chapter that is being read, and what has come of it so far.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ChapterInReading {
    /// The chapter as it was when the reading began.
    pub chapter: ChapterInHand,
    /// What the outline says of it.
    pub plan: ChapterPlan,
    /// The part of the context card that is the same for all chapters.
    pub stable: String,
    /// What a model or the rules read from it.
    pub extraction: Extraction,
    /// The model that read it; none if only rules did.
    pub read_by: Option<String>,
    /// Why no model could read it.
    pub trouble: Option<Trouble>,
    /// Whether its text changed while it was read.
    pub changed: bool,
    /// What settlement brought into the story.
    pub settled: SettledCounts,
    /// What the review came to.
    pub verdict: Option<Verdict>,
    /// What the reviewer said, if it could be read.
    pub review: Option<ChapterReview>,
    /// What its calls cost.
    pub spent: Spent,
}

/// What the calls for a chapter cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Spent {
    /// How many there were.
    pub calls: u32,
    /// Their tokens.
    pub tokens: u64,
    /// Their price in millionths of the currency, as far as it is known.
    pub cost_micros: u64,
}

impl Spent {
    /// Adds a call.
    pub(super) fn add(&mut self, record: &CallRecord) {
        self.calls += 1;
        self.tokens += record.usage.input + record.usage.output;
        self.cost_micros += record.cost_micros.unwrap_or_default();
    }
}

impl ChapterInReading {
    /// The state that the calls for this chapter are made from.
    pub(super) fn state(&self, run: &WritingState) -> WritingState {
        WritingState {
            task: run.task.clone(),
            constraints: run.constraints.clone(),
            config: run.config.clone(),
            user_id: run.user_id.clone(),
            project_id: run.project_id.clone(),
            run_id: run.run_id.clone(),
            language: run.language,
            golden_context: run.golden_context.clone(),
            preferences: run.preferences.clone(),
            chapter: Some(self.chapter.clone()),
            plan: self.plan.clone(),
            tools_to_use: super::TOOLS.map(str::to_owned).to_vec(),
            content_draft: self.chapter.text.clone(),
            retrieved_context: ContextCard { stable: self.stable.clone(), ..ContextCard::default() },
            extraction: self.extraction.clone(),
            ..WritingState::default()
        }
    }

    /// Whether a model has read the text as it stands in the book, and reviewed it.
    pub(super) fn is_read(&self) -> bool {
        !self.changed && self.read_by.is_some() && self.verdict.as_ref().is_some_and(|verdict| verdict.read)
    }
}
