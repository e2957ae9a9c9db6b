//! The lists of words, and the tables of disguises.

use std::collections::BTreeMap;
use std::ops::Range;

use qingyu_story::language::simplified;
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
    /// The word with what to write instead, or with what must stand beside it.
    With {
        /// The word.
        word: String,
        /// What to write instead.
        #[serde(default)]
        suggestion: Option<String>,
        /// What may stand right before it; empty if anything may. `^` is the beginning of a clause.
        #[serde(default)]
        after: Vec<String>,
        /// What may stand right behind it; empty if anything may. `$` is the end of a clause.
        #[serde(default)]
        before: Vec<String>,
        /// What must not stand right before it: with it, the characters belong to other words.
        #[serde(default)]
        not_after: Vec<String>,
        /// What must not stand right behind it.
        #[serde(default)]
        not_before: Vec<String>,
    },
}

/// What must and must not stand beside a word, so that parts of other words are told from it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Surroundings {
    after: Vec<String>,
    before: Vec<String>,
    not_after: Vec<String>,
    not_before: Vec<String>,
}

impl Surroundings {
    /// Whether the word counts at those bytes of the text. Letters are compared in small and simplified form.
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
            Self::With { suggestion, .. } => suggestion.as_deref(),
        }
    }

    /// What must and must not stand beside it.
    pub(super) fn surroundings(&self) -> Surroundings {
        match self {
            Self::Plain(_) => Surroundings::default(),
            Self::With { after, before, not_after, not_before, .. } => Surroundings {
                after: after.clone(),
                before: before.clone(),
                not_after: not_after.clone(),
                not_before: not_before.clone(),
            },
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
