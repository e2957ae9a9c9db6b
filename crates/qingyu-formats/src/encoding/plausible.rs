//! Plausibility of decoded text: written language, or bytes in a wrong encoding.

use std::collections::HashSet;
use std::sync::LazyLock;

use qingyu_story::language::is_han;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most common Chinese characters of both scripts. Their share is at least 55 % in real books, including classical
/// works; at most 15 % in the same books in a wrong encoding.
static COMMON: LazyLock<HashSet<char>> =
    LazyLock::new(|| include_str!("../../data/common_characters.txt").chars().filter(|c| is_han(*c)).collect());

/// Minimum share of common characters in a Chinese text, in percent.
const LEAST_COMMON: usize = 30;
/// Maximum share of letters with diacritics in a text with Latin letters, in percent; Vietnamese has most.
const MOST_MARKED: usize = 35;
/// Maximum share of very rare characters, in thousandths.
const MOST_ODD: usize = 30;

/// What speaks for a guessed encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "proof", rename_all = "snake_case")]
pub enum Proof {
    /// So many sequences of bytes for characters beyond ASCII are valid, and so few are broken.
    Sequences {
        /// The valid ones.
        valid: usize,
        /// The broken ones.
        broken: usize,
    },
    /// So much of its Chinese is written in the commonest characters, in percent; in a wrong encoding it is hardly 15.
    CommonCharacters {
        /// The share.
        percent: usize,
    },
    /// So few of its letters have marks, in percent; in a wrong encoding it is most of them.
    MarkedLetters {
        /// The share.
        percent: usize,
    },
    /// It is written in the script of the encoding.
    Script,
}

impl Proof {
    /// Returns the proof that `text` is real text; `None` if the text is implausible.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut counts = CharacterCounts::default();
        text.chars().for_each(|c| counts.add(c));
        let CharacterCounts { common, han, kana, ascii, marked, other, odd } = counts;
        let letters = han + kana + ascii + marked + other;
        let is_odd = odd * 1000 > (letters + odd) * MOST_ODD;
        let is_much = |count: usize| count * 20 > letters;
        if is_much(kana) && !is_odd {
            return Some(Self::Script);
        }
        if is_much(han) {
            let percent = common * 100 / han;
            return (percent >= LEAST_COMMON).then_some(Self::CommonCharacters { percent });
        }
        if is_odd {
            return None;
        }
        if is_much(other) {
            return Some(Self::Script);
        }
        let percent = marked * 100 / (ascii + marked).max(1);
        (percent <= MOST_MARKED).then_some(Self::MarkedLetters { percent })
    }

    /// Returns the strength of the proof; larger is stronger.
    pub(super) fn strength(self) -> usize {
        match self {
            Self::Sequences { .. } => 1000,
            Self::CommonCharacters { percent } => 200 + percent,
            Self::Script => 150,
            Self::MarkedLetters { percent } => 100 - percent.min(100),
        }
    }
}

#[derive(Default)]
struct CharacterCounts {
    common: usize,
    han: usize,
    kana: usize,
    ascii: usize,
    marked: usize,
    other: usize,
    odd: usize,
}

impl CharacterCounts {
    fn add(&mut self, c: char) {
        match c {
            c if c.is_ascii_alphabetic() => self.ascii += 1,
            c if c.is_ascii() => {}
            c if is_han(c) => {
                self.han += 1;
                self.common += usize::from(COMMON.contains(&c));
            }
            '\u{3040}'..='\u{30ff}' | '\u{ac00}'..='\u{d7a3}' => self.kana += 1,
            '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' if c.is_alphabetic() => self.marked += 1,
            c if c.is_alphabetic() => self.other += 1,
            c if is_punctuation(c) || c.is_whitespace() || c == '\u{fffd}' => {}
            _ => self.odd += 1,
        }
    }
}

/// Returns whether `c` is punctuation found in books.
fn is_punctuation(c: char) -> bool {
    matches!(c,
        '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{3000}'..='\u{303f}' | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ff65}' | '«' | '»' | '·' | '°' | '§' | '©' | '£' | '¡' | '¿' | '×' | '½' | '¼' | '¾'
        | '\u{2500}'..='\u{27bf}' | '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{feff}')
}

/// Returns whether valid UTF-8 is so short that the bytes may be GBK anyway, such as `联通`: all non-ASCII characters are
/// letters foreign to Chinese.
pub(super) fn may_be_short_gbk(text: &str) -> bool {
    const SHORT: usize = 40;
    let mut beyond = text.chars().filter(|c| !c.is_ascii()).peekable();
    text.len() <= SHORT && beyond.peek().is_some() && beyond.all(|c| ('\u{80}'..'\u{800}').contains(&c))
}
