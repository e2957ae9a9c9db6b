//! The roles of words in an edit of a sentence: words that may be added or deleted freely, words of the same meaning, and words
//! that change the statement, since they deny it, date it or give it to somebody else.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::quotes::folded;
use crate::language::is_han;
use crate::numerals::{ORDINALS, TENS, WORDS, is_plain_numeral};

/// Separators of the entries in the files.
const SEPARATORS: [char; 2] = ['、', ','];

/// The words of a language, from its file in `word_roles/`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleTable {
    /// Words that say how or when something is done, and not what.
    manner: Vec<String>,
    /// Words that only carry the form of a verb or the tone of a sentence.
    particles: Vec<String>,
    /// Words that may neither be added nor deleted.
    fixed: Vec<String>,
    /// Rows of words for the same.
    alike: Vec<String>,
}

/// The roles of a word.
#[derive(Debug, Default)]
struct WordRoles {
    is_manner: bool,
    is_particle: bool,
    is_fixed: bool,
    /// The rows of words for the same that have the word.
    rows: Vec<usize>,
}

/// The words of both languages.
#[derive(Debug, Default)]
struct RoleIndex {
    words: FxHashMap<String, WordRoles>,
    /// The number of words, or Chinese characters, of the longest entry.
    longest: usize,
}

static INDEX: LazyLock<RoleIndex> = LazyLock::new(|| {
    let mut index = RoleIndex::default();
    let mut row = 0;
    for source in [include_str!("word_roles/zh.toml"), include_str!("word_roles/en.toml")] {
        let table: RoleTable =
            toml::from_str(source).unwrap_or_else(|error| panic!("the words are part of the program: {error}"));
        table.manner.iter().for_each(|list| index.insert(list, |roles| roles.is_manner = true));
        table.particles.iter().for_each(|list| index.insert(list, |roles| roles.is_particle = true));
        table.fixed.iter().for_each(|list| index.insert(list, |roles| roles.is_fixed = true));
        for list in &table.alike {
            row += 1;
            index.insert(list, |roles| roles.rows.push(row));
        }
    }
    index
});

impl RoleIndex {
    /// Inserts each entry of a list with the role that `mark` gives it.
    fn insert(&mut self, list: &str, mark: impl Fn(&mut WordRoles)) {
        for entry in list.split(SEPARATORS).map(str::trim).filter(|entry| !entry.is_empty()) {
            let length = if entry.is_ascii() { entry.split(' ').count() } else { entry.chars().count() };
            self.longest = self.longest.max(length);
            let spelled: Vec<String> = entry.split(' ').map(folded).collect();
            mark(self.words.entry(spelled.join(" ")).or_default());
        }
    }
}

/// Returns the words of a sentence with those joined that the lists have as one: `at once`, 急忙.
pub(super) fn joined_words(words: &[String]) -> Vec<String> {
    let index = &*INDEX;
    let mut joined = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let most = index.longest.min(words.len() - at);
        let known = (2..=most).rev().find_map(|length| {
            let part = &words[at..at + length];
            let entry = if part.iter().all(|word| is_chinese(word)) { part.concat() } else { part.join(" ") };
            index.words.contains_key(&entry).then_some((entry, length))
        });
        let (word, length) = known.unwrap_or_else(|| (words[at].clone(), 1));
        joined.push(word);
        at += length;
    }
    joined
}

/// Returns whether a word says how or when something is done: one of the list, or an English adverb in `-ly`.
pub(super) fn is_manner(word: &str) -> bool {
    let is_adverb = || word.is_ascii() && word.len() > 4 && word.ends_with("ly") && !is_fixed(word);
    INDEX.words.get(word).is_some_and(|roles| roles.is_manner) || is_adverb()
}

/// Returns whether the words, each of [`joined_words`], say how something is done; `next` is the word behind them.
pub(super) fn are_manner(words: &[String], next: Option<&str>) -> bool {
    if words.iter().all(|word| is_manner(word)) {
        return true;
    }
    if words.iter().any(|word| is_fixed(word) || !is_chinese(word)) {
        return false;
    }
    let whole = words.concat();
    let manner = whole.strip_suffix('地').unwrap_or(&whole);
    let letters: Vec<char> = manner.chars().collect();
    let is_doubled = !letters.is_empty() && letters.chunks(2).all(|pair| matches!(pair, [one, other] if one == other));
    let is_of_manner = manner.len() < whole.len() || next == Some("地");
    is_of_manner && letters.len() > 1 || is_doubled
}

/// Returns whether a word only carries the form of a verb or the tone of a sentence.
pub(super) fn is_particle(word: &str) -> bool {
    INDEX.words.get(word).is_some_and(|roles| roles.is_particle)
}

/// Returns whether a word may neither be added to a statement nor deleted: it denies, undoes or dates the statement, counts
/// something, or means a relative or another person.
pub(super) fn is_fixed(word: &str) -> bool {
    let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix('\'')).unwrap_or(word);
    match INDEX.words.get(bare) {
        Some(roles) => roles.is_fixed,
        None => is_number(bare),
    }
}

/// Returns whether one word may stand in the place of the other: both are in a row of words for the same.
pub(super) fn are_alike(one: &str, other: &str) -> bool {
    let rows = |word: &str| INDEX.words.get(word).map(|roles| roles.rows.as_slice()).unwrap_or_default();
    rows(one).iter().any(|row| rows(other).contains(row))
}

fn is_number(word: &str) -> bool {
    let is_english = |part: &str| [&WORDS[..], &TENS[..], &ORDINALS[..]].iter().any(|list| list.contains(&part));
    word.contains(|c: char| c.is_numeric() || is_plain_numeral(c))
        || matches!(word, "dozen" | "hundred" | "thousand" | "million" | "twice" | "both" | "half")
        || word.split('-').any(is_english)
}

/// Returns whether a word has Chinese characters only.
pub(super) fn is_chinese(word: &str) -> bool {
    word.chars().all(is_han)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settlement::quotes::words;

    #[test]
    fn entries_of_several_words_are_one_word() {
        for (sentence, expected) in [
            ("他连忙攥住了钥匙。", &["他", "连忙", "攥", "住", "了", "钥", "匙"][..]),
            ("Ned gave it back at once.", &["ned", "gave", "it", "back", "at once"]),
        ] {
            assert_eq!(joined_words(&words(sentence)), expected, "{sentence}");
        }
    }

    #[test]
    fn relatives_numbers_and_times_may_not_change() {
        for word in ["妈", "三", "昨天", "没有", "father's", "twenty-six", "third", "never", "yesterday", "family"]
        {
            assert!(is_fixed(word) && !is_manner(word), "{word}");
        }
        for (said, is_of_manner) in [("静静", true), ("飞快地", true), ("妈妈", false), ("田地", false)] {
            assert_eq!(are_manner(&joined_words(&words(said)), None), is_of_manner, "{said}");
        }
    }

    #[test]
    fn no_chain_of_alike_words_leads_to_an_opposite() {
        let same = |one: &str, other: &str| {
            let (mut reached, mut at) = (vec![one.to_owned()], 0);
            while at < reached.len() {
                let next: Vec<String> =
                    INDEX.words.keys().filter(|word| are_alike(&reached[at], word)).cloned().collect();
                next.into_iter().for_each(|word| {
                    if !reached.contains(&word) {
                        reached.push(word);
                    }
                });
                at += 1;
            }
            reached.iter().any(|word| word == other)
        };
        assert!(same("递", "赠") && same("gave", "passed"));
        for (one, other) in [
            ("递", "接"),
            ("给", "拿"),
            ("送", "收"),
            ("攥", "放"),
            ("拿", "放"),
            ("拿", "扔"),
            ("藏", "递"),
            ("走进", "走出"),
            ("进", "走"),
            ("到", "离开"),
            ("爱", "恨"),
            ("喜欢", "讨厌"),
            ("死", "活"),
            ("买", "卖"),
            ("打开", "关上"),
            ("解下", "戴"),
            ("拿出", "放"),
            ("在", "离开"),
            ("问", "答"),
            ("gave", "took"),
            ("handed", "received"),
            ("held", "threw"),
            ("kept", "gave"),
            ("hid", "gave"),
            ("took", "put"),
            ("took off", "put"),
            ("tied", "unfastened"),
            ("loved", "hated"),
            ("lived", "died"),
            ("bought", "sold"),
            ("entered", "left"),
            ("asked", "replied"),
            ("big", "small"),
            ("over", "in"),
        ] {
            assert!(!same(one, other), "{one} / {other}");
        }
    }
}
