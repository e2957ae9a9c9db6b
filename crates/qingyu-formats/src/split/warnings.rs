//! Warnings about likely errors in the chapters of a manuscript. Warnings never stop an import.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contents::is_title;
use super::line_mark::LineMark;
use super::listed::{has_word, title_of, without_page};
use super::options::{HeadingRule, SplitOptions};
use super::page::LineView;
use super::parts::SplitChapter;
use crate::headings::{HeadingRank, shape};
use crate::letters::plain;
use crate::read::{Ingested, Origin, ParagraphRole, Truncation};
use crate::spaces::{tidy, trim};

/// Something that looks wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "warning", rename_all = "snake_case")]
pub enum Warning {
    /// Numbers are missing between two chapters that follow each other.
    Missing {
        /// The first number that is missing.
        from: u32,
        /// The last one.
        until: u32,
        /// The chapter after them.
        before: String,
        /// Where that begins.
        origin: Origin,
    },
    /// A number stands twice.
    Twice {
        /// The number.
        number: u32,
        /// The chapter that has it again.
        title: String,
        /// Where that begins.
        origin: Origin,
    },
    /// A number is lower than the one before.
    Backwards {
        /// The number.
        number: u32,
        /// The one before.
        after: u32,
        /// The chapter.
        title: String,
        /// Where it begins.
        origin: Origin,
    },
    /// The whole manuscript is one chapter.
    OneChapter {
        /// How many characters it has, spaces not counted.
        characters: usize,
        /// Lines that read like headings, the first of them.
        suspects: Vec<String>,
    },
    /// Nothing tells for certain that these are the headings.
    Guessed {
        /// How many chapters they begin.
        count: usize,
        /// The first of them.
        example: String,
    },
    /// A chapter is far longer than the others: headings within it may have been missed.
    Long {
        /// The chapter.
        title: String,
        /// How many characters it has, spaces not counted.
        characters: usize,
        /// Where it begins.
        origin: Origin,
    },
    /// More of the manuscript is outside the chapters than in them.
    Outside {
        /// The characters set apart, before the first chapter and in contents lists, spaces not counted.
        characters: usize,
        /// The characters in the chapters, spaces not counted.
        text: usize,
    },
    /// Lines that read like headings of chapters are in the text.
    Unread {
        /// How many.
        count: usize,
        /// The first of them.
        example: String,
        /// Where it stands.
        origin: Origin,
    },
    /// A chapter has no text.
    NoText {
        /// The chapter.
        title: String,
        /// Where it begins.
        origin: Origin,
    },
    /// The number of a heading is misprinted and was told by the headings around it.
    Misprinted {
        /// The number that was read.
        number: u32,
        /// The heading as it is printed.
        title: String,
        /// Where it stands.
        origin: Origin,
    },
    /// An entry of the table of contents has no heading in the text, though the entries around it have one.
    Unfound {
        /// The entry.
        entry: String,
        /// The chapter in which its heading is missing.
        within: String,
        /// Where that begins.
        origin: Origin,
    },
    /// The file ends in the middle: the rest of the text is missing.
    Truncated {
        /// The entry of an archive, or the file among several; none for the only file.
        place: Option<String>,
        /// The characters read before the end, spaces not counted.
        characters: usize,
        /// The last words read.
        last: String,
    },
}

/// Returns the warnings for files that end in the middle.
pub(super) fn truncated(truncated: &[Truncation]) -> impl Iterator<Item = Warning> {
    truncated.iter().map(|Truncation { place, characters, last }| Warning::Truncated {
        place: place.clone(),
        characters: *characters,
        last: last.clone(),
    })
}

/// Returns a warning for each chapter whose number is misprinted and was told by the headings around it.
pub(super) fn misprinted(chapters: &[SplitChapter]) -> impl Iterator<Item = Warning> {
    chapters.iter().filter_map(|chapter| {
        let SplitChapter { number, title, origin, .. } = chapter;
        let number = number.filter(|_| shape(title).is_some_and(|form| form.misread.is_some()))?;
        Some(Warning::Misprinted { number, title: title.clone(), origin: origin.clone() })
    })
}

/// Returns a warning for each single entry of a table of contents, in the lines `contents`, that is missing between two whose
/// headings follow each other.
pub(super) fn unfound(lines: &[&str], contents: &[usize], chapters: &[SplitChapter]) -> Vec<Warning> {
    /// Minimum number of entries with a heading, and their minimum share, in percent.
    const ENTRIES: usize = 5;
    const SHARE: usize = 80;
    // The letters of a line, whole and without its number: Two Gates begins with none.
    let letters = |line: &str| -> [String; 2] { [plain(without_page(line)), plain(&title_of(line).0)] };
    // The heading of a volume is no chapter.
    let named: BTreeSet<String> =
        chapters.iter().filter_map(|chapter| chapter.volume.as_deref()).flat_map(letters).collect();
    let is_volume = |line: &str| shape(line).is_some_and(|form| form.rank == HeadingRank::Volume);
    let is_entry = |line: &&str| has_word(line) && !is_title(line) && !is_volume(line) && !named.contains(&plain(line));
    let entries: Vec<&str> = contents.iter().map(|at| lines[*at]).filter(is_entry).collect();
    if entries.len() < ENTRIES {
        return Vec::new();
    }
    let headings: BTreeMap<String, usize> = chapters
        .iter()
        .enumerate()
        .flat_map(|(place, chapter)| letters(&chapter.title).map(|letters| (letters, place)))
        .collect();
    let place = |entry: &&str| letters(entry).iter().find_map(|letters| headings.get(letters).copied());
    let places: Vec<Option<usize>> = entries.iter().map(place).collect();
    if places.iter().flatten().count() * 100 < entries.len() * SHARE {
        return Vec::new();
    }
    let missing = places.windows(3).zip(&entries[1..]).filter_map(|(around, entry)| match around {
        [Some(before), None, Some(after)] if *after == before + 1 => {
            let SplitChapter { title, origin, .. } = &chapters[*before];
            Some(Warning::Unfound { entry: tidy(entry), within: title.clone(), origin: origin.clone() })
        }
        _ => None,
    });
    missing.collect()
}

/// Returns a warning if more of the manuscript is outside the chapters than in them. A licence has its usual length.
pub(super) fn outside(characters: usize, text: usize) -> Option<Warning> {
    const LICENCE: usize = 20_000;
    (characters > LICENCE.max(text)).then_some(Warning::Outside { characters, text })
}

/// Returns a warning if several lines of the text read like headings: by their words, by an entry of the contents, or by
/// the markup.
pub(super) fn unread(ingested: &Ingested, lines: &[&str], marks: &[LineMark]) -> Option<Warning> {
    let ways = [numbered(lines, marks), listed(lines, marks), marked(ingested, lines, marks)];
    let known = found_headings(marks);
    let ways = ways.into_iter().map(|way| without_known(lines, way, &known));
    let found = ways.max_by_key(Vec::len).filter(|found| found.len() >= ENOUGH)?;
    let first = *found.first()?;
    let origin = ingested.paragraphs[first].origin.clone();
    Some(Warning::Unread { count: found.len(), example: tidy(lines[first]), origin })
}

/// Minimum number of lines that read like headings.
const ENOUGH: usize = 3;

/// Returns how many chapters begin with each heading, by its letters.
fn found_headings(marks: &[LineMark]) -> BTreeMap<String, usize> {
    let mut known = BTreeMap::new();
    for mark in marks {
        if let LineMark::Heading { chapter: Some(chapter), again: false, .. } = mark {
            *known.entry(plain(&chapter.words)).or_default() += 1;
        }
    }
    known
}

/// Returns the lines without those that repeat the heading of a chapter, as a list of links does: each has as many chapters as
/// lines.
fn without_known(lines: &[&str], found: Vec<usize>, known: &BTreeMap<String, usize>) -> Vec<usize> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    found.iter().for_each(|at| *counts.entry(plain(lines[*at])).or_default() += 1);
    let is_known = |at: &usize| {
        let letters = plain(lines[*at]);
        known.get(&letters).is_some_and(|chapters| counts.get(&letters).is_some_and(|count| count <= chapters))
    };
    found.into_iter().filter(|at| !is_known(at)).collect()
}

/// Returns whether a line is one of the first below a heading: a line of its title, which may be long.
fn is_below_heading(marks: &[LineMark], at: usize) -> bool {
    const LINES: usize = 4;
    let above = marks[..at].iter().rev().filter(|mark| !matches!(mark, LineMark::Blank | LineMark::Rule));
    above.take(LINES).any(|mark| matches!(mark, LineMark::Heading { .. } | LineMark::HeadingRest))
}

/// Returns the lines of the text in the form of a chapter's heading, if they have several numbers.
fn numbered(lines: &[&str], marks: &[LineMark]) -> Vec<usize> {
    /// Length in bytes beyond which a line is prose.
    const LONGEST: usize = 240;
    static HEADING: LazyLock<Regex> = LazyLock::new(|| {
        let number = "[0-9０-９零〇○一二两三四五六七八九十百千]{1,7}";
        let chinese = format!("[^，。！？；“”…]{{0,24}}第 ?(?<zh>{number}) ?[章回](?:[^，。！？；“”…]{{0,30}})");
        let english = "[#*_ ]{0,4}chapter +(?<en>[0-9]{1,3}|[ivxlc]{1,8})\\b[^,;!?]{0,60}";
        Regex::new(&format!("(?i)^(?:{chinese}|{english})$")).expect("constant")
    });
    // （第三章 完）
    let ends = |line: &str| trim(line).trim_end_matches(['）', ')', '】', ']']).ends_with(['完', '终', '終']);
    let number = |at: usize| {
        let found = HEADING.captures(trim(lines[at]))?;
        Some((at, found.name("zh").or(found.name("en"))?.as_str().to_lowercase()))
    };
    let of_text = (0..lines.len()).filter(|at| marks[*at] == LineMark::Text && lines[*at].len() <= LONGEST);
    let found: Vec<(usize, String)> = of_text.filter(|at| !ends(lines[*at])).filter_map(number).collect();
    let numbers: BTreeSet<&str> = found.iter().map(|(_, number)| number.as_str()).collect();
    if numbers.len() >= ENOUGH { found.iter().map(|(at, _)| *at).collect() } else { Vec::new() }
}

/// Returns the lines of the text that repeat an entry of the table of contents.
fn listed(lines: &[&str], marks: &[LineMark]) -> Vec<usize> {
    let letters = |line: &str| plain(without_page(line));
    let of = |mark: LineMark| (0..lines.len()).filter(move |at| marks[*at] == mark);
    let entries: BTreeSet<String> =
        of(LineMark::Contents).map(|at| letters(lines[at])).filter(|line| has_word(line)).collect();
    if entries.is_empty() {
        return Vec::new();
    }
    let found: Vec<(usize, String)> = of(LineMark::Text)
        .map(|at| (at, letters(lines[at])))
        .filter(|(at, line)| entries.contains(line) && !is_below_heading(marks, *at))
        .collect();
    let different: BTreeSet<&str> = found.iter().map(|(_, line)| line.as_str()).collect();
    if different.len() >= ENOUGH { found.iter().map(|(at, _)| *at).collect() } else { Vec::new() }
}

/// Returns the headings of the markup that begin no chapter, if the chapters are few and long: those of another level may be
/// the chapters.
fn marked(ingested: &Ingested, lines: &[&str], marks: &[LineMark]) -> Vec<usize> {
    const LONG: usize = 30_000;
    const TIMES: usize = 3;
    let is_heading = |at: &usize| matches!(ingested.paragraphs[*at].role, ParagraphRole::Heading(_));
    let found: Vec<usize> = (0..lines.len()).filter(|at| marks[*at] == LineMark::Text).filter(is_heading).collect();
    let begins = |mark: &&LineMark| matches!(mark, LineMark::Heading { chapter: Some(_), again: false, .. });
    let chapters = marks.iter().filter(begins).count().max(1);
    let text = || LineView { lines, marks }.characters(0..lines.len());
    if found.len() >= ENOUGH.max(TIMES * chapters) && text() > LONG * chapters { found } else { Vec::new() }
}

/// Returns the warnings; `suspects` are lines in the form of a heading, but not chosen.
pub(super) fn look(
    chapters: &[SplitChapter],
    is_guess: bool,
    suspects: &[String],
    splitting: &SplitOptions,
) -> Vec<Warning> {
    let mut warnings = as_a_whole(chapters, is_guess, suspects, splitting);
    let mut seen: BTreeMap<u32, ()> = BTreeMap::new();
    let (mut last, mut volume) = (None, None);
    for (place, chapter) in chapters.iter().enumerate() {
        let (title, origin) = (chapter.title.clone(), chapter.origin.clone());
        if chapter.characters == 0 {
            warnings.push(Warning::NoText { title: title.clone(), origin: origin.clone() });
        }
        let Some(number) = chapter.number else { continue };
        // A new volume may restart the count.
        if volume != Some(&chapter.volume) && number <= 1 {
            seen.clear();
            last = None;
        }
        // Another book in the same file may also restart the count; one warning is enough.
        let next = chapters[place + 1..].iter().find_map(|next| next.number);
        let is_again = number <= 1 && next == Some(number + 1) && last.is_some_and(|last| last > number);
        if let Some(after) = last.filter(|_| is_again) {
            warnings.push(Warning::Backwards { number, after, title, origin });
            seen = BTreeMap::from([(number, ())]);
            last = Some(number);
            volume = Some(&chapter.volume);
            continue;
        }
        volume = Some(&chapter.volume);
        let expected = last.map_or(1, |last: u32| last.saturating_add(1));
        if seen.insert(number, ()).is_some() {
            warnings.push(Warning::Twice { number, title, origin });
            continue;
        }
        if number > expected {
            warnings.push(Warning::Missing { from: expected, until: number - 1, before: title, origin });
        } else if let Some(after) = last.filter(|last| number < *last) {
            warnings.push(Warning::Backwards { number, after, title, origin });
        }
        last = Some(number);
    }
    warnings
}

/// Returns the warnings about the chapters as a whole.
fn as_a_whole(
    chapters: &[SplitChapter],
    is_guess: bool,
    suspects: &[String],
    splitting: &SplitOptions,
) -> Vec<Warning> {
    /// Length in characters beyond which a single chapter is suspicious.
    const LONG: usize = 20_000;
    /// Number of heading-like lines beyond which prose is unlikely.
    const MANY: usize = 2;
    /// Ratio to the usual length beyond which a chapter is suspicious, and the prose above the first heading.
    const TIMES: usize = 8;
    const TIMES_OPENING: usize = 4;
    const SHOWN: usize = 5;
    let is_asked = splitting.headings == HeadingRule::Off || splitting.cut.is_some();
    let mut warnings = Vec::new();
    if let [only] = chapters
        && !is_asked
        && (only.characters > LONG || suspects.len() >= MANY)
    {
        let suspects = suspects.iter().take(SHOWN).cloned().collect();
        warnings.push(Warning::OneChapter { characters: only.characters, suspects });
    }
    if is_guess && let Some(first) = chapters.iter().find(|chapter| !chapter.title.is_empty()) {
        warnings.push(Warning::Guessed { count: chapters.len(), example: first.title.clone() });
    }
    let mut lengths: Vec<usize> = chapters.iter().map(|chapter| chapter.characters).collect();
    lengths.sort_unstable();
    let usual = lengths.get(lengths.len() / 2).copied().unwrap_or_default();
    for chapter in chapters.iter().filter(|_| chapters.len() >= 3) {
        let times = if chapter.title.is_empty() { TIMES_OPENING } else { TIMES };
        if chapter.characters > LONG && chapter.characters > times * usual {
            let SplitChapter { title, characters, origin, .. } = chapter.clone();
            warnings.push(Warning::Long { title, characters, origin });
        }
    }
    warnings
}
