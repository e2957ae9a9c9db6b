//! Splits text into tokens for comparison: Chinese characters and Latin words, without punctuation.

use std::ops::Range;

use qingyu_story::language::{is_han, simplified};
use unicode_normalization::char::decompose_compatible;

/// A text as a sequence of tokens.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextTokens {
    /// The hash of each token.
    pub(super) hashes: Vec<u32>,
    /// The byte range of each token.
    pub(super) spans: Vec<Range<u32>>,
    /// Whether most tokens are Chinese characters.
    pub(crate) is_han: bool,
}

impl TextTokens {
    pub(crate) fn of(text: &str) -> Self {
        let mut tokens = Self::default();
        let (mut han, mut word): (usize, Option<(usize, u64)>) = (0, None);
        for (at, c) in text.char_indices() {
            if is_han(c) {
                tokens.finish(word.take(), at);
                tokens.push(mix(1, u32::from(simplified(c))), at..at + c.len_utf8());
                han += 1;
            } else if c.is_alphanumeric() || (word.is_some() && matches!(c, '\'' | '’')) {
                let (start, hash) = word.unwrap_or((at, 2));
                word = Some((start, letters(hash, c)));
            } else {
                tokens.finish(word.take(), at);
            }
        }
        tokens.finish(word, text.len());
        tokens.is_han = han * 2 >= tokens.hashes.len();
        tokens
    }

    /// Returns the byte range of a nonempty range of tokens.
    pub(super) fn span(&self, tokens: &Range<usize>) -> Range<usize> {
        self.spans[tokens.start].start as usize..self.spans[tokens.end - 1].end as usize
    }

    fn finish(&mut self, word: Option<(usize, u64)>, end: usize) {
        if let Some((start, hash)) = word {
            self.push(hash, start..end);
        }
    }

    fn push(&mut self, hash: u64, span: Range<usize>) {
        self.hashes.push((hash >> 32) as u32);
        self.spans.push(span.start as u32..span.end as u32);
    }

    /// Returns the hashes of all runs of `size` tokens.
    pub(crate) fn shingles(&self, size: usize) -> Vec<u64> {
        let run = |run: &[u32]| run.iter().fold(3, |hash, token| mix(hash, *token));
        self.hashes.windows(size).map(run).collect()
    }
}

/// Hashes a letter of a word, ignoring width and case.
fn letters(hash: u64, c: char) -> u64 {
    match c {
        '\'' | '’' => hash,
        c if c.is_ascii() => mix(hash, u32::from(c.to_ascii_lowercase())),
        c => {
            let mut hash = hash;
            decompose_compatible(c, |part| part.to_lowercase().for_each(|part| hash = mix(hash, u32::from(part))));
            hash
        }
    }
}

/// Mixes a token into a hash; deterministic across machines.
pub(super) fn mix(hash: u64, token: u32) -> u64 {
    let mixed = (hash ^ u64::from(token)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_width_case_and_tradition_do_not_count() {
        let hashes = |text| TextTokens::of(text).hashes;
        assert_eq!(hashes("雨，停了。"), hashes("雨 停了……"));
        assert_eq!(hashes("電腦裡"), hashes("电脑里"));
        assert_eq!(hashes("Don't STOP, ＡＢ！"), hashes("don’t stop ab"));
        assert_ne!(hashes("雨停了"), hashes("雨下了"));
        let tokens = TextTokens::of("“雨，a bc’s。");
        assert_eq!(tokens.spans, [3..6, 9..10, 11..17]);
    }
}
