//! Limits of the writing.

use qingyu_text::Floor;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The switches and limits of the writing, `config` in a run's state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WritingConfig {
    /// A chapter is only planned and its material gathered: the run ends with a brief for each. For models that cannot
    /// write prose, and for authors who want to.
    pub brief_only: bool,
    /// How often a chapter that does not pass is mended or written again before it is taken with a warning.
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
            floor: Floor::default(),
        }
    }
}

impl WritingConfig {
    /// How many supersteps a run of that many chapters takes at most: `thread.recursion_limit(..)` for it.
    ///
    /// Each retry takes at most four: regenerate, understand, retrieval, generation and the next review of them. Each
    /// chapter may be read first, which takes five.
    pub fn supersteps(&self, chapters: u32) -> u32 {
        chapters.saturating_mul(16 + 5 * (self.max_retries + 2)).saturating_add(10 + 5 * self.read_before)
    }
}
