//! The fields of a plan that the written text can contradict, read and changed by name.

use qingyu_story::{OutlineNode, Piece};
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
