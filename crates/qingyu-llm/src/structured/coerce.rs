//! Changes of a value towards a schema that cannot change the meaning.

use serde_json::{Map, Value};

/// Unwraps a nested object, then repairs the values.
pub(super) fn coerce(value: &mut Value, schema: &Value) {
    unwrap_list(value, schema);
    unwrap(value, schema);
    mend(value, schema);
}

/// Gives fields under another name their own, `synonyms` being pairs of another name and the field, and returns a
/// problem for each unknown field that seems to hold entries of a known one.
///
/// An unknown list is such a field while a known list is missing, or while no known list has an entry. Otherwise the
/// unknown field is left for [`coerce`] to drop.
pub(super) fn rename(value: &mut Value, schema: &Value, synonyms: &[(&str, &str)]) -> Vec<String> {
    unwrap_list(value, schema);
    // A wrapper has a name that is no field, so the fields are named first.
    rename_fields(value, synonyms);
    unwrap(value, schema);
    rename_fields(value, synonyms);
    let (Value::Object(object), Some(properties)) = (value, properties(schema)) else { return Vec::new() };
    let lists: Vec<&str> =
        properties.iter().filter(|(_, field)| wants(field, "array")).map(|(name, _)| name.as_str()).collect();
    let is_missing = lists.iter().any(|name| !object.contains_key(*name));
    let is_empty = lists.iter().all(|name| object.get(*name).is_none_or(is_nothing));
    if !is_missing && !is_empty {
        return Vec::new();
    }
    let unknown = object.iter().filter(|(key, told)| !properties.contains_key(*key) && has_entries(told));
    unknown.map(|(key, _)| format!("`{key}` is not a field of the answer, use {}", lists.join(", "))).collect()
}

fn rename_fields(value: &mut Value, synonyms: &[(&str, &str)]) {
    let Value::Object(object) = value else { return };
    for (other, field) in synonyms {
        if object.get(*field).is_none_or(is_nothing)
            && let Some(told) = object.remove(*other)
        {
            object.insert((*field).to_owned(), told);
        }
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// Returns whether a value is a list with entries, or an object of such lists or of objects.
fn has_entries(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(object) => object.values().any(|inner| match inner {
            Value::Array(items) => !items.is_empty(),
            Value::Object(_) => true,
            _ => false,
        }),
        _ => false,
    }
}

/// Unwraps `[{…}]` where `{…}` is expected.
fn unwrap_list(value: &mut Value, schema: &Value) {
    if let Value::Array(items) = value
        && let [Value::Object(_)] = items.as_slice()
        && wants(schema, "object")
        && !wants(schema, "array")
    {
        *value = items.remove(0);
    }
}

/// Unwraps `{"result": {…}}` where `{…}` is expected.
fn unwrap(value: &mut Value, schema: &Value) {
    let Value::Object(object) = value else { return };
    let known = |key: &String| properties(schema).is_some_and(|properties| properties.contains_key(key));
    let wanted = |inner: &Value| match inner {
        Value::Object(_) => wants(schema, "object"),
        Value::Array(_) => wants(schema, "array"),
        _ => false,
    };
    if object.len() == 1 && object.iter().all(|(key, inner)| !known(key) && wanted(inner)) {
        *value = object.iter_mut().next().map(|(_, inner)| inner.take()).expect("the object has one key");
    }
}

/// Converts values of the wrong type if only one conversion is possible.
pub(super) fn mend(value: &mut Value, schema: &Value) {
    let schema = the_choice(schema);
    match value {
        Value::String(text) if !wants(schema, "string") => {
            if let Some(read) = number(text, schema).or_else(|| truth(text, schema)).or_else(|| written(text, schema)) {
                *value = read;
                if !value.is_string() {
                    mend(value, schema);
                }
            }
        }
        Value::Number(float) if wants(schema, "integer") => {
            if let Some(whole) = float.as_f64().filter(|float| !is_integer(value) && float.fract() == 0.0) {
                *value = Value::from(whole as i64);
            }
        }
        Value::Object(_) if wants(schema, "array") && !wants(schema, "object") => {
            *value = Value::Array(vec![value.take()]);
            mend(value, schema);
        }
        Value::Object(object) => mend_object(object, schema),
        Value::Array(items) => {
            if let Some(item) = schema.get("items") {
                items.iter_mut().for_each(|value| mend(value, item));
            }
        }
        _ => {}
    }
}

fn mend_object(object: &mut Map<String, Value>, schema: &Value) {
    let Some(properties) = properties(schema) else { return };
    let required = |key: &str| schema["required"].as_array().is_some_and(|keys| keys.iter().any(|name| name == key));
    // Unknown keys are no reason to pay for another answer, so they are removed. An object of unknown keys only is
    // another object; without its keys the object could pass as all defaults.
    let drops = object.keys().any(|key| properties.contains_key(key));
    let closed = schema["additionalProperties"] == Value::Bool(false);
    object.retain(|key, value| match properties.get(key) {
        // An absent field takes its default; a null where none is allowed means absent.
        Some(field) => !(value.is_null() && !required(key) && !wants(field, "null")),
        None => !(drops && closed),
    });
    for (key, value) in object {
        if let Some(field) = properties.get(key) {
            mend(value, field);
        }
    }
}

fn is_integer(value: &Value) -> bool {
    value.is_i64() || value.is_u64()
}

/// Parses the number in a text such as `700`, `1,200 words` or `约700字`; returns `None` for a second number in the text,
/// or a multiplying word.
fn number(text: &str, schema: &Value) -> Option<Value> {
    let text = text.trim();
    let bare = text.trim_start_matches(['约', '第', '~', '≈']).trim_start();
    let end = bare.find(|c: char| !matches!(c, '0'..='9' | '.' | ',' | '-' | '+' | 'e' | 'E')).unwrap_or(bare.len());
    let (digits, unit) = bare.split_at(end);
    let unit = unit.trim();
    let multiplies = unit.starts_with(['十', '百', '千', '万', '億', '亿', '/', ':', '：', '%', '％'])
        || matches!(unit, "k" | "K" | "m" | "M");
    if multiplies || unit.contains(|c: char| c.is_numeric()) {
        return None;
    }
    let digits = digits.trim_end_matches(['.', '-', ',']).replace(',', "");
    let integer = digits.parse::<i64>().ok().map(Value::from);
    if wants(schema, "integer") {
        return integer;
    }
    let float = || digits.parse::<f64>().ok().filter(|float| float.is_finite()).map(Value::from);
    if wants(schema, "number") { integer.or_else(float) } else { None }
}

/// Parses `true` or `false` in a text.
fn truth(text: &str, schema: &Value) -> Option<Value> {
    let is_true = match text.trim().to_ascii_lowercase().as_str() {
        "true" | "是" | "yes" => true,
        "false" | "否" | "no" => false,
        _ => return None,
    };
    wants(schema, "boolean").then_some(Value::Bool(is_true))
}

/// Parses a list or object written as text: as JSON, or a list of texts with a separator or a line for each.
fn written(text: &str, schema: &Value) -> Option<Value> {
    let json = serde_json::from_str::<Value>(text).ok();
    let fits =
        |value: &Value| value.is_array() && wants(schema, "array") || value.is_object() && wants(schema, "object");
    if let Some(value) = json.filter(fits) {
        return Some(value);
    }
    let item = schema.get("items")?;
    if !wants(schema, "array") || wants(schema, "object") || !wants(the_choice(item), "string") {
        return None;
    }
    Some(listed(text).into_iter().map(Value::from).collect())
}

/// Maximum length of an item in a single-line list, in characters.
const LONGEST_ITEM: usize = 20;

/// Returns the items of a list written as text: the lines; else the parts between separators, if short and no sentence;
/// else the whole text.
fn listed(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().map(unmarked).filter(|line| !line.is_empty()).collect();
    if lines.len() > 1 {
        return lines;
    }
    for marks in [&['；', ';'][..], &['、'], &['，', ',']] {
        let parts: Vec<&str> = text.split(marks).map(str::trim).filter(|part| !part.is_empty()).collect();
        let is_item =
            |part: &&str| part.chars().count() <= LONGEST_ITEM && !part.contains(['。', '！', '？', '.', '!', '?']);
        if parts.len() > 1 && parts.iter().all(is_item) {
            return parts;
        }
    }
    lines
}

/// Returns a line without its list marker.
fn unmarked(line: &str) -> &str {
    let line = line.trim().trim_start_matches(['-', '*', '•', '·']).trim_start();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(['.', '、', ')', '）']) {
        Some(rest) if rest.len() < line.len() && line.starts_with(|c: char| c.is_ascii_digit()) => rest.trim_start(),
        _ => line,
    }
}

fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties").and_then(Value::as_object)
}

/// Returns whether `schema` accepts the type `kind`, or any type.
fn wants(schema: &Value, kind: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == kind,
        Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
        _ => match schema.get("anyOf").and_then(Value::as_array) {
            Some(choices) => choices.iter().any(|choice| wants(choice, kind)),
            None => schema.get("enum").or(schema.get("const")).is_none_or(|_| kind == "string"),
        },
    }
}

/// Returns the only schema of an optional value; the schema itself if there are several alternatives.
fn the_choice(schema: &Value) -> &Value {
    let Some(choices) = schema.get("anyOf").and_then(Value::as_array) else { return schema };
    let mut real = choices.iter().filter(|choice| choice["type"] != "null");
    match (real.next(), real.next()) {
        (Some(only), None) => only,
        _ => schema,
    }
}
