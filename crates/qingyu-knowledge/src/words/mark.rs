//! What of a text is marked for a query.

use std::collections::BTreeSet;
use std::ops::Range;

use super::folded::Folded;
use super::{Piece, Script, WordKind, Words};
use crate::analysis::terms;

/// What is looked for in a text.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Sought {
    /// A name, as a word.
    Name(Vec<char>),
    /// A word of letters, by its stem.
    Stem(Vec<String>),
    /// A Chinese word, where one begins or ends.
    Word(Vec<char>),
    /// Characters, wherever they stand.
    Characters(Vec<char>),
}

pub(super) fn marks(words: &Words, text: &str, query: &str) -> Vec<Range<usize>> {
    let sought = sought(words, query);
    let text = Folded::new(text);
    let pieces = words.pieces(&text);
    let places = sought.iter().flat_map(|one| places(one, &text.characters, &pieces));
    joined(places.map(|place| text.range(&place)).collect())
}

fn sought(words: &Words, query: &str) -> BTreeSet<Sought> {
    let query = Folded::new(query);
    let pieces = words.pieces(&query);
    let has_content = pieces.iter().any(|piece| piece.kind != WordKind::Function);
    let mut sought = BTreeSet::new();
    for piece in pieces.iter().filter(|piece| !has_content || piece.kind != WordKind::Function) {
        let characters = &query.characters[piece.range.clone()];
        match piece.kind {
            WordKind::Name => drop(sought.insert(Sought::Name(characters.to_vec()))),
            WordKind::Run if characters.len() > 1 => {
                sought.extend(characters.windows(2).map(|pair| Sought::Characters(pair.to_vec())));
            }
            WordKind::Run => drop(sought.insert(Sought::Characters(characters.to_vec()))),
            _ if Script::of(characters[0]) == Script::Bordered => drop(sought.insert(Sought::Stem(stem(characters)))),
            _ => drop(sought.insert(Sought::Word(characters.to_vec()))),
        }
    }
    sought
}

/// Where it stands among the characters of a text.
fn places(sought: &Sought, text: &[char], pieces: &[Piece]) -> Vec<Range<usize>> {
    let ranges = |is_it: &dyn Fn(&Piece) -> bool| {
        pieces.iter().filter(|piece| is_it(piece)).map(|piece| piece.range.clone()).collect()
    };
    match sought {
        Sought::Name(name) => ranges(&|piece| piece.kind == WordKind::Name && text[piece.range.clone()] == **name),
        Sought::Stem(stem) => ranges(&|piece| {
            let characters = &text[piece.range.clone()];
            Script::of(characters[0]) == Script::Bordered && self::stem(characters) == *stem
        }),
        Sought::Characters(characters) => occurrences(text, characters).collect(),
        Sought::Word(word) => {
            let is_border = |place: &Range<usize>| {
                let begins = pieces.binary_search_by_key(&place.start, |piece| piece.range.start).is_ok();
                begins || pieces.binary_search_by_key(&place.end, |piece| piece.range.end).is_ok()
            };
            occurrences(text, word).filter(is_border).collect()
        }
    }
}

fn occurrences<'t>(text: &'t [char], characters: &'t [char]) -> impl Iterator<Item = Range<usize>> + 't {
    let places = text.windows(characters.len()).enumerate().filter(move |(_, window)| *window == characters);
    places.map(move |(at, _)| at..at + characters.len())
}

fn stem(characters: &[char]) -> Vec<String> {
    terms(&characters.iter().collect::<String>())
}

/// The ranges without overlap; what touches is one.
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
