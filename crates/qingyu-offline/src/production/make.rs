//! Makes the value of a field, or changes it.

use qingyu_agents::production::context::Making;
use serde_json::Value;

use super::{amend, frame, shape};

/// The answer: a text, or JSON that fits the schema.
pub(crate) fn make(making: &Making) -> String {
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
