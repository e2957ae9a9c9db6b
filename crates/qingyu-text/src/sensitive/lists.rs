//! The lists of words, and the tables of disguises.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{builtin, read};
use crate::{Error, Level};

/// Lists of words: the shape of `data/sensitive.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WordLists {
    /// The lists.
    pub lists: Vec<WordList>,
    /// Harmless longer words.
    pub allowed: Allowed,
}

/// Words of one category and level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WordList {
    /// What they are about; any word.
    pub category: String,
    /// The loosest level that reports them.
    #[serde(default)]
    pub level: Level,
    /// The language of the suggestion.
    #[serde(default)]
    pub language: Option<String>,
    /// What to write instead, for all words that say nothing themselves.
    #[serde(default)]
    pub suggestion: Option<String>,
    /// The words.
    pub words: Vec<Word>,
}

/// A word of a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Word {
    /// The word alone.
    Plain(String),
    /// The word with what to write instead.
    With {
        /// The word.
        word: String,
        /// What to write instead.
        suggestion: String,
    },
}

/// Words in which nothing is found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Allowed {
    /// The words.
    pub words: Vec<String>,
}

/// How words are disguised: the shape of `data/variants.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variants {
    /// What may stand between the characters of a word.
    pub fillers: String,
    /// How many of them in a row.
    pub most_fillers: usize,
    /// What counts as a filler only if something stands in every gap.
    pub separators: String,
    /// Digits and signs that stand for Latin letters.
    pub leet: BTreeMap<char, String>,
    /// Characters that may stand for each other.
    pub alike: Alike,
}

/// Characters that may stand for each other.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Alike {
    /// Groups that look alike.
    pub look: Vec<String>,
    /// Groups that sound alike.
    pub sound: Vec<String>,
    /// The least length of a word in which they may stand for each other by sound.
    pub sound_from: usize,
}

impl WordLists {
    /// The built-in lists.
    pub fn builtin() -> Self {
        builtin(include_str!("../../data/sensitive.toml"))
    }

    /// Reads lists of the user's.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        read("sensitive", toml)
    }

    /// These lists with those of `other`; where both have a word, that of `other` counts.
    pub fn extended(self, other: Self) -> Self {
        let mut allowed = other.allowed;
        allowed.words.extend(self.allowed.words);
        Self { lists: other.lists.into_iter().chain(self.lists).collect(), allowed }
    }
}

impl WordList {
    /// A list of words with nothing more than a category and a level.
    pub fn new(category: &str, level: Level, words: &[&str]) -> Self {
        let words = words.iter().map(|word| Word::Plain((*word).to_owned())).collect();
        Self { category: category.to_owned(), level, language: None, suggestion: None, words }
    }
}

impl Word {
    /// The word.
    pub fn text(&self) -> &str {
        match self {
            Self::Plain(word) | Self::With { word, .. } => word,
        }
    }

    /// What to write instead, if the word itself says so.
    pub fn suggestion(&self) -> Option<&str> {
        match self {
            Self::Plain(_) => None,
            Self::With { suggestion, .. } => Some(suggestion),
        }
    }
}

impl Variants {
    /// The built-in tables.
    pub fn builtin() -> Self {
        builtin(include_str!("../../data/variants.toml"))
    }

    /// Reads tables of the user's.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        read("variants", toml)
    }

    /// These tables with those of `other`, and its numbers instead of these where it has any.
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
