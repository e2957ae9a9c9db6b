//! The word lists and disguise tables.

use std::collections::BTreeMap;
use std::ops::Range;

use qingyu_story::language::simplified;
use serde::{Deserialize, Serialize};

use crate::error::{builtin, read};
use crate::{Error, Level};

/// Word lists parsed from `data/sensitive.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WordLists {
    /// The lists.
    pub(crate) lists: Vec<WordList>,
    /// Harmless longer words.
    pub(crate) allowed: AllowedWords,
}

/// Words of a category and level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WordList {
    /// The category; any word.
    pub(crate) category: String,
    /// The loosest level which reports the words.
    #[serde(default)]
    pub(crate) level: Level,
    /// The language of the suggestion.
    #[serde(default)]
    pub(crate) language: Option<String>,
    /// The default replacement for words without a suggestion.
    #[serde(default)]
    pub(crate) suggestion: Option<String>,
    /// The words.
    pub(crate) words: Vec<ListedWord>,
}

/// A word of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum ListedWord {
    /// A word without options.
    Plain(String),
    /// A word with a suggestion or context conditions.
    With {
        /// The word.
        word: String,
        /// The suggested replacement.
        #[serde(default)]
        suggestion: Option<String>,
        /// Texts allowed directly before the word; empty allows any. `^` is the beginning of a clause.
        #[serde(default)]
        after: Vec<String>,
        /// Texts allowed directly after the word; empty allows any. `$` is the end of a clause.
        #[serde(default)]
        before: Vec<String>,
        /// Texts forbidden directly before the word, because the characters then belong to other words.
        #[serde(default)]
        not_after: Vec<String>,
        /// Texts forbidden directly after the word.
        #[serde(default)]
        not_before: Vec<String>,
    },
}

/// Context conditions, to distinguish a word from parts of other words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct WordContext {
    after: Vec<String>,
    before: Vec<String>,
    not_after: Vec<String>,
    not_before: Vec<String>,
}

impl WordContext {
    /// Returns whether the context of the byte range fulfils the conditions. Letters are compared in lower case and
    /// simplified form.
    pub(super) fn fit(&self, text: &str, span: &Range<usize>) -> bool {
        const REACH: usize = 16;
        if *self == Self::default() {
            return true;
        }
        let plain = |c: char| simplified(c).to_ascii_lowercase();
        let mut left: Vec<char> = text[..span.start].chars().rev().take(REACH).map(plain).collect();
        left.reverse();
        let left: String = left.into_iter().collect();
        let right: String = text[span.end..].chars().take(REACH).map(plain).collect();
        let is_border = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != ' ');
        let ends = |word: &String| match word.as_str() {
            "^" => is_border(left.chars().next_back()),
            word => left.ends_with(word),
        };
        let begins = |word: &String| match word.as_str() {
            "$" => is_border(right.chars().next()),
            word => right.starts_with(word),
        };
        (self.after.is_empty() || self.after.iter().any(ends))
            && (self.before.is_empty() || self.before.iter().any(begins))
            && !self.not_after.iter().any(ends)
            && !self.not_before.iter().any(begins)
    }
}

/// Harmless words; matches within are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AllowedWords {
    /// The words.
    pub(crate) words: Vec<String>,
}

/// The disguises of words, parsed from `data/variants.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variants {
    /// Characters allowed between the characters of a word.
    pub(crate) fillers: String,
    /// The most fillers in a row.
    pub(crate) most_fillers: usize,
    /// Characters which count as fillers only if every gap is filled.
    pub(crate) separators: String,
    /// Digits and signs in place of Latin letters.
    pub(crate) leet: BTreeMap<char, String>,
    /// Interchangeable characters.
    pub(crate) alike: AlikeCharacters,
}

/// Groups of interchangeable characters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AlikeCharacters {
    /// Groups of similar appearance.
    pub(crate) look: Vec<String>,
    /// Groups of similar sound.
    pub(crate) sound: Vec<String>,
    /// The least length of a word for replacement by sound.
    pub(crate) sound_from: usize,
}

impl WordLists {
    /// Returns the built-in lists.
    pub fn builtin() -> Self {
        builtin(include_str!("../../data/sensitive.toml"))
    }

    /// Parses user-supplied lists.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        read("sensitive", toml)
    }

    /// Returns the lists extended by `other`, which overrides duplicate words.
    pub fn extended(self, other: Self) -> Self {
        let mut allowed = other.allowed;
        allowed.words.extend(self.allowed.words);
        Self { lists: other.lists.into_iter().chain(self.lists).collect(), allowed }
    }
}

impl ListedWord {
    /// Returns the word.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Plain(word) | Self::With { word, .. } => word,
        }
    }

    /// Returns the word's own suggestion, if any.
    pub(super) fn suggestion(&self) -> Option<&str> {
        match self {
            Self::Plain(_) => None,
            Self::With { suggestion, .. } => suggestion.as_deref(),
        }
    }

    /// Returns the context conditions.
    pub(super) fn surroundings(&self) -> WordContext {
        match self {
            Self::Plain(_) => WordContext::default(),
            Self::With { after, before, not_after, not_before, .. } => WordContext {
                after: after.clone(),
                before: before.clone(),
                not_after: not_after.clone(),
                not_before: not_before.clone(),
            },
        }
    }
}

impl Variants {
    /// Returns the built-in tables.
    pub fn builtin() -> Self {
        builtin(include_str!("../../data/variants.toml"))
    }

    /// Parses user-supplied tables.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        read("variants", toml)
    }

    /// Returns the tables extended by `other`, with numbers overridden where given.
    pub fn extended(mut self, other: Self) -> Self {
        self.fillers.push_str(&other.fillers);
        self.separators.push_str(&other.separators);
        for (sign, letters) in other.leet {
            self.leet.entry(sign).or_default().push_str(&letters);
        }
        self.alike.look.extend(other.alike.look);
        self.alike.sound.extend(other.alike.sound);
        let newer = |mine: usize, others: usize| if others == 0 { mine } else { others };
        self.most_fillers = newer(self.most_fillers, other.most_fillers);
        self.alike.sound_from = newer(self.alike.sound_from, other.alike.sound_from);
        self
    }
}
