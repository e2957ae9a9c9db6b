//! Finds the sentence of a fact after an edit of a few words that the fact does not rest on.

use super::quotes::{Quotable, folded, numbers};
use crate::language::is_han;
use crate::{Fact, Prose};

/// Maximum number of words, or Chinese characters, that an edit takes out or puts in.
const FEW: usize = 4;
/// Chinese words that say how or when something is done, and not what.
const CHINESE_MODIFIERS: [&str; 42] = [
    "又", "也", "还", "就", "便", "才", "都", "只", "正", "再", "很", "太", "更", "最", "忙", "快", "慢", "重", "轻",
    "立刻", "马上", "随即", "随后", "终于", "忽然", "突然", "急忙", "连忙", "赶紧", "赶忙", "仍然", "依然", "已经",
    "一把", "小心", "仔细", "默然", "淡淡", "当即", "顺手", "随手", "轻声",
];
/// The same in English, beside the adverbs in `-ly`.
const ENGLISH_MODIFIERS: [&str; 24] = [
    "then", "now", "just", "again", "still", "also", "too", "very", "quite", "rather", "soon", "already", "at", "last",
    "once", "more", "even", "straight", "hard", "fast", "quick", "so", "as", "well",
];
/// English words in `-ly` that turn a statement round.
const DENYING: [&str; 5] = ["hardly", "barely", "scarcely", "nearly", "supposedly"];
/// The English words before a noun and its adjectives.
const DETERMINERS: [&str; 13] =
    ["the", "a", "an", "this", "that", "these", "those", "his", "her", "its", "their", "my", "your"];
/// English words that state something of the noun before them.
const COPULAS: [&str; 9] = ["is", "are", "was", "were", "be", "been", "has", "have", "had"];
/// The characters around the name of a place that nothing else is said of: 在桌上.
const BEFORE_PLACE: &str = "在从向往到";
const AFTER_PLACE: &str = "上里下中边外旁前后";

/// Returns the sentence of the text that differs from `quote` in a few words beside the names, the value and the numbers of
/// the fact, and not in what it asserts: how it is done, or the place in which. Of several, the one with most words in
/// common, the nearest to character `near` first.
pub(super) fn with_other_words(text: &Quotable<'_>, fact: &Fact, quote: &str, near: u32) -> Option<String> {
    if Prose::of(quote).sentences.len() != 1 {
        return None;
    }
    let subject = folded(&fact.subject);
    let other = match (&fact.object, &fact.value) {
        (Some(object), _) => folded(object),
        (None, serde_json::Value::String(value)) => folded(value),
        // A number stands if all numbers of the sentence do.
        (None, serde_json::Value::Number(_)) if !numbers(quote).is_empty() => String::new(),
        _ => return None,
    };
    let old = words(quote);
    let whole = folded(quote);
    if !whole.contains(&other) || fact.value.is_string() && other.is_empty() {
        return None;
    }
    let is_subject_named = !subject.is_empty() && whole.contains(&subject);
    let is_left = |sentence: &&&str| {
        let new = words(sentence);
        let Some(change) = ChangedWords::between(&old, &new) else { return false };
        let has = |name: &str| {
            name.is_empty() || [change.before, change.after].iter().any(|part| joined(part).contains(name))
        };
        let are_named = has(&other) && (!is_subject_named || has(&subject));
        are_named && numbers(quote) == numbers(sentence) && change.is_beside_statement(fact.object.is_some())
    };
    let distance = |sentence: &str| text.find(sentence, near).map_or(u32::MAX, |(start, _)| start.abs_diff(near));
    let left = text.sentences().iter().filter(is_left);
    let kept = |sentence: &str| ChangedWords::between(&old, &words(sentence)).map_or(0, |change| change.kept());
    let best = left.min_by_key(|sentence| (std::cmp::Reverse(kept(sentence)), distance(sentence)));
    best.map(|sentence| (*sentence).to_owned())
}

/// The words in which two sentences differ, with the words that they have in common on both sides.
struct ChangedWords<'w> {
    before: &'w [String],
    after: &'w [String],
    old: &'w [String],
    new: &'w [String],
}

impl<'w> ChangedWords<'w> {
    /// Returns the one place in which the sentences differ; `None` if they are equal there, or if it is no small part.
    fn between(old: &'w [String], new: &'w [String]) -> Option<Self> {
        let before = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let (old_rest, new_rest) = (&old[before..], &new[before..]);
        let after = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
        let change = Self {
            before: &old[..before],
            after: &old[old.len() - after..],
            old: &old_rest[..old_rest.len() - after],
            new: &new_rest[..new_rest.len() - after],
        };
        let is_few = change.old.len() <= FEW && change.new.len() <= FEW;
        let is_any = !change.old.is_empty() || !change.new.is_empty();
        (is_few && is_any && change.kept() * 3 >= old.len().max(new.len()) * 2).then_some(change)
    }

    /// Returns the number of words in common.
    fn kept(&self) -> usize {
        self.before.len() + self.after.len()
    }

    /// Returns whether the change leaves what is stated: of something that somebody does to an object, or, without one, of
    /// a quality.
    fn is_beside_statement(&self, has_object: bool) -> bool {
        let (previous, next) = (self.before.last().map(String::as_str), self.after.first().map(String::as_str));
        let is_manner = |words: &[String]| words.is_empty() || is_modifier(words, next);
        let is_word =
            |words: &[String]| matches!(words, [word] if word.is_ascii() && !DENYING.contains(&word.as_str()));
        let is_stated = next.is_none_or(|next| COPULAS.contains(&next));
        let is_in_noun = previous.is_some_and(|word| DETERMINERS.contains(&word))
            && is_word(self.old)
            && is_word(self.new)
            && (has_object || !is_stated);
        let is_at = |marks: &str, word: Option<&str>| word.is_some_and(|word| marks.contains(word));
        let is_in_place = is_at(BEFORE_PLACE, previous) && is_at(AFTER_PLACE, next);
        is_manner(self.old) && is_manner(self.new) || is_in_noun || is_in_place
    }
}

/// Returns whether the words say how or when something is done; `next` is the word behind them.
fn is_modifier(words: &[String], next: Option<&str>) -> bool {
    let is_english = |word: &String| {
        let is_adverb = word.len() > 4 && word.ends_with("ly") && !DENYING.contains(&word.as_str());
        is_adverb || ENGLISH_MODIFIERS.contains(&word.as_str())
    };
    if words.iter().all(|word| word.is_ascii()) {
        return words.iter().all(is_english);
    }
    let joined = joined(words);
    let manner = joined.strip_suffix('地').unwrap_or(&joined);
    let letters: Vec<char> = manner.chars().collect();
    let is_doubled = !letters.is_empty() && letters.chunks(2).all(|pair| matches!(pair, [one, other] if one == other));
    let is_denied = manner.contains(['不', '没', '未', '无', '非', '假', '似', '像']);
    let is_of_manner = (manner.len() < joined.len() || next == Some("地")) && !is_denied;
    is_of_manner || is_doubled || CHINESE_MODIFIERS.contains(&manner)
}

/// Returns the words in the form for comparing quotes, without spaces.
fn joined(words: &[String]) -> String {
    words.concat()
}

/// Returns the words of a sentence in the form for comparing quotes; each Chinese character is one.
fn words(sentence: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for c in sentence.chars() {
        let is_part = c.is_alphanumeric() || is_open && matches!(c, '\'' | '’' | '-');
        if !is_part || is_han(c) {
            is_open = false;
        }
        if !is_part {
            continue;
        }
        match words.last_mut() {
            Some(word) if is_open => word.push(c),
            _ => words.push(c.to_string()),
        }
        is_open = !is_han(c);
    }
    words.iter().map(|word| folded(word)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn left(fact: &Fact, old: &str, new: &str) -> bool {
        let first = if new.is_ascii() { "It rained. " } else { "雨停了。" };
        with_other_words(&Quotable::of(&format!("{first}{new}")), fact, old, 0).as_deref() == Some(new)
    }

    fn fact(subject: &str, object: Option<&str>, value: Value) -> Fact {
        Fact { subject: subject.into(), object: object.map(str::to_owned), value, ..Fact::default() }
    }

    #[test]
    fn a_fact_stays_in_a_sentence_that_says_it_in_another_manner() {
        let key = fact("林深", Some("铜钥匙"), Value::Null);
        let old = "林深慢慢把铜钥匙放在桌上。";
        for (new, stays) in [
            ("林深轻轻把铜钥匙放在桌上。", true),
            ("林深把铜钥匙放在桌上。", true),
            ("林深小心地把铜钥匙放在桌上。", true),
            ("林深慢慢把铜钥匙放在柜上。", true),
            ("林深没有把铜钥匙放在桌上。", false),
            ("林深慢慢把铜钥匙拿在手上。", false),
            ("林深慢慢把银钥匙放在桌上。", false),
            ("周原慢慢把铜钥匙放在桌上。", false),
        ] {
            assert_eq!(left(&key, old, new), stays, "{new}");
        }
        let age = fact("林深", None, json!(26));
        assert!(left(&age, "林深今年才二十六岁。", "林深今年已经二十六岁。"));
        assert!(!left(&age, "林深今年才二十六岁。", "林深今年才二十七岁。"));
        assert!(!left(&fact("林深", None, json!(true)), "林深慢慢走了。", "林深快快走了。"), "nothing says it");
    }

    #[test]
    fn an_english_fact_stays_beside_other_adverbs_and_adjectives() {
        let ring = fact("Mara", Some("the ring"), Value::Null);
        let old = "Mara slowly took the ring from the shelf.";
        for (new, stays) in [
            ("Mara quickly took the ring from the shelf.", true),
            ("Mara slowly took the ring from the table.", true),
            ("Mara hardly took the ring from the shelf.", false),
            ("Mara slowly hid the ring from the shelf.", false),
            ("Mara never took the ring from the shelf.", false),
            ("Ruth slowly took the ring from the shelf.", false),
        ] {
            assert_eq!(left(&ring, old, new), stays, "{new}");
        }
        let eyes = fact("Mara", None, json!("grey"));
        assert!(left(
            &eyes,
            "Mara looked up, and her tired eyes were grey.",
            "Mara looked up, and her calm eyes were grey."
        ));
        assert!(!left(&eyes, "Mara looked up, and her eyes were grey.", "Mara looked up, and her dress were grey."));
    }
}
