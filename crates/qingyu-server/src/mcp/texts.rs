//! What people and models read, in Chinese and English: `texts/zh.toml` and `texts/en.toml`, with the same keys.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use qingyu_story::Language;
use qingyu_tools::texts::fill;

type Texts = BTreeMap<String, String>;

static ZH: LazyLock<Texts> = LazyLock::new(|| read(include_str!("texts/zh.toml")));
static EN: LazyLock<Texts> = LazyLock::new(|| read(include_str!("texts/en.toml")));

/// The text of that name with each `{word}` replaced; empty if there is none.
pub(crate) fn filled(language: Language, name: &str, words: &[(&str, &str)]) -> String {
    fill(text(language, name), words)
}

/// The text of that name; empty if there is none.
pub(crate) fn text(language: Language, name: &str) -> &'static str {
    let texts = match language {
        Language::Zh => &*ZH,
        Language::En => &*EN,
    };
    texts.get(name).map_or("", String::as_str)
}

fn read(source: &str) -> Texts {
    toml::from_str(source).expect("the tables are part of the program and read by a test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_texts() {
        assert!(ZH.keys().eq(EN.keys()), "{:?} and {:?}", ZH.keys(), EN.keys());
        for (key, zh) in ZH.iter() {
            let slots = |text: &str| text.matches('{').count();
            assert!(!zh.trim().is_empty() && slots(zh) == slots(&EN[key]), "{key}");
        }
    }
}
