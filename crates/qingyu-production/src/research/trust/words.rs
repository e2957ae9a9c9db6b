//! The lists of words for judging pages and sentences, from `data/trust.toml`.

use std::sync::LazyLock;

use qingyu_story::language::has_words;
use serde::Deserialize;

/// Lists of words and phrases, lower case, in both languages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrustWords {
    pub(super) orders: Vec<String>,
    pub(super) markers: Vec<String>,
    pub(super) speakers: Vec<String>,
    pub(super) leaving: Vec<String>,
    pub(super) instructions: Vec<String>,
    pub(super) urging: Vec<String>,
    pub(super) addressing: Vec<String>,
    pub(super) machines: Vec<String>,
    pub(super) helpers: Vec<String>,
    pub(super) people: Vec<String>,
    pub(super) commands: Vec<String>,
    pub(super) continuing: Vec<String>,
    pub(super) selling: Vec<String>,
    pub(super) recommending: Vec<String>,
    pub(super) banning: Vec<String>,
    pub(super) banned: Vec<String>,
    pub(super) refusing: Vec<String>,
    pub(super) doing: Vec<String>,
    pub(super) done: Vec<String>,
    pub(super) counting: Vec<String>,
}

pub(super) static WORDS: LazyLock<TrustWords> = LazyLock::new(|| {
    toml::from_str(include_str!("../../../data/trust.toml")).expect("the lists compiled in are tested")
});

/// Returns whether the text, in lower case, has a phrase of the list.
pub(super) fn has(text: &str, list: &[String]) -> bool {
    list.iter().any(|words| has_words(text, words))
}
