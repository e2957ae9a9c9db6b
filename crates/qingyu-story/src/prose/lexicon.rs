//! All words that any look at prose searches for, found in one pass.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use super::phrases::phrases;
use super::{dialogue, leftovers, similes};

/// Why a word is sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sought {
    /// A stock phrase, by its position in [`phrases`].
    Phrase(usize),
    /// It opens a comparison.
    Simile,
    /// It ends or begins a speech tag that says how.
    TagAdverb,
    /// A machine speaks of itself.
    MachineTalk,
    /// A machine speaks of itself, if it also excuses itself.
    PerhapsMachineTalk,
    /// A place left to be filled.
    Placeholder,
    /// Bold type.
    Bold,
}

/// A word that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) why: Sought,
    pub(super) range: Range<usize>,
}

struct Lexicon {
    automaton: AhoCorasick,
    why: Vec<Sought>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let phrases = phrases().iter().enumerate().map(|(at, phrase)| (phrase.text.as_str(), Sought::Phrase(at)));
    let all = |words: &'static [&'static str], why| words.iter().map(move |word| (*word, why));
    let (words, why): (Vec<&str>, Vec<Sought>) = phrases
        .chain(all(&similes::MARKERS, Sought::Simile))
        .chain(all(&dialogue::TAGS, Sought::TagAdverb))
        .chain(all(&leftovers::MACHINE_TALK, Sought::MachineTalk))
        .chain(all(&leftovers::PERHAPS_MACHINE_TALK, Sought::PerhapsMachineTalk))
        .chain(all(&leftovers::PLACEHOLDERS, Sought::Placeholder))
        .chain([("**", Sought::Bold)])
        .unzip();
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::DFA))
        .build(words)
        .expect("the words are part of the program");
    Lexicon { automaton, why }
});

/// Everything in `text` that is sought. Latin words stand by themselves; Chinese has no borders between words.
pub(super) fn find(text: &str) -> Vec<Found> {
    let found = LEXICON.automaton.find_overlapping_iter(text);
    let found = found.map(|found| Found { why: LEXICON.why[found.pattern().as_usize()], range: found.range() });
    found.filter(|found| stands_alone(text, &found.range)).collect()
}

/// The stock phrases among what was found.
pub(super) fn phrases_of(found: &[Found]) -> Vec<(usize, Range<usize>)> {
    let phrase = |found: &Found| match found.why {
        Sought::Phrase(at) => Some((at, found.range.clone())),
        _ => None,
    };
    found.iter().filter_map(phrase).collect()
}

fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let is_letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let cuts_before = range.start > 0 && is_letter(range.start) && is_letter(range.start - 1);
    let cuts_after = is_letter(range.end - 1) && is_letter(range.end);
    !cuts_before && !cuts_after
}
