//! The fields of a plan that the written text can contradict, read and changed by name.

use qingyu_story::{Language, OutlineNode, Piece};
use serde_json::Value;

/// The fields, as shown to the model, accepted from it and changed by the author's decision. Texts and lists of texts; a
/// list is a text with a line for each entry.
pub(super) const LATER_FIELDS: [&str; 15] = [
    "description",
    "goal",
    "function",
    "opening",
    "pressure",
    "turns",
    "hook",
    "payoff",
    "participants",
    "location",
    "plants",
    "pays",
    "reveals",
    "opposition",
    "price",
];

/// Returns one of [`LATER_FIELDS`] in the language of a book; any other field as it is.
pub(super) fn shown(field: &str, language: Language) -> String {
    let (zh, en) = match field {
        "description" => ("内容", "what happens"),
        "goal" => ("目标", "goal"),
        "function" => ("用处", "function"),
        "opening" => ("开头", "opening"),
        "pressure" => ("压力", "pressure"),
        "turns" => ("转折", "turns"),
        "hook" => ("悬念", "hook"),
        "payoff" => ("兑现", "payoff"),
        "participants" => ("出场人物", "people"),
        "location" => ("地点", "place"),
        "plants" => ("埋下的伏笔", "plants"),
        "pays" => ("收回的伏笔", "pays"),
        "reveals" => ("揭开的事", "reveals"),
        "opposition" => ("对手", "opposing force"),
        "price" => ("代价", "price"),
        other => (other, other),
    };
    let name = if language == Language::Zh { zh } else { en };
    name.to_owned()
}

/// A field of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PlanValue {
    Text(String),
    List(Vec<String>),
}

impl PlanValue {
    /// Returns one of [`LATER_FIELDS`] of `node`; `None` for any other field.
    pub(super) fn of(node: &OutlineNode, field: &str) -> Option<Self> {
        let name = LATER_FIELDS.into_iter().find(|name| *name == field)?;
        let text = |value: &Value| value.as_str().unwrap_or_default().trim().to_owned();
        Some(match Piece::OutlineNode(node.clone()).fields().remove(name)? {
            Value::Array(entries) => Self::List(entries.iter().map(text).filter(|entry| !entry.is_empty()).collect()),
            value => Self::Text(text(&value)),
        })
    }

    /// Returns the value as a text, a list with a line for each entry.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::List(entries) => entries.join("\n"),
        }
    }

    /// Returns `node` with the text for a value of this kind; `None` if the field does not take it.
    pub(super) fn put(&self, node: &OutlineNode, field: &str, text: &str) -> Option<OutlineNode> {
        let value = match self {
            Self::Text(_) => text.into(),
            Self::List(_) => entries(text.lines()).into(),
        };
        match Piece::OutlineNode(node.clone()).with_field(field, value).ok()? {
            Piece::OutlineNode(changed) => Some(changed),
            _ => None,
        }
    }
}

/// Returns whether any of [`LATER_FIELDS`] of `node` says something.
pub(super) fn has_plan(node: &OutlineNode) -> bool {
    let fields = Piece::OutlineNode(node.clone()).fields();
    LATER_FIELDS.iter().any(|name| match fields.get(*name) {
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(Value::Array(entries)) => !entries.is_empty(),
        _ => false,
    })
}

/// Returns the entries of a list without blank and repeated ones.
pub(super) fn entries<'t>(given: impl IntoIterator<Item = &'t str>) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for entry in given.into_iter().flat_map(str::lines).map(str::trim).filter(|entry| !entry.is_empty()) {
        if !entries.iter().any(|known| known == entry) {
            entries.push(entry.to_owned());
        }
    }
    entries
}

/// Returns a list after the change from `before` to `after`, lists with a line for each entry; `None` if it has lost an
/// entry that the change takes out.
pub(super) fn changed_list(now: &[String], before: &str, after: &str) -> Option<String> {
    let (before, after) = (entries([before]), entries([after]));
    if now == before {
        return Some(after.join("\n"));
    }
    let taken: Vec<&String> = before.iter().filter(|entry| !after.contains(entry)).collect();
    if taken.iter().any(|entry| !now.contains(entry)) {
        return None;
    }
    let kept = now.iter().filter(|entry| !taken.contains(entry));
    let added = after.iter().filter(|entry| !before.contains(entry));
    Some(entries(kept.chain(added).map(String::as_str)).join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_has_a_name_in_both_languages() {
        for field in LATER_FIELDS {
            assert_ne!(shown(field, Language::Zh), field);
            assert!(!shown(field, Language::En).contains('_'), "{field}");
        }
        assert_eq!(shown("words", Language::Zh), "words");
    }

    #[test]
    fn two_changes_of_a_list_are_applied_one_after_the_other() {
        let people = ["老周", "沈策", "林青"].map(str::to_owned);
        let before = "老周\n沈策\n林青";
        let first = changed_list(&people, before, "沈策\n林青").expect("it can be changed");
        assert_eq!(first, "沈策\n林青");
        let second = changed_list(&entries([first.as_str()]), before, "老周\n林青\n阿九");
        assert_eq!(second.as_deref(), Some("林青\n阿九"));
        assert_eq!(changed_list(&entries(["林青"]), before, "沈策\n林青"), None, "he is out already");
    }
}
