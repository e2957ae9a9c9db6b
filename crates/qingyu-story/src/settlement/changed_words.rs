//! Finds the sentence of a piece after an edit of a few words that the piece does not rest on.

use std::cmp::Reverse;

use super::quotes::{Quotable, folded, numbers, words};
use super::word_roles::{are_manner, is_chinese, is_fixed, joined_words};
use crate::{Fact, Prose};

/// Maximum number of words, or Chinese characters, that an edit takes out or puts in.
const FEW: usize = 4;
/// The English words before a noun and its adjectives.
const DETERMINERS: [&str; 13] =
    ["the", "a", "an", "this", "that", "these", "those", "his", "her", "its", "their", "my", "your"];
/// English words that state something of the noun before them.
const COPULAS: [&str; 9] = ["is", "are", "was", "were", "be", "been", "has", "have", "had"];
/// Chinese characters behind a verb that say how far it is done, or in which direction, and particles at the end.
const LIGHT: &str = "了着过下上起来去住掉完好妥毕啊呀呢啦哦哩";
/// The characters before 来 and 去 in a complement of two: 起来, 下去.
const BEFORE_WAY: &str = "起下上过出进回";
/// Complements of which a verb has one or the other.
const OPPOSITE_WAYS: [(&str, &str); 2] = [("来", "去"), ("上", "下")];
/// Chinese characters that are no verb of an action that is done: pronouns, adverbs, and verbs of wishing.
const NO_VERB: &str = "我你您他她它咱们谁这那也就都便又才还不没未别要想会能该可一";
/// English adverbs that stand before or behind the object: `handed it over`, `handed over it`.
const PARTICLES: [&str; 10] = ["over", "up", "down", "out", "off", "back", "away", "in", "on", "forward"];
/// The characters around the name of a place that nothing else is said of: 在桌上.
const BEFORE_PLACE: &str = "在从向往到";
const AFTER_PLACE: &str = "上里下中边外旁前后";

/// Returns the sentence of the text that differs from `quote` in a few words beside the names, the value and the numbers of
/// the fact, and not in what it asserts: how it is done, or the place in which. Of several, the one with most words in
/// common, the nearest to character `near` first.
pub(super) fn with_other_words(text: &Quotable<'_>, fact: &Fact, quote: &str, near: u32) -> Option<String> {
    let subject = folded(&fact.subject);
    let other = match (&fact.object, &fact.value) {
        (Some(object), _) => folded(object),
        (None, serde_json::Value::String(value)) => folded(value),
        // A number stands if all numbers of the sentence do.
        (None, serde_json::Value::Number(_)) if !numbers(quote).is_empty() => String::new(),
        _ => return None,
    };
    let whole = folded(quote);
    if !whole.contains(&other) || fact.value.is_string() && other.is_empty() {
        return None;
    }
    let is_subject_named = !subject.is_empty() && whole.contains(&subject);
    with_one_change(text, quote, near, |change| {
        let has = |name: &str| {
            name.is_empty() || [change.before, change.after].iter().any(|part| joined(part).contains(name))
        };
        let are_named = has(&other) && (!is_subject_named || has(&subject));
        are_named && change.is_beside_statement(fact.object.is_some())
    })
}

/// Returns the sentence of the text that differs from `quote` in its form only: marks, particles and complements behind a
/// verb, a verb said twice, contractions, or the place of an adverb. Of several, the nearest to character `near`.
pub(super) fn with_other_form(text: &Quotable<'_>, quote: &str, near: u32) -> Option<String> {
    with_one_change(text, quote, near, |change| {
        change.is_of_marks() || change.is_of_aspect() || change.is_doubled() || change.is_moved()
    })
}

/// Returns the sentence of the text for which `is_left` accepts the change from `quote`, with the same numbers; of several,
/// the one with most words in common, the nearest to character `near` first.
fn with_one_change(
    text: &Quotable<'_>,
    quote: &str,
    near: u32,
    is_left: impl Fn(&ChangedWords<'_>) -> bool,
) -> Option<String> {
    let own = numbers(quote);
    closest(text, quote, near, |old, new, sentence| {
        let change = ChangedWords::between(old, new)?;
        (is_left(&change) && own == numbers(sentence)).then(|| change.kept())
    })
}

/// Returns the sentence of the text that has most words in common with `quote`; see [`most_alike`]. `compare` gets the words
/// of `quote`, those of the sentence, and the sentence. `None` for a quote of several sentences.
pub(super) fn closest(
    text: &Quotable<'_>,
    quote: &str,
    near: u32,
    compare: impl Fn(&[String], &[String], &str) -> Option<usize>,
) -> Option<String> {
    let old = words(quote);
    if old.is_empty() || Prose::of(quote).sentences.len() != 1 {
        return None;
    }
    let sentences = text.sentences().iter().copied().zip(text.sentence_words());
    most_alike(text, quote, near, sentences, |new, sentence| compare(&old, new, sentence))
}

/// Returns the one of `parts` of the text, each with its words, for which `compare` returns the most words in common; of
/// several, the nearest to character `near`. `compare` returns `None` for a part that is not like `quote`. A question is only
/// like a question.
pub(super) fn most_alike<'p, W: AsRef<[String]>>(
    text: &Quotable<'_>,
    quote: &str,
    near: u32,
    parts: impl IntoIterator<Item = (&'p str, W)>,
    compare: impl Fn(&[String], &str) -> Option<usize>,
) -> Option<String> {
    let is_question = is_question(quote);
    let distance = |part: &str| text.find(part, near).map_or(u32::MAX, |(start, _)| start.abs_diff(near));
    let alike = parts.into_iter().filter_map(|(part, words)| {
        let kept = compare(words.as_ref(), part).filter(|_| self::is_question(part) == is_question)?;
        Some((Reverse(kept), distance(part), part))
    });
    alike.min_by_key(|(kept, distance, _)| (*kept, *distance)).map(|(_, _, part)| part.to_owned())
}

/// Returns whether a part of a text has a question.
pub(super) fn is_question(part: &str) -> bool {
    folded(part).contains('?')
}

/// The words in which two sentences differ, with the words that they have in common on both sides.
struct ChangedWords<'w> {
    before: &'w [String],
    after: &'w [String],
    old: &'w [String],
    new: &'w [String],
}

impl<'w> ChangedWords<'w> {
    /// Returns the one place in which the sentences differ, empty if only in marks; `None` if it is no small part.
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
        (is_few && change.kept() * 3 >= old.len().max(new.len()) * 2).then_some(change)
    }

    /// Returns the number of words in common.
    fn kept(&self) -> usize {
        self.before.len() + self.after.len()
    }

    /// Returns whether the words are the same.
    fn is_of_marks(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }

    /// Returns whether only particles and complements of a Chinese verb differ: 递过去, 递了过去; 收了, 收下.
    fn is_of_aspect(&self) -> bool {
        let Some(verb) = self.before.last().filter(|word| is_chinese(word)) else { return false };
        let is_light = |words: &[String]| {
            let before = std::iter::once(verb).chain(words);
            let behind = words.iter().skip(1).chain(self.after.first()).map(Some).chain([None]);
            words.iter().zip(before).zip(behind).all(|((word, before), behind)| match word.as_str() {
                "来" | "去" => BEFORE_WAY.contains(before.as_str()),
                // Alone it says that something was so once: 有过.
                "过" => behind.is_some_and(|word| matches!(word.as_str(), "来" | "去")),
                word => LIGHT.contains(word),
            })
        };
        let has = |words: &[String], way: &str| words.iter().any(|word| word == way);
        let is_turned = OPPOSITE_WAYS.iter().any(|(one, other)| {
            has(self.old, one) && has(self.new, other) || has(self.old, other) && has(self.new, one)
        });
        is_light(self.old) && is_light(self.new) && !is_turned && !NO_VERB.contains(verb.as_str())
    }

    /// Returns whether a Chinese word is said once more, or once less: 看票, 看了看票.
    fn is_doubled(&self) -> bool {
        let Some(verb) = self.before.last().filter(|word| is_chinese(word)) else { return false };
        let is_again = |words: &[String]| words.contains(verb) && words.iter().all(|word| word == verb || word == "了");
        self.old.is_empty() && is_again(self.new) || self.new.is_empty() && is_again(self.old)
    }

    /// Returns whether an English adverb stands on the other side of the object.
    fn is_moved(&self) -> bool {
        let is_turned = |one: &[String], other: &[String]| match (one.split_last(), other.split_first()) {
            (Some((last, rest)), Some((first, behind))) => {
                last == first && rest == behind && PARTICLES.contains(&first.as_str())
            }
            _ => false,
        };
        is_turned(self.old, self.new) || is_turned(self.new, self.old)
    }

    /// Returns whether the change leaves what is stated: of something that somebody does to an object, or, without one, of
    /// a quality.
    fn is_beside_statement(&self, has_object: bool) -> bool {
        let (previous, next) = (self.before.last().map(String::as_str), self.after.first().map(String::as_str));
        let is_manner = |words: &[String]| are_manner(&joined_words(words), next);
        let is_word = |words: &[String]| matches!(words, [word] if word.is_ascii() && !is_fixed(word));
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

/// Returns the words in the form for comparing quotes, without spaces.
fn joined(words: &[String]) -> String {
    words.concat()
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
    fn a_sentence_in_another_form_is_the_same() {
        let form = |old: &str, new: &str| {
            let first = if new.is_ascii() { "It rained. " } else { "雨停了。" };
            let text = format!("{first}{new}");
            let text = Quotable::of(&text);
            with_other_form(&text, old, 0).as_deref() == Some(new)
        };
        for (old, new, is_same) in [
            ("秀敏只好把当票递过去。", "秀敏只好把当票递了过去。", true),
            ("秀敏只好把当票递过去。", "秀敏只好把当票递过来。", false),
            ("秀敏只好把当票递过去。", "秀敏只好把当票扔过去。", false),
            ("秀敏只好把当票递过去。", "秀云只好把当票递过去。", false),
            ("秀敏只好把当票递过去。", "秀敏没有把当票递过去。", false),
            ("他收了秀云四百二十块钱，数了两遍。", "他收下秀云四百二十块钱，数了两遍。", true),
            ("他收了秀云四百二十块钱，数了两遍。", "他收下秀云四百块钱，数了两遍。", false),
            ("他收了秀云四百二十块钱，数了两遍。", "他收了秀云四百二十块钱；数了两遍！", true),
            ("秀云把票收下。", "秀云把票收下？", false),
            ("秀云看票上的字。", "秀云看了看票上的字。", true),
            ("他走到寄卖行门口了。", "他走到寄卖行门口来。", false),
            ("秀敏递去当票。", "秀敏递过去当票。", true),
            ("秀敏有一张当票。", "秀敏有过一张当票。", false),
            ("秀敏爱着他。", "秀敏爱过他。", false),
            ("Edwin handed it over to her at once.", "Edwin handed over it to her at once.", true),
            ("Edwin did not hand it over to her.", "Edwin didn't hand it over to her.", true),
            ("Edwin did not hand it over to her.", "Edwin did hand it over to her.", false),
            ("Edwin was at the door with the ring.", "Edwin had been at the door with the ring.", false),
        ] {
            assert_eq!(form(old, new), is_same, "{old} / {new}");
        }
    }

    #[test]
    fn an_english_fact_stays_beside_other_adverbs_and_adjectives() {
        let ring = fact("Mara", Some("the ring"), Value::Null);
        let old = "Mara slowly took the ring from the shelf.";
        for (new, stays) in [
            ("Mara once took the ring from the shelf.", false),
            ("Mara quickly took the ring from the shelf.", true),
            ("Mara slowly took the ring from the table.", true),
            ("Mara hardly took the ring from the shelf.", false),
            ("Mara slowly hid the ring from the shelf.", false),
            ("Mara never took the ring from the shelf.", false),
            ("Ruth slowly took the ring from the shelf.", false),
        ] {
            assert_eq!(left(&ring, old, new), stays, "{new}");
        }
        let old = "Mara took the ring of her father's house.";
        assert!(!left(&ring, old, "Mara took the ring of her neighbour's house."), "another's ring");
        let eyes = fact("Mara", None, json!("grey"));
        assert!(left(
            &eyes,
            "Mara looked up, and her tired eyes were grey.",
            "Mara looked up, and her calm eyes were grey."
        ));
        assert!(!left(&eyes, "Mara looked up, and her eyes were grey.", "Mara looked up, and her dress were grey."));
    }
}
