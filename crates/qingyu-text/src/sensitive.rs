//! Words that somebody objects to, found in one pass however they are disguised.
//!
//! - [`WordLists`], [`Variants`]: the editable lists, and how words are disguised
//! - [`Scanner`]: all of them as one automaton over characters
//! - `symbols`: which characters stand for which; `automaton`: the states; `verify`: what a find must prove
//!
//! The automaton reads symbols instead of bytes: characters that may stand for each other are one symbol, and what may
//! stand between characters is none. So disguises cost nothing while nothing is found, places are those of the original
//! text, and no folded copy of it is made. A find is only a suspicion; it is then proved character by character.

mod automaton;
mod lists;
mod scanner;
mod symbols;
#[cfg(test)]
mod tests;
mod verify;

use std::ops::Range;

use qingyu_story::Severity;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Level;

pub use lists::{Alike, Allowed, Variants, Word, WordList, WordLists};
pub use scanner::Scanner;

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
    /// How bad it is.
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
