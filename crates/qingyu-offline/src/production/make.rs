//! Makes or changes the value of a field.

use qingyu_agents::production::context::FieldContext;
use serde_json::Value;

use super::{amend, frame, shape};

/// Returns the response: a text, or JSON valid under the schema.
pub(crate) fn make(making: &FieldContext) -> String {
    let value = match &making.before {
        Some(before) => amend::amend(making, before),
        None if making.is_text => Value::String(frame::text(making)),
        None => shape::value(making),
    };
    match value {
        Value::String(text) if making.is_text => text,
        value => value.to_string(),
    }
}
