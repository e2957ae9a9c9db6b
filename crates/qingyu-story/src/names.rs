//! Who and what has a name: looking names up, and finding them in text.

mod fold;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::Story;
use crate::chapters::{Heading, Rank, heading};
use crate::language::is_han;
use crate::part::Part;
use crate::piece::PieceKind;

pub use fold::fold;
pub(crate) use fold::fold_char;
use fold::{is_word, without_note};

/// A piece that can be called by name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Named {
    /// What it is.
    pub kind: PieceKind,
    /// Its place in its list.
    pub position: usize,
    /// Its id; empty if it has none yet.
    pub id: String,
    /// Its full name or title.
    pub name: String,
}

/// A name found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention<'n> {
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends, in bytes.
    pub end: usize,
    /// All pieces that bear the name; more than one if names clash.
    pub bearers: Vec<&'n Named>,
}

/// The index of all names, titles, aliases and ids of a story.
///
/// Relations, facts, the world and the style have no name and are not in it. Titles of documents and names of promises
/// are not sought in text: they are of the same words as chapters and things.
#[derive(Debug, Clone, Default)]
pub struct Names {
    named: Vec<Named>,
    /// Where the pieces of each kind stand among them.
    of_kind: [Range<usize>; PieceKind::ALL.len()],
    ids: Index,
    names: Index,
    aliases: Index,
    numbers: Index,
    /// By the number in the heading, whatever way it is written.
    headings: Index,
    /// What is sought in text, made when the first text is searched.
    sought: OnceLock<Sought>,
}

/// Names as they are sought in text.
#[derive(Debug, Clone, Default)]
struct Sought {
    /// The folded names, with the pieces that bear them.
    names: FxHashMap<Vec<char>, Vec<usize>>,
    /// The lengths of the names by first character, longest first.
    lengths: FxHashMap<char, Vec<usize>>,
}

/// The bearers of each name, by the number of their kind.
#[derive(Debug, Clone, Default)]
struct Index([FxHashMap<String, Vec<usize>>; PieceKind::ALL.len()]);

impl Index {
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

    /// The names of what is sought in text.
    fn sought(&self) -> impl Iterator<Item = (&String, &[usize])> {
        let is_sought = |kind: &PieceKind| !matches!(kind, PieceKind::Document | PieceKind::Promise);
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
        names.add_all(PieceKind::Document, &story.documents);
        names.add_all(PieceKind::Promise, &story.promises);
        names
    }

    /// Indexes only whom and what a sentence can be about: people, places, things and organisations.
    pub(crate) fn of_entities(story: &Story) -> Self {
        let mut names = Self::default();
        names.add_all(PieceKind::Character, &story.characters);
        names.add_all(PieceKind::Location, story.locations());
        names.add_all(PieceKind::Organisation, story.organisations());
        names.add_all(PieceKind::Item, story.items());
        names
    }

    /// All pieces that `name_or_id` may mean, by the first of these that finds any: id, name, alias, the number of a
    /// chapter in any writing (`第3章` for `第三章 雨夜`), the name without a note in brackets (`林青（侦探）`).
    ///
    /// Names are compared without regard to case, width and the form of the middle dot.
    pub fn find(&self, kind: PieceKind, name_or_id: &str) -> Vec<&Named> {
        self.bearers(kind, name_or_id).iter().map(|index| &self.named[*index]).collect()
    }

    /// The piece that `name_or_id` means; `None` if there is none or more than one.
    pub fn resolve(&self, kind: PieceKind, name_or_id: &str) -> Option<&Named> {
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
            let head =
                || heading(text).filter(|head| is_numbered(kind) && head.rank != Rank::Bare && head.rest.is_empty());
            found.or_else(|| self.headings.get(kind, &number_of(&head()?)))
        });
        match (found, without_note(text)) {
            (Some(found), _) => found,
            (None, Some(bare)) => self.bearers(kind, bare),
            (None, None) => &[],
        }
    }

    /// All pieces of that kind, in the order of their list.
    pub(crate) fn all(&self, kind: PieceKind) -> impl Iterator<Item = &Named> {
        self.named[self.of_kind[kind as usize].clone()].iter()
    }

    /// The other names of pieces of that kind, folded, in no order, each with those who bear it.
    pub(crate) fn aliases(&self, kind: PieceKind) -> impl Iterator<Item = (&String, &Named)> {
        let all = &self.aliases.0[kind as usize];
        all.iter().flat_map(move |(alias, bearers)| bearers.iter().map(move |index| (alias, &self.named[*index])))
    }

    /// Whether at least one piece of that kind is called so.
    pub fn knows(&self, kind: PieceKind, name_or_id: &str) -> bool {
        !self.bearers(kind, name_or_id).is_empty()
    }

    /// The names that occur in `text`, from left to right without overlap, the longest at each place.
    ///
    /// Chinese has no borders between words; a Latin name must stand by itself. A name of a single Chinese character is
    /// not sought, because it is part of too many words. Ids are sought as words.
    pub fn mentions(&self, text: &str) -> Vec<Mention<'_>> {
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
            mentions.push(Mention { start: starts[at], end: starts[at + length], bearers });
            at += length;
        }
        mentions
    }

    /// Whether `text` mentions the piece.
    pub fn mentioned(&self, text: &str, kind: PieceKind, position: usize) -> bool {
        self.mentions(text)
            .iter()
            .any(|mention| mention.bearers.iter().any(|named| named.kind == kind && named.position == position))
    }

    fn add_all(&mut self, kind: PieceKind, parts: &[impl Part]) {
        self.of_kind[kind as usize] = self.named.len()..self.named.len() + parts.len();
        for (position, part) in parts.iter().enumerate() {
            let index = self.named.len();
            self.named.push(Named { kind, position, id: part.id().to_owned(), name: part.name().trim().to_owned() });
            self.ids.insert(kind, part.id().trim().to_owned(), index);
            self.names.insert(kind, fold(part.name()), index);
            for alias in part.aliases() {
                self.aliases.insert(kind, fold(alias), index);
            }
            let head = heading(part.name()).filter(|_| is_numbered(kind));
            if let Some(head) = head.filter(|head| head.rank != Rank::Bare) {
                if kind == PieceKind::OutlineNode && head.words.len() < part.name().trim().len() {
                    self.numbers.insert(kind, fold(head.words), index);
                }
                self.headings.insert(kind, number_of(&head), index);
            }
        }
    }

    fn sought(&self) -> Sought {
        let mut sought = Sought::default();
        let mut texts: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let folded_ids = self.ids.sought().map(|(id, found)| (fold(id), found));
        let others = [&self.names, &self.aliases, &self.numbers].into_iter().flat_map(Index::sought);
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

/// Whether pieces of that kind are called by numbers.
fn is_numbered(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::OutlineNode | PieceKind::Document)
}

/// What is numbered and its number, in one writing.
fn number_of(head: &Heading<'_>) -> String {
    let volume = head.volume.map(|volume| format!("{volume}/")).unwrap_or_default();
    format!("{volume}{} {}", head.class(), head.number)
}

impl Sought {
    /// The length of the longest sought name that begins at `at`, with its bearers.
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
