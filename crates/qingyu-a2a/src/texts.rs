//! Texts of the A2A server for people, in Chinese and English: `texts/zh.toml` and `texts/en.toml`.

use std::sync::LazyLock;

use qingyu_studio::story::Language;
use qingyu_studio::tools::texts::Table;

static TABLE: LazyLock<Table> =
    LazyLock::new(|| Table::new(include_str!("texts/zh.toml"), include_str!("texts/en.toml")));

/// Returns the text `name`; empty if unknown.
pub(crate) fn text(language: Language, name: &str) -> &'static str {
    TABLE.text(language, name)
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
