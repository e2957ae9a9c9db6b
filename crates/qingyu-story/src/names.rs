//! Name lookup and name search in text.

mod fold;
mod in_prose;
mod parts;
#[cfg(test)]
mod tests;
mod titled;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::chapters::{ChapterHeading, HeadingLevel, heading};
use crate::language::is_han;
use crate::part::PieceData;
use crate::piece::PieceKind;
use crate::{Character, Story};

use fold::{ARTICLES, is_word, without_note};
pub use fold::{fold, fold_word};
pub(crate) use fold::{fold_char, without_article};
pub(crate) use parts::{DOUBLE_SURNAMES, TITLES_BEFORE, TITLES_BEHIND, clear_parts, parts};
use parts::{OwnFamilyName, is_addressed, is_call, is_of_longer_name, may_be_first_word};
pub(crate) use titled::{is_of_man, titled};

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
    /// The pieces of each kind, in list order.
    of_kind: [Vec<usize>; PieceKind::ALL.len()],
    ids: KindNameIndex,
    names: KindNameIndex,
    aliases: KindNameIndex,
    numbers: KindNameIndex,
    /// Pieces by heading number, in any notation.
    headings: KindNameIndex,
    /// The characters by the parts of their names, folded.
    parts: FxHashMap<String, Vec<usize>>,
    /// Whether a character is a man, by position, as far as the cards say.
    males: FxHashMap<usize, bool>,
    /// The Chinese family names that one character alone has, found on the first search.
    own_families: OnceLock<Vec<OwnFamilyName>>,
    /// The index of the parts for text search, built on the first search.
    sought_parts: OnceLock<NameMatcher>,
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
        let names = PieceKind::ALL.into_iter().filter(|kind| is_sought(*kind)).flat_map(|kind| &self.0[kind as usize]);
        names.map(|(name, found)| (name, found.as_slice()))
    }
}

impl Names {
    /// Indexes the names of `story`.
    pub fn of(story: &Story) -> Self {
        let mut names = Self::default();
        names.extend(story);
        names
    }

    /// Indexes the pieces appended to the lists of `story` since; those already indexed must be as they were.
    pub(crate) fn extend(&mut self, story: &Story) {
        self.extend_entities(story);
        self.add_all(PieceKind::OutlineNode, &story.outline_nodes);
        self.add_all(PieceKind::Event, &story.timeline_events);
        self.add_all(PieceKind::PlotNode, &story.plot_nodes);
        self.add_all(PieceKind::WorldRule, story.world_rules());
        self.add_all(PieceKind::Ladder, story.ladders());
        self.add_all(PieceKind::Document, &story.documents);
        self.add_all(PieceKind::Promise, &story.promises);
    }

    /// Indexes only possible subjects of a sentence: people, places, things and organisations.
    pub(crate) fn of_entities(story: &Story) -> Self {
        let mut names = Self::default();
        names.extend_entities(story);
        names
    }

    /// Indexes the possible subjects of a sentence appended to `story` since.
    pub(crate) fn extend_entities(&mut self, story: &Story) {
        self.add_all(PieceKind::Character, &story.characters);
        let males = story.characters.iter().enumerate();
        self.males.extend(males.filter_map(|(position, card)| Some((position, card.is_male()?))));
        self.add_all(PieceKind::Location, story.locations());
        self.add_all(PieceKind::Organisation, story.organisations());
        self.add_all(PieceKind::Item, story.items());
    }

    /// Returns the index with further characters, behind those of the story.
    pub(crate) fn with_characters(&self, characters: &[Character]) -> Self {
        let mut names = self.clone();
        let known = names.of_kind[PieceKind::Character as usize].len();
        for (place, character) in characters.iter().enumerate() {
            names.add(PieceKind::Character, known + place, character);
            names.males.extend(character.is_male().map(|is_male| (known + place, is_male)));
        }
        names
    }

    /// Returns all pieces matching `name_or_id` by the first criterion with a match: id, name, alias, the chapter
    /// number in any notation (`第3章` for `第三章 雨夜`), the name without a note in brackets (`林青（侦探）`).
    ///
    /// Ignores case, width and the form of the middle dot.
    pub fn find(&self, kind: PieceKind, name_or_id: &str) -> Vec<&NamedPiece> {
        self.bearers(kind, name_or_id).iter().map(|index| &self.named[*index]).collect()
    }

    /// Returns the piece that `name_or_id` means: the one that [`find`](Self::find) finds, or else the only character of
    /// whose name it is a part (`砚秋` of `沈砚秋`, `Mara` of `Mara Voss`). `None` if no piece or several match.
    pub fn resolve(&self, kind: PieceKind, name_or_id: &str) -> Option<&NamedPiece> {
        match self.bearers(kind, name_or_id) {
            [one] => Some(&self.named[*one]),
            [] if kind == PieceKind::Character => self.by_part(name_or_id).map(|index| &self.named[index]),
            _ => None,
        }
    }

    /// Returns all pieces of the kinds that [`find`](Self::find) finds, or else the character of whose name it is a part,
    /// as in [`resolve`](Self::resolve).
    pub fn meant(&self, kinds: &[PieceKind], name_or_id: &str) -> Vec<&NamedPiece> {
        let found: Vec<&NamedPiece> = kinds.iter().flat_map(|kind| self.find(*kind, name_or_id)).collect();
        if !found.is_empty() || !kinds.contains(&PieceKind::Character) {
            return found;
        }
        self.resolve(PieceKind::Character, name_or_id).into_iter().collect()
    }

    /// Returns the only character with the part of a name. A part of two names, or of an alias, means nobody; so does the
    /// name of an organisation, which may take part like a person, and a word in lower case (`hope`).
    fn by_part(&self, part: &str) -> Option<usize> {
        let part = without_note(part.trim()).unwrap_or(part).trim();
        if !part.starts_with(|c: char| is_han(c) || c.is_uppercase()) {
            return None;
        }
        self.by_folded_part(&fold(part))
    }

    fn by_folded_part(&self, folded: &str) -> Option<usize> {
        let [one] = self.parts.get(folded)?.as_slice() else { return None };
        let is_own = |own: &str| is_call(own) && fold(own) == folded;
        let is_other =
            [&self.names, &self.aliases].iter().any(|all| all.get(PieceKind::Organisation, folded).is_some());
        (!is_other && parts(&self.named[*one].name).any(is_own)).then_some(*one)
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
            (None, None) => self.with_other_article(kind, text),
        }
    }

    /// Returns the places, things and other pieces whose name differs in its English article only: `sextant` means
    /// `The sextant`, and `the Lugger` means `Lugger`. An article is part of a person's name.
    fn with_other_article(&self, kind: PieceKind, text: &str) -> &[usize] {
        if kind == PieceKind::Character || !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return &[];
        }
        let folded = fold(text);
        let bare = without_article(&folded);
        if bare.is_empty() {
            return &[];
        }
        let spelt = ARTICLES.iter().map(|article| format!("{article}{bare}")).chain([bare.to_owned()]);
        let mut found =
            spelt.filter_map(|name| [&self.names, &self.aliases].into_iter().find_map(|all| all.get(kind, &name)));
        found.next().unwrap_or_default()
    }

    /// Iterates over all pieces of the kind, in list order.
    pub(crate) fn all(&self, kind: PieceKind) -> impl Iterator<Item = &NamedPiece> {
        self.of_kind[kind as usize].iter().map(|index| &self.named[*index])
    }

    /// Iterates over the folded aliases of pieces of the kind, unordered, each with its piece.
    pub(crate) fn aliases(&self, kind: PieceKind) -> impl Iterator<Item = (&String, &NamedPiece)> {
        let all = &self.aliases.0[kind as usize];
        all.iter().flat_map(move |(alias, bearers)| bearers.iter().map(move |index| (alias, &self.named[*index])))
    }

    /// Returns whether at least one piece of the kind has the name, or [`resolve`](Self::resolve) knows whom it means.
    pub fn knows(&self, kind: PieceKind, name_or_id: &str) -> bool {
        !self.bearers(kind, name_or_id).is_empty() || kind == PieceKind::Character && self.by_part(name_or_id).is_some()
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
            let mut bearers: Vec<&NamedPiece> = bearers.iter().map(|index| &self.named[*index]).collect();
            bearers.sort_by_key(|named| (named.kind, named.position));
            mentions.push(NameMention { start: starts[at], end: starts[at + length], bearers });
            at += length;
        }
        mentions
    }

    /// Returns the places in `text` at which a part of a name means a character, as in [`resolve`](Self::resolve), each
    /// with the position of the character. Words within a longer name mean nobody, and neither do common words.
    pub fn mentions_in_part(&self, text: &str) -> Vec<(usize, usize)> {
        self.mentions_in_part_beside(text, &self.mentions(text))
    }

    /// Works like [`mentions_in_part`](Self::mentions_in_part), with the [`mentions`](Self::mentions) of the text.
    pub(crate) fn mentions_in_part_beside(&self, text: &str, mentions: &[NameMention<'_>]) -> Vec<(usize, usize)> {
        let parts = self.parts_beside(text, mentions).into_iter();
        parts.flat_map(|part| part.bearers.into_iter().map(move |named| (part.start, named.position))).collect()
    }

    /// Returns the parts of names that mean a character, outside of the `mentions` of the text.
    fn parts_beside(&self, text: &str, mentions: &[NameMention<'_>]) -> Vec<NameMention<'_>> {
        let sought = self.sought_parts.get_or_init(|| self.sought_parts());
        if sought.names.is_empty() {
            return Vec::new();
        }
        let chars: Vec<char> = text.chars().map(fold_char).collect();
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let is_free = |at: usize| {
            let next = mentions.partition_point(|mention| mention.end <= at);
            mentions.get(next).is_none_or(|mention| at < mention.start)
        };
        let mut found = Vec::new();
        let mut at = 0;
        while at < chars.len() {
            let Some((length, bearers)) = sought.match_at(&chars, at) else {
                at += 1;
                continue;
            };
            let (start, end) = (starts[at], starts[at + length]);
            let part = &text[start..end];
            let is_han_part = part.starts_with(is_han);
            let is_name = is_han_part || part.starts_with(char::is_uppercase);
            if is_name && is_free(start) && !may_be_first_word(text, start, part) {
                let named = bearers.iter().map(|index| &self.named[*index]);
                let is_whole =
                    |named: &&NamedPiece| is_han_part || !is_of_longer_name(text, &(start..end), &named.name);
                let bearers: Vec<&NamedPiece> = named.filter(is_whole).collect();
                if !bearers.is_empty() {
                    found.push(NameMention { start, end, bearers });
                }
            }
            at += length;
        }
        found
    }

    /// Returns the pieces named in `text`, by kind and position: all that have a name in it, and the characters whom a part
    /// of a name means.
    pub fn named_in(&self, text: &str) -> BTreeSet<(PieceKind, usize)> {
        let mentions = self.mentions(text);
        let whole = mentions.iter().flat_map(|mention| &mention.bearers).map(|named| (named.kind, named.position));
        let in_part = self.mentions_in_part_beside(text, &mentions).into_iter();
        whole.chain(in_part.map(|(_, position)| (PieceKind::Character, position))).collect()
    }

    /// Returns the positions of the characters whom a Chinese text may address by family name and title: 沈大人, 老沈.
    pub fn addressed(&self, text: &str) -> Vec<usize> {
        let all = self.all(PieceKind::Character);
        all.filter(|named| is_addressed(text, &named.name)).map(|named| named.position).collect()
    }

    /// Returns whether `text` mentions the piece.
    pub fn mentioned(&self, text: &str, kind: PieceKind, position: usize) -> bool {
        self.mentions(text)
            .iter()
            .any(|mention| mention.bearers.iter().any(|named| named.kind == kind && named.position == position))
    }

    /// Indexes the pieces of a list behind those already indexed.
    fn add_all(&mut self, kind: PieceKind, parts: &[impl PieceData]) {
        let known = self.of_kind[kind as usize].len();
        for (position, part) in parts.iter().enumerate().skip(known) {
            self.add(kind, position, part);
        }
    }

    fn add(&mut self, kind: PieceKind, position: usize, part: &impl PieceData) {
        let index = self.named.len();
        let (id, name) = (part.id(), part.name());
        self.named.push(NamedPiece { kind, position, id: id.to_owned(), name: name.trim().to_owned() });
        self.of_kind[kind as usize].push(index);
        self.ids.insert(kind, id.trim().to_owned(), index);
        self.names.insert(kind, fold(name), index);
        for alias in part.aliases() {
            self.aliases.insert(kind, fold(alias), index);
        }
        if kind == PieceKind::Character {
            for part in std::iter::once(name).chain(part.aliases().iter().map(String::as_str)).flat_map(parts) {
                let bearers = self.parts.entry(fold(part)).or_default();
                if !bearers.contains(&index) {
                    bearers.push(index);
                }
            }
        }
        if matches!(kind, PieceKind::Character | PieceKind::Organisation) {
            self.sought_parts = OnceLock::new();
            self.own_families = OnceLock::new();
        }
        let head = Some(name).filter(|_| is_numbered(kind)).and_then(heading);
        let head = head.filter(|head| head.rank != HeadingLevel::Bare);
        let words = head.as_ref().map(|head| head.words).filter(|words| words.len() < name.trim().len());
        let words = words.filter(|_| kind == PieceKind::OutlineNode);
        if let Some(words) = words {
            self.numbers.insert(kind, fold(words), index);
        }
        if let Some(head) = &head {
            self.headings.insert(kind, number_of(head), index);
        }
        if let Some(sought) = self.sought.get_mut().filter(|_| is_sought(kind)) {
            let aliases = part.aliases().iter().map(String::as_str);
            for text in [id.trim(), name].into_iter().chain(aliases).chain(words) {
                sought.insert(&fold(text), &[index]);
            }
        }
    }

    fn sought_parts(&self) -> NameMatcher {
        let mut sought = NameMatcher::default();
        for part in self.parts.keys() {
            if let Some(index) = self.by_folded_part(part).filter(|one| parts::is_sought(part, &self.named[*one].name))
            {
                sought.insert(part, &[index]);
            }
        }
        sought
    }

    fn sought(&self) -> NameMatcher {
        let mut sought = NameMatcher::default();
        self.ids.sought().for_each(|(id, found)| sought.insert(&fold(id), found));
        let others = [&self.names, &self.aliases, &self.numbers].into_iter().flat_map(KindNameIndex::sought);
        others.for_each(|(name, found)| sought.insert(name, found));
        sought
    }
}

/// Returns whether the names of pieces of the kind are included in text search.
fn is_sought(kind: PieceKind) -> bool {
    !matches!(kind, PieceKind::Document | PieceKind::Promise | PieceKind::Ladder)
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
    /// Adds a folded name with its pieces. A name of a single Chinese character is not searched.
    fn insert(&mut self, name: &str, pieces: &[usize]) {
        let chars: Vec<char> = name.chars().collect();
        let Some(first) = chars.first().copied() else { return };
        if chars.len() == 1 && (is_han(first) || !first.is_alphabetic()) {
            return;
        }
        let lengths = self.lengths.entry(first).or_default();
        if let Err(place) = lengths.binary_search_by(|length| chars.len().cmp(length)) {
            lengths.insert(place, chars.len());
        }
        let bearers = self.names.entry(chars).or_default();
        for piece in pieces {
            if let Err(place) = bearers.binary_search(piece) {
                bearers.insert(place, *piece);
            }
        }
    }

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
