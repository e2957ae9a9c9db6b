//! Finds the chapters of a book by any of their names.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::chapter::Chapter;
use super::heading::{HeadingLevel, heading};
use super::list;
use crate::names::{Names, fold};
use crate::numerals::read_english;
use crate::story::Story;

/// An error for a name not matching exactly one chapter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChapterLookupError {
    /// No chapter has the name.
    #[error("no chapter is called \"{given}\"")]
    Unknown {
        /// The name.
        given: String,
    },
    /// Several chapters have the name.
    #[error("\"{given}\" may be {}", .choices.join(", "))]
    Ambiguous {
        /// The name.
        given: String,
        /// For each chapter an unambiguous name, with the title if different.
        choices: Vec<String>,
    },
    /// The range ends before its start, or has too many chapters.
    #[error("\"{given}\" is no list of chapters; write 3, 1-3 or 1-3,7")]
    NoList {
        /// The input.
        given: String,
    },
}

/// Separators between the two ends of a range.
const BETWEEN: [char; 7] = ['-', '–', '—', '~', '～', '到', '至'];

impl ChapterLookupError {
    /// Returns the name as given by the caller.
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

impl Chapters {
    /// Returns the chapters of `story`. Texts with order 0 are notes and belong to no chapter.
    pub fn of(story: &Story) -> Self {
        Self::with(story, &Names::of(story))
    }

    /// Same as `of`, with a prebuilt name index.
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

    /// Returns all chapters in reading order.
    pub fn all(&self) -> &[Chapter] {
        &self.all
    }

    /// Returns the chapter at `place`, from 1.
    pub fn at(&self, place: u32) -> Option<&Chapter> {
        self.all.get(usize::try_from(place).ok()?.checked_sub(1)?)
    }

    /// Returns the chapter of the outline node at the index.
    pub fn of_node(&self, node: usize) -> Option<&Chapter> {
        self.nodes.get(&node).map(|at| &self.all[*at])
    }

    /// Returns the chapter told by the document at the index.
    pub fn of_document(&self, document: usize) -> Option<&Chapter> {
        self.documents.get(&document).map(|at| &self.all[*at])
    }

    /// Returns all chapters matching `given` by the first criterion with a match: place (`#4`), id, title, or the
    /// heading's number in any notation, each optionally after the volume's name or number.
    ///
    /// Ignores a leading `@`, case, width and spaces.
    pub fn find(&self, given: &str) -> Vec<&Chapter> {
        let everywhere = |_: &Chapter| true;
        self.positions(given, &everywhere).into_iter().map(|at| &self.all[at]).collect()
    }

    /// Returns the only chapter matching `given`, as parsed by [`find`](Self::find).
    pub fn resolve(&self, given: &str) -> Result<&Chapter, ChapterLookupError> {
        match self.find(given).as_slice() {
            [one] => Ok(one),
            [] => Err(ChapterLookupError::Unknown { given: given.trim().to_owned() }),
            several => {
                let choices = several.iter().map(|chapter| self.told(chapter)).collect();
                Err(ChapterLookupError::Ambiguous { given: given.trim().to_owned(), choices })
            }
        }
    }

    /// Parses a list such as `1-3,7`, `5-` or `楔子-第三章`, and returns the chapters in reading order, without duplicates.
    /// A range includes all chapters between its ends.
    pub fn resolve_list(&self, given: &str) -> Result<Vec<&Chapter>, ChapterLookupError> {
        let no_list = || ChapterLookupError::NoList { given: given.trim().to_owned() };
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

    /// Splits a range at its separator; either end may be open. Of several possible separators, as in `d-2-d-4`, the
    /// separator with a chapter on both sides wins.
    fn stretch<'t>(&self, part: &'t str) -> Option<(&'t str, &'t str)> {
        let marks = part.match_indices(BETWEEN).chain(part.match_indices(':'));
        let ends = marks.map(|(at, mark)| (part[..at].trim(), part[at + mark.len()..].trim()));
        let ends: Vec<(&str, &str)> = ends.filter(|(first, last)| !first.is_empty() || !last.is_empty()).collect();
        let is_known = |name: &str| name.is_empty() || !self.find(name).is_empty();
        let known = ends.iter().find(|(first, last)| is_known(first) && is_known(last));
        known.or_else(|| ends.first()).copied()
    }

    /// Returns the place of a range end; an open end defaults to the book's end.
    fn end(&self, name: &str, open: u32) -> Result<u32, ChapterLookupError> {
        if name.is_empty() { Ok(open) } else { Ok(self.resolve(name)?.place) }
    }

    fn last(&self) -> u32 {
        self.all.last().map_or(0, |last| last.place)
    }

    /// Returns an unambiguous name of the chapter: the title, else the number within the volume, else the place.
    pub fn name(&self, chapter: &Chapter) -> String {
        let is_alone = |name: &String| matches!(self.find(name).as_slice(), [one] if one.place == chapter.place);
        let of_volume = chapter.volume.as_ref().map(|volume| format!("{volume} {}", chapter.title));
        let names = [Some(chapter.title.clone()), of_volume].into_iter().flatten();
        names.into_iter().find(is_alone).unwrap_or_else(|| format!("#{}", chapter.place))
    }

    /// Returns the unambiguous name, the title if different, and the place.
    pub(super) fn told(&self, chapter: &Chapter) -> String {
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

    /// Parses `第三章`, `3`, `三`, `Chapter 3`, `第二卷第三章`, `第3章 夜雨`.
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
                && (head.rank != HeadingLevel::Volume || own.is_some_and(|own| own.rank == HeadingLevel::Volume))
                && (rest.is_empty() || own.is_some_and(|own| own.rest == rest))
        };
        let all: Vec<usize> = number(head.number).filter(is_meant).collect();
        let same_class = |at: &usize| self.all[*at].head.as_ref().is_some_and(|own| own.class == head.class());
        let of_class: Vec<usize> = all.iter().copied().filter(same_class).collect();
        if head.rank == HeadingLevel::Bare || of_class.is_empty() { all } else { of_class }
    }

    /// Parses a volume name followed by a chapter name within the volume.
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

/// Returns the text after `prefix`, ignoring case and width.
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
