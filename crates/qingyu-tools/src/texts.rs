//! What people and models read, in Chinese and English: `texts/zh.toml` and `texts/en.toml`, with the same keys.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use qingyu_story::Language;
use serde::{Deserialize, Serialize};

/// A text in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
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

type Texts = BTreeMap<String, String>;

static ZH: LazyLock<Texts> = LazyLock::new(|| read(include_str!("texts/zh.toml")));
static EN: LazyLock<Texts> = LazyLock::new(|| read(include_str!("texts/en.toml")));

/// The text of that name; empty if there is none.
pub fn text(language: Language, name: &str) -> &'static str {
    all(language).get(name).map_or("", String::as_str)
}

/// The text of that name, [filled](fill).
pub fn filled(language: Language, name: &str, words: &[(&str, &str)]) -> String {
    fill(text(language, name), words)
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

/// What stands where nothing is known.
pub fn unwritten(language: Language) -> &'static str {
    text(language, "unwritten")
}

fn all(language: Language) -> &'static Texts {
    match language {
        Language::Zh => &ZH,
        Language::En => &EN,
    }
}

fn read(source: &str) -> Texts {
    toml::from_str(source).expect("the tables are part of the program and read by a test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_texts_with_the_same_slots() {
        let slots = |text: &str| {
            let mut slots: Vec<String> =
                text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0.to_owned())).collect();
            slots.sort();
            slots.dedup();
            slots
        };
        assert!(ZH.keys().eq(EN.keys()), "{:?}", ZH.keys().filter(|key| !EN.contains_key(*key)).collect::<Vec<_>>());
        for (key, zh) in ZH.iter() {
            assert!(!zh.trim().is_empty() && !EN[key].trim().is_empty(), "{key} is empty");
            assert_eq!(slots(zh), slots(&EN[key]), "{key}");
        }
    }

    #[test]
    fn slots_are_filled_once() {
        assert_eq!(filled(Language::En, "nothing is called so", &[]), "");
        assert_eq!(unwritten(Language::Zh), "〔待写〕");
        assert_eq!(unwritten(Language::En), "[to be written]");
        let note = filled(Language::En, "generate.note", &[("created", "{unknown}"), ("unknown", "3")]);
        assert!(note.contains("{unknown}") && note.contains('3'), "{note}");
    }
}
