//! The language a story is told in.

mod simplified;

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
    /// The language most of the letters of `text` belong to; Chinese when there are none.
    pub fn of(text: &str) -> Self {
        let han = text.chars().filter(|c| is_han(*c)).count();
        let latin = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty()).count();
        if latin > han { Self::En } else { Self::Zh }
    }

    /// The code in settings and prompts: `zh` or `en`.
    pub fn code(self) -> &'static str {
        match self {
            Self::Zh => "zh",
            Self::En => "en",
        }
    }
}

/// Whether `c` is a Chinese character.
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Whether `c` is a letter or digit, as [`char::is_alphanumeric`] says, but quick to tell for Chinese prose.
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
    use super::is_letter;

    #[test]
    fn letters_are_those_of_unicode() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_letter(c), c.is_alphanumeric(), "{c:?}");
        }
    }
}
