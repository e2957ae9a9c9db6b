//! Measures the share of a text in another language than the book.

use qingyu_story::Language;
use qingyu_story::language::is_han;

use super::lexicon::{plain, words};

/// A Latin word counts like two Chinese characters.
const WORD: usize = 2;
/// The number of words from which the language of a text in Latin letters can be detected.
const ENOUGH: usize = 30;

/// Returns the percentage of `text`, by length, which is not in `language`.
pub(super) fn foreign(text: &str, language: Language) -> usize {
    let letters = Scripts::of(text);
    let latin = letters.latin * WORD;
    let (own, other) = match language {
        Language::Zh => (letters.han, latin + letters.kana + letters.hangul + letters.other * WORD),
        Language::En if !is_english(text) => (0, latin + letters.han + letters.kana + letters.hangul),
        Language::En => (latin, letters.han + letters.kana + letters.hangul + letters.other * WORD),
    };
    (other * 100).checked_div(own + other).unwrap_or(0)
}

/// Counts of letters by script; Latin and other alphabets count words.
#[derive(Debug, Default)]
struct Scripts {
    han: usize,
    kana: usize,
    hangul: usize,
    latin: usize,
    other: usize,
}

impl Scripts {
    fn of(text: &str) -> Self {
        let mut letters = Self::default();
        let mut in_word = false;
        for c in text.chars() {
            let was_in_word = std::mem::take(&mut in_word);
            match c {
                _ if is_han(c) => letters.han += 1,
                '\u{3041}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9d}' => letters.kana += 1,
                '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' => letters.hangul += 1,
                '\'' | '’' | '-' => in_word = was_in_word,
                _ if c.is_alphabetic() => {
                    in_word = true;
                    if !was_in_word && c < '\u{250}' {
                        letters.latin += 1;
                    } else if !was_in_word {
                        letters.other += 1;
                    }
                }
                _ => {}
            }
        }
        letters
    }
}

/// Returns whether the Latin words are English rather than a related language, by the commonest words of each.
fn is_english(text: &str) -> bool {
    let plain = plain(text);
    let found = plain.split(|c: char| !c.is_alphabetic() && c != '\'').filter(|word| !word.is_empty());
    let lists = &words().function_words;
    let mut counts = vec![0_usize; lists.len()];
    for word in found {
        for (count, list) in counts.iter_mut().zip(lists.values()) {
            *count += usize::from(list.contains(word));
        }
    }
    let english = lists.keys().position(|code| code == "en").map_or(0, |place| counts[place]);
    let most = counts.into_iter().max().unwrap_or_default();
    most < ENOUGH || english * 2 >= most
}
