//! JSON as protocol buffers. Numbers are doubles: integers are exact up to 2^53.

use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value as Wire};
use serde_json::{Map, Number, Value};

/// The largest integer up to which a double is exact.
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// Converts JSON to a message.
pub(crate) fn to_wire(value: Value) -> Wire {
    let kind = match value {
        Value::Null => Kind::NullValue(0),
        Value::Bool(value) => Kind::BoolValue(value),
        Value::Number(number) => Kind::NumberValue(number.as_f64().unwrap_or_default()),
        Value::String(text) => Kind::StringValue(text),
        Value::Array(values) => Kind::ListValue(ListValue { values: values.into_iter().map(to_wire).collect() }),
        Value::Object(fields) => Kind::StructValue(object_to_wire(fields)),
    };
    Wire { kind: Some(kind) }
}

/// Converts an object to a message.
pub(crate) fn object_to_wire(fields: Map<String, Value>) -> Struct {
    Struct { fields: fields.into_iter().map(|(name, value)| (name, to_wire(value))).collect() }
}

/// Serializes a value to an object message; other values are inserted as the field `value`.
pub(crate) fn document(value: &impl serde::Serialize) -> Struct {
    match serde_json::to_value(value) {
        Ok(Value::Object(fields)) => object_to_wire(fields),
        Ok(value) => object_to_wire([("value".to_owned(), value)].into_iter().collect()),
        Err(error) => {
            tracing::error!(%error, "failed to write a response");
            Struct::default()
        }
    }
}

/// Converts a message to JSON. A number without a fraction becomes an integer.
pub(crate) fn from_wire(value: Wire) -> Value {
    match value.kind {
        None | Some(Kind::NullValue(_)) => Value::Null,
        Some(Kind::BoolValue(value)) => Value::Bool(value),
        Some(Kind::NumberValue(number)) => number_from_wire(number),
        Some(Kind::StringValue(text)) => Value::String(text),
        Some(Kind::ListValue(list)) => Value::Array(list.values.into_iter().map(from_wire).collect()),
        Some(Kind::StructValue(fields)) => object_from_wire(fields),
    }
}

/// Converts an object message to JSON.
pub(crate) fn object_from_wire(fields: Struct) -> Value {
    Value::Object(fields.fields.into_iter().map(|(name, value)| (name, from_wire(value))).collect())
}

fn number_from_wire(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() <= WHOLE {
        return Value::from(number as i64);
    }
    Number::from_f64(number).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn json_comes_back_as_it_was() {
        for value in [
            json!(null),
            json!({"空": [], "deep": [{"a": [true, false, null, "灯塔"]}], "n": -3, "f": 0.25}),
            json!(9_007_199_254_740_992_i64),
            json!("2"),
        ] {
            assert_eq!(from_wire(to_wire(value.clone())), value);
        }
    }

    #[test]
    fn numbers_that_json_does_not_have_are_nothing() {
        for number in [f64::NAN, f64::INFINITY] {
            assert_eq!(from_wire(Wire { kind: Some(Kind::NumberValue(number)) }), Value::Null);
        }
    }

    #[test]
    fn what_is_no_object_becomes_a_field() {
        assert_eq!(object_from_wire(document(&[1, 2])), json!({"value": [1, 2]}));
    }
}
