//! The subset of JSON Schema supported by structured outputs.
//!
//! Page: <https://platform.claude.com/docs/en/build-with-claude/structured-outputs> (JSON Schema limitations).

use serde_json::{Map, Value};

/// Refused keywords; the answer is validated against the full schema afterwards.
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

/// Maximum optional fields of all objects together.
const MOST_OPTIONAL: usize = 24;

/// Maximum positions with a choice of types.
const MOST_CHOICES: usize = 16;

/// Returns the schema without refused keywords; `None` if unsupported: recursive, with free object keys, or with too
/// many optional parts.
pub(super) fn native(schema: &Value) -> Option<Value> {
    let mut count = SchemaCount::default();
    let native = part(schema, &mut count)?;
    (count.optional <= MOST_OPTIONAL && count.choices <= MOST_CHOICES).then_some(native)
}

#[derive(Default)]
struct SchemaCount {
    optional: usize,
    choices: usize,
}

fn part(schema: &Value, count: &mut SchemaCount) -> Option<Value> {
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

fn properties(fields: &Value, count: &mut SchemaCount) -> Option<Value> {
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
