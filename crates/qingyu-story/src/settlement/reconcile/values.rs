//! The values of facts: their stored form, and whether two facts state the same.

use serde_json::{Value, json};

use crate::fact::Fact;
use crate::names::fold;
use crate::predicate::{self, ValueKind, word};

/// Returns a value in stored form: a number as a JSON number, with its unit.
pub(super) fn value(value: &Value, unit: &str, kind: Option<ValueKind>) -> (Value, String) {
    let (value, unit) = match (value, kind) {
        (Value::String(text), _) if text.trim().is_empty() => (Value::Null, unit.to_owned()),
        (Value::String(text), kind) if truth(text, kind).is_some() => (json!(truth(text, kind)), String::new()),
        (Value::String(text), Some(ValueKind::Number)) => {
            let lower = text.trim().to_lowercase();
            let number = crate::time::leading_number(&lower).map(|(number, end)| (number, lower[end..].trim()));
            let known = |told: &str| predicate::in_base_unit(1.0, told).is_some();
            match number {
                Some((number, "")) => (json!(number), unit.to_owned()),
                Some((number, told)) if unit.is_empty() && known(told) || told == unit => {
                    (json!(number), told.to_owned())
                }
                _ => (Value::String(text.trim().to_owned()), unit.to_owned()),
            }
        }
        (Value::String(text), _) => (Value::String(text.trim().to_owned()), unit.to_owned()),
        (Value::Array(_) | Value::Object(_), _) => (Value::Null, unit.to_owned()),
        (other, _) => (other.clone(), unit.to_owned()),
    };
    let whole = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
    (whole.map_or(value, |number| json!(number as i64)), unit)
}

/// Returns the truth value that a model wrote as a word; `None` for a text.
fn truth(text: &str, kind: Option<ValueKind>) -> Option<bool> {
    if matches!(kind, Some(ValueKind::Text | ValueKind::Code)) {
        return None;
    }
    text.trim().to_ascii_lowercase().parse().ok()
}

/// Returns whether two facts with resolved names state the same, ignoring times.
pub(in crate::settlement) fn says_the_same(a: &Fact, b: &Fact) -> bool {
    a.subject == b.subject
        && word(&a.predicate) == word(&b.predicate)
        && (&a.object, a.mode, &a.by) == (&b.object, b.mode, &b.by)
        && same_value(a, b)
}

/// Returns whether two facts have the same value: equal numbers after conversion of units, equal folded texts, or equal
/// values. Ages may differ by less than half a year.
pub(in crate::settlement) fn same_value(a: &Fact, b: &Fact) -> bool {
    let numbers = predicate::quantity(&a.value, &a.unit).zip(predicate::quantity(&b.value, &b.unit));
    if let Some((one, other)) = numbers {
        let bases = [one, other].map(|(number, unit)| predicate::in_base_unit(number, unit).map(|(_, base)| base));
        let same_unit = fold(one.1) == fold(other.1);
        let same_base = matches!(bases, [Some(one), Some(other)] if one == other);
        let of_age = |unit: &str| matches!(unit.trim(), "" | "岁" | "years" | "years old");
        let bare = predicate::find(&a.predicate).is_some_and(|word| word.role == Some(predicate::PredicateRole::Age));
        return match bare && of_age(one.1) && of_age(other.1) {
            true => (one.0 - other.0).abs() < 0.5,
            false => (same_unit || same_base) && !predicate::numbers_differ(one, other),
        };
    }
    match (&a.value, &b.value) {
        (Value::String(one), Value::String(other)) => fold(one) == fold(other),
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truth_value_in_words_is_a_truth_value() {
        for (told, kind, expected) in [
            ("true", None, json!(true)),
            (" False ", Some(ValueKind::Time), json!(false)),
            ("true", Some(ValueKind::Text), json!("true")),
            ("truly", None, json!("truly")),
            ("", None, Value::Null),
        ] {
            assert_eq!(value(&json!(told), "", kind).0, expected, "{told:?}");
        }
    }
}
