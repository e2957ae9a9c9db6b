//! How the wish for a shape is put to a model.

use serde_json::{Map, Value};

use crate::provider::{OutputMode, Quirks, SchemaBounds};
use crate::{OutputSchema, Request, Role};

/// What the tool is for whose arguments are the answer.
pub(super) const TOOL_DESCRIPTION: &str = "Takes the whole answer. Call it exactly once.";

/// The mode in which the schema of `request` is asked for, if it has one.
pub(super) fn mode(request: &Request, quirks: &Quirks) -> Option<OutputMode> {
    request.output.as_ref().map(|_| quirks.output.unwrap_or(OutputMode::Text))
}

/// The system text, with the schema behind it unless the mode shows it to the model. The schema comes last because it
/// changes between purposes, and what stands before it can then be cached.
pub(super) fn system_text(request: &Request, mode: Option<OutputMode>, quirks: &Quirks) -> String {
    let system = request.messages.iter().filter(|message| message.role == Role::System);
    let mut paragraphs: Vec<String> = system.map(|message| message.text.clone()).collect();
    if let (Some(mode), Some(output)) = (mode, &request.output) {
        let hides = matches!(mode, OutputMode::JsonObject | OutputMode::Text);
        if hides || quirks.schema_in_prompt == Some(true) {
            paragraphs.push(instruction(output));
        }
    }
    paragraphs.join("\n\n")
}

fn instruction(output: &OutputSchema) -> String {
    format!("Answer with one JSON value and nothing else. It must match this JSON Schema:\n{}", output.schema)
}

/// The schema as it is sent: as complete and as bounded as the provider's row asks for.
pub(super) fn sent_schema(output: &OutputSchema, quirks: &Quirks) -> Value {
    let mut schema = output.schema.clone();
    if quirks.schema_complete == Some(true) {
        demand_all(&mut schema);
    }
    if let Some(bounds) = quirks.schema_bounds {
        bound(&mut schema, bounds);
    }
    schema
}

/// Demands every field of every object.
fn demand_all(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(demand_all),
        Value::Object(map) => {
            let fields = map.get("properties").and_then(Value::as_object);
            let names = fields.map(|fields| fields.keys().cloned().collect::<Vec<_>>());
            for (key, value) in map.iter_mut() {
                if !matches!(key.as_str(), "enum" | "const" | "default") {
                    demand_all(value);
                }
            }
            // A field may itself be called `properties`; then the value is a schema and has a type.
            if let Some(names) = names.filter(|_| map.get("type").is_some_and(|kind| kind == "object")) {
                map.insert("required".into(), names.into());
            }
        }
        _ => {}
    }
}

fn bound(schema: &mut Value, bounds: SchemaBounds) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(|schema| bound(schema, bounds)),
        Value::Object(map) => {
            let allows = |kind: &str| match map.get("type") {
                Some(Value::String(only)) => only == kind,
                Some(Value::Array(several)) => several.iter().any(|one| one == kind),
                _ => false,
            };
            let (is_text, is_list) = (allows("string") && !map.contains_key("enum"), allows("array"));
            for (key, value) in map.iter_mut() {
                if !matches!(key.as_str(), "enum" | "const" | "default") {
                    bound(value, bounds);
                }
            }
            if is_text {
                map.entry("maxLength").or_insert_with(|| bounds.text.into());
            }
            if is_list {
                map.entry("maxItems").or_insert_with(|| bounds.items.into());
            }
        }
        _ => {}
    }
}

/// Whether every object of the schema forbids other keys and demands all of its own, as strict modes want it.
pub(super) fn is_strict(schema: &Value) -> bool {
    match schema {
        Value::Array(list) => list.iter().all(is_strict),
        Value::Object(map) => {
            let closed = match map.get("properties").and_then(Value::as_object) {
                None => map.get("type").is_none_or(|kind| kind != "object"),
                Some(properties) => {
                    let required = map.get("required").and_then(Value::as_array);
                    let is_required = |key: &String| required.is_some_and(|list| list.iter().any(|it| it == key));
                    map.get("additionalProperties") == Some(&Value::Bool(false)) && properties.keys().all(is_required)
                }
            };
            closed
                && map
                    .iter()
                    .all(|(key, value)| matches!(key.as_str(), "enum" | "const" | "default") || is_strict(value))
        }
        _ => true,
    }
}

/// `body` with the provider's extra fields, without those it refuses.
pub(super) fn finish_body(mut body: Map<String, Value>, mode: Option<OutputMode>, quirks: &Quirks) -> Value {
    body.extend(quirks.extra_body.clone());
    if mode.is_some() {
        body.extend(quirks.extra_body_with_schema.clone());
    }
    for field in quirks.omit.iter().flatten() {
        body.remove(field);
    }
    Value::Object(body)
}

/// The number as a person would write it: 0.7, not 0.699999988.
pub(super) fn decimal(number: f32) -> Value {
    number.to_string().parse::<f64>().map_or(Value::Null, Into::into)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn bounds_go_where_the_schema_has_none() {
        let schema = json!({ "type": "object", "properties": {
            "type": { "type": ["string", "null"] }, "role": { "type": "string", "enum": ["lead"] },
            "short": { "type": "string", "maxLength": 5 },
            "names": { "type": "array", "items": { "type": "string" }, "default": [{ "type": "string" }] } } });
        let output = OutputSchema { name: "card".into(), schema: schema.clone() };
        assert_eq!(sent_schema(&output, &Quirks::default()), schema);
        let bounds = Some(SchemaBounds { text: 200, items: 4 });
        let expected = json!({ "type": "object", "properties": {
            "type": { "type": ["string", "null"], "maxLength": 200 }, "role": { "type": "string", "enum": ["lead"] },
            "short": { "type": "string", "maxLength": 5 },
            "names": { "type": "array", "maxItems": 4, "items": { "type": "string", "maxLength": 200 },
                "default": [{ "type": "string" }] } } });
        assert_eq!(sent_schema(&output, &Quirks { schema_bounds: bounds, ..Quirks::default() }), expected);
    }

    #[test]
    fn every_field_can_be_demanded() {
        let schema = json!({ "type": "object", "required": ["name"], "properties": {
            "name": { "type": "string" },
            "cast": { "type": "array", "items": { "type": "object", "properties": { "age": { "type": "integer" } } } },
            "free": { "type": "object" } } });
        let output = OutputSchema { name: "card".into(), schema };
        let sent = sent_schema(&output, &Quirks { schema_complete: Some(true), ..Quirks::default() });
        assert_eq!(sent["required"], json!(["cast", "free", "name"]));
        assert_eq!(sent["properties"]["cast"]["items"]["required"], json!(["age"]));
        assert_eq!(sent["properties"]["free"], json!({ "type": "object" }));
        assert_eq!(sent["properties"]["name"], json!({ "type": "string" }));
    }

    #[test]
    fn strict_schemas_are_told_apart() {
        let object = |properties: Value, required: Value, closed: bool| json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": !closed });
        let cases = [
            (json!({ "type": "string" }), true),
            (object(json!({ "a": {} }), json!(["a"]), true), true),
            (object(json!({ "a": {} }), json!([]), true), false),
            (object(json!({ "a": {} }), json!(["a"]), false), false),
            (json!({ "type": "object" }), false),
            (json!({ "type": "array", "items": object(json!({ "a": {} }), json!([]), true) }), false),
            (object(json!({ "type": { "type": "string" } }), json!(["type"]), true), true),
        ];
        for (schema, expected) in cases {
            assert_eq!(is_strict(&schema), expected, "{schema}");
        }
    }
}
