//! Headings in one paragraph with other words: with the prose below, if the table of contents gives the end of the
//! heading; behind the last entry of the contents; or behind the prose above, if the numbers count on. Numbers alone are
//! looked for behind prose only where the sequence lacks them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use qingyu_story::numerals::{self, is_numeral};
use qingyu_story::prose::{EmphasisSpan, emphasis};

use super::sequence;
use crate::headings::{HeadingRank, LineForm, SentenceDoubt, shape};
use crate::letters::letters;
use crate::read::{Ingested, MarkedLine, ParagraphRole, SourceParagraph, within};

/// The line of a heading by itself, with its letters.
struct CleanLine {
    index: usize,
    letters: Vec<char>,
}

/// Returns the manuscript with such headings in paragraphs of their own.
pub(super) fn separate(ingested: &Ingested) -> Cow<'_, Ingested> {
    let is_marked = ingested.paragraphs.iter().any(|one| one.role != ParagraphRole::Text);
    let cuts = if is_marked { BTreeMap::new() } else { cuts(ingested) };
    if cuts.is_empty() {
        return Cow::Borrowed(ingested);
    }
    let mut paragraphs = Vec::with_capacity(ingested.paragraphs.len() + cuts.len());
    for (index, paragraph) in ingested.paragraphs.iter().enumerate() {
        let Some(cut) = cuts.get(&index).map(|cut| paragraph.range.start + cut) else {
            paragraphs.push(paragraph.clone());
            continue;
        };
        let spans = plain_spans(paragraph);
        let marked = |range: Range<usize>| {
            let part = range.start - paragraph.range.start..range.end - paragraph.range.start;
            match MarkedLine::of(&ingested.text[range], &within(&spans, &part)) {
                MarkedLine::Marked(marked) => Some(marked),
                MarkedLine::Plain | MarkedLine::Unmarkable => None,
            }
        };
        let (heading, prose) = (paragraph.range.start..cut, cut..paragraph.range.end);
        let origin = &paragraph.origin;
        paragraphs.push(SourceParagraph {
            marked: marked(heading.clone()),
            range: heading,
            origin: origin.clone(),
            ..*paragraph
        });
        paragraphs.push(SourceParagraph {
            marked: marked(prose.clone()),
            range: prose,
            origin: origin.clone(),
            continues: false,
            ..*paragraph
        });
    }
    Cow::Owned(Ingested { paragraphs, ..ingested.clone() })
}

/// Returns the emphasised stretches of a paragraph, by the bytes of its text without marks.
fn plain_spans(paragraph: &SourceParagraph) -> Vec<EmphasisSpan> {
    let mut at = 0;
    let spans = emphasis(paragraph.marked.as_deref().unwrap_or_default());
    let plain = spans.into_iter().map(|span| {
        let range = at..at + span.range.len();
        at = range.end;
        EmphasisSpan { range, ..span }
    });
    plain.collect()
}

/// Returns the bytes at which paragraphs are cut, by paragraph.
fn cuts(ingested: &Ingested) -> BTreeMap<usize, usize> {
    /// Maximum length in characters of a heading by itself.
    const ALONE: usize = 60;
    let lines = ingested.paragraphs.iter().map(|one| &ingested.text[one.range.clone()]).enumerate();
    let lines: Vec<(usize, &str)> = lines.collect();
    let numerals = numerals_behind_prose(&lines);
    let lines: Vec<(usize, &str)> = lines.into_iter().filter(|(_, line)| line.contains('第')).collect();
    let mut clean: BTreeMap<u32, Vec<CleanLine>> = BTreeMap::new();
    let mut long: Vec<(usize, u32)> = Vec::new();
    let mut begins: BTreeMap<usize, u32> = BTreeMap::new();
    let mut cuts: BTreeMap<usize, usize> = numerals.into_iter().collect();
    for (index, line) in &lines {
        let Some((form, number)) = beginning(line) else { continue };
        if line.trim().chars().count() <= ALONE && form.doubt == SentenceDoubt::None {
            begins.insert(*index, number);
        }
        if line.trim().chars().count() > ALONE {
            long.push((*index, number));
        } else if form.doubt == SentenceDoubt::None && !form.title.is_empty() {
            let is_followed = ingested.paragraphs.get(index + 1).is_some_and(|next| {
                let next = &ingested.text[next.range.clone()];
                !next.trim().is_empty() && beginning(next).is_none()
            });
            match behind_entry(line, number).filter(|_| is_followed) {
                Some(cut) => drop(cuts.insert(*index, cut)),
                None => {
                    let letters = letters(line).collect();
                    clean.entry(number).or_default().push(CleanLine { index: *index, letters });
                }
            }
        }
    }
    cuts.extend(behind_prose(&lines, &begins));
    // With a table of contents most headings occur twice.
    let listed = clean.values().filter(|lines| lines.len() >= 2).count();
    if listed * 2 <= clean.len() {
        return cuts;
    }
    for (index, number) in long {
        let Some([entry]) = clean.get(&number).map(Vec::as_slice) else { continue };
        let line = &ingested.text[ingested.paragraphs[index].range.clone()];
        if index > entry.index
            && let Some(cut) = end_of(line, &entry.letters)
        {
            cuts.insert(index, cut);
        }
    }
    cuts
}

/// Returns the form and number of the heading of a chapter at the beginning of a line.
fn beginning(line: &str) -> Option<(LineForm, u32)> {
    const HEAD: usize = 60;
    let line = line.trim();
    if !line.starts_with('第') {
        return None;
    }
    let end = line.char_indices().nth(HEAD).map_or(line.len(), |(at, _)| at);
    let form = shape(&line[..end]).filter(|form| form.rank == HeadingRank::Chapter && form.is_certain)?;
    let number = form.number?;
    Some((form, number))
}

/// Returns the cuts before headings at the end of a paragraph of prose: their number is missing between the headings
/// that stand alone, given by paragraph.
fn behind_prose(lines: &[(usize, &str)], begins: &BTreeMap<usize, u32>) -> Vec<(usize, usize)> {
    const ENOUGH: usize = 2;
    if begins.len() < ENOUGH {
        return Vec::new();
    }
    let mut last: Option<u32> = None;
    let mut cuts = Vec::new();
    for (index, line) in lines {
        if let Some(number) = begins.get(index) {
            last = Some(*number);
            continue;
        }
        let Some((cut, number)) = ending(line) else { continue };
        let next = begins.range(*index..).next().map(|(_, number)| *number);
        if last.is_some_and(|last| number == last + 1) && next.is_none_or(|next| next > number) {
            cuts.push((*index, cut));
            last = Some(number);
        }
    }
    cuts
}

/// Returns where the heading at the end of a paragraph begins, behind the end of a sentence, and its number.
fn ending(line: &str) -> Option<(usize, u32)> {
    let at = line.rfind('第')?;
    let before = line[..at].trim_end();
    if !before.ends_with(['。', '！', '？', '”', '…', '」']) {
        return None;
    }
    let (form, number) = beginning(&line[at..]).filter(|(form, _)| form.doubt == SentenceDoubt::None)?;
    const TITLE: usize = 20;
    (form.title.chars().count() <= TITLE).then_some((at, number))
}

/// Returns the cuts before numerals at the end of a paragraph of prose, `他睡着了。八`, by paragraph: only numbers that are
/// missing between numerals that stand alone and count up.
fn numerals_behind_prose(lines: &[(usize, &str)]) -> Vec<(usize, usize)> {
    const ENOUGH: usize = 5;
    let alone = lines.iter().enumerate().filter_map(|(place, (_, line))| Some((place, numeral(line.trim())?)));
    let alone: Vec<(usize, u32)> = alone.collect();
    let numbers: Vec<u32> = alone.iter().map(|(_, number)| *number).collect();
    let counting: Vec<usize> = sequence::chains(&numbers).into_iter().flatten().collect();
    if counting.len() < ENOUGH {
        return Vec::new();
    }
    let mut cuts = Vec::new();
    for pair in counting.windows(2) {
        let ((from, before), (until, after)) = (alone[pair[0]], alone[pair[1]]);
        let mut last = before;
        for (index, line) in &lines[from + 1..until] {
            if last.saturating_add(1) >= after {
                break;
            }
            if let Some((cut, number)) = numeral_behind(line).filter(|(_, number)| *number > last && *number < after) {
                cuts.push((*index, cut));
                last = number;
            }
        }
    }
    cuts
}

/// Returns the numeral at the end of a paragraph behind the end of a sentence, with its place.
fn numeral_behind(line: &str) -> Option<(usize, u32)> {
    let line = line.trim_end();
    let prose = line.trim_end_matches(is_numeral);
    let is_behind = prose.trim_end().ends_with(['。', '！', '？', '”', '…', '」', '’', '』']);
    let number = numeral(&line[prose.len()..]).filter(|_| is_behind)?;
    Some((prose.len(), number))
}

/// Returns the number of a line that is a numeral and no more.
fn numeral(line: &str) -> Option<u32> {
    /// Maximum length of a numeral in bytes.
    const LONGEST: usize = 15;
    let is_alone = !line.is_empty() && line.len() <= LONGEST && line.chars().all(is_numeral);
    if is_alone { numerals::read(line) } else { None }
}

/// Returns where the first heading of the book begins behind a later entry of the contents, `number`.
fn behind_entry(line: &str, number: u32) -> Option<usize> {
    const LATER: u32 = 3;
    let begins = |at: &usize| {
        line[..*at].ends_with(char::is_whitespace)
            && !line[..*at].trim().is_empty()
            && beginning(&line[*at..]).is_some_and(|(_, inner)| inner <= 1)
    };
    line.match_indices('第').map(|(at, _)| at).find(begins).filter(|_| number >= LATER)
}

/// Returns the byte behind the letters at the beginning of a line; `None` if the line has other letters or no more.
fn end_of(line: &str, letters: &[char]) -> Option<usize> {
    let mut left = letters.iter();
    let mut found = line.char_indices().filter(|(_, c)| c.is_alphanumeric());
    let mut end = 0;
    for letter in left.by_ref() {
        let (at, c) = found.next()?;
        if c != *letter {
            return None;
        }
        end = at + c.len_utf8();
    }
    found.next().map(|_| end)
}
