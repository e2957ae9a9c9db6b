//! Word lists to detect a user's intent, for both languages, since people mix languages.

use std::sync::LazyLock;

use serde::Deserialize;

use super::intent::Intent;
use crate::topic::find;

/// The lists of a language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RouterWords {
    pub(super) advance: Vec<String>,
    pub(super) affirm: Vec<String>,
    pub(super) filler: Vec<String>,
    pub(super) go_to: Vec<String>,
    pub(super) confirm: Vec<String>,
    pub(super) these: Vec<String>,
    pub(super) update: Vec<String>,
    pub(super) stale: Vec<String>,
    pub(super) negation: Vec<String>,
    pub(super) but: Vec<String>,
    pub(super) question: Vec<String>,
    pub(super) asking: Vec<String>,
    pub(super) suppose: Vec<String>,
    pub(super) telling: Vec<String>,
    determiners: Vec<String>,
    adjectives: Vec<String>,
    nouns: Vec<String>,
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
            Intent::AdvancePhase | Intent::Confirm | Intent::Update | Intent::Chat => &[],
        }
    }
}

static WORDS: LazyLock<[RouterWords; 2]> = LazyLock::new(|| {
    let texts = [include_str!("../../data/routing.zh.toml"), include_str!("../../data/routing.en.toml")];
    texts.map(|text| toml::from_str(text).expect("the lists compiled in are tested"))
});

/// Returns whether `text` has a word of a list, in either language.
pub(super) fn has(text: &str, list: impl Fn(&RouterWords) -> &Vec<String>) -> bool {
    WORDS.iter().any(|words| list(words).iter().any(|word| find(text, word).is_some()))
}

/// Returns the score of an intent in `text`, and the matching words.
pub(super) fn speaks_for(text: &str, intent: Intent) -> (f64, Vec<&'static str>) {
    let of = |lists: fn(&RouterWords) -> &ByIntent, is_in: fn(&str, &str) -> bool| {
        let words = WORDS.iter().flat_map(move |words| lists(words).of(intent));
        words.filter(|word| is_in(text, word)).map(String::as_str).collect::<Vec<_>>()
    };
    let strong = of(|words| &words.strong, has_order);
    let weak = of(|words| &words.weak, |text, word| find(text, word).is_some());
    // Caps the count, so that many words of a kind do not outvote another kind.
    let score = 2.0 * strong.len().min(2) as f64 + weak.len().min(1) as f64;
    (score, strong.into_iter().chain(weak).collect())
}

/// Returns whether `text` has an order word that is not a noun, as in "the research" or 刚才的搜索.
fn has_order(text: &str, word: &str) -> bool {
    let mut from = 0;
    while let Some(at) = find(&text[from..], word).map(|at| from + at) {
        if !is_noun(&text[..at], word) {
            return true;
        }
        from = at + word.len();
    }
    false
}

/// Returns whether the text `before` an order word makes it a noun.
fn is_noun(before: &str, word: &str) -> bool {
    let before = before.trim_end();
    let is_determined = |before: &str| ends(before, |words| &words.determiners).is_some();
    let is_known = word.is_ascii() || WORDS.iter().any(|words| words.nouns.iter().any(|noun| noun == word));
    let described = || ends(before, |words| &words.adjectives);
    is_known && (is_determined(before) || described().is_some_and(|rest| is_determined(rest.trim_end())))
}

/// Returns the text before the word of a list that ends `text`; `None` if no word of the list does.
fn ends(text: &str, list: impl Fn(&RouterWords) -> &Vec<String>) -> Option<&str> {
    let is_latin = |c: char| c.is_ascii_alphanumeric();
    let cut =
        |word: &String| text.strip_suffix(word.as_str()).filter(|rest| !word.is_ascii() || !rest.ends_with(is_latin));
    WORDS.iter().flat_map(&list).find_map(cut)
}

/// Returns whether a clause describes an action instead of ordering it.
pub(super) fn tells(clause: &str) -> bool {
    let is_told = |word: &String| match word.is_ascii() {
        true => find(clause, word) == Some(0),
        false => clause.contains(word.as_str()),
    };
    WORDS.iter().flat_map(|words| &words.telling).any(is_told)
}

/// Returns `text` without the words of a list, the longest removed first, and whether any was removed.
pub(super) fn without(text: &str, list: impl Fn(&RouterWords) -> &Vec<String>) -> (String, bool) {
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

/// Returns a clause without the fillers at its beginning.
pub(super) fn after_filler(clause: &str) -> &str {
    let mut rest = clause.trim_start();
    let begins_with = |rest: &str| {
        let fillers = WORDS.iter().flat_map(|words| &words.filler);
        fillers.filter(|word| find(rest, word) == Some(0)).map(String::len).max()
    };
    while let Some(length) = begins_with(rest).filter(|length| *length > 0) {
        rest = rest[length..].trim_start();
    }
    rest
}

/// Returns whether a clause begins with a word of a list.
pub(super) fn begins(clause: &str, list: impl Fn(&RouterWords) -> &Vec<String>) -> bool {
    WORDS.iter().any(|words| list(words).iter().any(|word| find(clause, word) == Some(0)))
}
