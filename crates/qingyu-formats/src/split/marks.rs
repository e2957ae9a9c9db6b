//! What each line of a manuscript is: a heading, prose, contents, front matter, or no part of the book.

use super::apart::{self, ApartKind, Header};
use super::candidates::{self, Candidate};
use super::choice::{self, Choice, Chosen};
use super::page::{Page, visible};
use super::pattern::Pattern;
use super::{HeadingForm, HeadingRule, contents, front, markup, titles};
use crate::headings::{Label, Rank, trim};
use crate::{Error, Ingested, Role};

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
    /// A line that belongs to the heading above it: its title, or the rest of it.
    HeadingRest,
    /// Prose below the heading of a volume that belongs to the chapter that follows.
    Carried,
    Text,
    Separator,
    /// No part of the book.
    Apart(ApartKind),
}

/// Lines with their marks, and how the headings were found.
#[derive(Debug)]
pub(super) struct Marked {
    pub(super) marks: Vec<Mark>,
    pub(super) header: Header,
    /// Whether the headings are a guess.
    pub(super) is_guess: bool,
    /// Lines that read like headings and were not taken for any.
    pub(super) suspects: Vec<usize>,
    /// The kinds of headings that were taken.
    pub(super) forms: Vec<HeadingForm>,
}

/// Says of every line what it is.
///
/// Fails with [`Error::BadPattern`] if the pattern of headings is none, and with [`Error::NoHeading`] if it fits no line.
pub(super) fn find(ingested: &Ingested, lines: &[&str], rule: &HeadingRule) -> Result<Marked, Error> {
    let roles: Vec<Role> = ingested.paragraphs.iter().map(|paragraph| paragraph.role).collect();
    let mut marks: Vec<Mark> = lines.iter().zip(&roles).map(|(line, role)| plainly(line, *role)).collect();
    let header = apart::mark(lines, &mut marks);
    let mut is_guess = false;
    let mut suspects = Vec::new();
    let mut forms = Vec::new();
    match rule {
        HeadingRule::Off => {}
        HeadingRule::Pattern(pattern) => {
            let pattern = Pattern::new(pattern)?;
            let headings = pattern.find(Page { lines, marks: &marks })?;
            forms = forms_of(&headings);
            set(lines, &mut marks, headings);
        }
        HeadingRule::Learnt => {
            let marked = markup::mark(lines, &roles, &mut marks);
            let found = candidates::gather(Page { lines, marks: &marks });
            let mut listed = contents::find(Page { lines, marks: &marks }, &found);
            if marked > 0 {
                // Lines under the table of contents of the markup are no contents of ours.
                listed.retain(|index| marks[*index] == Mark::Text);
            }
            listed.iter().for_each(|index| marks[*index] = Mark::Contents);
            let found: Vec<Candidate> = found.into_iter().filter(|one| !listed.contains(&one.index)).collect();
            let choice = chosen(Page { lines, marks: &marks }, &found, marked);
            is_guess = choice.is_guess;
            let taken: Vec<usize> = choice.headings.iter().map(|one| one.index).collect();
            let is_suspect = |one: &&Candidate| {
                taken.binary_search(&one.index).is_err()
                    && !matches!(one.form.rank, Rank::Bare | Rank::Trailing | Rank::Generic)
            };
            suspects.extend(found.iter().filter(is_suspect).map(|one| one.index));
            forms = forms_of(&choice.headings);
            choice.contents.iter().for_each(|index| marks[*index] = Mark::Contents);
            set(lines, &mut marks, choice.headings);
            if marked > 0 {
                marked_contents(lines, &mut marks);
            }
        }
    }
    repeated(&mut marks);
    below_volumes(lines, &mut marks);
    if *rule != HeadingRule::Off {
        front::mark(lines, &mut marks);
    }
    Ok(Marked { marks, header, is_guess, suspects, forms })
}

/// Where headings are marked as such, a line that only reads like one is text, unless most are not marked.
fn chosen(page: Page<'_>, found: &[Candidate], marked: usize) -> Choice {
    if marked == 0 {
        return choice::choose(page, found);
    }
    let certain: Vec<Candidate> = found.iter().filter(|one| one.form.is_certain).cloned().collect();
    let choice = choice::choose(page, &certain);
    let chapters = choice.headings.iter().filter(|one| one.heading.chapter.is_some()).count();
    if chapters > marked && !choice.is_guess { choice } else { Choice::default() }
}

/// Marks the headings with the titles below them.
fn set(lines: &[&str], marks: &mut [Mark], mut headings: Vec<Chosen>) {
    let rest = titles::attach(Page { lines, marks }, &mut headings);
    for Chosen { index, heading, .. } in headings {
        marks[index] = Mark::Heading { volume: heading.volume, chapter: heading.chapter, again: false };
    }
    rest.into_iter().for_each(|index| marks[index] = Mark::HeadingRest);
}

/// How many chapters each kind of heading begins.
fn forms_of(headings: &[Chosen]) -> Vec<HeadingForm> {
    let mut forms: Vec<(&str, HeadingForm)> = Vec::new();
    for heading in headings {
        let Some(chapter) = &heading.heading.chapter else { continue };
        match forms.iter_mut().find(|(family, _)| *family == heading.family) {
            Some((_, form)) => form.count += 1,
            None => forms.push((&heading.family, HeadingForm { example: chapter.words.clone(), count: 1 })),
        }
    }
    forms.into_iter().map(|(_, form)| form).collect()
}

/// Prose between the heading of a volume and its first chapter is a chapter with the name of the volume, or, if it is
/// short, the beginning of that chapter.
fn below_volumes(lines: &[&str], marks: &mut [Mark]) {
    const SHORT: usize = 300;
    let headings: Vec<usize> = (0..marks.len()).filter(|at| matches!(marks[*at], Mark::Heading { .. })).collect();
    for (place, from) in headings.iter().enumerate() {
        let Mark::Heading { volume: Some(volume), chapter: None, .. } = &marks[*from] else { continue };
        let until = headings.get(place + 1).copied();
        let texts: Vec<usize> =
            (from + 1..until.unwrap_or(marks.len())).filter(|at| marks[*at] == Mark::Text).collect();
        let characters: usize = texts.iter().map(|at| visible(lines[*at])).sum();
        if characters == 0 {
            continue;
        }
        let leads = until.is_some_and(|until| matches!(marks[until], Mark::Heading { chapter: Some(_), .. }));
        if leads && characters < SHORT {
            texts.into_iter().for_each(|at| marks[at] = Mark::Carried);
        } else {
            let chapter = Some(Label { number: None, words: volume.words.clone() });
            marks[*from] = Mark::Heading { volume: Some(volume.clone()), chapter, again: false };
        }
    }
}

fn plainly(line: &str, role: Role) -> Mark {
    const DRAWN: usize = 40;
    let line = trim(line);
    match role {
        Role::Rule => Mark::Rule,
        _ if line.is_empty() => Mark::Blank,
        Role::Title => Mark::Title,
        Role::Contents => Mark::Contents,
        Role::Front => Mark::Front,
        _ if line.chars().all(|c| is_ornament(c) || c.is_whitespace()) && line.chars().count() <= DRAWN => {
            Mark::Separator
        }
        _ => Mark::Text,
    }
}

fn is_ornament(c: char) -> bool {
    "*＊-—–_=＝~～※◇◆○●☆★□■△▲#＃+·•⁂✦─━".contains(c)
}

/// Headings of the markup that follow each other without any text, and come again later, are a table of contents.
fn marked_contents(lines: &[&str], marks: &mut [Mark]) {
    use std::collections::{BTreeMap, BTreeSet};

    use crate::headings::tidy;
    const ENOUGH: usize = 3;
    let heading = |mark: &Mark| matches!(mark, Mark::Heading { .. });
    let Some(first) = marks.iter().position(heading) else { return };
    let until = (first..marks.len()).find(|index| {
        !heading(&marks[*index]) && !matches!(marks[*index], Mark::Blank | Mark::Rule | Mark::HeadingRest)
    });
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
    if let Some(index) = title.filter(|index| contents::is_title(lines[*index])) {
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
            Mark::Blank | Mark::Rule | Mark::HeadingRest | Mark::Apart(_) => {}
            _ => last = None,
        }
    }
}
