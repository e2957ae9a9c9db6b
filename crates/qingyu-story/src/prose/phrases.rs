//! Stock phrases: an editable list, compiled in.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::Language;

/// A worn phrase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct StockPhrase {
    /// The words.
    pub(crate) text: String,
    /// The weight from 1 (fine occasionally) to 3 (worn out).
    pub(crate) weight: u32,
    /// The language.
    pub(crate) language: Language,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PhraseLists {
    zh: PhraseList,
    en: PhraseList,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PhraseList {
    worn_out: Vec<String>,
    common: Vec<String>,
    light: Vec<String>,
}

static PHRASES: LazyLock<Vec<StockPhrase>> = LazyLock::new(|| {
    let lists: PhraseLists = toml::from_str(include_str!("phrases.toml")).expect("the list is part of the program");
    let of = |list: PhraseList, language| {
        let weighed = [(list.worn_out, 3), (list.common, 2), (list.light, 1)];
        weighed
            .into_iter()
            .flat_map(move |(texts, weight)| texts.into_iter().map(move |text| StockPhrase { text, weight, language }))
    };
    of(lists.zh, Language::Zh).chain(of(lists.en, Language::En)).collect()
});

/// Returns the list from `phrases.toml`.
pub(crate) fn phrases() -> &'static [StockPhrase] {
    &PHRASES
}

/// Returns the weight of a phrase of [`Prose::phrases`](super::Prose::phrases), from 1 (fine occasionally) to 3 (worn
/// out).
///
/// Panics for a number that the list does not have.
pub fn phrase_weight(number: usize) -> u32 {
    PHRASES[number].weight
}
