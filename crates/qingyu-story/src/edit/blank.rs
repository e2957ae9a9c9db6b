//! Blank values of fields.

use serde_json::Value;

use crate::placeholder::is_unwritten;

/// Returns whether a value is empty, or contains only placeholders.
pub fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => is_unwritten(text),
        Value::Array(entries) => entries.is_empty(),
        _ => false,
    }
}
