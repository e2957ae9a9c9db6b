//! A value as people read it.

use serde_json::{Map, Value};

/// A value as Markdown: text as it is, lists as lists, members under their names in the order that the schema gives them.
pub fn markdown(value: &Value, schema: &Value) -> String {
    let mut text = String::new();
    match value {
        Value::Array(entries) if entries.iter().any(Value::is_object) => {
            // Entries with members are blocks of their own: they are too long for a list.
            let blocks = entries.iter().enumerate().map(|(position, entry)| block(position, entry, items(schema)));
            text = blocks.collect::<Vec<_>>().join("\n\n");
        }
        Value::Object(members) => {
            let parts = ordered(members, schema).into_iter().filter(|(_, value)| !is_nothing(value));
            let parts = parts.map(|(name, value)| member(name, value, property(schema, name)));
            text = parts.collect::<Vec<_>>().join("\n\n");
        }
        other => write(other, 0, schema, &mut text),
    }
    text.trim_matches('\n').to_owned()
}

/// An entry with members: numbered, its first short text as the title.
fn block(position: usize, entry: &Value, schema: &Value) -> String {
    let Value::Object(members) = entry else { return format!("{}. {}", position + 1, markdown(entry, schema)) };
    let mut rest = ordered(members, schema);
    rest.retain(|(_, value)| !is_nothing(value));
    let is_title =
        |value: &Value| value.as_str().is_some_and(|text| text.chars().count() <= 80 && !text.contains('\n'));
    let place = rest.iter().position(|(name, _)| matches!(*name, "title" | "name")).unwrap_or(0);
    let title = match rest.get(place) {
        Some((_, value)) if is_title(value) => {
            let title = value.as_str().unwrap_or_default().trim().to_owned();
            rest.remove(place);
            title
        }
        _ => String::new(),
    };
    let mut parts = vec![format!("**{}. {title}**", position + 1).replace(". **", "**")];
    parts.extend(rest.into_iter().map(|(name, value)| member(name, value, property(schema, name))));
    parts.join("\n\n")
}

fn member(name: &str, value: &Value, schema: &Value) -> String {
    match value {
        Value::Array(_) | Value::Object(_) => {
            let mut text = format!("**{name}**\n");
            write(value, 0, schema, &mut text);
            text
        }
        Value::String(text) => format!("**{name}**: {}", text.trim()),
        plain => format!("**{name}**: {plain}"),
    }
}

/// Writes lists with their depth.
fn write(value: &Value, depth: usize, schema: &Value, text: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Null => {}
        Value::String(words) if depth == 0 => text.push_str(words.trim_end()),
        // A line break within a list stands under its entry.
        Value::String(words) => text.push_str(&words.trim().replace('\n', &format!("\n{indent}"))),
        Value::Bool(_) | Value::Number(_) => text.push_str(&value.to_string()),
        Value::Array(entries) => {
            for entry in entries {
                text.push_str(&format!("\n{indent}- "));
                write(entry, depth + 1, items(schema), text);
            }
        }
        Value::Object(members) => {
            for (position, (name, value)) in
                ordered(members, schema).into_iter().filter(|(_, value)| !is_nothing(value)).enumerate()
            {
                match (depth, position) {
                    (0, _) => text.push_str("\n- "),
                    (_, 0) => {}
                    _ => text.push_str(&format!("\n{indent}- ")),
                }
                text.push_str(&format!("{name}: "));
                write(value, depth + 1, property(schema, name), text);
            }
        }
    }
}

/// The members in the order of the schema, then the others.
fn ordered<'v>(members: &'v Map<String, Value>, schema: &Value) -> Vec<(&'v str, &'v Value)> {
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let mut ordered: Vec<_> = members.iter().map(|(name, value)| (name.as_str(), value)).collect();
    ordered.sort_by_key(|(name, _)| required.iter().position(|required| required == name).unwrap_or(required.len()));
    ordered
}

fn items(schema: &Value) -> &Value {
    schema.get("items").unwrap_or(&Value::Null)
}

fn property<'s>(schema: &'s Value, name: &str) -> &'s Value {
    schema.get("properties").and_then(|properties| properties.get(name)).unwrap_or(&Value::Null)
}

pub(crate) fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(entries) => entries.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_read_well() {
        let schema = json!({"required": ["goal", "audience"], "properties": {}});
        let cases = [
            (json!(null), json!({}), ""),
            (json!("一行\n两行\n"), json!({}), "一行\n两行"),
            (json!(["a", "b"]), json!({}), "- a\n- b"),
            (
                json!({"audience": "作者", "goal": "学会", "also": ["x", "y"]}),
                schema,
                "**goal**: 学会\n\n**audience**: 作者\n\n**also**\n\n- x\n- y",
            ),
            (
                json!([{"title": "一", "points": ["p"]}, {"title": "二", "points": []}]),
                json!({}),
                "**1. 一**\n\n**points**\n\n- p\n\n**2. 二**",
            ),
            (json!({"a": {"b": "c"}}), json!({}), "**a**\n\n- b: c"),
        ];
        for (value, schema, expected) in cases {
            assert_eq!(markdown(&value, &schema), expected, "{value}");
        }
    }
}
