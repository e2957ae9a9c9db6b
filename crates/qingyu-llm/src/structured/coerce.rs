//! Changes to a value that cannot change its meaning, towards the shape a schema wants.

use serde_json::{Map, Value};

/// What becomes of keys the schema does not know.
///
/// A key may be a misspelt one, so the model is asked about it first; only the last attempt gives in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    Kept,
    Dropped,
}

/// Unwraps an object put inside another, then mends the values.
pub(super) fn coerce(value: &mut Value, schema: &Value, unknown: Unknown) {
    unwrap(value, schema);
    mend(value, schema, unknown);
}

/// `{"result": {…}}` where only `{…}` is wanted.
fn unwrap(value: &mut Value, schema: &Value) {
    let Value::Object(object) = value else { return };
    let known = |key: &String| properties(schema).is_some_and(|properties| properties.contains_key(key));
    let wanted = |inner: &Value| match inner {
        Value::Object(_) => wants(schema, "object"),
        Value::Array(_) => wants(schema, "array"),
        _ => false,
    };
    if object.len() == 1 && object.iter().all(|(key, inner)| !known(key) && wanted(inner)) {
        *value = object.iter_mut().next().map(|(_, inner)| inner.take()).expect("the object has one key");
    }
}

/// Changes what is not of the type the schema wants where only one reading is possible.
pub(super) fn mend(value: &mut Value, schema: &Value, unknown: Unknown) {
    let schema = the_choice(schema);
    match value {
        Value::String(text) if !wants(schema, "string") => {
            if let Some(number) = number(text, schema) {
                *value = number;
            }
        }
        Value::Number(float) if wants(schema, "integer") => {
            if let Some(whole) = float.as_f64().filter(|float| !is_integer(value) && float.fract() == 0.0) {
                *value = Value::from(whole as i64);
            }
        }
        Value::Object(_) if wants(schema, "array") && !wants(schema, "object") => {
            *value = Value::Array(vec![value.take()]);
            mend(value, schema, unknown);
        }
        Value::Object(object) => mend_object(object, schema, unknown),
        Value::Array(items) => {
            if let Some(item) = schema.get("items") {
                items.iter_mut().for_each(|value| mend(value, item, unknown));
            }
        }
        _ => {}
    }
}

fn mend_object(object: &mut Map<String, Value>, schema: &Value, unknown: Unknown) {
    let Some(properties) = properties(schema) else { return };
    let required = |key: &str| schema["required"].as_array().is_some_and(|keys| keys.iter().any(|name| name == key));
    // An object of unknown keys only is another object; without them it could pass for one that is all defaults.
    let drops = unknown == Unknown::Dropped && object.keys().any(|key| properties.contains_key(key));
    let closed = schema["additionalProperties"] == Value::Bool(false);
    object.retain(|key, value| match properties.get(key) {
        // An absent field takes its default; that is what a null stands for where none is allowed.
        Some(field) => !(value.is_null() && !required(key) && !wants(field, "null")),
        None => !(drops && closed),
    });
    for (key, value) in object {
        if let Some(field) = properties.get(key) {
            mend(value, field, unknown);
        }
    }
}

fn is_integer(value: &Value) -> bool {
    value.is_i64() || value.is_u64()
}

fn number(text: &str, schema: &Value) -> Option<Value> {
    let text = text.trim();
    let integer = text.parse::<i64>().ok().map(Value::from);
    if wants(schema, "integer") {
        return integer;
    }
    let float = || text.parse::<f64>().ok().filter(|float| float.is_finite()).map(Value::from);
    if wants(schema, "number") { integer.or_else(float) } else { None }
}

fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties").and_then(Value::as_object)
}

/// Whether `schema` names `kind` as a type it takes, or takes anything.
fn wants(schema: &Value, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
        _ => match schema.get("anyOf").and_then(Value::as_array) {
            Some(choices) => choices.iter().any(|choice| wants(choice, kind)),
            None => schema.get("enum").or(schema.get("const")).is_none_or(|_| kind == "string"),
        },
    }
}

/// The only schema of an optional value; the schema itself where there is a real choice.
fn the_choice(schema: &Value) -> &Value {
    let Some(choices) = schema.get("anyOf").and_then(Value::as_array) else { return schema };
    let mut real = choices.iter().filter(|choice| choice["type"] != "null");
    match (real.next(), real.next()) {
        (Some(only), None) => only,
        _ => schema,
    }
}
