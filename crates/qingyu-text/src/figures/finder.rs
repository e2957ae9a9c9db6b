//! Finds the words of a list in a text in a single pass.

use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use qingyu_story::language::is_han;
use qingyu_story::marks;

/// The most letters of an ending matched by a star.
const LONGEST_ENDING: usize = 8;

/// A matcher for words with a value each.
///
/// The longest word at each position wins, and matches do not overlap. A Latin word must stand alone; `smil*` matches
/// any ending. Case is ignored.
#[derive(Debug, Clone)]
pub(crate) struct WordFinder<T> {
    automaton: AhoCorasick,
    words: Vec<FinderWord<T>>,
}

#[derive(Debug, Clone)]
struct FinderWord<T> {
    stands_for: T,
    is_stem: bool,
}

impl<T: Clone> WordFinder<T> {
    /// Builds a matcher; blank words are ignored.
    pub(crate) fn new(words: impl IntoIterator<Item = (String, T)>) -> Self {
        let (mut patterns, mut sought) = (Vec::new(), Vec::new());
        let mut add = |word: &str, stands_for: T| {
            let is_stem = word.ends_with('*');
            let pattern = word.trim_end_matches('*').trim();
            if !pattern.is_empty() {
                patterns.push(pattern.to_owned());
                sought.push(FinderWord { stands_for, is_stem });
            }
        };
        for (word, stands_for) in words {
            if word.contains('\'') {
                add(&word.replace('\'', "’"), stands_for.clone());
            }
            add(&word, stands_for);
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .build(&patterns)
            .expect("lists of words are far smaller than what an automaton can hold");
        Self { automaton, words: sought }
    }

    /// Returns the matches in `text`, from left to right without overlap.
    pub(crate) fn find<'f>(&'f self, text: &str) -> Vec<(Range<usize>, &'f T)> {
        let mut found: Vec<(Range<usize>, &T)> = Vec::new();
        for hit in self.automaton.find_overlapping_iter(text) {
            let word = &self.words[hit.pattern().as_usize()];
            if let Some(end) = whole_word(text, &hit.range(), word.is_stem) {
                found.push((hit.start()..end, &word.stands_for));
            }
        }
        found.sort_by_key(|(range, _)| (range.start, usize::MAX - range.end));
        let mut end = 0;
        found.retain(|(range, _)| {
            let is_free = range.start >= end;
            if is_free {
                end = range.end;
            }
            is_free
        });
        found
    }
}

/// Returns the end of the word at `range`, if the word stands alone or consists of Chinese characters.
fn whole_word(text: &str, range: &Range<usize>, is_stem: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    if range.start > 0 && is_letter(range.start) && is_letter(range.start - 1) {
        return None;
    }
    if !is_letter(range.end - 1) {
        return Some(range.end);
    }
    let ending = bytes[range.end..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    match ending {
        0 => Some(range.end),
        1..=LONGEST_ENDING if is_stem => Some(range.end + ending),
        _ => None,
    }
}

/// Returns the number of Chinese characters and Latin words in `text`, and whether a clause ends there.
pub(crate) fn distance(text: &str) -> (usize, bool) {
    let (mut count, mut in_word, mut breaks) = (0, false, false);
    for c in text.chars() {
        // A single quotation mark after punctuation closes a quotation; only within a word is the mark an apostrophe.
        let is_letter = c.is_alphanumeric() || (in_word && matches!(c, '\'' | '’' | '-'));
        if is_han(c) || (is_letter && !in_word) {
            count += 1;
        }
        in_word = is_letter && !is_han(c);
        breaks |= matches!(c, '，' | '；' | '：' | '—' | ',' | ';' | ':' | '\n')
            || marks::may_end_sentence(c)
            || marks::is_double_quote(c);
    }
    (count, breaks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(words: &[&str], text: &str) -> String {
        let finder = WordFinder::new(words.iter().map(|word| ((*word).to_owned(), *word)));
        let found = finder.find(text);
        found.iter().map(|(range, word)| format!("{}={word}", &text[range.clone()])).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_longest_word_counts() {
        assert_eq!(found(&["高兴", "不高兴", "兴"], "他不高兴，又兴起"), "不高兴=不高兴 兴=兴");
        assert_eq!(found(&["smil*", "mile"], "She SMILED a mile; smile"), "SMILED=smil* mile=mile smile=smil*");
        assert_eq!(found(&["cry", "don't"], "crying, don’t cry"), "don’t=don't cry=cry");
        assert_eq!(found(&["the end", "end"], "The end. Weekend"), "The end=the end");
        assert_eq!(found(&["*", ""], "anything"), "");
    }
}
