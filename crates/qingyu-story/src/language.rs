//! The language of a story.

mod simplified;

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use simplified::simplified;

/// The language of a story, a prompt or a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// 中文
    #[default]
    Zh,
    /// English
    En,
}

impl Language {
    /// Returns the language of most letters in `text`; Chinese by default.
    pub fn of(text: &str) -> Self {
        let han = text.chars().filter(|c| is_han(*c)).count();
        let latin = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).count();
        if latin > han { Self::En } else { Self::Zh }
    }

    /// Returns Chinese for a text with a Chinese character, and English for any other.
    pub fn of_script(text: &str) -> Self {
        if text.chars().any(is_han) { Self::Zh } else { Self::En }
    }

    /// Returns the code for settings and prompts: `zh` or `en`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Zh => "zh",
            Self::En => "en",
        }
    }
}

/// Returns whether `c` is a Chinese character.
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Returns whether the words at `range`, at least one, are no part of a longer Latin word; Chinese has no word boundaries.
pub fn is_whole_word(text: &str, range: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let is_latin = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let joins = |at: usize| at > 0 && is_latin(at - 1) && is_latin(at);
    !joins(range.start) && !joins(range.end)
}

/// Returns whether `text` has `words`, at least one letter; Latin words only as whole words.
pub fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| is_whole_word(text, &(at..at + words.len())))
}

/// Returns whether `text`, in any case, has one of `words`, in lower case; Latin words only as whole words.
pub(crate) fn has_any(text: &str, words: &[&str]) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|word| has_words(&text, word))
}

/// Returns whether `c` is a letter or digit, same as [`char::is_alphanumeric`] but faster for Chinese prose.
pub(crate) fn is_letter(c: char) -> bool {
    match c {
        '\0'..='\x7f' => c.is_ascii_alphanumeric(),
        '\u{2010}'..='\u{206f}' | '\u{3001}'..='\u{3004}' | '\u{3008}'..='\u{3020}' => false,
        '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' => false,
        '\u{4e00}'..='\u{9fff}' => true,
        _ => c.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::{has_any, is_letter};

    #[test]
    fn letters_are_those_of_unicode() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_letter(c), c.is_alphanumeric(), "{c:?}");
        }
    }

    #[test]
    fn a_latin_word_is_no_part_of_a_longer_one() {
        for (text, expected) in [
            ("He DIED.", true),
            ("He studied.", false),
            ("They died, all of them.", true),
            ("他死了。", true),
            ("", false),
        ] {
            assert_eq!(has_any(text, &["died", "死"]), expected, "{text}");
        }
    }
}
