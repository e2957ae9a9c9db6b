//! Conditions as JSON, in the form of document databases: `{"role_type": "protagonist", "traits": {"$contains": "勇敢"}}`.

use serde_json::{Map, Value as Json};

use super::condition::{FieldComparison, Filter, Value};
use super::parse::{DEEPEST, FilterParseError};

/// Another name of the field `doc_type`.
const CONTENT_TYPE: &str = "content_type";
const OPERATORS: &str = "$eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $contains or $not";

/// Parses a JSON object; several fields, and several operators of one field, must all match.
pub(super) fn parse(text: &str) -> Result<Filter, FilterParseError> {
    let json: Json = serde_json::from_str(text).map_err(|error| {
        let lines: Vec<&str> = text.split_inclusive('\n').take(error.line()).collect();
        let (last, before) = lines.split_last().unwrap_or((&"", &[]));
        let column = last.get(..error.column().saturating_sub(1)).unwrap_or(last);
        let at = before.concat().chars().count() + column.chars().count();
        FilterParseError { position: at + 1, expected: "JSON", found: text.chars().skip(at).take(1).collect() }
    })?;
    let reader = JsonFilterReader { text };
    match json {
        Json::Object(fields) => reader.all(&fields, 0),
        other => Err(reader.expected("an object", &other.to_string())),
    }
}

struct JsonFilterReader<'t> {
    text: &'t str,
}

impl JsonFilterReader<'_> {
    fn all(&self, fields: &Map<String, Json>, depth: usize) -> Result<Filter, FilterParseError> {
        let mut all = Vec::new();
        for (name, value) in fields {
            if depth >= DEEPEST {
                return Err(self.expected("a condition of less depth", name));
            }
            match (name.as_str(), value) {
                ("$and", Json::Array(several)) => all.push(Filter::And(self.several(name, several, depth)?)),
                ("$or", Json::Array(several)) => all.push(Filter::Or(self.several(name, several, depth)?)),
                ("$not", Json::Object(fields)) => all.push(negated(self.all(fields, depth + 1)?)),
                ("$and" | "$or", _) => return Err(self.expected("a list of conditions", name)),
                ("$not", _) => return Err(self.expected("a condition", name)),
                (operator, _) if operator.starts_with('$') => {
                    return Err(self.expected("the name of a field, $and, $or or $not", operator));
                }
                (field, value) => all.push(self.test(field, value, depth)?),
            }
        }
        Ok(together(all))
    }

    fn several(&self, name: &str, several: &[Json], depth: usize) -> Result<Vec<Filter>, FilterParseError> {
        let one = |one: &Json| match one {
            Json::Object(fields) => self.all(fields, depth + 1),
            _ => Err(self.expected("a list of conditions", name)),
        };
        several.iter().map(one).collect()
    }

    fn test(&self, field: &str, test: &Json, depth: usize) -> Result<Filter, FilterParseError> {
        let name = if field == CONTENT_TYPE { "doc_type" } else { field }.to_owned();
        let is = |comparison, value| Filter::Is { field: name.clone(), comparison, value };
        let Json::Object(operators) = test else {
            return Ok(is(FieldComparison::Equal, self.value(field, test)?));
        };
        let mut all = Vec::new();
        for (operator, given) in operators {
            let value = || self.value(operator, given);
            let values = || match given {
                Json::Array(values) => values.iter().map(|value| self.value(operator, value)).collect(),
                _ => Err(self.expected("a list of values", operator)),
            };
            let is_in = |values| Filter::In { field: name.clone(), values };
            all.push(match operator.as_str() {
                "$eq" => is(FieldComparison::Equal, value()?),
                "$ne" => negated(is(FieldComparison::Equal, value()?)),
                "$gt" => is(FieldComparison::Greater, value()?),
                "$gte" => is(FieldComparison::AtLeast, value()?),
                "$lt" => is(FieldComparison::Less, value()?),
                "$lte" => is(FieldComparison::AtMost, value()?),
                "$in" => is_in(values()?),
                "$nin" => negated(is_in(values()?)),
                "$contains" => Filter::Contains { field: name.clone(), value: value()? },
                "$not" if depth < DEEPEST => negated(self.test(field, given, depth + 1)?),
                _ => return Err(self.expected(OPERATORS, operator)),
            });
        }
        if all.is_empty() {
            return Err(self.expected(OPERATORS, field));
        }
        Ok(together(all))
    }

    fn value(&self, near: &str, value: &Json) -> Result<Value, FilterParseError> {
        match value {
            Json::String(text) => Ok(Value::Text(text.clone())),
            Json::Bool(flag) => Ok(Value::from(*flag)),
            Json::Number(number) => number
                .as_f64()
                .filter(|number| number.is_finite())
                .map(Value::Number)
                .ok_or_else(|| self.expected("a number", near)),
            Json::Null | Json::Array(_) | Json::Object(_) => {
                Err(self.expected("a text, a number, true or false", near))
            }
        }
    }

    /// Returns the error at the first appearance of `found` in the text.
    fn expected(&self, expected: &'static str, found: &str) -> FilterParseError {
        let before = self.text.find(found).map_or("", |at| &self.text[..at]);
        FilterParseError { position: before.chars().count() + 1, expected, found: found.to_owned() }
    }
}

fn together(mut all: Vec<Filter>) -> Filter {
    if all.len() == 1 { all.remove(0) } else { Filter::And(all) }
}

/// Returns the negation; the negation of the empty condition is the empty alternative, as in text.
fn negated(filter: Filter) -> Filter {
    if filter == Filter::And(Vec::new()) { Filter::Or(Vec::new()) } else { Filter::Not(Box::new(filter)) }
}

#[cfg(test)]
mod tests {
    use crate::Filter;

    #[test]
    fn json_conditions_say_the_same_as_text() {
        for (json, text) in [
            (r#"{"traits": {"$contains": "勇敢"}}"#, "traits contains 勇敢"),
            (
                r#"{"content_type": "character", "role_type": "protagonist", "traits": {"$contains": "勇敢"}}"#,
                "doc_type = character and role_type = protagonist and traits contains 勇敢",
            ),
            (r#"{"age": {"$gte": 18, "$lt": 30}}"#, "age >= 18 and age < 30"),
            (r#"{"kind": {"$in": ["act", "scene"]}}"#, "kind in (act, scene)"),
            (r#"{"kind": {"$nin": ["act"]}}"#, "not kind in (act)"),
            (r#"{"name": {"$ne": "林青"}}"#, "name != 林青"),
            (r#"{"open": true}"#, "open = true"),
            (r#"{"$or": [{"age": {"$gt": 60}}, {"name": {"$eq": "老周"}}]}"#, "age > 60 or name = 老周"),
            (r#"{"$and": [{"age": 3}, {"$not": {"age": {"$lte": 2}}}]}"#, "age = 3 and not age <= 2"),
            (r#"{"traits": {"$not": {"$contains": "x"}}}"#, "traits not contains x"),
            (" {} ", "()"),
        ] {
            let read = Filter::parse(json).unwrap_or_else(|error| panic!("{json}: {error}"));
            // `kind`'s fields are sorted by name in JSON, so compare what is written as sets of words.
            let words = |filter: &Filter| {
                let mut words: Vec<String> = filter.to_string().split(" and ").map(str::to_owned).collect();
                words.sort();
                words
            };
            assert_eq!(words(&read), words(&Filter::parse(text).unwrap()), "{json}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (json, expected) in [
            (r#"{"age": "#, "JSON"),
            (r#"{"traits": {"$has": "x"}}"#, "$contains"),
            (r#"{"traits": ["x"]}"#, "a text, a number"),
            (r#"{"$xor": []}"#, "$and"),
            (r#"{"$or": {"age": 3}}"#, "a list of conditions"),
            (r#"{"kind": {"$in": "act"}}"#, "a list of values"),
            (r#"{"kind": {}}"#, "$eq"),
        ] {
            let error = Filter::parse(json).expect_err(json);
            assert!(error.to_string().contains(expected) && error.position > 1, "{json}: {error}");
        }
        let deep = format!("{}{{\"age\": 3}}{}", "{\"$not\": ".repeat(70), "}".repeat(70));
        assert!(Filter::parse(&deep).is_err());
    }

    #[test]
    fn fields_are_listed() {
        let filter = Filter::parse(r#"{"$or": [{"rolle": "x"}, {"$not": {"age": 3}}]}"#).unwrap();
        assert_eq!(filter.fields(), ["rolle", "age"]);
    }
}
