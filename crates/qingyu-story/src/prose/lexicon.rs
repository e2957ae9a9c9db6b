//! Search for all terms of the prose analysis in one pass.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::phrases::phrases;
use super::term::{SearchTerm, TermHit};
use super::{dialogue, leftovers, similes};
use crate::language::is_whole_word;

struct TermLexicon {
    automaton: AhoCorasick,
    why: Vec<SearchTerm>,
}

static LEXICON: LazyLock<TermLexicon> = LazyLock::new(|| {
    let phrases = phrases().iter().enumerate().map(|(at, phrase)| (phrase.text.as_str(), SearchTerm::Phrase(at)));
    let all = |words: &'static [&'static str], why| words.iter().map(move |word| (*word, why));
    let (words, why): (Vec<&str>, Vec<SearchTerm>) = phrases
        .chain(all(&similes::MARKERS, SearchTerm::Simile))
        .chain(all(&dialogue::TAGS, SearchTerm::TagAdverb))
        .chain(all(&leftovers::MACHINE_TALK, SearchTerm::MachineTalk))
        .chain(all(&leftovers::PERHAPS_MACHINE_TALK, SearchTerm::PerhapsMachineTalk))
        .chain(all(&leftovers::PLACEHOLDERS, SearchTerm::Placeholder))
        .chain([("**", SearchTerm::Bold)])
        .unzip();
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::DFA))
        .build(words)
        .expect("the words are part of the program");
    TermLexicon { automaton, why }
});

/// Returns all terms in `text`. Latin terms match whole words only; Chinese has no word boundaries.
pub(super) fn find(text: &str) -> Vec<TermHit> {
    let found = LEXICON.automaton.find_overlapping_iter(text);
    let found = found.map(|found| TermHit { why: LEXICON.why[found.pattern().as_usize()], range: found.range() });
    found.filter(|found| is_whole_word(text, &found.range)).collect()
}

/// Returns the stock phrases among the found terms.
pub(super) fn phrases_of(found: &[TermHit]) -> Vec<(usize, Range<usize>)> {
    let phrase = |found: &TermHit| match found.why {
        SearchTerm::Phrase(at) => Some((at, found.range.clone())),
        _ => None,
    };
    found.iter().filter_map(phrase).collect()
}
