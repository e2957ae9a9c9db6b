//! Headings named by the markup of a file.

use std::collections::{BTreeMap, BTreeSet};

use super::line_mark::LineMark;
use super::page::{LineView, visible};
use super::sequence;
use crate::headings::{self, HeadingLabel, HeadingRank, ParsedHeading, SentenceDoubt};
use crate::read::ParagraphRole;
use crate::spaces::{tidy, trim};

/// Maximum length of an entry of a table of contents, in characters.
const LONGEST_ENTRY: usize = 60;

/// Marks the headings of the markup; returns the number of chapters. `title` is that of the book, if the file has one.
pub(super) fn mark(lines: &[&str], roles: &[ParagraphRole], marks: &mut [LineMark], title: Option<&str>) -> usize {
    let level = |index: usize| match roles[index] {
        ParagraphRole::Heading(level) if marks[index] == LineMark::Text || marks[index] == LineMark::Separator => {
            Some(level)
        }
        _ => None,
    };
    let mut found: Vec<(usize, u8)> = (0..lines.len()).filter_map(|index| Some((index, level(index)?))).collect();
    // By A. Nobody, below the title, is no heading of a chapter.
    let author = [0, 1].into_iter().find_map(|place: usize| {
        let (index, _) = *found.get(place)?;
        let next = found.get(place + 1).map_or(lines.len(), |(next, _)| *next);
        let name = byline(lines[index])?;
        (index + 1..next).all(|at| visible(lines[at]) <= LONGEST_ENTRY).then_some((place, name))
    });
    if let Some((place, name)) = author {
        let (index, _) = found.remove(place);
        marks[index] = LineMark::Author(name);
    }
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
        && let Some(&(next, level)) = found.get(place + 1)
        && level <= found[place].1
    {
        // A title page has a subtitle, or the name of the author.
        const SHORT: usize = 100;
        let texts = (found[place].0 + 1..next).filter(|at| matches!(marks[*at], LineMark::Text | LineMark::Separator));
        let texts: Vec<usize> = texts.collect();
        if texts.is_empty() || place == 0 && texts.iter().map(|at| visible(lines[*at])).sum::<usize>() <= SHORT {
            let (index, _) = found.remove(place);
            marks[index] = LineMark::Title;
            texts.into_iter().for_each(|at| marks[at] = LineMark::Front);
        }
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
    let counted = counted(lines, &found);
    let filling = filling(lines, &found);
    let page = LineView { lines, marks };
    let is_empty = |from: usize, until: usize| is_directly_above(page, from, until);
    let text = |from: usize, until: usize| page.characters(from + 1..until);
    let counts = |level| is_counting(&found, &counted, level, text);
    let subtitles: Vec<Option<Vec<usize>>> = (0..found.len()).map(|place| subtitle(page, &found, place)).collect();
    let (volumes, chapters) = levels(&found, told, &counted, counts, is_empty, |place| subtitles[place].is_some());
    // A part above the volumes has no text of its own: The First Epoch, above narratives with chapters.
    let mut parts: BTreeSet<usize> = BTreeSet::new();
    for (place, (index, level)) in found.iter().enumerate() {
        let next = found.get(place + 1).filter(|(next, _)| is_empty(*index, *next));
        let is_above = next.is_some_and(|(_, next)| next > level && *next <= chapters);
        if volumes.is_some_and(|volumes| *level < volumes) && is_above {
            parts.insert(*index);
        }
    }
    let titles: BTreeSet<usize> =
        (1..found.len()).filter(|place| is_title_of_above(page, &found, *place, &counted)).collect();
    let outer = outer_units(page, &found, volumes, chapters);
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
    let mut part: Option<String> = None;
    let mut has_volume = false;
    for (place, (index, level)) in found.iter().copied().enumerate() {
        if titles.contains(&place)
            && let LineMark::Heading { chapter: Some(chapter), .. } = &mut marks[found[place - 1].0]
        {
            chapter.words = format!("{} {}", chapter.words, tidy(lines[index]));
            marks[index] = LineMark::HeadingRest;
            continue;
        }
        let words = told(index);
        let label = || HeadingLabel {
            number: words.as_ref().and_then(number).or_else(|| counted.get(&index).or(filling.get(&index)).copied()),
            words: tidy(lines[index]),
        };
        if parts.contains(&index) {
            part = Some(tidy(lines[index]));
            marks[index] = LineMark::Heading { volume: Some(label()), chapter: None, again: false };
            continue;
        }
        if volumes.is_some_and(|volumes| level < volumes) {
            part = None;
        }
        let is_next = || last.is_none_or(|last| words.as_ref().and_then(number) == Some(last.saturating_add(1)));
        let begins_count = || {
            let below = found.get(place + 1).map(|(next, _)| *next);
            let first =
                below.and_then(|next| counted.get(&next).copied().or_else(|| told(next).as_ref().and_then(number)));
            subtitles[place].as_ref().is_some_and(Vec::is_empty) && first == Some(1)
        };
        let is_flat = || found.get(place + 1).is_some_and(|(_, next)| *next <= level);
        let mut heading = match &words {
            // 第一章 above 第一节, which counts through the book, is a part.
            _ if outer.contains(&index) => ParsedHeading { volume: Some(label()), chapter: None },
            // Matter above the first part is in none.
            None if !outer.is_empty() && Some(level) == volumes && !has_volume && is_flat() => {
                ParsedHeading { volume: None, chapter: Some(label()) }
            }
            // Epilogue, at the level of the parts and above a chapter I of its own, is a part.
            Some(heading)
                if Some(level) == volumes
                    && heading.volume.is_none()
                    && number(heading).is_none()
                    && begins_count() =>
            {
                ParsedHeading { volume: Some(label()), chapter: None }
            }
            // Part I, below the title of a tale, is a part of the tale.
            Some(heading) if heading.chapter.is_some() && heading.volume.is_some() || level <= chapters => {
                heading.clone()
            }
            Some(heading) if is_next() && is_chapter(index) => heading.clone(),
            _ if Some(level) == volumes => ParsedHeading { volume: Some(label()), chapter: None },
            _ if level <= chapters => ParsedHeading { volume: None, chapter: Some(label()) },
            // A heading inside a chapter stays a line of the chapter.
            _ => continue,
        };
        if let (Some(part), Some(volume), None) = (&part, &mut heading.volume, &heading.chapter) {
            volume.words = format!("{part} {}", volume.words);
        }
        if let (Some(volume), None, Some(lines_below)) = (&mut heading.volume, &heading.chapter, &subtitles[place])
            && is_untitled(lines[index])
        {
            for at in lines_below {
                volume.words = format!("{} {}", volume.words, tidy(lines[*at]));
                marks[*at] = LineMark::HeadingRest;
            }
        }
        has_volume |= heading.volume.is_some();
        count += usize::from(heading.chapter.is_some());
        last = heading.chapter.as_ref().and_then(|chapter| chapter.number).or(last);
        marks[index] = LineMark::Heading { volume: heading.volume, chapter: heading.chapter, again: false };
    }
    count
}

/// Returns whether nothing but blank lines and rules separates two lines.
fn is_directly_above(page: LineView<'_>, above: usize, below: usize) -> bool {
    (above + 1..below).all(|at| matches!(page.marks[at], LineMark::Blank | LineMark::Rule))
}

/// Returns whether a heading is the title of the one directly above: a chapter with a number only and no text, above a name of the
/// same level with text.
fn is_title_of_above(page: LineView<'_>, found: &[(usize, u8)], place: usize, counted: &BTreeMap<usize, u32>) -> bool {
    let ((above, level), (index, own)) = (found[place - 1], found[place]);
    let until = found[place + 1..].iter().find(|(_, next)| *next <= own).map_or(page.len(), |(next, _)| *next);
    let is_chapter = || {
        let told = headings::read(page.line(above));
        counted.contains_key(&above)
            || told.is_some_and(|told| told.volume.is_none() && told.chapter.is_some_and(|one| one.number.is_some()))
    };
    let is_name = || {
        let told = headings::read(page.line(index));
        let has_number = headings::shape(page.line(index)).is_some_and(|form| form.number.is_some());
        !has_number && told.is_none_or(|told| told.volume.is_none())
    };
    own == level
        && is_untitled(page.line(above))
        && is_directly_above(page, above, index)
        && is_chapter()
        && is_name()
        && page.characters(index + 1..until) > 0
}

/// Returns the headings at the level of the volumes that are called chapters, if most stand directly above others that count
/// in another unit: 第一章 above 第一节.
fn outer_units(page: LineView<'_>, found: &[(usize, u8)], volumes: Option<u8>, chapters: u8) -> BTreeSet<usize> {
    const ENOUGH: usize = 2;
    let unit = |index: usize| headings::shape(page.line(index)).filter(|form| form.is_certain && form.number.is_some());
    let mut units: BTreeMap<String, (BTreeSet<usize>, usize)> = BTreeMap::new();
    for (place, (index, level)) in found.iter().enumerate() {
        if Some(*level) != volumes {
            continue;
        }
        let Some(form) = unit(*index).filter(|form| form.rank == HeadingRank::Chapter && form.volume.is_none()) else {
            continue;
        };
        let below = found
            .get(place + 1)
            .filter(|(next, deeper)| is_directly_above(page, *index, *next) && *deeper > *level && *deeper <= chapters);
        let leads = below.is_some_and(|(next, _)| {
            headings::shape(page.line(*next)).is_some_and(|other| other.number.is_some() && other.family != form.family)
        });
        let (all, leading) = units.entry(form.family).or_default();
        all.insert(*index);
        *leading += usize::from(leads);
    }
    let is_outer = |(all, leading): &(BTreeSet<usize>, usize)| *leading >= ENOUGH && leading * 2 > all.len();
    units.into_values().filter(is_outer).flat_map(|(all, _)| all).collect()
}

/// Returns the lines of a title between a heading and a deeper one directly below, `The Maid` below `Phase the First`; none if
/// nothing is between, and `None` if the next heading is not deeper or prose is between.
fn subtitle(page: LineView<'_>, found: &[(usize, u8)], place: usize) -> Option<Vec<usize>> {
    const LINES: usize = 2;
    const LENGTH: usize = 80;
    let (from, level) = found[place];
    let (until, _) = found.get(place + 1).copied().filter(|(_, next)| *next > level)?;
    let between = from + 1..until;
    let is_other = |at: usize| !matches!(page.marks[at], LineMark::Text | LineMark::Blank | LineMark::Rule);
    if between.clone().any(is_other) {
        return None;
    }
    let lines: Vec<usize> = between.clone().filter(|at| page.is_text(*at)).collect();
    let is_title = lines.len() <= LINES
        && page.characters(between) <= LENGTH
        && !lines.iter().any(|at| headings::ends_a_sentence(page.line(*at)));
    is_title.then_some(lines)
}

/// Returns whether a heading has a number and no title.
fn is_untitled(line: &str) -> bool {
    headings::shape(line).is_some_and(|form| form.number.is_some() && form.title.is_empty())
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

/// Returns the name in a line that names the author and no more: `By A. Nobody`.
fn byline(line: &str) -> Option<String> {
    const WORDS: usize = 5;
    let line = tidy(line);
    let name = ["By ", "by ", "BY "].iter().find_map(|sign| line.strip_prefix(sign))?;
    let is_capital = |word: &str| word.starts_with(char::is_uppercase) || matches!(word, "de" | "von" | "van" | "du");
    let is_name = (2..=WORDS).contains(&name.split(' ').count()) && name.split(' ').all(is_capital);
    is_name.then(|| name.to_owned())
}

fn number(heading: &ParsedHeading) -> Option<u32> {
    heading.chapter.as_ref().or(heading.volume.as_ref())?.number
}

/// Returns the numbers of headings whose form alone is no proof, if they count up among the headings of their level: `IV`,
/// `四`, `Ep 4`.
fn counted(lines: &[&str], found: &[(usize, u8)]) -> BTreeMap<usize, u32> {
    const ENOUGH: usize = 3;
    let mut families: BTreeMap<(u8, String), Vec<(usize, u32)>> = BTreeMap::new();
    for (index, level) in found {
        let form =
            headings::shape(lines[*index]).filter(|form| matches!(form.rank, HeadingRank::Bare | HeadingRank::Generic));
        let Some(form) = form else { continue };
        let Some(number) = form.number else { continue };
        families.entry((*level, form.family)).or_default().push((*index, number));
    }
    let mut counted = BTreeMap::new();
    for headings in families.into_values() {
        let numbers: Vec<u32> = headings.iter().map(|(_, number)| *number).collect();
        let chains: Vec<usize> = sequence::chains(&numbers).into_iter().flatten().collect();
        if chains.len() >= ENOUGH && chains.len() * 2 > numbers.len() {
            counted.extend(chains.into_iter().map(|at| headings[at]));
        }
    }
    counted
}

/// Returns the numbers of headings that read like sentences, if they fill a gap in the count of their unit:
/// `第20回独立关前，四顾无人语`.
fn filling(lines: &[&str], found: &[(usize, u8)]) -> BTreeMap<usize, u32> {
    let mut filling = BTreeMap::new();
    let mut open: Vec<(usize, u32)> = Vec::new();
    let mut last: Option<(u8, String, u32)> = None;
    for (index, level) in found {
        let form = headings::shape(lines[*index]).filter(|form| form.rank == HeadingRank::Chapter && form.is_certain);
        let Some(form) = form else { continue };
        let Some(number) = form.number else { continue };
        let of_unit = last.as_ref().filter(|(at, family, _)| at == level && *family == form.family);
        // The number before the next one in the count.
        let before = of_unit.map(|(_, _, number)| open.last().map_or(*number, |(_, number)| *number));
        let is_next = before.and_then(|before| before.checked_add(1)) == Some(number);
        if form.doubt != SentenceDoubt::None {
            if is_next {
                open.push((*index, number));
            }
            continue;
        }
        if is_next {
            filling.extend(open.drain(..));
        }
        open.clear();
        last = Some((*level, form.family, number));
    }
    filling
}

/// Returns whether the numbers of a level count up and most of the text is below them: sections in one of many tales hold
/// little of it.
fn is_counting(
    found: &[(usize, u8)],
    counted: &BTreeMap<usize, u32>,
    level: u8,
    text: impl Fn(usize, usize) -> usize,
) -> bool {
    if !found.iter().any(|(index, one)| *one == level && counted.contains_key(index)) {
        return false;
    }
    let (mut below, mut all) = (0, 0);
    for pair in found.windows(2) {
        let own = text(pair[0].0, pair[1].0);
        all += own;
        below += if pair[0].1 == level && counted.contains_key(&pair[0].0) || pair[0].1 > level { own } else { 0 };
    }
    below * 10 >= all * 6
}

/// Returns the level of volumes, if any, and the deepest level of chapters: the level of the headings that are chapters by
/// their words; else the outermost level whose numbers count up, or the next one if only titles are between
/// (`leads_below_title`).
fn levels(
    found: &[(usize, u8)],
    told: impl Fn(usize) -> Option<ParsedHeading>,
    counted: &BTreeMap<usize, u32>,
    counts: impl Fn(u8) -> bool,
    nothing_between: impl Fn(usize, usize) -> bool,
    leads_below_title: impl Fn(usize) -> bool,
) -> (Option<u8>, u8) {
    let (mut numbered, mut named): (BTreeMap<u8, usize>, BTreeMap<u8, usize>) = <_>::default();
    for (index, level) in found {
        let Some(heading) = told(*index).filter(|heading| heading.volume.is_none()) else { continue };
        let tally = if number(&heading).is_some() { &mut numbered } else { &mut named };
        *tally.entry(*level).or_default() += 1;
    }
    let above = |level: u8| found.iter().map(|(_, level)| *level).filter(|one| *one < level).max();
    let most = |counts: &BTreeMap<u8, usize>| counts.iter().max_by_key(|(_, count)| **count).map(|(level, _)| *level);
    if let Some(level) = most(&numbered) {
        return (above(level), level);
    }
    let leads = |at: usize| {
        let next = found.get(at + 1);
        next.is_some_and(|next| next.1 > found[at].1 && nothing_between(found[at].0, next.0))
    };
    let of_level = |level: u8| (0..found.len()).filter(move |at| found[*at].1 == level);
    let levels: BTreeSet<u8> = found.iter().map(|(_, level)| *level).collect();
    let mut counting = levels.iter().copied().filter(|level| counts(*level));
    if let Some(first) = counting.next() {
        let mut numbers = of_level(first).filter(|at| counted.contains_key(&found[*at].0));
        let level = counting.next().filter(|_| numbers.all(leads_below_title)).unwrap_or(first);
        return (above(level), level);
    }
    if let Some(level) = most(&named) {
        return (above(level), level);
    }
    let mut levels = levels.into_iter();
    match (levels.next(), levels.next()) {
        (Some(top), Some(second)) => {
            if of_level(top).all(leads) {
                (Some(top), second)
            } else {
                (None, top)
            }
        }
        (Some(top), None) => (None, top),
        _ => (None, 0),
    }
}
