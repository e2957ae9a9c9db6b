//! Headings that the markup of a file names.

use std::collections::{BTreeMap, BTreeSet};

use super::marks::Mark;
use crate::Role;
use crate::headings::{self, Heading, Label, tidy};

/// Marks what the markup says to be headings; returns how many chapters there are.
pub(super) fn mark(lines: &[&str], roles: &[Role], marks: &mut [Mark]) -> usize {
    let level = |index: usize| match roles[index] {
        Role::Heading(level) if marks[index] == Mark::Text || marks[index] == Mark::Separator => Some(level),
        _ => None,
    };
    let mut found: Vec<(usize, u8)> = (0..lines.len()).filter_map(|index| Some((index, level(index)?))).collect();
    let told = |index: usize| headings::read(lines[index]);
    if let Some(&(first, top)) = found.first()
        && told(first).is_none()
        && found[1..].iter().all(|(_, level)| *level > top)
        && found.len() > 1
    {
        marks[first] = Mark::Title;
        found.remove(0);
    }
    let (volumes, chapters) = levels(&found, told, |from, until| {
        (from + 1..until).all(|index| matches!(marks[index], Mark::Blank | Mark::Rule))
    });
    let mut count = 0;
    for (index, level) in found {
        let words = told(index);
        let label = || Label { number: words.as_ref().and_then(number), words: tidy(lines[index]) };
        let heading = match &words {
            Some(heading) if heading.volume.is_some() || level <= chapters => heading.clone(),
            _ if Some(level) == volumes => Heading { volume: Some(label()), chapter: None },
            _ if level <= chapters => Heading { volume: None, chapter: Some(label()) },
            // A heading inside of a chapter stays a line of it.
            _ => continue,
        };
        count += usize::from(heading.chapter.is_some());
        marks[index] = Mark::Heading { volume: heading.volume, chapter: heading.chapter, again: false };
    }
    count
}

fn number(heading: &Heading) -> Option<u32> {
    heading.chapter.as_ref().or(heading.volume.as_ref())?.number
}

/// The level of volumes, if there are any, and the deepest level of chapters.
fn levels(
    found: &[(usize, u8)],
    told: impl Fn(usize) -> Option<Heading>,
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
