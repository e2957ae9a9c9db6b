//! Counts in the descriptions of cards, such as `一家九口` or `nine looms`, and other numbers for them.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::language::is_han;
use crate::names::fold;
use crate::numerals::{chinese, is_digit_or_numeral, is_plain_numeral, read_chinese, read_english};
use crate::{Fact, Mode, Story, ids, predicate};

/// Chinese characters of a predicate that do not say what is counted.
const COUNTING: &str = "数量有共总的个目额";
/// English words of a predicate that do not say what is counted.
const COUNTING_WORDS: [&str; 16] = [
    "has",
    "have",
    "had",
    "number",
    "count",
    "keeps",
    "keep",
    "owns",
    "total",
    "amount",
    "stock",
    "size",
    "left",
    "remaining",
    "the",
    "and",
];
/// Units in which many things are counted: the words around them must say which.
const MEASURES: [&str; 40] = [
    "两",
    "文",
    "贯",
    "元",
    "块",
    "钱",
    "吊",
    "亩",
    "石",
    "斤",
    "担",
    "里",
    "尺",
    "丈",
    "年",
    "岁",
    "天",
    "日",
    "个",
    "名",
    "位",
    "件",
    "人",
    "pound",
    "pounds",
    "shilling",
    "shillings",
    "guinea",
    "guineas",
    "penny",
    "pence",
    "acre",
    "acres",
    "mile",
    "miles",
    "yard",
    "yards",
    "years",
    "people",
    "men",
];
/// Marks that end a clause.
const CLAUSE_ENDS: [char; 14] = ['，', '。', '；', '、', '：', '（', '）', ',', '.', ';', ':', '(', ')', '\n'];

/// A count in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CardCount {
    /// The number.
    pub(crate) number: u32,
    /// The bytes of the numeral.
    place: Range<usize>,
}

/// Returns the count that a description gives for a predicate and a unit; `None` without one or with several.
pub(crate) fn count_in(description: &str, predicate: &str, unit: &str) -> Option<CardCount> {
    let unit = fold(unit);
    let words = predicate_words(predicate);
    let units: Vec<&str> = match unit.is_empty() {
        true => words.iter().map(String::as_str).collect(),
        false => vec![unit.as_str()],
    };
    let is_meant = |count: &CardCount, unit: &str| {
        !MEASURES.contains(&unit) || is_about(clause_at(description, count.place.start), predicate, &words)
    };
    let mut found = Vec::new();
    for unit in units {
        let counts =
            if unit.chars().all(is_han) { chinese_counts(description, unit) } else { counts(description, unit) };
        found.extend(counts.into_iter().filter(|count| is_meant(count, unit)));
    }
    match found.as_slice() {
        [count] => Some(count.clone()),
        _ => None,
    }
}

/// Returns a description with another number for its count of a predicate and a unit; `None` if it gives this number, or no
/// single one.
pub fn with_count(description: &str, predicate: &str, unit: &str, number: u32) -> Option<String> {
    let count = count_in(description, predicate, unit).filter(|count| count.number != number)?;
    let (before, old, after) =
        (&description[..count.place.start], &description[count.place.clone()], &description[count.place.end..]);
    let numeral = if old.chars().all(is_plain_numeral) { chinese(number) } else { number.to_string() };
    Some(format!("{before}{numeral}{after}"))
}

/// Returns the description of a place, thing or organisation with the counts of its latest facts; `None` if nothing changes.
pub fn as_told(story: &Story, name: &str, description: &str) -> Option<String> {
    let is_so = |fact: &&Fact| {
        let has_object = fact.object.as_deref().is_some_and(|object| !object.trim().is_empty());
        fact.mode == Mode::Narrated && !has_object && fact.subject.trim() == name.trim()
    };
    let mut told: Vec<&Fact> = story.facts.iter().filter(is_so).collect();
    told.sort_by_key(|fact| ids::parse(&fact.id).map(|(_, number)| number));
    let mut shown = description.to_owned();
    let mut seen = BTreeSet::new();
    for fact in told.into_iter().rev() {
        // Only the last number of a kind counts.
        if !seen.insert((fact.predicate.trim(), fact.unit.trim())) {
            continue;
        }
        let number = fact.value.as_u64().and_then(|number| u32::try_from(number).ok());
        let word = predicate::shown(&fact.predicate, story.language);
        if let Some(changed) = number.and_then(|number| with_count(&shown, &word, &fact.unit, number)) {
            shown = changed;
        }
    }
    (shown != description).then_some(shown)
}

/// Returns the English words of a predicate that say what is counted.
fn predicate_words(predicate: &str) -> Vec<String> {
    let folded = fold(predicate);
    let words = folded.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() > 2);
    words.filter(|word| !COUNTING_WORDS.contains(word)).map(str::to_owned).collect()
}

/// Returns the numbers before a Chinese unit.
fn chinese_counts(text: &str, unit: &str) -> Vec<CardCount> {
    let counts = text.match_indices(unit).filter_map(|(at, _)| {
        let numeral = text[..at].char_indices().rev();
        let numeral = numeral.take_while(|(_, c)| is_digit_or_numeral(*c));
        let begin = numeral.last().map(|(begin, _)| begin)?;
        let number = u32::try_from(read_chinese(&text[begin..at])?).ok()?;
        Some(CardCount { number, place: begin..at })
    });
    counts.collect()
}

/// Returns the numbers before an English unit.
fn counts(text: &str, unit: &str) -> Vec<CardCount> {
    let mut before: Option<Range<usize>> = None;
    let mut found = Vec::new();
    let mut at = 0;
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '-') {
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let own = at..at + bare.len();
        at += word.len();
        if bare.is_empty() {
            continue;
        }
        let place = before.filter(|place| text[place.end..own.start].trim().is_empty());
        if is_one_word(&fold(bare), unit)
            && let Some(place) = place
            && let Some(number) = read_english(&text[place.clone()])
        {
            found.push(CardCount { number, place });
        }
        before = Some(own);
    }
    found
}

/// Returns the clause of a text around a byte.
fn clause_at(text: &str, at: usize) -> &str {
    let begin = text[..at].char_indices().rev().find(|(_, c)| CLAUSE_ENDS.contains(c));
    let begin = begin.map_or(0, |(begin, c)| begin + c.len_utf8());
    let end = text[at..].find(CLAUSE_ENDS).map_or(text.len(), |end| at + end);
    &text[begin..end]
}

/// Returns whether a clause speaks of what a predicate counts, by a common character or word, if the predicate says it.
fn is_about(clause: &str, predicate: &str, words: &[String]) -> bool {
    let mut letters = predicate.chars().filter(|c| is_han(*c) && !COUNTING.contains(*c)).peekable();
    if letters.peek().is_some() {
        return letters.any(|c| clause.contains(c));
    }
    let clause = fold(clause);
    let mut said = clause.split(|c: char| !c.is_alphanumeric());
    words.is_empty() || said.any(|said| words.iter().any(|word| is_one_word(said, word)))
}

/// Returns whether two folded English words are one, in the singular or plural.
fn is_one_word(one: &str, other: &str) -> bool {
    let singular = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    singular(one) == singular(other)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{as_told, with_count};
    use crate::Story;

    #[test]
    fn the_facts_tell_the_numbers_of_a_card() {
        for (language, name, card, unit, told) in [
            ("en", "the mill", "A mill with nine looms.", "looms", "A mill with 11 looms."),
            ("zh", "汪家", "城东大户，一家九口。", "口", "城东大户，一家十一口。"),
        ] {
            let fact = |id: &str, number: u32, mode: &str| json!({"id": id, "subject": name, "predicate": "number", "value": number, "unit": unit, "mode": mode});
            let facts = json!([fact("f-10", 11, "narrated"), fact("f-9", 10, "narrated"), fact("f-11", 20, "lied")]);
            let story: Story = serde_json::from_value(json!({"language": language, "facts": facts})).unwrap();
            assert_eq!(as_told(&story, name, card).as_deref(), Some(told));
            assert_eq!(as_told(&story, name, told), None);
            assert_eq!(as_told(&story, "other", card), None);
        }
    }

    #[test]
    fn the_number_of_a_card_is_replaced() {
        let household = "城东大户，一家九口，存银五百两，欠债三百两。";
        let mill = "A mill with nine looms, 40 hands and a debt of 90 pounds.";
        for (card, predicate, unit, number, expected) in [
            (household, "人口", "口", 11, Some("城东大户，一家十一口，存银五百两，欠债三百两。")),
            (household, "欠债", "两", 20, Some("城东大户，一家九口，存银五百两，欠债二十两。")),
            ("汪家有30口人。", "人口", "口", 28, Some("汪家有28口人。")),
            (mill, "has looms", "", 11, Some("A mill with 11 looms, 40 hands and a debt of 90 pounds.")),
            (mill, "number of workers", "hands", 38, Some("A mill with nine looms, 38 hands and a debt of 90 pounds.")),
            (mill, "debt", "pounds", 20, Some("A mill with nine looms, 40 hands and a debt of 20 pounds.")),
        ] {
            assert_eq!(with_count(card, predicate, unit, number).as_deref(), expected, "{card} {predicate}");
        }
    }

    #[test]
    fn a_number_of_something_else_stays() {
        for (card, predicate, unit, number) in [
            ("一家九口。", "人口", "口", 9),
            ("欠债三百两。", "存银", "两", 20),
            ("存银五百两，欠债三百两。", "数量", "两", 20),
            ("十几口人。", "人口", "口", 9),
            ("一家九口。", "仆人", "名", 3),
            ("A debt of 90 pounds.", "rent", "pounds", 20),
            ("Nine looms.", "has looms", "", 9),
        ] {
            assert_eq!(with_count(card, predicate, unit, number), None, "{card} {predicate}");
        }
    }
}
