//! The words of a list, found in a text in one pass.

use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use qingyu_story::language::is_han;
use qingyu_story::marks;

/// How many letters an ending may have that a star stands for.
const LONGEST_ENDING: usize = 8;

/// Words with what each stands for.
///
/// At each place the longest word counts, and found words do not overlap. A Latin word stands by itself; `smil*` may have
/// any ending. Case does not count.
#[derive(Debug, Clone)]
pub(crate) struct Finder<T> {
    automaton: AhoCorasick,
    words: Vec<Sought<T>>,
}

#[derive(Debug, Clone)]
struct Sought<T> {
    stands_for: T,
    is_stem: bool,
}

impl<T: Clone> Finder<T> {
    /// Makes a finder; words without letters are left out.
    pub(crate) fn new(words: impl IntoIterator<Item = (String, T)>) -> Self {
        let (mut patterns, mut sought) = (Vec::new(), Vec::new());
        let mut add = |word: &str, stands_for: T| {
            let is_stem = word.ends_with('*');
            let pattern = word.trim_end_matches('*').trim();
            if !pattern.is_empty() {
                patterns.push(pattern.to_owned());
                sought.push(Sought { stands_for, is_stem });
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

    /// What is found in `text`, from left to right without overlap.
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

/// Where the word at `range` ends, if it stands by itself or is written in characters.
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

/// How many Chinese characters and Latin words stand in `text`, and whether a clause ends in it.
pub(crate) fn distance(text: &str) -> (usize, bool) {
    let (mut count, mut in_word, mut breaks) = (0, false, false);
    for c in text.chars() {
        // A single mark behind a mark closes a quotation; only within a word it is an apostrophe.
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
        let finder = Finder::new(words.iter().map(|word| ((*word).to_owned(), *word)));
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
