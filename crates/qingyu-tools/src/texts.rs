//! Texts for people and models, in Chinese and English: a [`Table`] type, and the table of the tools, `texts/zh.toml`
//! and `texts/en.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A text in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Text {
    /// 中文
    pub zh: String,
    /// English
    pub en: String,
}

impl Text {
    /// Returns the named text; empty if missing.
    pub fn named(name: &str) -> Self {
        Self { zh: text(Language::Zh, name).to_owned(), en: text(Language::En, name).to_owned() }
    }

    /// Returns a text with the same words in both languages, such as a foreign tool's.
    pub fn same(text: &str) -> Self {
        Self { zh: text.to_owned(), en: text.to_owned() }
    }

    /// Returns the text in `language`.
    pub fn of(&self, language: Language) -> &str {
        match language {
            Language::Zh => &self.zh,
            Language::En => &self.en,
        }
    }
}

/// A table of named texts, in both languages.
#[derive(Debug)]
pub struct Table {
    zh: BTreeMap<String, String>,
    en: BTreeMap<String, String>,
}

impl Table {
    /// Parses two compiled-in TOML tables, name = text.
    ///
    /// Panics if a table does not parse; [`faults`](Self::faults) returns other errors, for a test.
    pub fn new(zh: &str, en: &str) -> Self {
        let read = |source| toml::from_str(source).expect("the tables are part of the program and read by a test");
        Self { zh: read(zh), en: read(en) }
    }

    /// Returns the named text; empty if missing.
    pub fn text(&self, language: Language, name: &str) -> &str {
        let texts = match language {
            Language::Zh => &self.zh,
            Language::En => &self.en,
        };
        texts.get(name).map_or("", String::as_str)
    }

    /// Returns the named text, [filled](fill).
    pub fn filled(&self, language: Language, name: &str, words: &[(&str, &str)]) -> String {
        fill(self.text(language, name), words)
    }

    /// Returns the names of texts missing or empty in a language, or with different slots in the two languages.
    pub fn faults(&self) -> Vec<&str> {
        let names: BTreeSet<&str> = self.zh.keys().chain(self.en.keys()).map(String::as_str).collect();
        let is_faulty = |name: &&str| {
            let (zh, en) = (self.text(Language::Zh, name), self.text(Language::En, name));
            zh.trim().is_empty() || en.trim().is_empty() || slots(zh) != slots(en)
        };
        names.into_iter().filter(is_faulty).collect()
    }
}

/// Returns the words in braces.
fn slots(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0)).collect()
}

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::new(include_str!("texts/zh.toml"), include_str!("texts/en.toml")));

/// Returns the named text of the tools' table; empty if missing.
pub fn text(language: Language, name: &str) -> &'static str {
    TABLE.text(language, name)
}

/// Returns the named text of the tools' table, [filled](fill).
pub fn filled(language: Language, name: &str, words: &[(&str, &str)]) -> String {
    TABLE.filled(language, name, words)
}

/// Returns the template with each `{word}` replaced by its value in `words`; other braces stay.
///
/// Inserted values are never expanded again, so braces in values are safe.
pub fn fill(template: &str, words: &[(&str, &str)]) -> String {
    let mut rest = template;
    let mut filled = String::with_capacity(rest.len());
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let slot = after.split_once('}');
        let word = slot.and_then(|(slot, _)| words.iter().find(|(name, _)| *name == slot));
        match (word, slot) {
            (Some((_, word)), Some((_, behind))) => {
                filled.push_str(word);
                rest = behind;
            }
            _ => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_texts_with_the_same_slots() {
        assert_eq!(TABLE.faults(), Vec::<&str>::new());
        let faulty = Table::new(
            "same = \"{a}和{b}\"\nslots = \"{a}\"\nempty = \"有\"\nzh = \"有\"",
            "same = \"{b} and {a}\"\nslots = \"{b}\"\nempty = \" \"\nen = \"there\"",
        );
        assert_eq!(faulty.faults(), ["empty", "en", "slots", "zh"]);
    }

    #[test]
    fn slots_are_filled_once() {
        assert_eq!(filled(Language::En, "nothing is called so", &[]), "");
        let note = filled(Language::En, "generate.note", &[("created", "{unknown}"), ("unknown", "3")]);
        assert!(note.contains("{unknown}") && note.contains('3'), "{note}");
    }
}
