//! Changes by rules: replacing words, removing entries. Other requests leave the value unchanged.

use qingyu_agents::production::context::FieldContext;
use serde_json::Value;

use super::tables;

/// Returns the value after the change.
pub(super) fn amend(making: &FieldContext, before: &Value) -> Value {
    let instruction = making.instruction.trim();
    let mut value = before.clone();
    let is_done = if let Some((from, to)) = replacement(instruction) {
        replace(&mut value, &from, &to)
    } else {
        removal(instruction).is_some_and(|words| remove(&mut value, &making.schema, &words))
    };
    match value {
        Value::String(text) if !is_done => {
            let note = tables::of(making.language).not_changed.replace("{instruction}", instruction);
            // A retry does not append a duplicate note.
            if text.ends_with(&note) { Value::String(text) } else { Value::String(format!("{text}\n\n> {note}")) }
        }
        value => value,
    }
}

/// Parses the words to replace and their replacement.
fn replacement(instruction: &str) -> Option<(String, String)> {
    const CHINESE: [(&str, &str); 8] = [
        ("把", "改成"),
        ("把", "改为"),
        ("把", "换成"),
        ("把", "替换为"),
        ("将", "改成"),
        ("将", "改为"),
        ("将", "换成"),
        ("将", "替换为"),
    ];
    const ENGLISH: [(&str, &str); 3] = [("change ", " to "), ("replace ", " with "), ("rename ", " to ")];
    let lower = instruction.to_ascii_lowercase();
    CHINESE.iter().chain(&ENGLISH).find_map(|(begin, middle)| {
        let from = lower.find(begin)? + begin.len();
        let to = from + lower[from..].find(middle)?;
        let pair = (bare(&instruction[from..to]), bare(&instruction[to + middle.len()..]));
        (!pair.0.is_empty() && !pair.1.is_empty()).then_some(pair)
    })
}

/// Parses the words to remove.
fn removal(instruction: &str) -> Option<String> {
    let lower = instruction.to_ascii_lowercase();
    ["删掉", "删除", "去掉", "delete ", "remove "].iter().find_map(|begin| {
        let from = lower.find(begin)? + begin.len();
        Some(bare(&instruction[from..])).filter(|words| !words.is_empty())
    })
}

fn bare(words: &str) -> String {
    let is_around = |letter: char| letter.is_whitespace() || "“”\"'「」《》。.！!，,".contains(letter);
    words.trim_matches(is_around).to_owned()
}

/// Replaces words in every text; returns whether there was any match.
fn replace(value: &mut Value, from: &str, to: &str) -> bool {
    match value {
        Value::String(text) if text.contains(from) => {
            *text = text.replace(from, to);
            true
        }
        // Every entry, not only the first match.
        Value::Array(entries) => {
            entries.iter_mut().filter_map(|entry| replace(entry, from, to).then_some(())).count() > 0
        }
        Value::Object(members) => {
            members.values_mut().filter_map(|member| replace(member, from, to).then_some(())).count() > 0
        }
        _ => false,
    }
}

/// Removes the first entry with the words, if the schema allows fewer entries.
fn remove(value: &mut Value, schema: &Value, words: &str) -> bool {
    match value {
        Value::String(text) if text.contains(words) && text.trim() != words => {
            *text = text.replace(words, "");
            true
        }
        Value::Array(entries) => {
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
            let found = entries.iter().position(|entry| contains_words(entry, words));
            match found.filter(|_| entries.len() as u64 > least) {
                Some(at) => {
                    entries.remove(at);
                    true
                }
                None => false,
            }
        }
        Value::Object(members) => members.iter_mut().any(|(name, member)| {
            let of = schema.get("properties").and_then(|properties| properties.get(name)).unwrap_or(&Value::Null);
            !member.is_string() && remove(member, of, words)
        }),
        _ => false,
    }
}

fn contains_words(entry: &Value, words: &str) -> bool {
    match entry {
        Value::String(text) => text.contains(words),
        Value::Object(members) => {
            members.values().any(|member| member.as_str().is_some_and(|text| text.contains(words)))
        }
        _ => false,
    }
}
