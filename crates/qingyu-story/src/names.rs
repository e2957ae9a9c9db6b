//! Name lookup and name search in text.

mod fold;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::Story;
use crate::chapters::{ChapterHeading, HeadingLevel, heading};
use crate::language::is_han;
use crate::part::PieceData;
use crate::piece::PieceKind;

pub(crate) use fold::fold_char;
pub use fold::{fold, fold_word};
use fold::{is_word, without_note};

/// A piece with a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct NamedPiece {
    /// The kind.
    pub kind: PieceKind,
    /// The index in its list.
    pub position: usize,
    /// The id; empty if not yet assigned.
    pub id: String,
    /// The full name or title.
    pub name: String,
}

/// A name found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameMention<'n> {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// All pieces with the name; several if names clash.
    pub bearers: Vec<&'n NamedPiece>,
}

/// The index of all names, titles, aliases and ids of a story.
///
/// Relations, facts, the world and the style have no name and are not indexed. Titles of documents and names of
/// promises are excluded from text search, since they consist of the words of chapters and things.
#[derive(Debug, Clone, Default)]
pub struct Names {
    named: Vec<NamedPiece>,
    /// The range of the pieces of each kind.
    of_kind: [Range<usize>; PieceKind::ALL.len()],
    ids: KindNameIndex,
    names: KindNameIndex,
    aliases: KindNameIndex,
    numbers: KindNameIndex,
    /// Pieces by heading number, in any notation.
    headings: KindNameIndex,
    /// The text search index, built on the first search.
    sought: OnceLock<NameMatcher>,
}

/// Names in the form for text search.
#[derive(Debug, Clone, Default)]
struct NameMatcher {
    /// The folded names, with their pieces.
    names: FxHashMap<Vec<char>, Vec<usize>>,
    /// The lengths of the names by first character, longest first.
    lengths: FxHashMap<char, Vec<usize>>,
}

/// The pieces of each name, by index of kind.
#[derive(Debug, Clone, Default)]
struct KindNameIndex([FxHashMap<String, Vec<usize>>; PieceKind::ALL.len()]);

impl KindNameIndex {
    fn get(&self, kind: PieceKind, name: &str) -> Option<&[usize]> {
        self.0[kind as usize].get(name).map(Vec::as_slice)
    }

    fn insert(&mut self, kind: PieceKind, name: String, piece: usize) {
        if name.is_empty() {
            return;
        }
        let bearers = self.0[kind as usize].entry(name).or_default();
        if !bearers.contains(&piece) {
            bearers.push(piece);
        }
    }

    /// Iterates over the names included in text search.
    fn sought(&self) -> impl Iterator<Item = (&String, &[usize])> {
        let is_sought =
            |kind: &PieceKind| !matches!(kind, PieceKind::Document | PieceKind::Promise | PieceKind::Ladder);
        let names = PieceKind::ALL.into_iter().filter(is_sought).flat_map(|kind| &self.0[kind as usize]);
        names.map(|(name, found)| (name, found.as_slice()))
    }
}

impl Names {
    /// Indexes the names of `story`.
    pub fn of(story: &Story) -> Self {
        let mut names = Self::default();
        names.add_all(PieceKind::Character, &story.characters);
        names.add_all(PieceKind::OutlineNode, &story.outline_nodes);
        names.add_all(PieceKind::Event, &story.timeline_events);
        names.add_all(PieceKind::PlotNode, &story.plot_nodes);
        names.add_all(PieceKind::Location, story.locations());
        names.add_all(PieceKind::Organisation, story.organisations());
        names.add_all(PieceKind::Item, story.items());
        names.add_all(PieceKind::WorldRule, story.world_rules());
        names.add_all(PieceKind::Ladder, story.ladders());
        names.add_all(PieceKind::Document, &story.documents);
        names.add_all(PieceKind::Promise, &story.promises);
        names
    }

    /// Indexes only possible subjects of a sentence: people, places, things and organisations.
    pub(crate) fn of_entities(story: &Story) -> Self {
        let mut names = Self::default();
        names.add_all(PieceKind::Character, &story.characters);
        names.add_all(PieceKind::Location, story.locations());
        names.add_all(PieceKind::Organisation, story.organisations());
        names.add_all(PieceKind::Item, story.items());
        names
    }

    /// Returns all pieces matching `name_or_id` by the first criterion with a match: id, name, alias, the chapter
    /// number in any notation (`第3章` for `第三章 雨夜`), the name without a note in brackets (`林青（侦探）`).
    ///
    /// Ignores case, width and the form of the middle dot.
    pub fn find(&self, kind: PieceKind, name_or_id: &str) -> Vec<&NamedPiece> {
        self.bearers(kind, name_or_id).iter().map(|index| &self.named[*index]).collect()
    }

    /// Returns the piece matching `name_or_id`; `None` if no piece or several match.
    pub fn resolve(&self, kind: PieceKind, name_or_id: &str) -> Option<&NamedPiece> {
        match self.bearers(kind, name_or_id) {
            [one] => Some(&self.named[*one]),
            _ => None,
        }
    }

    fn bearers(&self, kind: PieceKind, name_or_id: &str) -> &[usize] {
        let text = name_or_id.trim();
        if text.is_empty() {
            return &[];
        }
        let by_id = self.ids.get(kind, text);
        let found = by_id.or_else(|| {
            let folded = fold(text);
            let found =
                [&self.names, &self.aliases, &self.numbers].into_iter().find_map(|index| index.get(kind, &folded));
            let head = || {
                heading(text)
                    .filter(|head| is_numbered(kind) && head.rank != HeadingLevel::Bare && head.rest.is_empty())
            };
            found.or_else(|| self.headings.get(kind, &number_of(&head()?)))
        });
        match (found, without_note(text)) {
            (Some(found), _) => found,
            (None, Some(bare)) => self.bearers(kind, bare),
            (None, None) => &[],
        }
    }

    /// Iterates over all pieces of the kind, in list order.
    pub(crate) fn all(&self, kind: PieceKind) -> impl Iterator<Item = &NamedPiece> {
        self.named[self.of_kind[kind as usize].clone()].iter()
    }

    /// Iterates over the folded aliases of pieces of the kind, unordered, each with its piece.
    pub(crate) fn aliases(&self, kind: PieceKind) -> impl Iterator<Item = (&String, &NamedPiece)> {
        let all = &self.aliases.0[kind as usize];
        all.iter().flat_map(move |(alias, bearers)| bearers.iter().map(move |index| (alias, &self.named[*index])))
    }

    /// Returns whether at least one piece of the kind has the name.
    pub fn knows(&self, kind: PieceKind, name_or_id: &str) -> bool {
        !self.bearers(kind, name_or_id).is_empty()
    }

    /// Returns the names in `text`, from left to right without overlap, the longest at each position.
    ///
    /// Chinese has no word boundaries; a Latin name must be a whole word. A name of a single Chinese character is not
    /// searched, since too many words contain the character. Ids are searched as words.
    pub fn mentions(&self, text: &str) -> Vec<NameMention<'_>> {
        let chars: Vec<char> = text.chars().map(fold_char).collect();
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let sought = self.sought.get_or_init(|| self.sought());
        let mut mentions = Vec::new();
        let mut at = 0;
        while at < chars.len() {
            let Some((length, bearers)) = sought.match_at(&chars, at) else {
                at += 1;
                continue;
            };
            let bearers = bearers.iter().map(|index| &self.named[*index]).collect();
            mentions.push(NameMention { start: starts[at], end: starts[at + length], bearers });
            at += length;
        }
        mentions
    }

    /// Returns whether `text` mentions the piece.
    pub fn mentioned(&self, text: &str, kind: PieceKind, position: usize) -> bool {
        self.mentions(text)
            .iter()
            .any(|mention| mention.bearers.iter().any(|named| named.kind == kind && named.position == position))
    }

    fn add_all(&mut self, kind: PieceKind, parts: &[impl PieceData]) {
        self.of_kind[kind as usize] = self.named.len()..self.named.len() + parts.len();
        for (position, part) in parts.iter().enumerate() {
            let index = self.named.len();
            self.named.push(NamedPiece {
                kind,
                position,
                id: part.id().to_owned(),
                name: part.name().trim().to_owned(),
            });
            self.ids.insert(kind, part.id().trim().to_owned(), index);
            self.names.insert(kind, fold(part.name()), index);
            for alias in part.aliases() {
                self.aliases.insert(kind, fold(alias), index);
            }
            let head = heading(part.name()).filter(|_| is_numbered(kind));
            if let Some(head) = head.filter(|head| head.rank != HeadingLevel::Bare) {
                if kind == PieceKind::OutlineNode && head.words.len() < part.name().trim().len() {
                    self.numbers.insert(kind, fold(head.words), index);
                }
                self.headings.insert(kind, number_of(&head), index);
            }
        }
    }

    fn sought(&self) -> NameMatcher {
        let mut sought = NameMatcher::default();
        let mut texts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let folded_ids = self.ids.sought().map(|(id, found)| (fold(id), found));
        let others = [&self.names, &self.aliases, &self.numbers].into_iter().flat_map(KindNameIndex::sought);
        for (name, found) in folded_ids.chain(others.map(|(name, found)| (name.clone(), found))) {
            let bearers = texts.entry(name).or_default();
            bearers.extend(found);
            bearers.sort_unstable();
            bearers.dedup();
        }
        for (name, bearers) in texts {
            let chars: Vec<char> = name.chars().collect();
            let [first, rest @ ..] = chars.as_slice() else { continue };
            if rest.is_empty() && (is_han(*first) || !first.is_alphabetic()) {
                continue;
            }
            let lengths = sought.lengths.entry(*first).or_default();
            if !lengths.contains(&chars.len()) {
                lengths.push(chars.len());
            }
            sought.names.insert(chars, bearers);
        }
        for lengths in sought.lengths.values_mut() {
            lengths.sort_unstable_by(|a, b| b.cmp(a));
        }
        sought
    }
}

/// Returns whether pieces of the kind are named by numbers.
fn is_numbered(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::OutlineNode | PieceKind::Document)
}

/// Returns the counting word and number in a normalized notation.
fn number_of(head: &ChapterHeading<'_>) -> String {
    let volume = head.volume.map(|volume| format!("{volume}/")).unwrap_or_default();
    format!("{volume}{} {}", head.class(), head.number)
}

impl NameMatcher {
    /// Returns the length of the longest name starting at `at`, with its pieces.
    fn match_at(&self, chars: &[char], at: usize) -> Option<(usize, &[usize])> {
        let lengths = self.lengths.get(&chars[at])?;
        lengths.iter().find_map(|length| {
            let end = at + length;
            let bearers = self.names.get(chars.get(at..end)?)?;
            let joins = |before: usize| chars.get(before + 1).is_some_and(|c| is_word(*c)) && is_word(chars[before]);
            let is_part_of_word = joins(end - 1) || (at > 0 && joins(at - 1));
            (!is_part_of_word).then_some((*length, bearers.as_slice()))
        })
    }
}
