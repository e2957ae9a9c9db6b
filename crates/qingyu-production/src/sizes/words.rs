//! Word lists for sizes in a user's words, for both languages, since people mix languages.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::topic::find;

/// The file of the lists.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SizeFile {
    things: Vec<CountedThing>,
    words: SizeWords,
}

/// Lists of fields, and what their entries are called.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CountedThing {
    /// The names of the lists.
    pub(super) lists: Vec<String>,
    /// Chinese measure words, the longest first.
    pub(super) zh: Vec<String>,
    /// English words in the singular.
    pub(super) en: Vec<String>,
}

/// The other lists.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SizeWords {
    /// Units of length.
    pub(super) units: Vec<String>,
    pub(super) each: Vec<String>,
    pub(super) total: Vec<String>,
    pub(super) at_most: Vec<String>,
    pub(super) at_least: Vec<String>,
    pub(super) about: Vec<String>,
    pub(super) only: Vec<String>,
    /// Words before a number that say nothing about what it counts.
    pub(super) soft: Vec<String>,
    pub(super) relative: Vec<String>,
    pub(super) numbered: Vec<String>,
    pub(super) difference: Vec<String>,
    pub(super) between: Vec<String>,
    pub(super) never: Vec<String>,
    pub(super) changing: Vec<String>,
}

static FILE: LazyLock<SizeFile> =
    LazyLock::new(|| toml::from_str(include_str!("../../data/sizes.toml")).expect("the lists compiled in are tested"));

/// The lists of words.
pub(super) static WORDS: LazyLock<&SizeWords> = LazyLock::new(|| &FILE.words);

/// The things that can be counted.
pub(super) static THINGS: LazyLock<&[CountedThing]> = LazyLock::new(|| FILE.things.as_slice());

/// Returns whether a clause in lower case has one of the words.
pub(super) fn has(clause: &str, words: &[String]) -> bool {
    words.iter().any(|word| find(clause, word).is_some())
}

/// Returns `text` without one of the words at its end.
pub(super) fn without_end<'t>(text: &'t str, words: &[String]) -> Option<&'t str> {
    let text = text.trim_end();
    let rest = |word: &String| {
        let rest = text.strip_suffix(word.as_str())?;
        // A Latin word ends only where a word ends.
        let is_cut = word.starts_with(|c: char| c.is_ascii_alphanumeric())
            && rest.ends_with(|c: char| c.is_ascii_alphanumeric());
        (!is_cut).then_some(rest)
    };
    words.iter().filter_map(rest).min_by_key(|rest| rest.len())
}

/// Returns whether `text` begins with one of the words.
pub(super) fn begins(text: &str, words: &[String]) -> bool {
    words.iter().any(|word| find(text.trim_start(), word) == Some(0))
}
