//! Numbers with parts behind them, and English ordinals, in the words of a sentence.

use serde_json::{Value, json};

use crate::time::leading_number;

/// Returns an English ordinal as the number it counts to: `twenty-first` as `twenty-one`; other words unchanged.
pub(super) fn cardinal(words: &str) -> String {
    const ENDS: [(&str, &str); 10] = [
        ("first", "one"),
        ("second", "two"),
        ("third", "three"),
        ("fifth", "five"),
        ("eighth", "eight"),
        ("ninth", "nine"),
        ("twelfth", "twelve"),
        ("ieth", "y"),
        ("th", ""),
        ("st", ""),
    ];
    let found = ENDS.iter().find_map(|(end, number)| Some(format!("{}{number}", words.strip_suffix(end)?)));
    found.unwrap_or_else(|| words.to_owned())
}

/// Returns a whole number with the digits behind it, Chinese or Arabic.
pub(super) fn with_tenths(whole: &Value, digits: &str) -> Option<Value> {
    const DIGITS: &str = "零一二三四五六七八九";
    let digit = |c: char| match c.to_digit(10) {
        Some(digit) => Some(digit.to_string()),
        None => DIGITS.chars().position(|known| known == c).map(|digit| digit.to_string()),
    };
    let digits = digits.chars().map(digit).collect::<Option<String>>()?;
    format!("{whole}.{digits}").parse::<f64>().ok().map(|number| json!(number))
}

/// Returns a whole number with twelfths behind it, rounded to hundredths.
pub(super) fn with_twelfths(whole: &Value, twelfths: &str) -> Option<Value> {
    let (inches, _) = leading_number(&twelfths.to_lowercase())?;
    let feet = whole.as_f64()? + inches / 12.0;
    Some(json!((feet * 100.0).round() / 100.0))
}

#[cfg(test)]
mod tests {
    use super::{cardinal, json, with_twelfths};

    #[test]
    fn an_ordinal_counts_to_its_number() {
        for (ordinal, expected) in [
            ("twenty-first", "twenty-one"),
            ("ninth", "nine"),
            ("fortieth", "forty"),
            ("sixteenth", "sixteen"),
            ("21st", "21"),
            ("forty", "forty"),
        ] {
            assert_eq!(cardinal(ordinal), expected, "{ordinal}");
        }
    }

    #[test]
    fn inches_are_twelfths_of_feet() {
        assert_eq!(with_twelfths(&json!(6), "four"), Some(json!(6.33)));
    }
}
