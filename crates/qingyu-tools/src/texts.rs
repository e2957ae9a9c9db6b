//! What people and models read, in Chinese and English: a [`Table`] of texts, and that of the tools, `texts/zh.toml` and
//! `texts/en.toml`.

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
    /// The text of that name; empty if there is none.
    pub fn named(name: &str) -> Self {
        Self { zh: text(Language::Zh, name).to_owned(), en: text(Language::En, name).to_owned() }
    }

    /// The same words for both, such as those of a foreign tool.
    pub fn same(text: &str) -> Self {
        Self { zh: text.to_owned(), en: text.to_owned() }
    }

    /// The text in `language`.
    pub fn of(&self, language: Language) -> &str {
        match language {
            Language::Zh => &self.zh,
            Language::En => &self.en,
        }
    }
}

/// Texts by name, in both languages.
#[derive(Debug)]
pub struct Table {
    zh: BTreeMap<String, String>,
    en: BTreeMap<String, String>,
}

impl Table {
    /// Reads two tables in TOML, name = text, that are part of the program.
    ///
    /// Panics if one is none; what else can be wrong with them is told by [`faults`](Self::faults), for a test.
    pub fn new(zh: &str, en: &str) -> Self {
        let read = |source| toml::from_str(source).expect("the tables are part of the program and read by a test");
        Self { zh: read(zh), en: read(en) }
    }

    /// The text of that name; empty if there is none.
    pub fn text(&self, language: Language, name: &str) -> &str {
        let texts = match language {
            Language::Zh => &self.zh,
            Language::En => &self.en,
        };
        texts.get(name).map_or("", String::as_str)
    }

    /// The text of that name, [filled](fill).
    pub fn filled(&self, language: Language, name: &str, words: &[(&str, &str)]) -> String {
        fill(self.text(language, name), words)
    }

    /// The names of texts that are empty or missing in one language, or have other slots in one than in the other.
    pub fn faults(&self) -> Vec<&str> {
        let names: BTreeSet<&str> = self.zh.keys().chain(self.en.keys()).map(String::as_str).collect();
        let is_faulty = |name: &&str| {
            let (zh, en) = (self.text(Language::Zh, name), self.text(Language::En, name));
            zh.trim().is_empty() || en.trim().is_empty() || slots(zh) != slots(en)
        };
        names.into_iter().filter(is_faulty).collect()
    }
}

/// The words in braces.
fn slots(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0)).collect()
}

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::new(include_str!("texts/zh.toml"), include_str!("texts/en.toml")));

/// The text of that name in the table of the tools; empty if there is none.
pub fn text(language: Language, name: &str) -> &'static str {
    TABLE.text(language, name)
}

/// The text of that name in the table of the tools, [filled](fill).
pub fn filled(language: Language, name: &str, words: &[(&str, &str)]) -> String {
    TABLE.filled(language, name, words)
}

/// A template with each `{word}` replaced by what `words` give for it; other braces stay.
///
/// What is put in is never read again, so a brace in it does no harm.
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
