//! Conditions in the language of Qdrant.

use qingyu_knowledge::Filter;
use qingyu_knowledge::engine::Error;
use qingyu_knowledge::filter::{Comparison, Value, comparable};
use serde_json::{Value as Json, json};

use super::NAME;
use crate::names;

/// The condition, as one that may stand among others.
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
            // Of two kinds: nothing lies between them.
            (Value::Number(_), Value::Text(_)) | (Value::Text(_), Value::Number(_)) => one_of(&[]),
            (Value::Text(_), Value::Text(_)) => return Err(orderless(field)),
        },
        Filter::Contains { field, value } => match text_of(value) {
            Some(text) if text.is_empty() => json!({"must_not": [{"is_empty": {"key": texts_of(field)}}]}),
            // Not `text`, which means words or places, by the release and by the indexes that there are.
            Some(text) => json!({"key": texts_of(field), "match": {"substring": text}}),
            None => is(field, Comparison::Equal, value)?,
        },
        Filter::And(all) => {
            let all: Vec<Json> = all.iter().map(translate).collect::<Result<_, _>>()?;
            if all.is_empty() { json!({"must_not": [one_of(&[])]}) } else { json!({"must": all}) }
        }
        Filter::Or(any) => one_of(&any.iter().map(translate).collect::<Result<Vec<_>, _>>()?),
        Filter::Not(other) => json!({"must_not": [translate(other)?]}),
    })
}

fn is(field: &str, comparison: Comparison, value: &Value) -> Result<Json, Error> {
    match (comparable(value).into_owned(), comparison) {
        (Value::Text(text), Comparison::Equal) => Ok(json!({"key": texts_of(field), "match": {"value": text}})),
        (Value::Text(_), _) => Err(orderless(field)),
        (Value::Number(number), Comparison::Equal) => Ok(between(field, number, number)),
        (Value::Number(number), _) => {
            let sign = match comparison {
                Comparison::Less => "lt",
                Comparison::AtMost => "lte",
                Comparison::Greater => "gt",
                Comparison::AtLeast | Comparison::Equal => "gte",
            };
            Ok(json!({"key": numbers_of(field), "range": {sign: number}}))
        }
    }
}

fn between(field: &str, from: f64, until: f64) -> Json {
    json!({"key": numbers_of(field), "range": {"gte": from, "lte": until}})
}

fn one_of(any: &[Json]) -> Json {
    // An empty list would be no condition; nothing has no id.
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
