//! The chapters of a book, and the one reading of what people call them.
//!
//! A chapter is an outline node together with the texts that tell it, or a text that tells no node. Its *number* is the one
//! in its own heading: a prologue has none, and where volumes begin anew several chapters have the same. Its *place* is how
//! manieth it is in the book, written `#4`.
//!
//! ```
//! use qingyu_story::{Document, Story, chapters::Chapters};
//!
//! let text = |title: &str, order| Document { title: title.into(), order, ..Document::default() };
//! let story = Story { documents: vec![text("楔子", 1), text("第一章 雨夜", 2)], ..Story::default() };
//! let chapters = Chapters::of(&story);
//! for name in ["1", "第1章", "第 一 章", "Chapter 1", "第一章 雨夜", "雨夜", "@第一章", "#2"] {
//!     assert_eq!(chapters.resolve(name).unwrap().place, 2, "{name}");
//! }
//! assert_eq!(chapters.resolve("楔子").unwrap().number, None);
//! ```

mod edit;
mod heading;
mod list;
mod name;
#[cfg(test)]
mod tests;
pub mod unnumbered;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::names::{Names, fold};
use crate::numerals::read_english;
use crate::piece::PieceKind;
use crate::{OutlineNodeKind, Story};

pub use edit::{ChapterEdit, ChapterEditError, ChapterRow, SameNumber, edit_chapters, rows, same_numbers};
pub use heading::{Heading, Rank, heading, mention, mention_at};
pub use name::ChapterName;

/// A chapter of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// The how manieth of the book it is, from 1.
    pub place: u32,
    /// The number in its own heading; in a book whose headings have none, its place.
    pub number: Option<u32>,
    /// The name of the volume it stands in.
    pub volume: Option<String>,
    /// What it is called.
    pub title: String,
    /// The position of its outline node.
    pub node: Option<usize>,
    /// The positions of the texts that tell it, in reading order.
    pub documents: Vec<usize>,
    /// The ids of its node and texts.
    ids: Vec<String>,
    /// All titles of its node and texts, folded.
    titles: BTreeSet<String>,
    /// What its heading begins with.
    head: Option<Head>,
    /// The number of its volume.
    volume_number: Option<u32>,
}

/// The heading of a chapter, as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Head {
    rank: Rank,
    number: u32,
    class: &'static str,
    rest: String,
}

/// A name that means no one chapter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unresolved {
    /// There is no such chapter.
    #[error("no chapter is called \"{given}\"")]
    Unknown {
        /// The name.
        given: String,
    },
    /// Several are called so.
    #[error("\"{given}\" may be {}", .choices.join(", "))]
    Ambiguous {
        /// The name.
        given: String,
        /// For each chapter a name that means it alone, with its title if that is another.
        choices: Vec<String>,
    },
    /// The end of a stretch stands before its beginning, or it has too many chapters.
    #[error("\"{given}\" is no list of chapters; write 3, 1-3 or 1-3,7")]
    NoList {
        /// The words.
        given: String,
    },
}

/// What parts the two ends of a stretch.
const BETWEEN: [char; 7] = ['-', '–', '—', '~', '～', '到', '至'];

impl Unresolved {
    /// The name.
    pub fn given(&self) -> &str {
        match self {
            Self::Unknown { given } | Self::Ambiguous { given, .. } | Self::NoList { given } => given,
        }
    }
}

/// The chapters of a story in reading order.
#[derive(Debug, Clone, Default)]
pub struct Chapters {
    all: Vec<Chapter>,
    ids: FxHashMap<String, Vec<usize>>,
    titles: FxHashMap<String, Vec<usize>>,
    numbers: FxHashMap<u32, Vec<usize>>,
    nodes: FxHashMap<usize, usize>,
    documents: FxHashMap<usize, usize>,
}

/// The positions of the outline nodes that are chapters, in reading order: those of that kind; if there are none, all that
/// have no children.
pub fn nodes(story: &Story, names: &Names) -> Vec<usize> {
    let all = &story.outline_nodes;
    let mut chapters: Vec<usize> =
        (0..all.len()).filter(|position| all[*position].kind == OutlineNodeKind::Chapter).collect();
    if chapters.is_empty() {
        let node = |name: &str| names.resolve(PieceKind::OutlineNode, name).map(|named| named.position);
        let parents: BTreeSet<usize> = all.iter().filter_map(|other| node(other.parent.as_deref()?)).collect();
        chapters = (0..all.len()).filter(|position| !parents.contains(position)).collect();
    }
    chapters.sort_by_key(|position| (all[*position].order, *position));
    chapters
}

impl Chapters {
    /// The chapters of `story`. Texts with the order 0 are notes and belong to none.
    pub fn of(story: &Story) -> Self {
        Self::with(story, &Names::of(story))
    }

    /// The same, with the names of the story.
    pub fn with(story: &Story, names: &Names) -> Self {
        let mut chapters = Self { all: list::list(story, names), ..Self::default() };
        let counts = chapters.all.iter().all(|chapter| chapter.head.is_none());
        for (at, chapter) in chapters.all.iter_mut().enumerate() {
            chapter.place = u32::try_from(at + 1).unwrap_or(u32::MAX);
            chapter.number = if counts { Some(chapter.place) } else { chapter.head.as_ref().map(|head| head.number) };
            for id in &chapter.ids {
                chapters.ids.entry(id.clone()).or_default().push(at);
            }
            for title in &chapter.titles {
                chapters.titles.entry(title.clone()).or_default().push(at);
            }
            if let Some(number) = chapter.number {
                chapters.numbers.entry(number).or_default().push(at);
            }
            chapters.nodes.extend(chapter.node.map(|node| (node, at)));
            chapters.documents.extend(chapter.documents.iter().map(|document| (*document, at)));
        }
        chapters
    }

    /// All of them, in reading order.
    pub fn all(&self) -> &[Chapter] {
        &self.all
    }

    /// The chapter at that place, from 1.
    pub fn at(&self, place: u32) -> Option<&Chapter> {
        self.all.get(usize::try_from(place).ok()?.checked_sub(1)?)
    }

    /// The chapter of the outline node at that position.
    pub fn of_node(&self, node: usize) -> Option<&Chapter> {
        self.nodes.get(&node).map(|at| &self.all[*at])
    }

    /// The chapter that the document at that position tells.
    pub fn of_document(&self, document: usize) -> Option<&Chapter> {
        self.documents.get(&document).map(|at| &self.all[*at])
    }

    /// All chapters that `given` may mean, by the first of these that finds any: place (`#4`), id, title, the number in the
    /// heading in any writing, the volume's name or number before any of them.
    ///
    /// An `@` before it is passed over, and so are case, width and spaces.
    pub fn find(&self, given: &str) -> Vec<&Chapter> {
        let everywhere = |_: &Chapter| true;
        self.positions(given, &everywhere).into_iter().map(|at| &self.all[at]).collect()
    }

    /// The chapter that `given` means, named as [`find`](Self::find) reads it.
    pub fn resolve(&self, given: &str) -> Result<&Chapter, Unresolved> {
        match self.find(given).as_slice() {
            [one] => Ok(one),
            [] => Err(Unresolved::Unknown { given: given.trim().to_owned() }),
            several => {
                let choices = several.iter().map(|chapter| self.told(chapter)).collect();
                Err(Unresolved::Ambiguous { given: given.trim().to_owned(), choices })
            }
        }
    }

    /// The chapters of a list such as `1-3,7`, `5-` or `楔子-第三章`, in reading order, each once. From one chapter to another,
    /// all that stand between belong to it.
    pub fn resolve_list(&self, given: &str) -> Result<Vec<&Chapter>, Unresolved> {
        let no_list = || Unresolved::NoList { given: given.trim().to_owned() };
        let mut places = BTreeSet::new();
        if !given.trim().starts_with(BETWEEN) && !self.find(given).is_empty() {
            return self.resolve(given).map(|one| vec![one]);
        }
        for part in given.split([',', '，', '、']).map(str::trim) {
            let is_open = part.starts_with(BETWEEN);
            match self.stretch(part).filter(|_| is_open || self.find(part).is_empty()) {
                Some((first, last)) => {
                    let (first, last) = (self.end(first, 1)?, self.end(last, self.last())?);
                    if last < first {
                        return Err(no_list());
                    }
                    places.extend(first..=last);
                }
                None => drop(places.insert(self.resolve(part)?.place)),
            }
        }
        Ok(places.into_iter().filter_map(|place| self.at(place)).collect())
    }

    /// The two ends of a stretch, one of which may be left open. Of several marks that could part them, as in `d-2-d-4`, the
    /// one with a chapter on both sides does.
    fn stretch<'t>(&self, part: &'t str) -> Option<(&'t str, &'t str)> {
        let marks = part.match_indices(BETWEEN).chain(part.match_indices(':'));
        let ends = marks.map(|(at, mark)| (part[..at].trim(), part[at + mark.len()..].trim()));
        let ends: Vec<(&str, &str)> = ends.filter(|(first, last)| !first.is_empty() || !last.is_empty()).collect();
        let is_known = |name: &str| name.is_empty() || !self.find(name).is_empty();
        let known = ends.iter().find(|(first, last)| is_known(first) && is_known(last));
        known.or_else(|| ends.first()).copied()
    }

    /// The place of one end of a stretch; an end that is left open is that of the book.
    fn end(&self, name: &str, open: u32) -> Result<u32, Unresolved> {
        if name.is_empty() { Ok(open) } else { Ok(self.resolve(name)?.place) }
    }

    fn last(&self) -> u32 {
        self.all.last().map_or(0, |last| last.place)
    }

    /// A name that means this chapter alone: its title, else its number within its volume, else its place.
    pub fn name(&self, chapter: &Chapter) -> String {
        let is_alone = |name: &String| matches!(self.find(name).as_slice(), [one] if one.place == chapter.place);
        let of_volume = chapter.volume.as_ref().map(|volume| format!("{volume} {}", chapter.title));
        let names = [Some(chapter.title.clone()), of_volume].into_iter().flatten();
        names.into_iter().find(is_alone).unwrap_or_else(|| format!("#{}", chapter.place))
    }

    /// The name that means the chapter alone, its title if that is another, and its place.
    fn told(&self, chapter: &Chapter) -> String {
        let name = self.name(chapter);
        match (name == chapter.title, name.starts_with('#')) {
            (true, _) => format!("{name} (#{})", chapter.place),
            (false, true) => format!("{name} ({})", chapter.title),
            (false, false) => format!("{name} (#{})", chapter.place),
        }
    }

    fn positions(&self, given: &str, among: &dyn Fn(&Chapter) -> bool) -> Vec<usize> {
        let given = given.trim();
        let given = given.strip_prefix(['@', '＠']).unwrap_or(given).trim();
        if given.is_empty() {
            return Vec::new();
        }
        let place = given.strip_prefix(['#', '＃']).or_else(|| given.strip_prefix("chapters/"));
        if let Some(place) = place.and_then(|place| place.trim().parse::<u32>().ok()) {
            let at = usize::try_from(place).ok().and_then(|place: usize| place.checked_sub(1));
            return at.filter(|at| self.all.get(*at).is_some_and(among)).into_iter().collect();
        }
        let of = |found: Option<&Vec<usize>>| -> Vec<usize> {
            found.into_iter().flatten().copied().filter(|at| among(&self.all[*at])).collect()
        };
        let exact = [of(self.ids.get(given)), of(self.titles.get(&fold(given)))];
        let found = exact.into_iter().find(|found| !found.is_empty());
        let found = found.or_else(|| Some(self.by_number(given, among)).filter(|found| !found.is_empty()));
        found.unwrap_or_else(|| self.by_volume(given, among))
    }

    /// `第三章`, `3`, `三`, `Chapter 3`, `第二卷第三章`, `第3章 夜雨`.
    fn by_number(&self, given: &str, among: &dyn Fn(&Chapter) -> bool) -> Vec<usize> {
        let number = |number: u32| self.numbers.get(&number).into_iter().flatten().copied();
        let Some(head) = heading(given) else {
            let number = read_english(given).into_iter().flat_map(number);
            return number.filter(|at| among(&self.all[*at])).collect();
        };
        let rest = fold(head.rest);
        let is_meant = |at: &usize| {
            let chapter = &self.all[*at];
            let own = chapter.head.as_ref();
            among(chapter)
                && head.volume.is_none_or(|volume| chapter.volume_number == Some(volume))
                && (head.rank != Rank::Volume || own.is_some_and(|own| own.rank == Rank::Volume))
                && (rest.is_empty() || own.is_some_and(|own| own.rest == rest))
        };
        let all: Vec<usize> = number(head.number).filter(is_meant).collect();
        let same_class = |at: &usize| self.all[*at].head.as_ref().is_some_and(|own| own.class == head.class());
        let of_class: Vec<usize> = all.iter().copied().filter(same_class).collect();
        if head.rank == Rank::Bare || of_class.is_empty() { all } else { of_class }
    }

    /// The name of a volume, and what a chapter of it is called.
    fn by_volume(&self, given: &str, among: &dyn Fn(&Chapter) -> bool) -> Vec<usize> {
        let volumes: BTreeMap<&str, ()> =
            self.all.iter().filter_map(|chapter| Some((chapter.volume.as_deref()?, ()))).collect();
        let mut longest: Option<(&str, &str)> = None;
        for (volume, ()) in volumes {
            let rest = strip_folded(given, volume).filter(|rest| !rest.trim().is_empty());
            if let Some(rest) = rest.filter(|_| longest.is_none_or(|(known, _)| known.len() < volume.len())) {
                longest = Some((volume, rest));
            }
        }
        let Some((volume, rest)) = longest else { return Vec::new() };
        let rest = rest.trim_start_matches([' ', '\u{3000}', '/', '·', ',', '，', ':', '：']);
        self.positions(rest, &|chapter| among(chapter) && chapter.volume.as_deref() == Some(volume))
    }
}

/// What stands behind `prefix`, without regard to case and width.
fn strip_folded<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let wanted: Vec<char> = fold(prefix).chars().collect();
    let mut given = text.chars();
    for wanted in wanted {
        let found = given.next().map(|c| fold(c.encode_utf8(&mut [0; 4])))?;
        if !(found.chars().eq([wanted]) || found.is_empty() && wanted.is_whitespace()) {
            return None;
        }
    }
    Some(given.as_str())
}
