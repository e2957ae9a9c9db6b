//! The length of a text as editors count it: the only length of a text or a book that people read, on the pages, in every
//! command, in goals, exports and reports. The pages' copy is `web/src/write/count.ts`; both are tested by
//! `count.cases.json`.

use std::sync::LazyLock;

use regex::Regex;

use super::emphasis::without_emphasis;
use crate::Language;

const WORD: &str = r"[[\p{L}\p{N}\p{M}]&&[^\p{Han}]]+(?:['’.\-][[\p{L}\p{N}]&&[^\p{Han}]]+)*";

/// Returns the length of a text in the unit of its language: in Chinese, Chinese characters, punctuation marks, and words
/// or numbers in other scripts, each once; in English, words and numbers. White space and marks of emphasis do not count.
pub fn editors_count(text: &str, language: Language) -> usize {
    static WORDS: LazyLock<Regex> = LazyLock::new(|| pattern(WORD));
    static UNITS: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"\p{{Han}}|{WORD}|[\p{{P}}\p{{S}}]")));
    let units = if language == Language::En { &WORDS } else { &UNITS };
    units.find_iter(&without_emphasis(text)).count()
}

/// Returns the length of a text in the unit of its main language, for a text whose book is unknown.
pub fn own_count(text: &str) -> usize {
    editors_count(text, Language::of(text))
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is part of the program")
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct CountCase {
        text: String,
        zh: usize,
        en: usize,
    }

    #[test]
    fn labelled_texts() {
        let cases: Vec<CountCase> = serde_json::from_str(include_str!("count.cases.json")).unwrap();
        for CountCase { text, zh, en } in cases {
            let counted = [Language::Zh, Language::En].map(|language| editors_count(&text, language));
            assert_eq!(counted, [zh, en], "{text}");
            assert!([zh, en].contains(&own_count(&text)), "{text}");
        }
    }
}
