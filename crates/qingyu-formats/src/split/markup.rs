//! Headings named by the markup of a file.

use std::collections::{BTreeMap, BTreeSet};

use super::line_mark::LineMark;
use crate::headings::{self, HeadingLabel, HeadingRank, ParsedHeading};
use crate::read::ParagraphRole;
use crate::spaces::{tidy, trim};

/// Marks the headings of the markup; returns the number of chapters. `title` is that of the book, if the file has one.
pub(super) fn mark(lines: &[&str], roles: &[ParagraphRole], marks: &mut [LineMark], title: Option<&str>) -> usize {
    let level = |index: usize| match roles[index] {
        ParagraphRole::Heading(level) if marks[index] == LineMark::Text || marks[index] == LineMark::Separator => {
            Some(level)
        }
        _ => None,
    };
    let mut found: Vec<(usize, u8)> = (0..lines.len()).filter_map(|index| Some((index, level(index)?))).collect();
    // The title page stands first, or below the title of the book. A heading such as a date with text below is that of a
    // chapter: the day of a diary.
    let is_named = |place: usize| {
        let Some(&(index, _)) = found.get(place) else { return false };
        let next = found.get(place + 1).map_or(lines.len(), |(next, _)| *next);
        match MetadataHeading::of(lines[index]) {
            Some(MetadataHeading::Other) => (index + 1..next).all(|at| marks[at] != LineMark::Text),
            named => named.is_some(),
        }
    };
    let begin = usize::from(is_named(1) && !is_named(0));
    let end = (begin..found.len()).find(|place| !is_named(*place)).unwrap_or(found.len());
    for (index, _) in found.drain(begin..end) {
        marks[index] = MetadataHeading::of(lines[index]).map_or(LineMark::Text, MetadataHeading::mark);
    }
    // The title of the book stands above the first chapter, as a heading without text. A tale with the title of its
    // collection has deeper headings below.
    let is_title = |index: usize| title.is_some_and(|title| tidy(title) == tidy(lines[index]));
    if let Some(place) = found.iter().position(|(index, _)| is_title(*index))
        && let Some((next, level)) = found.get(place + 1)
        && *level <= found[place].1
        && (found[place].0 + 1..*next).all(|index| !matches!(marks[index], LineMark::Text | LineMark::Separator))
    {
        let (index, _) = found.remove(place);
        marks[index] = LineMark::Title;
    }
    let told = |index: usize| headings::read(lines[index]);
    if let Some(&(first, top)) = found.first()
        && told(first).is_none()
        && found[1..].iter().all(|(_, level)| *level > top)
        && found.len() > 1
    {
        marks[first] = LineMark::Title;
        found.remove(0);
    }
    let (volumes, chapters) = levels(&found, told, |from, until| {
        (from + 1..until).all(|index| matches!(marks[index], LineMark::Blank | LineMark::Rule))
    });
    // A chapter may have a deeper level than the others by mistake, if it has the next number: Chapter 3 notes, below
    // Chapter 3, has not.
    let family = |index: usize| {
        headings::shape(lines[index]).filter(|form| form.rank == HeadingRank::Chapter).map(|form| form.family)
    };
    let of_chapters = found.iter().filter(|(_, level)| *level <= chapters);
    let families: BTreeSet<String> = of_chapters.filter_map(|(index, _)| family(*index)).collect();
    let is_chapter = |index: usize| family(index).is_some_and(|own| families.contains(&own));
    let mut count = 0;
    let mut last: Option<u32> = None;
    for (index, level) in found {
        let words = told(index);
        let label = || HeadingLabel { number: words.as_ref().and_then(number), words: tidy(lines[index]) };
        let is_next = || last.is_none_or(|last| words.as_ref().and_then(number) == Some(last.saturating_add(1)));
        let heading = match &words {
            Some(heading) if heading.volume.is_some() || level <= chapters || is_next() && is_chapter(index) => {
                heading.clone()
            }
            _ if Some(level) == volumes => ParsedHeading { volume: Some(label()), chapter: None },
            _ if level <= chapters => ParsedHeading { volume: None, chapter: Some(label()) },
            // A heading inside a chapter stays a line of the chapter.
            _ => continue,
        };
        count += usize::from(heading.chapter.is_some());
        last = heading.chapter.as_ref().and_then(|chapter| chapter.number).or(last);
        marks[index] = LineMark::Heading { volume: heading.volume, chapter: heading.chapter, again: false };
    }
    count
}

/// A heading of a title page, such as `## Author: A. Nobody`.
enum MetadataHeading {
    Title,
    Author(String),
    Other,
}

impl MetadataHeading {
    fn of(line: &str) -> Option<Self> {
        const OTHERS: &[&str] =
            &["year", "date", "published", "publisher", "translator", "editor", "source", "language"];
        const OTHERS_CHINESE: &[&str] =
            &["年份", "日期", "出版", "出版社", "译者", "来源", "状态", "字数", "类型", "标签"];
        let (name, value) = trim(line).split_once([':', '：'])?;
        let (name, value) = (name.trim().to_lowercase(), tidy(value));
        let found = match name.as_str() {
            "title" | "书名" | "書名" if !value.is_empty() => Self::Title,
            "author" | "作者" if !value.is_empty() => Self::Author(value),
            "title" | "书名" | "書名" | "author" | "作者" => Self::Other,
            name if OTHERS.contains(&name) || OTHERS_CHINESE.contains(&name) => Self::Other,
            _ => return None,
        };
        Some(found)
    }

    fn mark(self) -> LineMark {
        match self {
            Self::Title => LineMark::Title,
            Self::Author(name) => LineMark::Author(name),
            Self::Other => LineMark::Front,
        }
    }
}

fn number(heading: &ParsedHeading) -> Option<u32> {
    heading.chapter.as_ref().or(heading.volume.as_ref())?.number
}

/// Returns the level of volumes, if any, and the deepest level of chapters.
fn levels(
    found: &[(usize, u8)],
    told: impl Fn(usize) -> Option<ParsedHeading>,
    nothing_between: impl Fn(usize, usize) -> bool,
) -> (Option<u8>, u8) {
    let mut chapters: BTreeMap<u8, usize> = BTreeMap::new();
    for (index, level) in found {
        if told(*index).is_some_and(|heading| heading.volume.is_none()) {
            *chapters.entry(*level).or_default() += 1;
        }
    }
    if let Some((level, _)) = chapters.iter().max_by_key(|(_, count)| **count) {
        return (found.iter().map(|(_, level)| *level).filter(|one| one < level).max(), *level);
    }
    let levels: BTreeSet<u8> = found.iter().map(|(_, level)| *level).collect();
    let mut levels = levels.into_iter();
    match (levels.next(), levels.next()) {
        (Some(top), Some(second)) => {
            let leads = |at: usize| {
                let next = found.get(at + 1);
                next.is_some_and(|next| next.1 > top && nothing_between(found[at].0, next.0))
            };
            let mut tops = (0..found.len()).filter(|at| found[*at].1 == top);
            if tops.all(leads) { (Some(top), second) } else { (None, top) }
        }
        (Some(top), None) => (None, top),
        _ => (None, 0),
    }
}
