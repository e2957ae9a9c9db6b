//! The story format as JSON Schema, generated from the types.

use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::{Clause, CustomField, Ladder, OwnRelationKind, Story, Travel};

/// Returns the JSON Schema (draft 2020-12) of a story. `schemas/story.schema.json` in the repository is a copy.
///
/// Every field is optional; validation rejects unknown fields.
pub fn story() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let clause = generator.subschema_for::<Option<Clause>>().to_value();
    let travel = generator.subschema_for::<Vec<Travel>>().to_value();
    let ladders = generator.subschema_for::<Vec<Ladder>>().to_value();
    let custom = generator.subschema_for::<Vec<CustomField>>().to_value();
    let kinds = generator.subschema_for::<Vec<OwnRelationKind>>().to_value();
    let text = generator.subschema_for::<String>().to_value();
    let mut schema = generator.into_root_schema_for::<Story>().to_value();
    // Fields not requested from models are omitted from the types' own schemas.
    let mut add = |type_name: &str, field: &str, description: &str, mut value: Value| {
        value["description"] = description.into();
        schema["$defs"][type_name]["properties"][field] = value;
    };
    add("WorldRule", "forbids", "What it forbids, so that facts and events can be checked.", clause.clone());
    add("WorldRule", "demands", "What it demands.", clause);
    add("Location", "travel", "How long it takes to other places.", travel);
    add("Worldview", "ladders", "Ladders of power or standing.", ladders);
    add("Character", "gender", "The gender, in the author's words; empty if it does not matter.", text.clone());
    add("Character", "appearance", "How the character looks.", text.clone());
    add("CharacterRelation", "own_kind", "The author's own word for what the first is to the other.", text);
    add("Worldview", "relation_kinds", "The author's own kinds of relation; at most 40.", kinds);
    add("Character", "custom", "Fields of the author's own, in the author's order; at most 40.", custom);
    close(&mut schema);
    schema
}

/// Restricts every object to its declared fields.
fn close(value: &mut Value) {
    match value {
        Value::Object(object) => {
            if object.contains_key("properties") && object.get("additionalProperties").is_none() {
                object.insert("additionalProperties".into(), false.into());
            }
            object.values_mut().for_each(close);
        }
        Value::Array(list) => list.iter_mut().for_each(close),
        _ => {}
    }
}
