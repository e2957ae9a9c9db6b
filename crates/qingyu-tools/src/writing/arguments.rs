//! Arguments of the tools.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::error::ToolError;

/// Fields of a piece, by JSON name.
pub(crate) type Fields = BTreeMap<String, Value>;

/// Entries for lists of a piece, by list name.
pub(crate) type Entries = BTreeMap<String, Vec<Value>>;

/// Returns the fields to set, with the entries to append to or remove from lists.
pub(crate) fn settings(data: Option<Fields>, add: Option<Entries>, remove: Option<Entries>) -> Fields {
    let mut fields = data.unwrap_or_default();
    let entries = |prefix: &'static str, lists: Option<Entries>| {
        lists
            .unwrap_or_default()
            .into_iter()
            .map(move |(list, entries)| (format!("{prefix}_{list}"), Value::from(entries)))
    };
    fields.extend(entries("add", add));
    fields.extend(entries("remove", remove));
    fields
}

/// Returns a required argument, or an error.
pub(crate) fn needed<T>(argument: Option<T>, path: &str) -> Result<T, ToolError> {
    argument.ok_or_else(|| ToolError::invalid(path, "a value; the action needs it"))
}
