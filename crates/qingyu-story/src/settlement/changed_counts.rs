//! Counts that an edit changes in a sentence, and the other texts and cards that still have the old number.

use serde_json::Value;

use super::quotes::{Quotable, words};
use super::word_roles::is_chinese;
use crate::Prose;
use crate::numerals::{TENS, WORDS, is_digit_or_numeral, read_chinese, read_english};

/// Marks that end a clause.
const CLAUSE_ENDS: &[char] = &[
    '，', '。', '；', '、', '：', '？', '！', '（', '）', '“', '”', '—', '…', ',', '.', ';', ':', '?', '!', '(', ')',
    '"', '–', '\n',
];
/// Characters and words before an ordinal number.
const ORDINAL_SIGNS: &[&str] = &["第", "初", "no", "number", "page", "room", "chapter"];
/// Characters that follow a number which does not count things: units of dates, ages and times, and vague amounts.
const NO_NOUN: &str = "年月日号岁时点刻分秒天夜更周世代层楼度倍成折的了多几余来又和与";
/// Words that follow a number which does not count things.
const NO_NOUN_WORDS: &[&str] = &[
    "of", "and", "or", "in", "on", "at", "to", "from", "for", "with", "by", "the", "a", "an", "was", "were", "is",
    "are", "had", "has", "have", "but", "that", "who", "which", "as", "than", "then", "before", "after", "ago", "more",
    "times", "o'clock", "minute", "minutes", "hour", "hours", "day", "days", "night", "nights", "week", "weeks",
    "month", "months", "year", "years", "percent", "second", "seconds",
];
/// Measures of money and goods: with them a small number, too, identifies one amount.
const GOODS: &str = "两块元文吊贯斤担亩石";
/// The same in English.
const GOODS_WORDS: &[&str] = &[
    "pound",
    "pounds",
    "dollar",
    "dollars",
    "shilling",
    "shillings",
    "guinea",
    "guineas",
    "crowns",
    "francs",
    "sovereigns",
    "acres",
    "ounces",
    "coins",
];
/// The largest number that is too common to identify a count.
const SMALL: i64 = 12;
/// The number of Chinese characters, and of English words, that name what is counted.
const NOUN: usize = 3;
const NOUN_WORDS: usize = 2;

/// A number with the noun that it counts.
#[derive(Debug, Clone)]
struct CountedNoun {
    number: i64,
    /// The words behind the number, in the form for comparing quotes.
    noun: Vec<String>,
}

/// A count that an edit changed.
#[derive(Debug)]
pub(super) struct ChangedCount {
    /// The clause before the edit.
    pub(super) clause: String,
    count: CountedNoun,
}

/// Returns the counts that an edit changed: a changed sentence now has another number of the same things, and the text no longer
/// has the old count anywhere.
pub(super) fn changed_counts(before: &str, after: &str) -> Vec<ChangedCount> {
    if before == after {
        return Vec::new();
    }
    let (old, new) = (Quotable::of(before), Quotable::of(after));
    let come = new.sentences().iter().filter(|sentence| old.find(sentence, 0).is_none());
    let come: Vec<CountedNoun> = come.flat_map(|sentence| all_counts(sentence)).map(|(_, count)| count).collect();
    if come.is_empty() {
        return Vec::new();
    }
    let mut changed = Vec::new();
    for sentence in old.sentences().iter().filter(|sentence| new.find(sentence, 0).is_none()) {
        let gone = counts(sentence).into_iter().filter(|(_, count)| {
            // 一 and `one` are articles, too.
            let is_other =
                |other: &CountedNoun| other.number > 1 && other.number != count.number && count.is_of_the_same(other);
            come.iter().any(is_other) && !count.is_in(after)
        });
        changed.extend(gone.map(|(clause, count)| ChangedCount { clause: clause.to_owned(), count }));
    }
    changed
}

impl ChangedCount {
    /// Returns the sentences of a text that have the old count.
    pub(super) fn sentences_of<'t>(&self, text: &'t str) -> Vec<&'t str> {
        if !self.count.may_be_in(text) {
            return Vec::new();
        }
        let sentences = Prose::of(text).sentences;
        let sentences = sentences.iter().map(|sentence| text[sentence.range.clone()].trim());
        sentences.filter(|sentence| self.count.is_in(sentence)).collect()
    }

    /// Returns whether a text within the value has the old count.
    pub(super) fn is_in_value(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.count.may_be_in(text) && self.count.is_in(text),
            Value::Array(values) => values.iter().any(|value| self.is_in_value(value)),
            Value::Object(fields) => fields.values().any(|value| self.is_in_value(value)),
            _ => false,
        }
    }
}

impl CountedNoun {
    /// Returns whether a text has the count.
    fn is_in(&self, text: &str) -> bool {
        counts(text).iter().any(|(_, other)| self.is_same(other))
    }

    /// Returns whether a text has words of the counted noun: a fast check before [`is_in`](Self::is_in).
    fn may_be_in(&self, text: &str) -> bool {
        match self.is_chinese() {
            true => text.contains(&self.noun[..self.noun.len().min(2)].concat()),
            false => self.noun.iter().any(|word| text.contains(word.as_str())),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        self.number == other.number && self.is_of_the_same(other)
    }

    /// Returns whether both count the same things.
    fn is_of_the_same(&self, other: &Self) -> bool {
        if self.is_chinese() && other.is_chinese() {
            let length = self.noun.len().min(other.noun.len());
            return length > 1 && self.noun[..length] == other.noun[..length];
        }
        self.noun.iter().any(|word| other.noun.contains(word))
    }

    fn is_chinese(&self) -> bool {
        self.noun.first().is_some_and(|word| is_chinese(word))
    }

    /// Returns whether the count is not a common one: a large number, or an amount of money or goods.
    fn is_distinctive(&self) -> bool {
        if self.is_chinese() {
            let is_of_goods = || self.noun.first().is_some_and(|word| GOODS.contains(word.as_str()));
            return self.noun.len() > 1 && (self.number > SMALL || self.number > 1 && is_of_goods());
        }
        let is_of_goods = || self.noun.iter().any(|word| GOODS_WORDS.contains(&word.as_str()));
        !self.noun.is_empty() && (self.number > SMALL || self.number > 1 && is_of_goods())
    }
}

/// Returns the distinctive counts of a text, each with its clause.
fn counts(text: &str) -> Vec<(&str, CountedNoun)> {
    all_counts(text).into_iter().filter(|(_, count)| count.is_distinctive()).collect()
}

fn all_counts(text: &str) -> Vec<(&str, CountedNoun)> {
    let clauses = text.split(CLAUSE_ENDS).map(str::trim).filter(|clause| !clause.is_empty());
    clauses.flat_map(|clause| counts_of_clause(clause).into_iter().map(move |count| (clause, count))).collect()
}

fn counts_of_clause(clause: &str) -> Vec<CountedNoun> {
    if !clause.chars().any(|c| is_digit_or_numeral(c) || c.is_ascii_alphabetic()) {
        return Vec::new();
    }
    let words = words(clause);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < words.len() {
        let mut length = words[at..].iter().take_while(|word| is_number(word)).count();
        if length == 0 {
            at += 1;
            continue;
        }
        // In 九两银子 the last numeral is a unit.
        if length > 1 && words[at + length - 1] == "两" {
            length -= 1;
        }
        let is_ordinal = at > 0 && ORDINAL_SIGNS.contains(&words[at - 1].as_str());
        let number = value_of(&words[at..at + length]).filter(|_| !is_ordinal);
        if let Some(number) = number {
            found.push(CountedNoun { number, noun: noun(&words[at + length..]) });
        }
        at += length;
    }
    found
}

/// Returns the counted noun, given the words after a number; empty if the number counts no things.
fn noun(words: &[String]) -> Vec<String> {
    let is_noun = |word: &&String| match is_chinese(word) {
        true => !is_number(word) || word.as_str() == "两",
        false => !is_number(word) && !NO_NOUN_WORDS.contains(&word.as_str()),
    };
    match words.first() {
        Some(first) if is_chinese(first) && NO_NOUN.contains(first.as_str()) => Vec::new(),
        Some(first) if is_chinese(first) => {
            words.iter().take(NOUN).take_while(|word| is_chinese(word) && is_noun(word)).cloned().collect()
        }
        _ => words.iter().take(NOUN_WORDS).take_while(|word| !is_chinese(word) && is_noun(word)).cloned().collect(),
    }
}

fn is_number(word: &str) -> bool {
    let is_in_letters = |part: &str| WORDS.contains(&part) || TENS.contains(&part);
    word.chars().all(is_digit_or_numeral)
        || matches!(word, "hundred" | "thousand")
        || word.is_ascii() && word.split('-').all(is_in_letters)
}

fn value_of(words: &[String]) -> Option<i64> {
    if words.iter().any(|word| word.chars().any(|c| c.is_ascii_alphabetic())) {
        return read_english(&words.join(" ")).map(i64::from);
    }
    read_chinese(&words.concat())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::changed_counts;

    /// Returns the sentences of `other` that have a count which the edit changed.
    fn left<'t>(before: &str, after: &str, other: &'t str) -> Vec<&'t str> {
        changed_counts(before, after).iter().flat_map(|changed| changed.sentences_of(other)).collect()
    }

    #[test]
    fn a_changed_count_is_found_where_another_text_has_it() {
        let old = "雨停了。那年东家给了我四十块银元作盘缠，替我出了一张票。";
        let new = old.replace("四十", "六十");
        let other = "天亮了。四十块银元的账，他慢慢还。雨停了。";
        assert_eq!(left(old, &new, other), ["四十块银元的账，他慢慢还。"]);
        assert_eq!(left(old, &new, "他还了 40 块银元。"), ["他还了 40 块银元。"]);
        for other in ["六十块银元的账。", "四十块砖。", "四十年的账。", "他四十岁。", "第四十块银元是假的。"]
        {
            assert_eq!(left(old, &new, other), [""; 0], "{other}");
        }
        assert_eq!(
            left(old, "雨停了。东家借了六十块银元给我。", other),
            ["四十块银元的账，他慢慢还。"],
            "in other words"
        );
        assert_eq!(left(old, "雨停了。", other), [""; 0], "no other number is told");
        let repeated = format!("{new}他数了数，四十块银元都在。");
        assert_eq!(left(old, &repeated, other), [""; 0], "the text still has it");
        assert_eq!(left("他数了三个人。", "他数了四个人。", "那边有三个人。"), [""; 0], "small numbers are everywhere");
        assert_eq!(left("他付了九两银子。", "他付了十两银子。", "九两银子他都给了。"), ["九两银子他都给了。"]);
    }

    #[test]
    fn a_changed_english_count_is_found_where_another_text_has_it() {
        let old = "It rained. Edwin lent him forty silver dollars for the road.";
        let new = old.replace("forty", "sixty");
        let other = "He smiled. He still owed the forty dollars. He left.";
        assert_eq!(left(old, &new, other), ["He still owed the forty dollars."]);
        for other in ["He was forty years old.", "He owed sixty dollars.", "Forty men came.", "He had forty of them."] {
            assert_eq!(left(old, &new, other), [""; 0], "{other}");
        }
    }

    #[test]
    fn a_changed_count_is_found_on_cards() {
        let old = "那年东家给了我四十块银元作盘缠。";
        let changed = changed_counts(old, &old.replace("四十", "六十"));
        let has = |card| changed.iter().any(|changed| changed.is_in_value(&card));
        assert!(has(json!({ "name": "陆景明", "background": "东家给他四十块银元做盘缠。" })));
        assert!(!has(json!({ "name": "宋启山", "background": "在裕泰站柜四十年。", "traits": ["四十块砖"] })));
    }
}
