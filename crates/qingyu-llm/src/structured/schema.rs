//! The JSON Schema sent to a model and used to validate the answer.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use crate::OutputSchema;

/// Keywords whose values are maps of schemas.
const NAMED: [&str; 4] = ["properties", "patternProperties", "$defs", "dependentSchemas"];

/// Returns the schema of `T` in the subset accepted by the providers' strict modes.
///
/// Subschemas are inlined (a recursive type keeps its `$ref`), objects allow no other keys, `oneOf` becomes `anyOf`,
/// and Rust's number formats are removed. Fields with a default stay optional.
pub fn schema_of<T: JsonSchema>() -> OutputSchema {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Value::Object(root) = &mut schema {
        root.remove("title");
    }
    simplify(&mut schema);
    OutputSchema { name: name_of::<T>(), schema }
}

impl OutputSchema {
    /// Returns whether a text shows an example of the whole answer: an object in lines of its own with every field of the
    /// schema, but for those that most answers do not have. A prompt with such an example says the form already, so that
    /// the schema is not written into it too.
    pub(crate) fn is_shown_in(&self, text: &str) -> bool {
        text.match_indices("\n{\n").any(|(start, _)| {
            let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
            values.next().is_some_and(|value| value.is_ok_and(|example| covers(&example, &self.schema)))
        })
    }
}

/// Returns whether `example` has every field of `schema`. A list without an entry shows nothing of its entries. A field
/// that is not required and has no default where others have one is left out of most answers, and so may be of an example.
fn covers(example: &Value, schema: &Value) -> bool {
    if let Some(Value::Array(choices)) = schema.get("anyOf") {
        return choices.iter().any(|choice| covers(example, choice));
    }
    let is_null = |kind: &Value| kind == "null";
    let may_be_null = |kind: &Value| is_null(kind) || kind.as_array().is_some_and(|kinds| kinds.iter().any(is_null));
    if example.is_null() && schema.get("type").is_some_and(may_be_null) {
        return true;
    }
    let properties = schema.get("properties").and_then(Value::as_object).filter(|properties| !properties.is_empty());
    match (properties, schema.get("items"), example) {
        (Some(properties), _, Value::Object(fields)) => {
            let required = schema.get("required").and_then(Value::as_array);
            let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
            let has_default = |schema: &Value| schema.get("default").is_some();
            let is_answer = properties.values().any(has_default)
                && !fields.is_empty()
                && fields.keys().all(|name| properties.contains_key(name));
            properties.iter().all(|(name, schema)| match fields.get(name) {
                Some(value) => covers(value, schema),
                None => is_answer && !is_required(name) && !has_default(schema),
            })
        }
        (Some(_), ..) => false,
        (None, Some(items), Value::Array(entries)) => match entries.first() {
            Some(entry) => covers(entry, items),
            None => items.get("properties").is_none(),
        },
        (None, Some(_), _) => false,
        (None, None, _) => true,
    }
}

fn name_of<T: JsonSchema>() -> String {
    let name: String = T::schema_name().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    name.chars().take(64).collect()
}

fn simplify(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    if let Some(choices) = object.remove("oneOf") {
        object.insert("anyOf".to_owned(), choices);
    }
    if object.get("format").and_then(Value::as_str).is_some_and(is_rust_number) {
        object.remove("format");
    }
    if object.contains_key("properties") && !object.contains_key("additionalProperties") {
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    for_each_subschema(object, simplify);
}

fn is_rust_number(format: &str) -> bool {
    matches!(format, "float" | "double") || format.trim_start_matches('u').starts_with("int")
}

fn for_each_subschema(object: &mut Map<String, Value>, visit: fn(&mut Value)) {
    for (keyword, value) in object {
        match value {
            Value::Object(named) if NAMED.contains(&keyword.as_str()) => named.values_mut().for_each(visit),
            Value::Object(_) if matches!(keyword.as_str(), "items" | "additionalProperties" | "not") => visit(value),
            Value::Array(list) if matches!(keyword.as_str(), "anyOf" | "allOf" | "prefixItems") => {
                list.iter_mut().for_each(visit);
            }
            _ => {}
        }
    }
}
