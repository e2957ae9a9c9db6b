//! A sentence with whom and what it names in place of their names, so that patterns can speak of them.

use std::ops::Range;

use super::{Mention, PieceKind};
use crate::language::simplified;

/// The characters that stand for people, places, things and organisations, as a range of a class.
pub(super) const PEOPLE: &str = r"\u{E000}-\u{E3FF}";
pub(super) const PLACES: &str = r"\u{E400}-\u{E7FF}";
pub(super) const THINGS: &str = r"\u{E800}-\u{EBFF}";
pub(super) const POWERS: &str = r"\u{EC00}-\u{EFFF}";

/// How many of a kind a sentence can name; more are left as words.
const MOST: u32 = 0x400;

/// A sentence, or a sentence of a speech.
#[derive(Debug)]
pub(super) struct Line<'m> {
    /// The words in simplified characters, with a character for each name and `\u{1}` for what somebody else says in it.
    pub(super) text: String,
    /// The same characters as they stand.
    written: Vec<char>,
    /// The names, in the order of their characters, by kind.
    names: [Vec<&'m str>; 4],
}

/// Whether a character stands for a name.
pub(super) fn is_name(c: char) -> bool {
    ('\u{E000}'..='\u{EFFF}').contains(&c)
}

impl<'m> Line<'m> {
    pub(super) fn new() -> Self {
        Self { text: String::new(), written: Vec::new(), names: Default::default() }
    }

    /// Adds words that are read as they are.
    pub(super) fn push(&mut self, c: char) {
        // Characters of private use say nothing, and would be taken for names.
        let c = if is_name(c) { '\u{1}' } else { c };
        self.text.push(simplified(c));
        self.written.push(c);
    }

    /// Adds a name.
    pub(super) fn push_name(&mut self, kind: PieceKind, name: &'m str) {
        let (list, first) = match kind {
            PieceKind::Location => (1, 0xE400),
            PieceKind::Item => (2, 0xE800),
            PieceKind::Organisation => (3, 0xEC00),
            _ => (0, 0xE000),
        };
        let names = &mut self.names[list];
        let place = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        match u32::try_from(place).ok().filter(|place| *place < MOST).and_then(|place| char::from_u32(first + place)) {
            Some(c) => {
                self.text.push(c);
                self.written.push(c);
            }
            None => name.chars().for_each(|c| self.push(c)),
        }
    }

    pub(super) fn push_mention(&mut self, mention: &'m Mention) {
        self.push_name(mention.kind, &mention.name);
    }

    /// Whether anybody or anything is named.
    pub(super) fn names_somebody(&self) -> bool {
        self.names.iter().any(|names| !names.is_empty())
    }

    /// The name for which the words stand, if they are nothing but a name.
    pub(super) fn name(&self, words: &str) -> Option<String> {
        let mut letters = words.chars();
        let (first, rest) = (letters.next()?, letters.next());
        if rest.is_some() { None } else { self.name_of(first).map(str::to_owned) }
    }

    fn name_of(&self, c: char) -> Option<&'m str> {
        let code = u32::from(c).checked_sub(0xE000)?;
        self.names.get((code / MOST) as usize)?.get((code % MOST) as usize).copied()
    }

    /// The words at those bytes of the text as they stand, with names in place and without articles.
    pub(super) fn words(&self, range: Range<usize>) -> String {
        let mut filled = String::with_capacity(range.len());
        let from = self.text[..range.start].chars().count();
        let count = self.text[range].chars().count();
        for c in self.written[from..from + count].iter().copied() {
            match self.name_of(c) {
                Some(name) => filled.push_str(name),
                None if c == '\u{1}' => {}
                None => filled.push(c),
            }
        }
        let filled = filled.trim();
        let bare =
            ["the ", "a ", "an ", "her ", "his ", "their "].iter().find_map(|article| filled.strip_prefix(article));
        bare.unwrap_or(filled).trim().to_owned()
    }
}
