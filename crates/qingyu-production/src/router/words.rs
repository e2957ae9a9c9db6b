//! The words by which it is known what a user wants, of both languages: people mix them.

use std::sync::LazyLock;

use serde::Deserialize;

use super::Intent;

/// The lists of one language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    pub(super) advance: Vec<String>,
    pub(super) affirm: Vec<String>,
    pub(super) filler: Vec<String>,
    pub(super) go_to: Vec<String>,
    pub(super) negation: Vec<String>,
    pub(super) but: Vec<String>,
    pub(super) question: Vec<String>,
    pub(super) request: Vec<String>,
    pub(super) opinion: Vec<String>,
    pub(super) hedge: Vec<String>,
    pub(super) chat: Vec<String>,
    pub(super) things: Vec<String>,
    strong: ByIntent,
    weak: ByIntent,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ByIntent {
    research: Vec<String>,
    generate: Vec<String>,
    modify: Vec<String>,
    query: Vec<String>,
}

impl ByIntent {
    fn of(&self, intent: Intent) -> &[String] {
        match intent {
            Intent::Research => &self.research,
            Intent::Generate => &self.generate,
            Intent::Modify => &self.modify,
            Intent::Query => &self.query,
            Intent::AdvancePhase | Intent::Chat => &[],
        }
    }
}

static WORDS: LazyLock<[Words; 2]> = LazyLock::new(|| {
    let texts = [include_str!("../../data/routing.zh.toml"), include_str!("../../data/routing.en.toml")];
    texts.map(|text| toml::from_str(text).expect("the lists compiled in are tested"))
});

/// Whether one of a list, in either language, stands in `text`.
pub(super) fn has(text: &str, list: impl Fn(&Words) -> &Vec<String>) -> bool {
    WORDS.iter().any(|words| list(words).iter().any(|word| find(text, word).is_some()))
}

/// What speaks for an intent in `text`, and the words that do.
pub(super) fn speaks_for(text: &str, intent: Intent) -> (f64, Vec<&'static str>) {
    let of = |lists: fn(&Words) -> &ByIntent| {
        let words = WORDS.iter().flat_map(move |words| lists(words).of(intent));
        words.filter(|word| find(text, word).is_some()).map(String::as_str).collect::<Vec<_>>()
    };
    let (strong, weak) = (of(|words| &words.strong), of(|words| &words.weak));
    // Many words of one kind do not outvote one of another by their number alone.
    let score = 2.0 * strong.len().min(2) as f64 + weak.len().min(1) as f64;
    (score, strong.into_iter().chain(weak).collect())
}

/// `text` without the words of a list, the longest taken first; and whether there were any.
pub(super) fn without(text: &str, list: impl Fn(&Words) -> &Vec<String>) -> (String, bool) {
    let mut words: Vec<&String> = WORDS.iter().flat_map(&list).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let mut rest = text.to_owned();
    for word in words {
        while let Some(at) = find(&rest, word) {
            rest.replace_range(at..at + word.len(), " ");
        }
    }
    let is_less = rest != text;
    (rest, is_less)
}

/// Where a word stands: Latin ones only whole.
pub(super) fn find(text: &str, word: &str) -> Option<usize> {
    let is_latin = |c: char| c.is_ascii_alphanumeric() || c == '\'';
    text.match_indices(word).map(|(at, _)| at).find(|at| {
        let (before, after) = (&text[..*at], &text[at + word.len()..]);
        !(word.starts_with(is_latin) && before.ends_with(is_latin)
            || word.ends_with(is_latin) && after.starts_with(is_latin))
    })
}
