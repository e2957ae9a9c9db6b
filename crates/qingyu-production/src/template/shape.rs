//! JSON Schemas in a short notation: `"text"`, `"integer"`, `"boolean"`; by default an object requires all of its
//! members and allows no others.

use serde_json::{Map, Value, json};

/// The keywords allowed in schemas: the subset supported by the strict mode of every provider.
const WORDS: [&str; 10] = [
    "type",
    "properties",
    "required",
    "items",
    "enum",
    "minItems",
    "maxItems",
    "minLength",
    "additionalProperties",
    "description",
];

/// Expands a schema; returns the error with its place if invalid.
pub(super) fn schema(given: &toml::Value) -> Result<Value, String> {
    match given {
        toml::Value::String(word) => match word.as_str() {
            "text" => Ok(json!({"type": "string", "minLength": 1})),
            "integer" | "number" | "boolean" | "object" | "string" => Ok(json!({"type": word})),
            other => {
                Err(format!("'{other}' is no shape; write text, string, integer, number, boolean, object or a table"))
            }
        },
        toml::Value::Table(members) => table(members),
        other => Err(format!("a shape is a word or a table, not {}", other.type_str())),
    }
}

fn table(members: &toml::Table) -> Result<Value, String> {
    let mut made = Map::new();
    for (word, given) in members {
        if !WORDS.contains(&word.as_str()) {
            return Err(format!("'{word}' is not understood by all models; leave it out ({})", WORDS.join(", ")));
        }
        let value = match (word.as_str(), given) {
            ("items", given) => schema(given).map_err(|message| format!("items: {message}"))?,
            ("properties", toml::Value::Table(properties)) => {
                let mut schemas = Map::new();
                for (name, given) in properties {
                    schemas.insert(name.clone(), schema(given).map_err(|message| format!("{name}: {message}"))?);
                }
                schemas.into()
            }
            (_, given) => serde_json::to_value(given).map_err(|error| format!("{word}: {error}"))?,
        };
        made.insert(word.clone(), value);
    }
    let kind = made.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    match kind.as_str() {
        "" => return Err("'type' is missing; say what it is".to_owned()),
        "array" if !made.contains_key("items") => return Err("'items' is missing; say what the list is of".to_owned()),
        _ => {}
    }
    if let Some(toml::Value::Table(properties)) = members.get("properties") {
        if !made.contains_key("required") {
            made.insert("required".into(), properties.keys().cloned().collect::<Vec<_>>().into());
        }
        made.entry("additionalProperties").or_insert(Value::Bool(false));
    }
    Ok(made.into())
}
