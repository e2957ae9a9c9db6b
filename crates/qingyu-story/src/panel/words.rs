//! The words of panels, from `words.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::Language;
use crate::language::{has_words, is_han};
use crate::names::fold;

/// The words of one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PanelWords {
    pub(super) titles: Vec<String>,
    pub(super) owners: Vec<String>,
    others: Vec<String>,
    skip: Vec<String>,
    not_now: Vec<String>,
    disguised: Vec<String>,
    stranger: Vec<String>,
    of: Vec<String>,
    by_hand: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WordFile {
    zh: PanelWords,
    en: PanelWords,
}

static WORDS: LazyLock<WordFile> =
    LazyLock::new(|| toml::from_str(include_str!("words.toml")).expect("the words are part of the program"));

impl PanelWords {
    /// Returns the words of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        match language {
            Language::Zh => &WORDS.zh,
            Language::En => &WORDS.en,
        }
    }

    /// Returns the words for a text, by its script.
    pub(crate) fn for_text(text: &str) -> &'static Self {
        Self::of(Language::of_script(text))
    }

    /// Returns whether a title or the sentence before a panel refers to another time or supposes something.
    pub(crate) fn is_not_now(&self, words: &str) -> bool {
        has(words, &self.not_now)
    }

    /// Returns whether a title or the sentence before a panel mentions a deception.
    pub(crate) fn is_disguised(&self, words: &str) -> bool {
        has(words, &self.disguised)
    }

    /// Returns whether a title or the sentence before a panel mentions a person without a name.
    pub(crate) fn is_of_stranger(&self, words: &str) -> bool {
        has(words, &self.stranger)
    }

    /// Returns whether the narration mentions points that are distributed without a notice.
    pub(crate) fn is_by_hand(&self, words: &str) -> bool {
        has(words, &self.by_hand)
    }

    /// Returns whether a key or title belongs to something other than a person.
    pub(crate) fn is_of_other(&self, words: &str) -> bool {
        let words = fold(words);
        self.others.iter().any(|other| match other.chars().any(is_han) {
            true => words.starts_with(other.as_str()),
            false => {
                words.strip_prefix(fold(other).as_str()).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
            }
        })
    }

    /// Returns whether the number behind a key is not a value of a person, and is ignored.
    pub(crate) fn is_skipped(&self, key: &str) -> bool {
        let key = fold(key);
        self.skip.iter().any(|skipped| fold(skipped) == key)
    }

    /// Returns whether `behind`, the words behind a name, begin a title: `的面板`, `'s status`.
    pub(crate) fn begins_title(&self, behind: &str) -> bool {
        let behind = fold(behind);
        self.of.iter().any(|of| {
            let rest = behind.strip_prefix(of.trim()).map(str::trim_start);
            rest.is_some_and(|rest| self.titles.iter().any(|title| rest.starts_with(title.as_str())))
        })
    }
}

/// Returns whether one of the words is in the text; English words as whole words.
fn has(text: &str, words: &[String]) -> bool {
    let text = fold(text);
    words.iter().any(|word| has_words(&text, word))
}
