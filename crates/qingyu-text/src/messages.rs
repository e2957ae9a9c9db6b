//! The wording of findings and shortfalls, in the languages of `data/messages.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use qingyu_story::Language;
use serde::Deserialize;

use crate::error::builtin;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageTemplates {
    zh: MessageWording,
    en: MessageWording,
}

/// The title and advice of a message.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MessageWording {
    title: String,
    advice: String,
}

static MESSAGES: LazyLock<BTreeMap<String, MessageTemplates>> =
    LazyLock::new(|| builtin(include_str!("../data/messages.toml")));

/// Returns the title and advice of `code`, filled with `values`.
pub(crate) fn message(code: &str, language: Language, values: &BTreeMap<String, String>) -> (String, String) {
    let Some(message) = MESSAGES.get(code) else { return (code.to_owned(), String::new()) };
    let words = match language {
        Language::Zh => &message.zh,
        Language::En => &message.en,
    };
    (fill(&words.title, values), fill(&words.advice, values))
}

fn fill(template: &str, values: &BTreeMap<String, String>) -> String {
    values.iter().fold(template.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// Returns all codes with messages.
#[cfg(test)]
pub(crate) fn codes() -> Vec<&'static str> {
    MESSAGES.keys().map(String::as_str).collect()
}
