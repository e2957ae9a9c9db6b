//! Stock phrases: an editable list, compiled in.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::Language;

/// A phrase that has been used so often that it says little.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Phrase {
    /// The words.
    pub text: String,
    /// From 1 (fine now and then) to 3 (worn out).
    pub weight: u32,
    /// The language it belongs to.
    pub language: Language,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    zh: List,
    en: List,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    worn_out: Vec<String>,
    common: Vec<String>,
    light: Vec<String>,
}

static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    let lists: Lists = toml::from_str(include_str!("phrases.toml")).expect("the list is part of the program");
    let of = |list: List, language| {
        let weighed = [(list.worn_out, 3), (list.common, 2), (list.light, 1)];
        weighed
            .into_iter()
            .flat_map(move |(texts, weight)| texts.into_iter().map(move |text| Phrase { text, weight, language }))
    };
    of(lists.zh, Language::Zh).chain(of(lists.en, Language::En)).collect()
});

/// The list, from `phrases.toml`.
pub fn phrases() -> &'static [Phrase] {
    &PHRASES
}
