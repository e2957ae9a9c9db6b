//! Texts of the MCP server for people and models, in Chinese and English: `texts/zh.toml` and `texts/en.toml`.

use std::sync::LazyLock;

use qingyu_story::Language;
use qingyu_tools::texts::{Table, Text};

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::new(include_str!("texts/zh.toml"), include_str!("texts/en.toml")));

/// Returns the text `name`; empty if unknown.
pub(crate) fn text(language: Language, name: &str) -> &'static str {
    TABLE.text(language, name)
}

/// Returns the text `name` in both languages.
pub(crate) fn both(name: &str) -> Text {
    let of = |language| text(language, name).to_owned();
    Text { zh: of(Language::Zh), en: of(Language::En) }
}

/// Returns the text `name` with each `{word}` replaced; empty if unknown.
pub(crate) fn filled(language: Language, name: &str, words: &[(&str, &str)]) -> String {
    TABLE.filled(language, name, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_texts() {
        assert_eq!(TABLE.faults(), Vec::<&str>::new());
    }
}
