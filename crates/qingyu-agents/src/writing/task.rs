//! Tasks of the writing, and constraints on the prose.

use qingyu_story::chapters::ChapterName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::levels::step::PlanTarget;

/// What is to be done. Chapters are named by the number in their heading, their title, their id, or their place (`#4`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum WritingTask {
    /// Chapters are written from the outline.
    Draft {
        /// Which; empty for all that have no text yet.
        #[serde(default, deserialize_with = "qingyu_story::chapters::one_or_several")]
        #[schemars(schema_with = "qingyu_story::chapters::one_or_several_schema")]
        chapters: Vec<ChapterName>,
    },
    /// What the checker finds in the prose of chapters, or in facts that they assert, is mended.
    Correct {
        /// Which; empty for all that have a text.
        #[serde(default, deserialize_with = "qingyu_story::chapters::one_or_several")]
        #[schemars(schema_with = "qingyu_story::chapters::one_or_several_schema")]
        chapters: Vec<ChapterName>,
    },
    /// The book is planned: volumes and arcs as a whole, chapters up to the target. What exists stays as it is.
    Plan {
        /// Up to where.
        #[serde(default)]
        until: PlanTarget,
    },
    /// A part of a chapter is written anew as the author says; everything else stays byte for byte.
    Rewrite {
        /// Which.
        chapter: ChapterName,
        /// Which part of it.
        #[serde(default)]
        part: Part,
        /// What is to become of it.
        instruction: String,
    },
    /// A model reads chapters: it reviews them, and what they say is read into the story; their prose stays.
    #[serde(alias = "settle")]
    Read {
        /// Which; empty for all whose current text no model has read.
        #[serde(default, deserialize_with = "qingyu_story::chapters::one_or_several")]
        #[schemars(schema_with = "qingyu_story::chapters::one_or_several_schema")]
        chapters: Vec<ChapterName>,
    },
}

/// A part of a chapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// Paragraphs, counted from 1, the last one included; blank lines are none.
    Paragraphs {
        /// The first.
        from: usize,
        /// The last.
        to: usize,
    },
    /// Characters (not bytes), counted from 0; the last one is not included.
    Characters {
        /// The first.
        from: usize,
        /// The one after the last.
        to: usize,
    },
}

impl Default for WritingTask {
    fn default() -> Self {
        Self::Draft { chapters: Vec::new() }
    }
}

impl WritingTask {
    /// Returns `draft`, `correct`, `plan`, `rewrite` or `read`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Draft { .. } => "draft",
            Self::Correct { .. } => "correct",
            Self::Plan { .. } => "plan",
            Self::Rewrite { .. } => "rewrite",
            Self::Read { .. } => "read",
        }
    }

    /// Returns whether chapters are written by a plan of their own, which prompts show.
    pub(crate) fn has_plan(&self) -> bool {
        matches!(self, Self::Draft { .. })
    }

    /// Returns the named chapters.
    pub fn chapters(&self) -> &[ChapterName] {
        match self {
            Self::Draft { chapters } | Self::Correct { chapters } | Self::Read { chapters } => chapters,
            Self::Plan { .. } => &[],
            Self::Rewrite { chapter, .. } => std::slice::from_ref(chapter),
        }
    }
}

/// Constraints on the prose.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Constraints {
    /// Length of a chapter in Chinese characters or English words; the default is the outline's length, or the usual
    /// one.
    pub words: Option<u32>,
    /// Text whose style is to be followed.
    pub style_sample: String,
}
