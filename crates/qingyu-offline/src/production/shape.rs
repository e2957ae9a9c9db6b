//! A value for any schema of the strict-mode subset, filled from known facts.

use qingyu_agents::production::context::FieldContext;
use serde_json::{Map, Value, json};

use super::brief::ProductionBrief;
use super::tables::{self, ProductionTables, TeachingShape};

/// Returns the value of a field.
pub(super) fn value(making: &FieldContext) -> Value {
    let tables = tables::of(making.language);
    let brief = ProductionBrief::read(making.language, tables, &making.premise, &making.conversation);
    let maker = ValueMaker { making, tables, brief };
    maker.fill(&making.schema, last_name(&making.path), None)
}

/// Returns the name of a field, without its phase and its number.
pub(super) fn last_name(path: &str) -> &str {
    let is_name = |part: &&str| !part.is_empty() && !part.bytes().all(|byte| byte.is_ascii_digit());
    path.rsplit('/').find(is_name).unwrap_or(path)
}

/// Pads or cuts a text to the length limits of the schema.
pub(super) fn fit(text: &str, schema: &Value) -> String {
    let limit = |name: &str| schema.get(name).and_then(Value::as_u64).and_then(|most| usize::try_from(most).ok());
    let mut letters: Vec<char> = text.chars().collect();
    if let Some(least) = limit("minLength") {
        letters.resize(letters.len().max(least), '…');
    }
    letters.truncate(limit("maxLength").unwrap_or(usize::MAX));
    letters.into_iter().collect()
}

struct ValueMaker<'m> {
    making: &'m FieldContext,
    tables: &'static ProductionTables,
    brief: ProductionBrief,
}

impl ValueMaker<'_> {
    fn fill(&self, schema: &Value, name: &str, given: Option<&Value>) -> Value {
        if let Some(constant) = schema.get("const") {
            return constant.clone();
        }
        if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
            let given = given.filter(|given| choices.contains(given));
            return given.or(choices.first()).cloned().unwrap_or_default();
        }
        let other = ["anyOf", "oneOf"].into_iter().find_map(|kind| schema.get(kind)?.get(0));
        if let Some(first) = other {
            return self.fill(first, name, given);
        }
        match kind(schema) {
            "object" => self.object(schema, name, given),
            "array" => self.array(schema, name, given),
            "integer" => json!(bounded(schema, given.and_then(Value::as_f64)).ceil() as i64),
            "number" => json!(bounded(schema, given.and_then(Value::as_f64))),
            "boolean" => json!(given.and_then(Value::as_bool).unwrap_or(false)),
            "null" => Value::Null,
            _ => Value::String(fit(&self.text(name, given), schema)),
        }
    }

    fn object(&self, schema: &Value, name: &str, given: Option<&Value>) -> Value {
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return json!({}) };
        let rows = self.tables.rows.get(name);
        let given = given.or_else(|| rows.and_then(|rows| rows.first()));
        let member =
            |(name, of): (&String, &Value)| (name.clone(), self.fill(of, name, given.and_then(|row| row.get(name))));
        Value::Object(properties.iter().map(member).collect::<Map<_, _>>())
    }

    fn array(&self, schema: &Value, name: &str, given: Option<&Value>) -> Value {
        let items = schema.get("items").cloned().unwrap_or_else(|| json!({ "type": "string" }));
        let count = |name: &str| schema.get(name).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
        let member = self.tables.members.get(name).and_then(Value::as_array).cloned();
        let mut rows = given.and_then(Value::as_array).cloned().or(member).unwrap_or_default();
        if rows.is_empty() {
            rows = match name {
                "lessons" => self.shape().lessons.clone(),
                _ => self.tables.rows.get(name).cloned().unwrap_or_default(),
            };
        }
        let least = count("minItems").unwrap_or(0);
        let made = rows.len().max(least).min(count("maxItems").unwrap_or(usize::MAX));
        let made = (0..made).map(|at| self.fill(&items, name, rows.get(at))).collect();
        Value::Array(made)
    }

    fn text(&self, name: &str, given: Option<&Value>) -> String {
        if let Some(given) = given.and_then(Value::as_str) {
            return self.brief.fill(self.tables, given);
        }
        let entry = self.making.entry.as_ref().and_then(|entry| entry.get(name));
        let of_sources = self.making.sources.iter().find_map(|source| match &source.value {
            Value::String(text) if source.path.ends_with(&format!("/{name}")) => Some(text.as_str()),
            value => value.get(name).and_then(Value::as_str),
        });
        if let Some(known) = entry.and_then(Value::as_str).or(of_sources.filter(|_| name != "title")) {
            return known.to_owned();
        }
        if let Some(template) = self.tables.members.get(name).and_then(Value::as_str) {
            return self.brief.fill(self.tables, template);
        }
        self.tables.unknown(&format!("{} · {name}", self.making.title))
    }

    /// Returns the teaching shape named by the premise; by default a shape selected by its letters, always the same.
    fn shape(&self) -> &'static TeachingShape {
        let shapes = &self.tables.shapes;
        let premise = self.making.premise.to_lowercase();
        let asked = shapes.iter().find(|shape| shape.words.iter().any(|word| premise.contains(word.as_str())));
        let drawn = premise.bytes().map(usize::from).sum::<usize>() % shapes.len();
        asked.unwrap_or(&shapes[drawn])
    }
}

fn kind(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(kind)) => kind,
        Some(Value::Array(kinds)) => {
            kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or("null")
        }
        _ if schema.get("properties").is_some() => "object",
        _ => "string",
    }
}

fn bounded(schema: &Value, given: Option<f64>) -> f64 {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let least = bound("minimum").or(bound("exclusiveMinimum").map(|least| least + 1.0)).unwrap_or(f64::MIN);
    given.unwrap_or(0.0).max(least).min(bound("maximum").unwrap_or(f64::MAX))
}
