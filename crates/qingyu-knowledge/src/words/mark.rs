//! Marking a text for a query.

use std::collections::BTreeSet;
use std::ops::Range;

use super::folded::FoldedText;
use super::script::Script;
use super::splitter::{WordKind, WordPiece, WordSplitter};
use crate::analysis::terms;

/// A target to mark in a text.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum MarkTarget {
    /// A name, as a word.
    Name(Vec<char>),
    /// A word of letters, by its stem.
    Stem(Vec<String>),
    /// Characters, anywhere.
    Characters(Vec<char>),
}

pub(super) fn marks(words: &WordSplitter, text: &str, query: &str) -> Vec<Range<usize>> {
    let sought = sought(words, query);
    let text = FoldedText::new(text);
    let pieces = words.pieces(&text);
    let places = sought.iter().flat_map(|one| places(one, &text.characters, &pieces));
    joined(places.map(|place| text.range(&place)).collect())
}

fn sought(words: &WordSplitter, query: &str) -> BTreeSet<MarkTarget> {
    let query = FoldedText::new(query);
    let mut sought = BTreeSet::new();
    for piece in words.pieces(&query) {
        let characters = &query.characters[piece.range];
        match piece.kind {
            WordKind::Name => drop(sought.insert(MarkTarget::Name(characters.to_vec()))),
            WordKind::Bordered => drop(sought.insert(MarkTarget::Stem(stem(characters)))),
            WordKind::Run => {
                // A single character has no pair.
                let parts = characters.windows(characters.len().min(2));
                sought.extend(parts.map(|part| MarkTarget::Characters(part.to_vec())));
            }
        }
    }
    sought
}

/// Returns the ranges of a target among the characters of a text.
fn places(sought: &MarkTarget, text: &[char], pieces: &[WordPiece]) -> Vec<Range<usize>> {
    let ranges = |is_it: &dyn Fn(&WordPiece) -> bool| {
        pieces.iter().filter(|piece| is_it(piece)).map(|piece| piece.range.clone()).collect()
    };
    match sought {
        MarkTarget::Name(name) => ranges(&|piece| piece.kind == WordKind::Name && text[piece.range.clone()] == **name),
        MarkTarget::Stem(stem) => ranges(&|piece| {
            let characters = &text[piece.range.clone()];
            Script::of(characters[0]) == Script::Bordered && self::stem(characters) == *stem
        }),
        MarkTarget::Characters(characters) => occurrences(text, characters).collect(),
    }
}

fn occurrences<'t>(text: &'t [char], characters: &'t [char]) -> impl Iterator<Item = Range<usize>> + 't {
    let places = text.windows(characters.len()).enumerate().filter(move |(_, window)| *window == characters);
    places.map(move |(at, _)| at..at + characters.len())
}

fn stem(characters: &[char]) -> Vec<String> {
    terms(&characters.iter().collect::<String>())
}

/// Merges overlapping and adjacent ranges.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}
