//! JSON values as arguments of texts.

use serde_json::Value;

use crate::texts::{FluentValue, LocalizedTexts, TextArgument};

/// Returns the fields of a failure or check as text arguments.
pub(crate) fn arguments<'a>(
    texts: &LocalizedTexts,
    data: impl IntoIterator<Item = (&'a String, &'a Value)>,
) -> Vec<TextArgument<'a>> {
    data.into_iter().map(|(name, value)| (name.as_str(), argument(texts, name, value))).collect()
}

fn argument<'a>(texts: &LocalizedTexts, name: &str, value: &'a Value) -> FluentValue<'a> {
    match value {
        Value::Number(number) if name == "bytes" => size(number.as_u64().unwrap_or_default()).into(),
        Value::Number(number) => number.as_f64().unwrap_or_default().into(),
        Value::String(text) if matches!(name, "place" | "unit" | "message") => common(texts, name, text).into(),
        Value::String(text) => text.as_str().into(),
        Value::Array(values) if values.is_empty() => texts.get("none").into(),
        Value::Null => texts.get("unknown").into(),
        other => plain(texts, other).into(),
    }
}

/// Returns the translation of a place, unit or reason named in English by a failure; archive entries, currencies and
/// library messages stay unchanged. Numbers in it are the variables `n1`, `n2`, … of the text, and `n` in its key.
fn common(texts: &LocalizedTexts, family: &str, value: &str) -> String {
    let mut numbers: Vec<&str> = Vec::new();
    let mut key = vec![family.to_owned()];
    for word in value.split_whitespace().map(|word| word.trim_matches([',', '.', ':', ';', '"'])) {
        match word.parse::<f64>() {
            Ok(_) => {
                numbers.push(word);
                key.push("n".to_owned());
            }
            Err(_) => key.push(word.to_lowercase().replace('.', "-")),
        }
    }
    let names: Vec<String> = (1..=numbers.len()).map(|place| format!("n{place}")).collect();
    let arguments: Vec<TextArgument<'_>> =
        names.iter().map(String::as_str).zip(numbers.into_iter().map(FluentValue::from)).collect();
    texts.find(&key.join("-"), &arguments).unwrap_or_else(|| value.to_owned())
}

/// Formats a value on one line: lists are joined, objects are represented by their first identifying field.
pub(crate) fn plain(texts: &LocalizedTexts, value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        Value::Array(values) => {
            values.iter().map(|value| plain(texts, value)).collect::<Vec<_>>().join(&texts.get("list-comma"))
        }
        Value::Object(fields) => {
            let name = ["provider", "model", "name"].into_iter().find_map(|key| fields.get(key)?.as_str());
            name.map_or_else(|| value.to_string(), str::to_owned)
        }
        other => other.to_string(),
    }
}

/// Formats a number of bytes: `640 B`, `64.0 KB`, `12.3 GB`.
pub(crate) fn size(bytes: u64) -> String {
    let units = ["KB", "MB", "GB", "TB"];
    let power = (1..=units.len()).rev().find(|power| bytes >= 1000u64.pow(*power as u32));
    match power {
        None => format!("{bytes} B"),
        Some(power) => format!("{:.1} {}", bytes as f64 / 1000f64.powi(power as i32), units[power - 1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use qingyu_studio::story::Language;
    use serde_json::json;

    #[test]
    fn values_in_a_line() {
        let texts = LocalizedTexts::new(Language::En);
        assert_eq!([640, 64_000, 12_345_678_901].map(size), ["640 B", "64.0 KB", "12.3 GB"]);
        let servers = json!([{"provider": "ollama", "url": "http://127.0.0.1:11434"}, "b"]);
        assert_eq!(plain(&texts, &servers), "ollama, b");
        let data = json!({"variables": [], "bytes": null});
        let filled = arguments(&texts, data.as_object().unwrap());
        assert_eq!(filled, [("bytes", "unknown".into()), ("variables", "none".into())]);
        let data = json!({"place": "the file", "unit": "bytes of Markdown"});
        let filled =
            arguments(&LocalizedTexts::new(Language::Zh), data.as_object().unwrap()).into_iter().map(|(_, word)| word);
        assert_eq!(filled.collect::<Vec<_>>(), ["文件".into(), "字节的 Markdown".into()]);
        let data = json!({"place": "word/document.xml", "unit": "CNY"});
        let filled = arguments(&texts, data.as_object().unwrap()).into_iter().map(|(_, word)| word);
        assert_eq!(filled.collect::<Vec<_>>(), ["word/document.xml".into(), "CNY".into()]);
    }

    #[test]
    fn reasons_of_the_studio_are_translated_with_their_numbers() {
        let texts = LocalizedTexts::new(Language::Zh);
        let cases = [
            ("must be at least 1", "至少是 1"),
            ("must be a number from 0 to 100000, not 5.5", "应是 0 到 100000 之间的数，不能是 5.5"),
            ("needs budget.currency beside it", "还要设置 budget.currency"),
            ("this run stopped at a breakpoint: approve to continue", "这次运行停在断点处：同意后继续"),
            ("expected `]` at line 3", "expected `]` at line 3"),
        ];
        for (reason, expected) in cases {
            assert_eq!(common(&texts, "message", reason), expected);
        }
    }
}
