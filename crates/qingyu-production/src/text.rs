//! A value as readable text.

use serde_json::{Map, Value};

/// Returns a value as Markdown: text verbatim, lists as lists, members with their names in the order of the schema.
pub fn markdown(value: &Value, schema: &Value) -> String {
    let mut text = String::new();
    match value {
        Value::Array(entries) if entries.iter().any(Value::is_object) => {
            // Entries with members become separate blocks, being too long for a list.
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

/// Returns a value as Markdown for readers of the content: no names of members, which are words of the template.
///
/// An entry with members is a section: its title, or its first short text, is the heading; every other text is a
/// paragraph, every list a list.
pub fn readable(value: &Value, schema: &Value) -> String {
    match value {
        Value::Array(entries) if entries.iter().any(Value::is_object) => {
            let of_entry = items(schema);
            entries.iter().map(|entry| readable(entry, of_entry)).collect::<Vec<_>>().join("\n\n")
        }
        Value::Object(members) => {
            let mut rest = ordered(members, schema);
            rest.retain(|(_, value)| !is_nothing(value));
            let place = title_place(&rest);
            let title = place.map(|place| rest.remove(place).1.as_str().unwrap_or_default().trim().to_owned());
            let heading = title.map(|title| format!("## {title}"));
            let parts = rest.into_iter().map(|(name, value)| readable(value, property(schema, name)));
            heading.into_iter().chain(parts).collect::<Vec<_>>().join("\n\n")
        }
        other => markdown(other, schema),
    }
}

/// Returns the place of the title among the members: the one called so, else the first, if it is short and not alone.
fn title_place(members: &[(&str, &Value)]) -> Option<usize> {
    let place = members.iter().position(|(name, _)| matches!(*name, "title" | "name" | "subject")).unwrap_or(0);
    (members.len() > 1 && members.get(place).is_some_and(|(_, value)| is_short(value))).then_some(place)
}

/// Returns whether a value is a text of one line that can be a title.
fn is_short(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.chars().count() <= 80 && !text.contains('\n'))
}

/// Returns an entry with members: numbered, with its first short text as the title.
fn block(position: usize, entry: &Value, schema: &Value) -> String {
    let Value::Object(members) = entry else { return format!("{}. {}", position + 1, markdown(entry, schema)) };
    let mut rest = ordered(members, schema);
    rest.retain(|(_, value)| !is_nothing(value));
    let place = rest.iter().position(|(name, _)| matches!(*name, "title" | "name")).unwrap_or(0);
    let title = match rest.get(place) {
        Some((_, value)) if is_short(value) => {
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

/// Writes nested lists.
fn write(value: &Value, depth: usize, schema: &Value, text: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Null => {}
        Value::String(words) if depth == 0 => text.push_str(words.trim_end()),
        // A line break within a list is indented under its entry.
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

/// Returns the members in the order of the schema, then the others.
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

/// Returns a text on a single line.
pub(crate) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns untrusted text on a single line, without links, pictures or HTML.
pub(crate) fn plain(words: &str) -> String {
    let mut text = String::new();
    for letter in line(words).chars() {
        if matches!(letter, '[' | ']' | '<' | '>' | '!' | '\\' | '`' | '*' | '_') {
            text.push('\\');
        }
        text.push(letter);
    }
    text
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
    fn readers_see_no_names_of_members() {
        let schema = json!({"items": {"required": ["subject", "body"]}});
        let mails =
            json!([{"subject": "第一封", "body": "你好。\n\n再见。"}, {"subject": "第二封", "body": "又来了。"}]);
        assert_eq!(readable(&mails, &schema), "## 第一封\n\n你好。\n\n再见。\n\n## 第二封\n\n又来了。");
        let post = json!({"tags": ["a", "b"], "title": "题"});
        assert_eq!(readable(&post, &json!({"required": ["title", "tags"]})), "## 题\n\n- a\n- b");
        assert_eq!(readable(&json!("# 一\n二"), &json!({})), "# 一\n二");
        assert_eq!(readable(&json!({"only": "text"}), &json!({})), "text");
    }

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
