//! Limits of the writing.

use qingyu_text::Floor;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::gate::WritingGate;

/// The switches and limits of the writing, `config` in a run's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WritingConfig {
    /// A chapter is only planned and its material gathered: the run ends with a brief for each. For models that cannot
    /// write prose, and for authors who want to.
    pub brief_only: bool,
    /// How often a chapter that does not pass is corrected or rewritten before it is accepted with a warning.
    pub max_retries: u32,
    /// From this score on a chapter passes.
    pub pass: u8,
    /// Below this score a chapter is written again instead of mended.
    pub rewrite_below: u8,
    /// Below this score it is understood again first.
    pub restart_below: u8,
    /// Chinese characters and English words of a chapter for which nothing else is said.
    pub words: u32,
    /// A chapter with more of them is written scene by scene.
    pub scene_limit: u32,
    /// The most tokens of the context card.
    pub card_tokens: u64,
    /// The most passages that are looked up for a chapter.
    pub passages: usize,
    /// How many chapters before the first one are read by a model before it is written, where none has read their
    /// current text.
    pub read_before: u32,
    /// How many chapters are read at once.
    pub read_at_once: usize,
    /// Where a run waits for the author before it goes on: `arc` after each arc, a number after so many chapters, a
    /// severity (`low`, `medium`, `high`, `critical`) after a chapter with such a finding.
    pub gates: Vec<WritingGate>,
    /// What a chapter must have whatever its review says.
    pub floor: Floor,
}

impl Default for WritingConfig {
    fn default() -> Self {
        Self {
            brief_only: false,
            max_retries: 3,
            pass: 70,
            rewrite_below: 60,
            restart_below: 40,
            words: 2_500,
            scene_limit: 3_000,
            card_tokens: 6_000,
            passages: 6,
            read_before: 3,
            read_at_once: 4,
            gates: Vec::new(),
            floor: Floor::default(),
        }
    }
}

impl WritingConfig {
    /// Returns the maximum number of supersteps of a run over `chapters` chapters, for `thread.recursion_limit(..)`.
    ///
    /// Each retry takes at most five: regenerate, understand, retrieval, generation, review. A preceding read of a
    /// chapter takes five as well. A gate, and the plan of a chapter that the outline does not have yet, take two more.
    pub fn supersteps(&self, chapters: u32) -> u32 {
        chapters.saturating_mul(18 + 5 * (self.max_retries + 2)).saturating_add(10 + 5 * self.read_before)
    }
}
