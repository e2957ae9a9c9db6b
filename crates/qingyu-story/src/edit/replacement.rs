//! Replacement of ranges in a text.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Error;

/// A range of a text, and its new words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    /// The byte range: first byte, and the byte after the last.
    pub range: (usize, usize),
    /// The expected current words; a text with other words has changed since and is left unchanged.
    pub was: String,
    /// The new words.
    pub with: String,
}

/// Returns `text` with all `replacements` applied; ranges refer to the original `text` and must not overlap.
///
/// Returns `None` if a range does not contain the expected words.
pub fn replace(text: &str, replacements: &[Replacement]) -> Option<String> {
    let mut sorted: Vec<&Replacement> = replacements.iter().collect();
    sorted.sort_by_key(|replacement| replacement.range);
    let mut replaced = String::with_capacity(text.len());
    let mut copied = 0;
    for Replacement { range: (start, end), was, with } in sorted {
        if *start < copied || text.get(*start..*end)? != was {
            return None;
        }
        replaced.push_str(&text[copied..*start]);
        replaced.push_str(with);
        copied = *end;
    }
    replaced.push_str(&text[copied..]);
    Some(replaced)
}

/// Returns `text` with the replacements deserialized from `value`, a single object or a list.
pub(super) fn make(field: &str, text: &str, value: Value) -> Result<String, Error> {
    let invalid = |reason: String| Error::InvalidField { path: format!("parameters/replace_{field}"), reason };
    let replacements: Vec<Replacement> = match value {
        Value::Array(_) => serde_json::from_value(value),
        one => serde_json::from_value(one).map(|one| vec![one]),
    }
    .map_err(|error| invalid(error.to_string()))?;
    replace(text, &replacements).ok_or_else(|| invalid("the text does not say so there".to_owned()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::piece::PieceKind;
    use crate::{Character, Edit, EditTarget, Story, edit};

    /// Replaces in `雨夜，，雨夜。`, and undoes the replacement.
    fn replaced(value: serde_json::Value) -> Option<String> {
        let card =
            Character { name: "林青".into(), background: "雨夜，，雨夜。".into(), ..Character::default() };
        let mut story = Story { characters: vec![card], ..Story::default() };
        let before = story.clone();
        let fields = [("replace_background".to_owned(), value)].into();
        let edit = Edit::Update { kind: PieceKind::Character, target: EditTarget::Named("林青".into()), fields };
        let change = edit::apply(&mut story, edit).ok()?;
        let after = story.characters[0].background.clone();
        change.inverse().apply(&mut story).unwrap();
        assert_eq!(story, before);
        Some(after)
    }

    #[test]
    fn places_are_replaced_only_if_they_say_what_is_expected() {
        let comma = json!({ "range": [6, 12], "was": "，，", "with": "，" });
        let first = json!({ "range": [0, 6], "was": "雨夜", "with": "雪夜" });
        assert_eq!(replaced(comma.clone()).as_deref(), Some("雨夜，雨夜。"));
        assert_eq!(replaced(json!([comma, first])).as_deref(), Some("雪夜，雨夜。"));
        for wrong in [
            json!([comma, comma]),
            json!({ "range": [6, 12], "was": "，。", "with": "，" }),
            json!({ "range": [7, 12], "was": "，，", "with": "，" }),
            json!({ "range": [60, 70], "was": "", "with": "，" }),
            json!({ "range": [12, 6], "was": "", "with": "，" }),
            json!({ "range": [0, 6], "with": "雪夜" }),
            json!("雪夜"),
        ] {
            assert_eq!(replaced(wrong.clone()), None, "{wrong}");
        }
    }
}
