//! A word that was found, and how it was disguised.

use std::ops::Range;

use qingyu_story::Severity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::level::Level;

/// A word that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hit {
    /// Its bytes in the text.
    pub span: Range<usize>,
    /// The text as it stands there.
    pub text: String,
    /// The word of the list.
    pub word: String,
    /// The category of its list.
    pub category: String,
    /// The loosest level that reports it.
    pub level: Level,
    /// How it is disguised, if it is.
    pub disguise: Option<Disguise>,
    /// What to write instead.
    pub suggestion: Option<String>,
}

impl Hit {
    /// Returns the severity.
    pub fn severity(&self) -> Severity {
        self.level.severity()
    }
}

/// How a word is disguised. Where it is in several ways, the last of these is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Disguise {
    /// Full-width or other forms of the same letters.
    Width,
    /// Traditional characters.
    Traditional,
    /// Something stands between the characters.
    Spaced,
    /// Characters that look alike.
    LooksAlike,
    /// Characters that sound alike.
    SoundsAlike,
    /// Digits and signs for letters.
    Leet,
}
