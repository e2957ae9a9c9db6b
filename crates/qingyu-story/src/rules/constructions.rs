//! The constructions of QS034, parsed from `constructions.toml`.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use crate::Language;
use crate::prose::{Prose, expression};

/// A construction that a chapter may use too often.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Construction {
    /// The language of the texts that may have it.
    pub(super) language: Language,
    /// The construction as shown to the author.
    pub(super) name: String,
    /// The expression that finds it.
    #[serde(deserialize_with = "expression")]
    pattern: Regex,
    /// The number of uses in a thousand words (Chinese characters) up to which nothing is reported.
    pub(super) most: usize,
    /// Sentences that have it, for the tests.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests read it"))]
    fires: Vec<String>,
    /// Sentences that only look like it, for the tests.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests read it"))]
    spares: Vec<String>,
}

/// Returns the constructions of a language.
pub(super) fn of(language: Language) -> impl Iterator<Item = &'static Construction> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Table {
        construction: Vec<Construction>,
    }
    static ALL: LazyLock<Vec<Construction>> = LazyLock::new(|| {
        let table: Table = toml::from_str(include_str!("constructions.toml"))
            .unwrap_or_else(|error| panic!("the constructions are part of the program: {error}"));
        table.construction
    });
    ALL.iter().filter(move |construction| construction.language == language)
}

impl Construction {
    /// Returns the byte ranges of its uses in the narration of a text.
    pub(super) fn uses(&self, text: &str, prose: &Prose) -> Vec<Range<usize>> {
        let shown = self.pattern.captures_iter(text).filter_map(|found| Some(found.get(1).or(found.get(0))?.range()));
        shown.filter(|range| !prose.is_spoken(range.start)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_construction_is_found_in_its_sentences_and_in_no_others() {
        for construction in [Language::Zh, Language::En].into_iter().flat_map(of) {
            let count = |text: &String| construction.uses(text, &Prose::of(text)).len();
            for text in &construction.fires {
                assert!(count(text) > 0, "{} in {text}", construction.name);
            }
            for text in &construction.spares {
                assert_eq!(count(text), 0, "{} in {text}", construction.name);
            }
        }
    }

    #[test]
    fn what_is_said_aloud_does_not_count() {
        let text = "“那不是风，而是脚步。”他说。";
        let found: usize = of(Language::Zh).map(|construction| construction.uses(text, &Prose::of(text)).len()).sum();
        assert_eq!(found, 0);
    }
}
