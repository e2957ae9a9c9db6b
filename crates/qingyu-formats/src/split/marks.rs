//! Which paragraphs are headings, told by markup and by words.

use std::collections::{BTreeMap, BTreeSet};

use crate::headings::{self, Heading, Label, tidy, trim};
use crate::{Ingested, Role};

/// What a paragraph is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mark {
    Blank,
    Rule,
    Title,
    Author(String),
    Contents,
    Front,
    /// `again` if it repeats the heading before it.
    Heading {
        volume: Option<Label>,
        chapter: Option<Label>,
        again: bool,
    },
    Text,
    Separator,
}

/// Says of every line what it is.
pub(super) fn find(ingested: &Ingested, lines: &[&str]) -> Vec<Mark> {
    let roles: Vec<Role> = ingested.paragraphs.iter().map(|paragraph| paragraph.role).collect();
    let mut marks: Vec<Mark> = lines.iter().zip(&roles).map(|(line, role)| plainly(line, *role)).collect();
    let marked = by_markup(lines, &roles, &mut marks);
    let worded = by_words(lines, &marks);
    // Where headings are marked as such, a line that only reads like one is text, unless most are not marked.
    if worded.len() > marked {
        for (index, heading) in worded {
            marks[index] = Mark::Heading { volume: heading.volume, chapter: heading.chapter, again: false };
        }
    } else if marked == 0 {
        for (index, label) in by_counting(lines, &marks) {
            marks[index] = Mark::Heading { volume: None, chapter: Some(label), again: false };
        }
    }
    contents(lines, &mut marks);
    repeated(&mut marks);
    front(lines, &mut marks);
    marks
}

fn plainly(line: &str, role: Role) -> Mark {
    let line = trim(line);
    match role {
        Role::Rule => Mark::Rule,
        _ if line.is_empty() => Mark::Blank,
        Role::Title => Mark::Title,
        Role::Contents => Mark::Contents,
        _ if line.chars().all(|c| is_ornament(c) || c.is_whitespace()) && line.chars().count() <= 40 => Mark::Separator,
        _ => Mark::Text,
    }
}

fn is_ornament(c: char) -> bool {
    matches!(
        c,
        '*' | '＊'
            | '-'
            | '—'
            | '–'
            | '_'
            | '='
            | '＝'
            | '~'
            | '～'
            | '※'
            | '◇'
            | '◆'
            | '○'
            | '●'
            | '☆'
            | '★'
            | '□'
            | '■'
            | '△'
            | '▲'
            | '#'
            | '＃'
            | '+'
            | '·'
            | '•'
            | '⁂'
            | '✦'
            | '─'
            | '━'
    )
}

/// Marks what the markup says to be headings; returns how many chapters there are.
fn by_markup(lines: &[&str], roles: &[Role], marks: &mut [Mark]) -> usize {
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

fn by_words(lines: &[&str], marks: &[Mark]) -> Vec<(usize, Heading)> {
    let text = |index: &usize| marks[*index] == Mark::Text;
    (0..lines.len()).filter(text).filter_map(|index| Some((index, headings::read(lines[index])?))).collect()
}

/// Lines that are numbers, if they count up from 0 or 1 and there are at least two of them.
fn by_counting(lines: &[&str], marks: &[Mark]) -> Vec<(usize, Label)> {
    let mut found: Vec<(usize, Label)> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(label) = Some(line).filter(|_| marks[index] == Mark::Text).and_then(|line| headings::read_bare(line))
        else {
            continue;
        };
        let next = found.last().and_then(|(_, last)| last.number).map(|last| last + 1);
        let fits = next.map_or_else(|| label.number.is_some_and(|first| first <= 1), |next| label.number == Some(next));
        if fits {
            found.push((index, label));
        }
    }
    if found.len() < 2 { Vec::new() } else { found }
}

/// Headings that follow each other without any text, and come again later, are a table of contents.
fn contents(lines: &[&str], marks: &mut [Mark]) {
    const ENOUGH: usize = 3;
    let heading = |mark: &Mark| matches!(mark, Mark::Heading { .. });
    let first = marks.iter().position(heading);
    let Some(first) = first else { return };
    let until = (first..marks.len())
        .find(|index| !heading(&marks[*index]) && !matches!(marks[*index], Mark::Blank | Mark::Rule));
    let until = until.unwrap_or(marks.len());
    let all: Vec<usize> = (first..until).filter(|index| heading(&marks[*index])).collect();
    let headings = (first..marks.len()).filter(|index| heading(&marks[*index]));
    let last: BTreeMap<String, usize> = headings.map(|index| (tidy(lines[index]), index)).collect();
    let mut seen = BTreeSet::new();
    let listed = all.iter().take_while(|index| {
        let words = tidy(lines[**index]);
        last.get(&words).is_some_and(|last| last > *index) && seen.insert(words)
    });
    let listed: Vec<usize> = listed.copied().collect();
    if listed.len() < ENOUGH {
        return;
    }
    listed.iter().for_each(|index| marks[*index] = Mark::Contents);
    let title = (0..first).rev().find(|index| !matches!(marks[*index], Mark::Blank));
    if let Some(index) = title
        .filter(|index| matches!(tidy(lines[*index]).as_str(), "目录" | "目 录" | "目錄" | "Contents" | "CONTENTS"))
    {
        marks[index] = Mark::Contents;
    }
}

/// Pages from the web have their heading twice.
fn repeated(marks: &mut [Mark]) {
    let mut last: Option<Label> = None;
    for mark in marks {
        match mark {
            Mark::Heading { volume: None, chapter: Some(chapter), again } => {
                *again = last.as_ref().is_some_and(|last| last.words == chapter.words);
                last = Some(chapter.clone());
            }
            Mark::Blank | Mark::Rule => {}
            _ => last = None,
        }
    }
}

/// What stands before the first heading is no chapter: title, author, a word beforehand.
fn front(lines: &[&str], marks: &mut [Mark]) {
    const TITLE: usize = 30;
    let Some(first) = marks.iter().position(|mark| matches!(mark, Mark::Heading { .. })) else { return };
    let mut titled = marks[..first].contains(&Mark::Title);
    for (index, mark) in marks[..first].iter_mut().enumerate() {
        let line = trim(lines[index]);
        if !matches!(mark, Mark::Text | Mark::Separator) {
            continue;
        }
        if let Some(author) = author(line) {
            *mark = Mark::Author(author);
        } else if !titled && *mark == Mark::Text && line.chars().count() <= TITLE && !line.ends_with(['。', '，', '.'])
        {
            *mark = Mark::Title;
            titled = true;
        } else {
            *mark = Mark::Front;
        }
        titled |= !matches!(mark, Mark::Separator);
    }
}

fn author(line: &str) -> Option<String> {
    const SIGNS: &[&str] = &["作者：", "作者:", "著者：", "著者:", "Author:", "author:", "By ", "by "];
    let name = SIGNS.iter().find_map(|sign| line.strip_prefix(sign)).map(tidy)?;
    (!name.is_empty() && name.chars().count() <= 40 && !name.ends_with(['.', '。'])).then_some(name)
}
