//! The part of JSON Schema that structured outputs take.
//!
//! Page: <https://platform.claude.com/docs/en/build-with-claude/structured-outputs> (JSON Schema limitations).

use serde_json::{Map, Value};

/// Keywords that are refused; the answer is checked against the whole schema afterwards.
const REFUSED: [&str; 12] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "format",
];

/// The most fields of all objects together that may be left out.
const MOST_OPTIONAL: usize = 24;

/// The most places with a choice of types.
const MOST_CHOICES: usize = 16;

/// The schema without what is refused; `None` if it cannot be had: it is recursive, has objects with free keys, or leaves too
/// much open.
pub(super) fn native(schema: &Value) -> Option<Value> {
    let mut count = Count::default();
    let native = part(schema, &mut count)?;
    (count.optional <= MOST_OPTIONAL && count.choices <= MOST_CHOICES).then_some(native)
}

#[derive(Default)]
struct Count {
    optional: usize,
    choices: usize,
}

fn part(schema: &Value, count: &mut Count) -> Option<Value> {
    let Value::Object(schema) = schema else { return None };
    if schema.contains_key("$ref") || schema.is_empty() {
        return None;
    }
    let mut native = Map::new();
    for (keyword, value) in schema {
        let value = match keyword.as_str() {
            keyword if REFUSED.contains(&keyword) => continue,
            "properties" => properties(value, count)?,
            "items" => part(value, count)?,
            "anyOf" | "allOf" => {
                count.choices += usize::from(keyword == "anyOf");
                let parts = value.as_array()?.iter().map(|choice| part(choice, count));
                Value::Array(parts.collect::<Option<_>>()?)
            }
            "additionalProperties" if *value != Value::Bool(false) => return None,
            "oneOf" | "not" | "prefixItems" | "patternProperties" | "$defs" => return None,
            _ => value.clone(),
        };
        native.insert(keyword.clone(), value);
    }
    count.choices += usize::from(schema.get("type").is_some_and(Value::is_array));
    if schema.get("type").is_some_and(|kind| kind == "object") {
        let fields = schema.get("properties").and_then(Value::as_object)?;
        let required = schema.get("required").and_then(Value::as_array).map_or(0, Vec::len);
        count.optional += fields.len().saturating_sub(required);
        native.insert("additionalProperties".into(), false.into());
    }
    Some(Value::Object(native))
}

fn properties(fields: &Value, count: &mut Count) -> Option<Value> {
    let fields = fields.as_object()?.iter().map(|(name, field)| Some((name.clone(), part(field, count)?)));
    Some(Value::Object(fields.collect::<Option<_>>()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_refused_is_left_out_and_what_cannot_be_had_is_none() {
        let schema = json!({ "type": "object", "additionalProperties": false, "required": ["format"], "properties": {
            "format": { "type": "string", "maxLength": 9, "description": "kind" },
            "ages": { "type": "array", "maxItems": 3, "items": { "type": "integer", "minimum": 0 } } } });
        let expected = json!({ "type": "object", "additionalProperties": false, "required": ["format"], "properties": {
            "format": { "type": "string", "description": "kind" },
            "ages": { "type": "array", "items": { "type": "integer" } } } });
        assert_eq!(native(&schema), Some(expected));
        let wide: Map<String, Value> =
            (0..25).map(|field| (format!("f{field}"), json!({ "type": "string" }))).collect();
        for refused in [
            json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            json!({ "type": "object" }),
            json!({ "$ref": "#" }),
            json!({ "type": "object", "properties": wide }),
            json!({ "type": "array", "items": {} }),
            json!(true),
        ] {
            assert_eq!(native(&refused), None, "{refused}");
        }
    }
}
