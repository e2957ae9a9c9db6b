//! The values of numbers in the form for comparing quotes.

use serde_json::Value;

use super::quotes::{IN_WORDS, POINT, numbers};
use crate::numerals::{TENS, WORDS, read_chinese};

/// Returns the value of one of the [`numbers`] of a text, in thousandths: `40`, `3.5万`, `三百二十六两`, `fortythousand`; `None`
/// if it is not understood as one number.
pub(super) fn thousandths(number: &str) -> Option<i64> {
    // In 九两银子 the last numeral is a unit.
    let number = number.strip_suffix('两').filter(|bare| !bare.is_empty()).unwrap_or(number);
    let is_latin = |c: char| c.is_ascii_digit() || c == POINT;
    let (latin, rest) = number.split_at(number.find(|c: char| !is_latin(c)).unwrap_or(number.len()));
    let whole = || read_chinese(number).or_else(|| in_english(number))?.checked_mul(1000);
    match (latin, scale(rest)) {
        (latin, Some(scale)) if !latin.is_empty() => decimal(latin)?.checked_mul(scale),
        _ => whole(),
    }
}

/// Returns the value of a numeric field in thousandths, without its sign; `None` for other values.
pub(super) fn thousandths_of(value: &Value) -> Option<i64> {
    let Value::Number(number) = value else { return None };
    match numbers(&number.to_string()).as_slice() {
        [(number, _)] => thousandths(number),
        _ => None,
    }
}

/// Returns which of the numbers of the text has the value; `None` if none has, or several have.
pub(super) fn number_place(text: &str, value: f64) -> Option<usize> {
    let (first, last) = number_places(text, value)?;
    (first == last).then_some(first)
}

/// Returns the first and the last of the numbers of the text that have the value.
pub(crate) fn number_places(text: &str, value: f64) -> Option<(usize, usize)> {
    let sought = thousandths_of(&Value::from(value))?;
    let numbers = numbers(text);
    let mut places = (0..).zip(&numbers).filter(|(_, (number, _))| thousandths(number) == Some(sought));
    let first = places.next()?.0;
    Some((first, places.last().map_or(first, |(place, _)| place)))
}

/// Returns whether the text has a number of the value.
pub(super) fn has_value(text: &str, value: i64) -> bool {
    numbers(text).iter().any(|(number, _)| thousandths(number) == Some(value))
}

/// Returns the thousandths of a number in digits with at most one point.
fn decimal(digits: &str) -> Option<i64> {
    let (whole, part) = digits.split_once(POINT).unwrap_or((digits, ""));
    let part: String = part.chars().chain("000".chars()).take(3).collect();
    format!("{whole}{part}").parse().ok()
}

/// Returns the unit behind digits: 1 for none, 10000 for `万`, 1000 for `thousand`.
fn scale(unit: &str) -> Option<i64> {
    match unit {
        "" => Some(1),
        "hundred" => Some(100),
        "thousand" => Some(1000),
        "million" => Some(1_000_000),
        _ if unit.chars().all(|c| "十百千万萬亿億".contains(c)) => read_chinese(&format!("一{unit}")),
        _ => None,
    }
}

/// Parses an English number in words without spaces: `fortythousand`, `twohundredandten`, `twenty-six`.
fn in_english(number: &str) -> Option<i64> {
    let (mut all, mut section, mut rest) = (0_i64, 0_i64, number);
    while !rest.is_empty() {
        rest = rest.strip_prefix('-').or_else(|| rest.strip_prefix("and")).unwrap_or(rest);
        let word = IN_WORDS.iter().find(|word| rest.starts_with(**word))?;
        rest = &rest[word.len()..];
        match *word {
            "hundred" => section = section.max(1).checked_mul(100)?,
            "thousand" | "million" => {
                all = all.checked_add(section.max(1).checked_mul(scale(word)?)?)?;
                section = 0;
            }
            word => {
                let value = below_hundred(word)?;
                // `twenty-six` adds up, `nineteen eighty` does not.
                let is_open = if value < 10 { section % 10 == 0 && section % 100 != 10 } else { section % 100 == 0 };
                section += is_open.then_some(value)?;
            }
        }
    }
    all.checked_add(section)
}

/// Returns the value of one of [`WORDS`] or [`TENS`].
fn below_hundred(word: &str) -> Option<i64> {
    let place = |list: &[&str]| list.iter().position(|known| *known == word).and_then(|at| i64::try_from(at).ok());
    place(&WORDS).or_else(|| place(&TENS).map(|at| at * 10 + 20))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_of_several_words_have_one_value() {
        let cases = [
            ("Forty thousand marks.", Some(40_000_000)),
            ("Four thousand marks.", Some(4_000_000)),
            ("Forty hundred marks.", Some(4_000_000)),
            ("40 thousand marks.", Some(40_000_000)),
            ("two hundred and ten men", Some(210_000)),
            ("twenty-six pounds", Some(26_000)),
            ("a hundred pounds", Some(100_000)),
            ("two million marks", Some(2_000_000_000)),
            ("in nineteen eighty", None),
            ("三百二十六两银子", Some(326_000)),
            ("326两银子", Some(326_000)),
            ("四万块钱", Some(40_000_000)),
            ("3.5万块钱", Some(35_000_000)),
            ("九两", Some(9000)),
            ("两三千人", None),
        ];
        for (text, expected) in cases {
            let found = numbers(text);
            assert_eq!(found.len(), 1, "{text} {found:?}");
            assert_eq!(thousandths(&found[0].0), expected, "{text}");
        }
        assert_eq!(thousandths_of(&json!(40000)), Some(40_000_000));
        assert_eq!(thousandths_of(&json!(-3.5)), Some(3500));
        assert_eq!(thousandths_of(&json!("40")), None);
        assert!(has_value("付了八块钱", 8000) && !has_value("付了八十块钱", 8000));
    }

    #[test]
    fn a_number_has_one_place_in_its_sentence() {
        let sentence = "支棺木六十元，收票款九十四元，柜银三百六十元。";
        let places = [60.0, 94.0, 360.0, 36.0].map(|value| number_place(sentence, value));
        assert_eq!(places, [Some(0), Some(1), Some(2), None]);
        assert_eq!(number_place("Sixty in, sixty out.", 60.0), None);
        assert_eq!(number_places("Sixty in, sixty out.", 60.0), Some((0, 1)));
    }
}
