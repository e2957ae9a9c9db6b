//! Replaces names in a sentence with placeholder characters for pattern matching.

use std::ops::Range;

use super::mention::NamedMention;
use crate::language::simplified;
use crate::piece::PieceKind;

/// The placeholder characters for people, places, items and organisations, as a range of a character class.
pub(super) const PEOPLE: &str = r"\u{E000}-\u{E3FF}";
pub(super) const PLACES: &str = r"\u{E400}-\u{E7FF}";
pub(super) const THINGS: &str = r"\u{E800}-\u{EBFF}";
pub(super) const POWERS: &str = r"\u{EC00}-\u{EFFF}";

/// The most names of a kind in a sentence; further names stay as plain words.
const MOST: u32 = 0x400;

/// A sentence of the narration or of a speech, with placeholders for names.
#[derive(Debug)]
pub(super) struct MaskedSentence<'m> {
    /// The text in simplified characters, with a placeholder for each name and `\u{1}` for embedded speech.
    pub(super) text: String,
    /// The original characters.
    written: Vec<char>,
    /// The names by kind, in placeholder order.
    names: [Vec<&'m str>; 4],
}

/// Returns whether a character is a name placeholder.
pub(super) fn is_name(c: char) -> bool {
    ('\u{E000}'..='\u{EFFF}').contains(&c)
}

/// Returns whether a character is the placeholder of a person's name; those of [`PEOPLE`].
pub(super) fn is_person(c: char) -> bool {
    ('\u{E000}'..='\u{E3FF}').contains(&c)
}

fn is_place(c: char) -> bool {
    ('\u{E400}'..='\u{E7FF}').contains(&c)
}

/// Returns whether a character is the placeholder of an item's name; those of [`THINGS`].
pub(super) fn is_thing(c: char) -> bool {
    ('\u{E800}'..='\u{EBFF}').contains(&c)
}

/// Marks behind which a Chinese clause begins; `\u{1}` stands for speech.
pub(super) const CLAUSE_MARKS: [char; 7] = ['，', '；', '：', '。', '！', '—', '\u{1}'];

/// A byte range of a sentence with the words that replace it.
pub(super) type LineEdit = (Range<usize>, String);

/// Adds the edits of one finding, unless they reach into those of another.
pub(super) fn add_edits(edits: &mut Vec<LineEdit>, new: Vec<LineEdit>) {
    let reaches =
        |(one, _): &LineEdit, (other, _): &LineEdit| one.start < other.end && other.start < one.end || one == other;
    if !new.iter().any(|one| edits.iter().any(|other| reaches(one, other))) {
        edits.extend(new);
    }
}

impl<'m> MaskedSentence<'m> {
    pub(super) fn new() -> Self {
        Self { text: String::new(), written: Vec::new(), names: Default::default() }
    }

    /// Appends a literal character.
    pub(super) fn push(&mut self, c: char) {
        // Private-use characters carry no meaning and would collide with placeholders.
        let c = if is_name(c) { '\u{1}' } else { c };
        self.text.push(simplified(c));
        self.written.push(c);
    }

    /// Appends a placeholder for a name.
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

    pub(super) fn push_mention(&mut self, mention: &'m NamedMention) {
        self.push_name(mention.kind, &mention.name);
    }

    /// Returns whether the sentence contains any name.
    pub(super) fn names_somebody(&self) -> bool {
        self.names.iter().any(|names| !names.is_empty())
    }

    /// Returns the name if `words` consist of a single placeholder.
    pub(super) fn name(&self, words: &str) -> Option<String> {
        let mut letters = words.chars();
        let (first, rest) = (letters.next()?, letters.next());
        if rest.is_some() { None } else { self.name_of(first).map(str::to_owned) }
    }

    /// Returns whether the sentence names any person.
    pub(super) fn names_anybody(&self) -> bool {
        !self.names[0].is_empty()
    }

    /// Returns the only person named in the sentence.
    pub(super) fn only_person(&self) -> Option<&'m str> {
        let [one] = self.names[0][..] else { return None };
        Some(one)
    }

    /// Returns the person with whom the sentence begins, perhaps after an adverb, or whom it introduces: `那孩子名叫林深`.
    pub(super) fn subject(&self) -> Option<&'m str> {
        const BEGINNING: usize = 10;
        const INTRODUCES: [&str; 4] = ["名叫", "叫做", "唤作", "叫"];
        // A place may stand before the subject: `旧港的人都认得林深`.
        let first = self.text.chars().take(BEGINNING).find(|c| is_name(*c) && !is_place(*c));
        let is_introduced = |at: usize| INTRODUCES.iter().any(|word| self.text[..at].ends_with(word));
        let ends = |at: usize, c: char| self.text[at + c.len_utf8()..].starts_with(['，', '。', '；', '！']);
        let introduced =
            || self.text.char_indices().find(|(at, c)| is_person(*c) && is_introduced(*at) && ends(*at, *c));
        let first = first.or_else(|| introduced().map(|(_, c)| c))?;
        self.name_of(first).filter(|_| is_person(first))
    }

    /// Returns the people named in the sentence.
    pub(super) fn people(&self) -> impl Iterator<Item = &'m str> {
        self.names[0].iter().copied()
    }

    /// Returns whether the sentence names nobody, or this person only.
    pub(super) fn names_nobody_but(&self, person: Option<&str>) -> bool {
        self.names[0].iter().all(|name| Some(*name) == person)
    }

    fn name_of(&self, c: char) -> Option<&'m str> {
        let code = u32::from(c).checked_sub(0xE000)?;
        self.names.get((code / MOST) as usize)?.get((code % MOST) as usize).copied()
    }

    /// Returns the sentence with some byte ranges of the text replaced by other words, placeholders among them.
    pub(super) fn edited(&self, edits: &[LineEdit]) -> Self {
        let mut edited = Self { text: String::new(), written: Vec::new(), names: self.names.clone() };
        for ((at, c), written) in self.text.char_indices().zip(&self.written) {
            for (_, words) in edits.iter().filter(|(range, _)| range.start == at) {
                edited.text.push_str(words);
                edited.written.extend(words.chars());
            }
            if !edits.iter().any(|(range, _)| range.contains(&at)) {
                edited.text.push(c);
                edited.written.push(*written);
            }
        }
        edited
    }

    /// Returns the sentence up to a byte position, with a full stop.
    pub(super) fn until(&self, end: usize) -> Self {
        self.edited(&[(end..self.text.len(), "。".to_owned())])
    }

    /// Returns the original words in a byte range, with names restored and articles removed.
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
