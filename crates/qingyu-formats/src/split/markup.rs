//! Headings named by the markup of a file.

use std::collections::{BTreeMap, BTreeSet};

use super::line_mark::LineMark;
use crate::headings::{self, HeadingLabel, ParsedHeading};
use crate::read::ParagraphRole;
use crate::spaces::tidy;

/// Marks the headings of the markup; returns the number of chapters.
pub(super) fn mark(lines: &[&str], roles: &[ParagraphRole], marks: &mut [LineMark]) -> usize {
    let level = |index: usize| match roles[index] {
        ParagraphRole::Heading(level) if marks[index] == LineMark::Text || marks[index] == LineMark::Separator => {
            Some(level)
        }
        _ => None,
    };
    let mut found: Vec<(usize, u8)> = (0..lines.len()).filter_map(|index| Some((index, level(index)?))).collect();
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
    let mut count = 0;
    for (index, level) in found {
        let words = told(index);
        let label = || HeadingLabel { number: words.as_ref().and_then(number), words: tidy(lines[index]) };
        let heading = match &words {
            Some(heading) if heading.volume.is_some() || level <= chapters => heading.clone(),
            _ if Some(level) == volumes => ParsedHeading { volume: Some(label()), chapter: None },
            _ if level <= chapters => ParsedHeading { volume: None, chapter: Some(label()) },
            // A heading inside a chapter stays a line of the chapter.
            _ => continue,
        };
        count += usize::from(heading.chapter.is_some());
        marks[index] = LineMark::Heading { volume: heading.volume, chapter: heading.chapter, again: false };
    }
    count
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
