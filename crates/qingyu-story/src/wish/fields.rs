//! Maps words to fields and field values.

use serde_json::{Value, json};

use super::words;
use crate::edit::is_blank;
use crate::names::fold;
use crate::numerals::{TENS, WORDS, is_plain_numeral, read_chinese};
use crate::piece::{Piece, PieceKind};

/// Returns the field of pieces of `kind` called `word`.
pub(super) fn named(kind: PieceKind, word: &str) -> Option<&'static str> {
    let word = fold(word);
    let fields = words::fields(kind).iter();
    fields.clone().find(|(field, known)| *field == word || known.contains(&word.as_str())).map(|(field, _)| *field)
}

/// Returns whether `word` names a field of any kind of piece.
pub(super) fn is_field(word: &str) -> bool {
    PieceKind::ALL.into_iter().any(|kind| named(kind, word).is_some())
}

/// Returns the character role for `word`, such as `反派`.
pub(super) fn role(word: &str) -> Option<&'static str> {
    let word = fold(word);
    let word = word.trim_end_matches("角色").trim_end_matches("人物");
    let word = word
        .strip_prefix("the ")
        .or_else(|| word.strip_prefix("a "))
        .or_else(|| word.strip_prefix("an "))
        .unwrap_or(word);
    words::ROLES.iter().find(|(role, known)| *role == word || known.contains(&word)).map(|(role, _)| *role)
}

/// Parses `said` as a value of `field`; returns `None` if the field does not accept the value.
pub(super) fn value(kind: PieceKind, field: &str, said: &str) -> Option<Value> {
    let empty = Piece::empty(kind);
    let value = match (field, empty.fields().get(field)?) {
        ("role_type", _) => json!(role(said)?),
        ("age" | "words" | "importance", _) => json!(number(said)?),
        (_, Value::Array(_)) => {
            let entries = said.split(['、', '，', ',']).map(str::trim).filter(|entry| !entry.is_empty());
            json!(entries.collect::<Vec<_>>())
        }
        _ => json!(said),
    };
    empty.with_field(field, value.clone()).ok().map(|_| value)
}

/// Returns the empty value of `field`.
pub(super) fn empty(kind: PieceKind, field: &str) -> Value {
    Piece::empty(kind).fields().remove(field).unwrap_or(Value::Null)
}

/// Returns whether the `held` value satisfies the wanted value: the same number or word, or text containing the wanted
/// words.
pub(super) fn holds(held: &Value, wanted: &Value) -> bool {
    match (held, wanted) {
        (_, wanted) if is_blank(wanted) => is_blank(held),
        (Value::String(held), Value::String(wanted)) => plain(held).contains(&plain(wanted)),
        (Value::Array(held), Value::Array(wanted)) => {
            wanted.iter().all(|wanted| held.iter().any(|held| holds(held, wanted)))
        }
        (held, wanted) => held == wanted,
    }
}

/// Normalizes `text` for comparing wishes: folded, without whitespace and punctuation.
pub(super) fn plain(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Parses the number in `said`, in digits or Chinese numerals, such as `三十岁` or `about 30`.
fn number(said: &str) -> Option<i64> {
    let folded = fold(said);
    let digits: String = folded.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    if !digits.is_empty() {
        return digits.parse().ok();
    }
    let mut words = folded.split([' ', '-']);
    let place =
        |list: &[&str], word: &str| list.iter().position(|known| *known == word).and_then(|at| i64::try_from(at).ok());
    let first = words.next().unwrap_or_default();
    if let Some(tens) = place(&TENS, first) {
        let ones = words.next().and_then(|word| place(&WORDS[..10], word));
        return Some((tens + 2) * 10 + ones.unwrap_or(0));
    }
    if let Some(number) = place(&WORDS, first) {
        return Some(number);
    }
    let written: String =
        folded.chars().skip_while(|c| !is_plain_numeral(*c)).take_while(|c| is_plain_numeral(*c)).collect();
    read_chinese(&written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_digits_and_words() {
        let cases = [
            ("30", 30),
            ("三十岁", 30),
            ("二十八", 28),
            ("28 岁", 28),
            ("十九", 19),
            ("一百零三岁", 103),
            ("thirty-one", 31),
            ("sixteen", 16),
            ("about 45", 45),
        ];
        for (said, expected) in cases {
            assert_eq!(number(said), Some(expected), "{said}");
        }
        assert_eq!(number("很老"), None);
    }

    #[test]
    fn a_field_takes_what_fits_it() {
        let kind = PieceKind::Character;
        assert_eq!(value(kind, "role_type", "反派"), Some(json!("antagonist")));
        assert_eq!(value(kind, "role_type", "厨师"), None);
        assert_eq!(value(kind, "age", "很老"), None);
        assert_eq!(value(kind, "traits", "冷静、寡言"), Some(json!(["冷静", "寡言"])));
        assert_eq!(value(kind, "birth", "1900"), Some(json!("1900")));
        assert_eq!(
            (named(kind, "软肋"), named(kind, "weakness"), named(kind, "房间")),
            (Some("weakness"), Some("weakness"), None)
        );
    }

    #[test]
    fn what_is_held_may_say_more_than_was_asked_for() {
        assert!(holds(&json!("怕黑：一停电就发抖"), &json!("怕黑")));
        assert!(holds(&json!("Fear of the Dark."), &json!("fear of the dark")));
        assert!(!holds(&json!("怕水"), &json!("怕黑")));
        assert!(holds(&json!(null), &json!("")) && !holds(&json!("怕水"), &json!("")));
        assert!(holds(&json!(30), &json!(30)) && !holds(&json!(null), &json!(30)));
    }
}
