//! Measures readability with a published formula for each language.
//!
//! - English: Flesch's reading ease, 206.835 minus 1.015 words per sentence minus 84.6 syllables per word (R. Flesch, "A new
//!   readability yardstick", Journal of Applied Psychology 32, 1948), and the grade of Kincaid, 0.39 words per sentence
//!   plus 11.8 syllables per word minus 15.59 (J. P. Kincaid et al., Research Branch Report 8-75, 1975). Syllables are counted
//!   by groups of vowels.
//! - Chinese: 徐巍、姚振晔、陈冬华《中文年报可读性：衡量与检验》(会计研究 2021 年第 3 期): the mean of characters per clause and of the share of
//!   adverbs and conjunctions among the words, modelled on the Fog index; higher is harder. A word
//!   is counted as 1.5 characters.

use std::collections::BTreeMap;

use qingyu_story::language::is_han;
use qingyu_story::{Language, Prose, marks};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::finder::WordFinder;
use super::ratio::rounded;
use super::variety::latin_words;
use crate::Error;
use crate::error::{builtin, read};

/// The average number of characters of a Chinese word.
const CHARACTERS_PER_WORD: f64 = 1.5;

/// How easily a text reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Readability {
    /// The formula.
    pub formula: Formula,
    /// What it gives: for Flesch higher is easier, for Xu higher is harder.
    pub score: f64,
    /// The school grade, where the formula has one.
    pub grade: Option<f64>,
    /// In a word.
    pub ease: Ease,
    /// What went into the formula: `words_per_sentence`, `syllables_per_word`, `characters_per_clause`, `function_words`.
    pub values: BTreeMap<String, f64>,
}

/// A published formula.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Formula {
    /// Flesch 1948, with the grade of Kincaid 1975.
    Flesch,
    /// Xu, Yao, Chen 2021.
    Xu,
}

/// How easily a text reads, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Ease {
    /// For everybody: Flesch from 80, Xu up to 3.5 (clauses of seven characters).
    Easy,
    /// As most fiction: Flesch from 60, Xu up to 5.5.
    Plain,
    /// For practised readers: Flesch from 40, Xu up to 8.
    Dense,
    /// For the few.
    Hard,
}

/// The lists for the readability of Chinese, parsed from `data/readability.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HardWords {
    /// Adverbs.
    pub adverbs: Vec<String>,
    /// Conjunctions.
    pub conjunctions: Vec<String>,
}

impl HardWords {
    /// Returns the built-in lists.
    pub fn builtin() -> Self {
        builtin(include_str!("../../data/readability.toml"))
    }

    /// Parses user-supplied lists.
    pub fn parse(toml: &str) -> Result<Self, Error> {
        read("readability", toml)
    }

    /// Returns the lists with the lists of `other` appended.
    pub fn extended(mut self, other: Self) -> Self {
        self.adverbs.extend(other.adverbs);
        self.conjunctions.extend(other.conjunctions);
        self
    }

    pub(super) fn finder(&self) -> WordFinder<()> {
        WordFinder::new(self.adverbs.iter().chain(&self.conjunctions).map(|word| (word.clone(), ())))
    }
}

/// Returns the readability of `text`.
pub(super) fn read_ease(text: &str, prose: &Prose, hard: &WordFinder<()>) -> Readability {
    let sentences = prose.sentences.len().max(1) as f64;
    match prose.language {
        Language::En => flesch(text, sentences),
        Language::Zh => xu(text, hard),
    }
}

fn flesch(text: &str, sentences: f64) -> Readability {
    let words = latin_words(text);
    let count = words.len().max(1) as f64;
    let per_word = words.iter().map(|word| syllables(word)).sum::<usize>() as f64 / count;
    let per_sentence = words.len() as f64 / sentences;
    let score = if words.is_empty() { 0.0 } else { 206.835 - 1.015 * per_sentence - 84.6 * per_word };
    let grade = if words.is_empty() { 0.0 } else { 0.39 * per_sentence + 11.8 * per_word - 15.59 };
    let ease = match score {
        80.0.. => Ease::Easy,
        60.0.. => Ease::Plain,
        40.0.. => Ease::Dense,
        _ => Ease::Hard,
    };
    let values = [("words_per_sentence", per_sentence), ("syllables_per_word", per_word)];
    of(Formula::Flesch, score, Some(rounded(grade)), ease, &values)
}

fn xu(text: &str, hard: &WordFinder<()>) -> Readability {
    let (mut characters, mut clauses, mut in_clause) = (0_usize, 0_usize, false);
    for c in text.chars() {
        if is_han(c) {
            characters += 1;
            clauses += usize::from(!in_clause);
            in_clause = true;
        } else if !c.is_alphanumeric() && !matches!(c, ' ' | '、' | '·' | '《' | '》') && !marks::is_double_quote(c)
        {
            in_clause = false;
        }
    }
    let per_clause = characters as f64 / clauses.max(1) as f64;
    let words = (characters as f64 / CHARACTERS_PER_WORD).max(1.0);
    let function_words = hard.find(text).len() as f64 / words;
    let score = (per_clause + function_words) / 2.0;
    let ease = match score {
        ..=3.5 => Ease::Easy,
        ..=5.5 => Ease::Plain,
        ..=8.0 => Ease::Dense,
        _ => Ease::Hard,
    };
    let values = [("characters_per_clause", per_clause), ("function_words", function_words)];
    of(Formula::Xu, score, None, ease, &values)
}

fn of(formula: Formula, score: f64, grade: Option<f64>, ease: Ease, values: &[(&str, f64)]) -> Readability {
    let values = values.iter().map(|(name, value)| ((*name).to_owned(), rounded(*value))).collect();
    Readability { formula, score: rounded(score), grade, ease, values }
}

/// Returns the syllable count of an English word: groups of vowels, without a silent final `e`.
fn syllables(word: &str) -> usize {
    let is_vowel = |byte: u8| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let letters: Vec<u8> = word.bytes().filter(u8::is_ascii_alphabetic).collect();
    let mut groups = 0;
    let mut before = false;
    for byte in &letters {
        groups += usize::from(is_vowel(*byte) && !before);
        before = is_vowel(*byte);
    }
    let silent = match letters.as_slice() {
        [.., b'l', b'e'] => false,
        [.., last, b'e'] => !is_vowel(*last),
        [.., last, b'e', b'd'] => !is_vowel(*last) && !matches!(last, b't' | b'd'),
        [.., last, b'e', b's'] => !is_vowel(*last) && !matches!(last, b's' | b'c' | b'x' | b'z' | b'g' | b'h'),
        _ => false,
    };
    (groups - usize::from(silent && groups > 1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syllables_of_words() {
        let cases = [
            ("the", 1),
            ("make", 1),
            ("table", 2),
            ("walked", 1),
            ("wanted", 2),
            ("houses", 2),
            ("readability", 5),
            ("rhythm", 1),
            ("a", 1),
            ("beautiful", 3),
            ("times", 1),
            ("don't", 1),
            ("123", 1),
        ];
        for (word, expected) in cases {
            assert_eq!(syllables(word), expected, "{word}");
        }
    }

    #[test]
    fn the_formulas_are_those_of_their_authors() {
        let prose = Prose::of("The cat sat on the mat.");
        let hard = HardWords::builtin().finder();
        let english = read_ease("The cat sat on the mat.", &prose, &hard);
        // Six words, six syllables, one sentence.
        assert_eq!(english.score, rounded(206.835 - 1.015 * 6.0 - 84.6));
        assert_eq!(english.grade, Some(rounded(0.39 * 6.0 + 11.8 - 15.59)));
        let text = "他已经走了，但是门还开着。";
        let chinese = read_ease(text, &Prose::of(text), &hard);
        // Eleven characters in two clauses; 已经, 但是 and 还 in 11 / 1.5 words.
        assert_eq!(chinese.values["characters_per_clause"], 5.5);
        assert_eq!(chinese.score, rounded((5.5 + 3.0 * 1.5 / 11.0) / 2.0));
        assert_eq!((chinese.formula, chinese.ease), (Formula::Xu, Ease::Easy));
    }
}
