//! The role of each line of a manuscript: heading, prose, contents, front matter, or outside the book.

use super::apart::{self, ArchiveHeader};
use super::candidates::{self, HeadingCandidate};
use super::choice::{self, HeadingChoice};
use super::chosen::ChosenHeading;
use super::line_mark::LineMark;
use super::options::HeadingRule;
use super::page::{LineView, visible};
use super::parts::{ApartKind, HeadingForm};
use super::pattern::HeadingPattern;
use super::{contents, declared, front, markup, page_marks, suspects, titles};
use crate::Error;
use crate::headings::{HeadingLabel, HeadingRank, shape};
use crate::letters::letters;
use crate::read::{Ingested, ParagraphRole};
use crate::spaces::trim;
use qingyu_story::language::is_han;
use qingyu_story::numerals;

/// Lines with their marks, and how the headings were found.
#[derive(Debug)]
pub(super) struct MarkedLines {
    pub(super) marks: Vec<LineMark>,
    pub(super) header: ArchiveHeader,
    /// Whether the headings are a guess.
    pub(super) is_guess: bool,
    /// Lines in the form of a heading, but not chosen.
    pub(super) suspects: Vec<usize>,
    /// The forms of the headings.
    pub(super) forms: Vec<HeadingForm>,
    /// Headings repeated within their own chapter, which they do not end.
    pub(super) repeated: Vec<(usize, HeadingLabel)>,
}

/// Assigns a mark to every line.
///
/// Returns [`Error::BadPattern`] if the heading pattern is invalid, and [`Error::NoHeading`] if the pattern matches no
/// line.
pub(super) fn find(ingested: &Ingested, lines: &[&str], rule: &HeadingRule) -> Result<MarkedLines, Error> {
    let roles: Vec<ParagraphRole> = ingested.paragraphs.iter().map(|paragraph| paragraph.role).collect();
    let mut marks: Vec<LineMark> = lines.iter().zip(&roles).map(|(line, role)| plainly(line, *role)).collect();
    // A project has no text outside the book, and every heading is declared.
    let is_declared = roles.iter().any(|role| matches!(role, ParagraphRole::Volume | ParagraphRole::Chapter { .. }));
    let header = if is_declared { ArchiveHeader::default() } else { apart::mark(lines, &roles, &mut marks) };
    let mut is_guess = false;
    let mut suspects = Vec::new();
    let mut chosen_headings: Vec<ChosenHeading> = Vec::new();
    match rule {
        HeadingRule::Off => {}
        HeadingRule::Pattern(pattern) => {
            let pattern = HeadingPattern::new(pattern)?;
            let headings = pattern.find(LineView { lines, marks: &marks })?;
            chosen_headings.clone_from(&headings);
            set(lines, &mut marks, headings);
        }
        HeadingRule::Learnt if is_declared => {
            let forms = declared::mark(lines, &roles, &mut marks);
            below_volumes(lines, &mut marks);
            return Ok(MarkedLines { marks, header, is_guess, suspects, forms, repeated: Vec::new() });
        }
        HeadingRule::Learnt => {
            for index in page_marks::find(LineView { lines, marks: &marks }) {
                marks[index] = LineMark::Apart(ApartKind::Update);
            }
            let unmarked = marks.clone();
            let marked = markup::mark(lines, &roles, &mut marks, ingested.title.as_deref());
            let found = candidates::gather(LineView { lines, marks: &marks });
            let mut listed = contents::find(LineView { lines, marks: &marks }, &found);
            if marked > 0 {
                // The headings of the markup are the evidence that lines with their numbers are the table of contents.
                let page = LineView { lines, marks: &unmarked };
                let is_entry = |index: &usize| {
                    let is_candidate = || found.binary_search_by_key(index, |one| one.index).is_ok();
                    contents::is_title(lines[*index]) || is_candidate()
                };
                listed.extend(contents::find(page, &candidates::gather(page)).into_iter().filter(is_entry));
                // Keeps the marks of the markup's own table of contents.
                listed.retain(|index| marks[*index] == LineMark::Text);
            }
            listed.iter().for_each(|index| marks[*index] = LineMark::Contents);
            let found: Vec<HeadingCandidate> = found.into_iter().filter(|one| !listed.contains(&one.index)).collect();
            let choice = chosen(LineView { lines, marks: &marks }, &found, marked);
            is_guess = choice.is_guess;
            let taken: Vec<usize> = choice.headings.iter().map(|one| one.index).collect();
            let is_suspect = |one: &&HeadingCandidate| {
                taken.binary_search(&one.index).is_err()
                    && !matches!(
                        one.form.rank,
                        HeadingRank::Bare | HeadingRank::Trailing | HeadingRank::Generic | HeadingRank::Misprint
                    )
            };
            suspects.extend(found.iter().filter(is_suspect).map(|one| one.index));
            if suspects.is_empty() && choice.headings.len() <= 1 && marked <= 1 {
                suspects = suspects::alike(LineView { lines, marks: &marks });
            }
            chosen_headings.clone_from(&choice.headings);
            choice.contents.iter().for_each(|index| marks[*index] = LineMark::Contents);
            set(lines, &mut marks, choice.headings);
            if marked > 0 {
                marked_contents(lines, &mut marks);
            }
        }
    }
    let repeated = repeated(lines, &mut marks);
    let begins = |heading: &&ChosenHeading| matches!(marks[heading.index], LineMark::Heading { again: false, .. });
    let forms = forms_of(chosen_headings.iter().filter(begins));
    below_volumes(lines, &mut marks);
    if *rule != HeadingRule::Off {
        front::mark(lines, &mut marks);
    }
    Ok(MarkedLines { marks, header, is_guess, suspects, forms, repeated })
}

/// If headings are marked up, an unmarked line in the form of a heading is text, unless most headings are unmarked.
fn chosen(page: LineView<'_>, found: &[HeadingCandidate], marked: usize) -> HeadingChoice {
    if marked == 0 {
        return choice::choose(page, found);
    }
    let certain: Vec<HeadingCandidate> = found.iter().filter(|one| one.form.is_certain).cloned().collect();
    let choice = choice::choose(page, &certain);
    let chapters = choice.headings.iter().filter(|one| one.heading.chapter.is_some()).count();
    if chapters > marked && !choice.is_guess { choice } else { HeadingChoice::default() }
}

/// Marks the headings with the titles below.
fn set(lines: &[&str], marks: &mut [LineMark], mut headings: Vec<ChosenHeading>) {
    let rest = titles::attach(LineView { lines, marks }, &mut headings);
    for ChosenHeading { index, heading, .. } in headings {
        marks[index] = LineMark::Heading { volume: heading.volume, chapter: heading.chapter, again: false };
    }
    rest.into_iter().for_each(|index| marks[index] = LineMark::HeadingRest);
}

/// Returns the number of chapters by heading form; `headings` begin a chapter each.
fn forms_of<'h>(headings: impl Iterator<Item = &'h ChosenHeading>) -> Vec<HeadingForm> {
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

/// Turns prose between a volume heading and its first chapter into a chapter named after the volume, or, if short,
/// prepends the prose to the first chapter.
fn below_volumes(lines: &[&str], marks: &mut [LineMark]) {
    const SHORT: usize = 300;
    let headings: Vec<usize> = (0..marks.len()).filter(|at| matches!(marks[*at], LineMark::Heading { .. })).collect();
    for (place, from) in headings.iter().enumerate() {
        let LineMark::Heading { volume: Some(volume), chapter: None, .. } = &marks[*from] else { continue };
        let until = headings.get(place + 1).copied();
        let texts: Vec<usize> =
            (from + 1..until.unwrap_or(marks.len())).filter(|at| marks[*at] == LineMark::Text).collect();
        let characters: usize = texts.iter().map(|at| visible(lines[*at])).sum();
        if characters == 0 {
            continue;
        }
        let leads = until.is_some_and(|until| matches!(marks[until], LineMark::Heading { chapter: Some(_), .. }));
        if leads && characters < SHORT {
            texts.into_iter().for_each(|at| marks[at] = LineMark::Carried);
        } else {
            let chapter = Some(HeadingLabel { number: None, words: volume.words.clone() });
            marks[*from] = LineMark::Heading { volume: Some(volume.clone()), chapter, again: false };
        }
    }
}

fn plainly(line: &str, role: ParagraphRole) -> LineMark {
    const DRAWN: usize = 40;
    let line = trim(line);
    match role {
        ParagraphRole::Rule => LineMark::Rule,
        _ if line.is_empty() => LineMark::Blank,
        ParagraphRole::Title => LineMark::Title,
        ParagraphRole::Contents => LineMark::Contents,
        ParagraphRole::Front => LineMark::Front,
        _ if line.chars().all(|c| is_ornament(c) || c.is_whitespace()) && line.chars().count() <= DRAWN => {
            LineMark::Separator
        }
        _ => LineMark::Text,
    }
}

fn is_ornament(c: char) -> bool {
    "*＊-—–_=＝~～※◇◆○●☆★□■△▲#＃+·•⁂✦─━".contains(c)
}

/// Marks consecutive headings of the markup without text between and with duplicates below as a table of contents.
fn marked_contents(lines: &[&str], marks: &mut [LineMark]) {
    use std::collections::{BTreeMap, BTreeSet};

    use crate::spaces::tidy;
    const ENOUGH: usize = 3;
    let heading = |mark: &LineMark| matches!(mark, LineMark::Heading { .. });
    let Some(first) = marks.iter().position(heading) else { return };
    let until = (first..marks.len()).find(|index| {
        !heading(&marks[*index]) && !matches!(marks[*index], LineMark::Blank | LineMark::Rule | LineMark::HeadingRest)
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
    listed.iter().for_each(|index| marks[*index] = LineMark::Contents);
    let title = (0..first).rev().find(|index| !matches!(marks[*index], LineMark::Blank));
    if let Some(index) = title.filter(|index| contents::is_title(lines[*index])) {
        marks[index] = LineMark::Contents;
    }
}

/// Marks duplicate headings, as in web pages: directly below each other, or, with number and title, before more text of
/// their chapter. Returns the latter. Numbered parts of a chapter, such as `第一章（2）`, are its text.
fn repeated(lines: &[&str], marks: &mut [LineMark]) -> Vec<(usize, HeadingLabel)> {
    let mut last: Option<OpenHeading> = None;
    let mut open: Option<OpenHeading> = None;
    let mut repeated = Vec::new();
    let mut first_parts = Vec::new();
    let number = |mark: &LineMark| match mark {
        LineMark::Heading { chapter: Some(chapter), .. } => chapter.number,
        _ => None,
    };
    let numbers: Vec<(usize, u32)> =
        marks.iter().enumerate().filter_map(|(index, mark)| Some((index, number(mark)?))).collect();
    let next = |index: usize| numbers.get(numbers.partition_point(|(at, _)| *at <= index)).map(|(_, number)| *number);
    let are_double = are_double(marks);
    let are_paged = are_paged(marks);
    let texts = texts(lines, marks);
    let usual = texts.last().copied().unwrap_or_default() / numbers.len().max(1);
    // A motto stands between the heading of a part and its first chapter, which has its heading above both.
    let is_motto = |from: usize, until: usize| (texts[until] - texts[from]) * 10 < usual;
    for (index, mark) in marks.iter_mut().enumerate() {
        match mark {
            LineMark::Heading { volume, chapter: Some(chapter), again } => {
                let volume = volume.as_ref().map(|volume| volume.words.clone());
                let own = OpenHeading { index, volume, label: chapter.clone() };
                *again = last.as_ref().is_some_and(|last| own.repeats(last) || are_double && own.has_number_of(last));
                if *again {
                    continue;
                }
                last = Some(OpenHeading { label: chapter.clone(), volume: own.volume.clone(), index });
                match &open {
                    Some(open) if open.goes_on_as_part(&own) => {
                        *again = true;
                        first_parts.push(open.index);
                        continue;
                    }
                    Some(open)
                        if own.volume.is_none()
                            && open.is_again(&own, next(index), are_paged || is_motto(open.index, index)) =>
                    {
                        *again = true;
                        repeated.push((index, own.label));
                        continue;
                    }
                    _ => open = Some(own),
                }
            }
            LineMark::Heading { .. } => (last, open) = (None, None),
            LineMark::Blank | LineMark::Rule | LineMark::HeadingRest | LineMark::Apart(_) => {}
            _ => last = None,
        }
    }
    for index in first_parts {
        if let LineMark::Heading { chapter: Some(chapter), .. } = &mut marks[index] {
            chapter.words = without_part(&chapter.words).to_owned();
        }
    }
    repeated
}

/// Returns whether most chapters have two headings with one number above their text, as where a site puts its own heading
/// above that of the author: `第1章 夜雨` above `第1章 加更`.
fn are_double(marks: &[LineMark]) -> bool {
    const ENOUGH: usize = 3;
    let (mut all, mut double) = (0_usize, 0_usize);
    let mut last = None;
    for mark in marks {
        match mark {
            LineMark::Heading { chapter: Some(HeadingLabel { number: Some(number), .. }), .. } => {
                all += 1;
                double += usize::from(last == Some(*number));
                last = Some(*number);
            }
            LineMark::Blank | LineMark::Rule | LineMark::HeadingRest | LineMark::Apart(_) => {}
            _ => last = None,
        }
    }
    double >= ENOUGH && double * 3 > all
}

/// Returns whether many chapters have their heading again above each part of their text: `第四章`, without a title.
fn are_paged(marks: &[LineMark]) -> bool {
    const ENOUGH: usize = 5;
    let labels = marks.iter().filter_map(|mark| match mark {
        LineMark::Heading { volume: None, chapter: Some(label), .. } if label.number.is_some() => Some(label),
        _ => None,
    });
    let labels: Vec<&HeadingLabel> = labels.collect();
    let again = labels.windows(2).filter(|pair| pair[0] == pair[1]).count();
    again >= ENOUGH && again * 2 > labels.len()
}

/// Returns the number of characters of text above each line, and of all lines.
fn texts(lines: &[&str], marks: &[LineMark]) -> Vec<usize> {
    let mut sum = 0;
    let above = lines.iter().zip(marks).map(|(line, mark)| {
        let above = sum;
        sum += if *mark == LineMark::Text { visible(line) } else { 0 };
        above
    });
    let mut above: Vec<usize> = above.collect();
    above.push(sum);
    above
}

/// The heading of the current chapter.
struct OpenHeading {
    index: usize,
    volume: Option<String>,
    label: HeadingLabel,
}

impl OpenHeading {
    /// Returns whether the heading, directly below another, is the same: with the same letters, or its number alone.
    fn repeats(&self, above: &Self) -> bool {
        if self.volume.is_some() && self.volume != above.volume {
            return false;
        }
        let is_same = || letters(&self.label.words).eq(letters(&above.label.words));
        let is_number = || {
            self.label.number.is_some()
                && self.label.number == above.label.number
                && shape(&self.label.words).is_some_and(|form| form.title.is_empty())
        };
        self.label.words == above.label.words || is_same() || is_number()
    }

    /// Returns whether the heading, directly below another, has its number and unit.
    fn has_number_of(&self, above: &Self) -> bool {
        let family = |words: &str| shape(words).map(|form| form.family);
        self.label.number.is_some()
            && self.label.number == above.label.number
            && self.volume == above.volume
            && family(&self.label.words) == family(&above.label.words)
    }

    /// Returns whether another heading is the same, with number and title, and not a misprint of the chapter before
    /// `next`. If it `may_lack_title`, the number is enough.
    fn is_again(&self, other: &Self, next: Option<u32>, may_lack_title: bool) -> bool {
        let is_misprint = other.label.number.is_some_and(|number| next == Some(number + 2));
        let is_titled = |words: &str| shape(words).is_some_and(|form| form.number.is_some() && !form.title.is_empty());
        let is_known = || may_lack_title || is_titled(&other.label.words);
        !is_misprint
            && other.label.number.is_some()
            && letters(&self.label.words).eq(letters(&other.label.words))
            && is_known()
    }

    /// Returns whether another heading is that of a later part of the same chapter.
    fn goes_on_as_part(&self, other: &Self) -> bool {
        let (own, later) = (&self.label, &other.label);
        let bare = without_part(&later.words);
        own.number.is_some()
            && own.number == later.number
            && self.volume == other.volume
            && later.words != own.words
            && bare.len() < later.words.len()
            && (bare == without_part(&own.words)
                || shape(bare).is_some_and(|form| form.title.is_empty())
                || is_later_part(&own.words, &later.words))
    }
}

/// Returns a heading without the number of a part behind it: `第一章 夜雨（2）`, `第一章（第2节）`.
fn without_part(words: &str) -> &str {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '(' | ')' | '（' | '）') || c.is_whitespace();
    let counted = words.strip_suffix([')', '）']).and_then(|inside| inside.strip_suffix(['节', '節', '页', '頁']));
    let counted = counted.and_then(|inside| inside.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix('第'));
    let bare = counted.or_else(|| Some(part_in_brackets(words)?.0)).unwrap_or(words).trim_end_matches(is_part);
    let ends_title = |c: char| is_han(c) || "》」』”’！？…".contains(c);
    if bare.chars().next_back().is_some_and(ends_title) { bare } else { words }
}

/// Returns whether the numbers in brackets behind two headings rise, whatever their titles: `第十章 雨晴(1)`, `第十章 雨情(2)`.
fn is_later_part(words: &str, later: &str) -> bool {
    let first = part_in_brackets(words).map(|(_, numbers)| numbers);
    first.zip(part_in_brackets(later)).is_some_and(|(first, (_, second))| first < second)
}

/// Returns a heading without the number in brackets behind it, and this number: `第一章（二）`, `第十三章 归舟(1.2)`.
fn part_in_brackets(words: &str) -> Option<(&str, Vec<i64>)> {
    let inside = words.strip_suffix([')', '）'])?;
    let (bare, part) = inside.rsplit_once(['(', '（'])?;
    let numbers: Option<Vec<i64>> = part.split('.').map(numerals::read_chinese).collect();
    Some((bare, numbers?))
}
