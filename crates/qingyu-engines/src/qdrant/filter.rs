//! Translation of conditions to the Qdrant language.

use qingyu_knowledge::Filter;
use qingyu_knowledge::engine::Error;
use qingyu_knowledge::filter::{FieldComparison, Value, comparable};
use serde_json::{Value as Json, json};

use super::NAME;
use crate::names;

/// Returns the condition, usable inside others.
pub(super) fn translate(filter: &Filter) -> Result<Json, Error> {
    Ok(match filter {
        Filter::Is { field, comparison, value } => is(field, *comparison, value)?,
        Filter::In { field, values } => {
            let texts: Vec<String> = values.iter().filter_map(text_of).collect();
            let mut any: Vec<Json> = Vec::new();
            if !texts.is_empty() {
                any.push(json!({"key": texts_of(field), "match": {"any": texts}}));
            }
            any.extend(values.iter().filter_map(number_of).map(|number| between(field, number, number)));
            one_of(&any)
        }
        Filter::Range { field, from, until } => match (from, until) {
            (Value::Number(from), Value::Number(until)) => between(field, *from, *until),
            // Bounds of two types: the range is empty.
            (Value::Number(_), Value::Text(_)) | (Value::Text(_), Value::Number(_)) => one_of(&[]),
            (Value::Text(_), Value::Text(_)) => return Err(orderless(field)),
        },
        Filter::Contains { field, value } => match text_of(value) {
            Some(text) if text.is_empty() => json!({"must_not": [{"is_empty": {"key": texts_of(field)}}]}),
            // Not `text`, which means words or substrings depending on release and indexes.
            Some(text) => json!({"key": texts_of(field), "match": {"substring": text}}),
            None => is(field, FieldComparison::Equal, value)?,
        },
        Filter::And(all) => {
            let all: Vec<Json> = all.iter().map(translate).collect::<Result<_, _>>()?;
            if all.is_empty() { json!({"must_not": [one_of(&[])]}) } else { json!({"must": all}) }
        }
        Filter::Or(any) => one_of(&any.iter().map(translate).collect::<Result<Vec<_>, _>>()?),
        Filter::Not(other) => json!({"must_not": [translate(other)?]}),
    })
}

fn is(field: &str, comparison: FieldComparison, value: &Value) -> Result<Json, Error> {
    match (comparable(value).into_owned(), comparison) {
        (Value::Text(text), FieldComparison::Equal) => Ok(json!({"key": texts_of(field), "match": {"value": text}})),
        (Value::Text(_), _) => Err(orderless(field)),
        (Value::Number(number), FieldComparison::Equal) => Ok(between(field, number, number)),
        (Value::Number(number), _) => {
            let sign = match comparison {
                FieldComparison::Less => "lt",
                FieldComparison::AtMost => "lte",
                FieldComparison::Greater => "gt",
                FieldComparison::AtLeast | FieldComparison::Equal => "gte",
            };
            Ok(json!({"key": numbers_of(field), "range": {sign: number}}))
        }
    }
}

fn between(field: &str, from: f64, until: f64) -> Json {
    json!({"key": numbers_of(field), "range": {"gte": from, "lte": until}})
}

fn one_of(any: &[Json]) -> Json {
    // An empty list would match everything; an empty list of ids matches nothing.
    if any.is_empty() { json!({"has_id": []}) } else { json!({"should": any}) }
}

fn text_of(value: &Value) -> Option<String> {
    match comparable(value).into_owned() {
        Value::Text(text) => Some(text),
        Value::Number(_) => None,
    }
}

fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        Value::Text(_) => None,
    }
}

fn texts_of(field: &str) -> String {
    format!("texts.{}", names::field(field))
}

fn numbers_of(field: &str) -> String {
    format!("numbers.{}", names::field(field))
}

fn orderless(field: &str) -> Error {
    Error::Unsupported { engine: NAME, what: format!("texts of {field} compared by their order") }
}
