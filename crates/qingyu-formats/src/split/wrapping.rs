//! Detection of paragraph breaks and of lines broken for a page width. Detected per chapter, since a book often
//! combines files of several kinds.

use std::ops::Range;

use qingyu_story::language::is_han;

use super::line_mark::LineMark;
use crate::headings::ends_a_sentence;
use crate::read::Ingested;
use crate::spaces::trim;

/// The layout of a range of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SourceLayout {
    /// Whether blank lines separate all paragraphs, so a single blank line is no gap.
    pub(super) spaced: bool,
    /// The width of broken lines, in columns, if any.
    width: Option<usize>,
    /// The usual indent, in columns.
    indent: usize,
}

/// The layout of each chapter, and the lines which continue the previous line.
#[derive(Debug)]
pub(super) struct LineWrapping {
    spaced: Vec<bool>,
    joined: Vec<bool>,
}

impl LineWrapping {
    pub(super) fn of(ingested: &Ingested, lines: &[&str], marks: &[LineMark]) -> Self {
        let whole = SourceLayout::of(ingested, lines, marks, 0..lines.len(), None);
        let mut wrapping = Self { spaced: vec![false; lines.len()], joined: vec![false; lines.len()] };
        let begins = |index: &usize| matches!(&marks[*index], LineMark::Heading { chapter: Some(_), again: false, .. });
        let mut from = 0;
        let ends: Vec<usize> = (1..lines.len()).filter(begins).chain([lines.len()]).collect();
        for until in ends {
            let layout = SourceLayout::of(ingested, lines, marks, from..until, Some(whole));
            wrapping.spaced[from..until].fill(layout.spaced);
            for index in (from + 1)..until {
                let is_prose = |at: usize| matches!(marks[at], LineMark::Text | LineMark::Front);
                wrapping.joined[index] = ingested.paragraphs[index].continues
                    && is_prose(index)
                    && is_prose(index - 1)
                    && layout.joins(lines[index - 1], lines[index]);
            }
            from = until;
        }
        wrapping
    }

    /// Returns whether a single blank line is no gap.
    pub(super) fn is_spaced(&self, index: usize) -> bool {
        self.spaced[index]
    }

    /// Returns whether a line continues the previous line.
    pub(super) fn is_joined(&self, index: usize) -> bool {
        self.joined[index]
    }
}

impl SourceLayout {
    /// Detects the layout of a range of lines; the default for a range with too little evidence is the layout of the
    /// whole book.
    fn of(ingested: &Ingested, lines: &[&str], marks: &[LineMark], range: Range<usize>, whole: Option<Self>) -> Self {
        const ENOUGH: usize = 5;
        let (mut close, mut apart, mut pairs) = (0_usize, 0_usize, 0_usize);
        let mut open = Vec::new();
        let mut indents = Vec::new();
        let mut last: Option<usize> = None;
        for index in range {
            match marks[index] {
                LineMark::Text | LineMark::Separator => {
                    if let Some(before) = last {
                        if index == before + 1 {
                            close += 1;
                        } else {
                            apart += 1;
                        }
                        if ingested.paragraphs[index].continues {
                            pairs += 1;
                            if !ends_a_sentence(trim(lines[before])) {
                                open.push(width(lines[before].trim_end()));
                            }
                        }
                    }
                    indents.push(indent(lines[index]));
                    last = Some(index);
                }
                LineMark::Blank | LineMark::Rule | LineMark::Apart(_) => {}
                _ => last = None,
            }
        }
        indents.sort_unstable();
        let indent = indents.get(indents.len() / 2).copied().unwrap_or_default();
        if let Some(whole) = whole.filter(|_| pairs < ENOUGH) {
            let spaced = if close + apart < ENOUGH || whole.width.is_some() { whole.spaced } else { apart > close };
            return Self { spaced, width: whole.width, indent: if indents.is_empty() { whole.indent } else { indent } };
        }
        let width = broken_at(pairs, open).filter(|_| pairs >= ENOUGH);
        // With broken lines, only blank lines or indents separate paragraphs.
        Self { spaced: if width.is_some() { apart > 0 } else { apart > close }, width, indent }
    }

    /// Returns whether two consecutive lines were originally a single line.
    fn joins(&self, before: &str, after: &str) -> bool {
        /// Tolerance below the line width, in columns.
        const SLACK: usize = 6;
        /// Additional indent at the beginning of a paragraph, in columns.
        const DEEPER: usize = 2;
        let Some(most) = self.width else { return false };
        if indent(after) >= self.indent + DEEPER {
            return false;
        }
        let used = width(before.trim_end());
        let next = first_word(trim(after));
        // The next word had room, so the line break is intentional.
        let had_room = used + 1 + next + SLACK <= most;
        let goes_on = trim(after).starts_with(char::is_lowercase) && !ends_a_sentence(trim(before));
        !had_room || goes_on && used * 10 >= most * 6
    }
}

/// Returns the width of broken lines: many lines end within a sentence, nearly all at the same length.
fn broken_at(pairs: usize, mut open: Vec<usize>) -> Option<usize> {
    const NARROWEST: usize = 24;
    const WIDEST: usize = 200;
    if open.is_empty() || open.len() * 10 <= pairs * 3 {
        return None;
    }
    open.sort_unstable();
    let most = open[(open.len() * 19 / 20).min(open.len() - 1)];
    let near = open.iter().filter(|width| **width * 4 >= most * 3).count();
    ((NARROWEST..=WIDEST).contains(&most) && near * 10 >= open.len() * 7).then_some(most)
}

fn indent(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).map(columns).sum()
}

fn width(line: &str) -> usize {
    line.chars().map(columns).sum()
}

fn first_word(line: &str) -> usize {
    match line.chars().next() {
        Some(first) if is_wide(first) => 2,
        _ => line.split_whitespace().next().map_or(0, width),
    }
}

fn columns(c: char) -> usize {
    if c == '\t' { 4 } else { 1 + usize::from(is_wide(c)) }
}

/// Returns whether a character is two columns wide.
pub(super) fn is_wide(c: char) -> bool {
    is_han(c)
        || matches!(c, '\u{3000}'..='\u{30ff}' | '\u{ff00}'..='\u{ffef}' | '\u{2018}'..='\u{201d}' if c != '’' && c != '‘')
}

/// Returns the separator to insert between joined lines: empty between Chinese characters or after a dash, otherwise a
/// space.
pub(super) fn joint(before: Option<char>, after: Option<char>) -> &'static str {
    let is_close = |c: char| is_han(c) || matches!(c, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}');
    if before.is_some_and(|c| is_close(c) || matches!(c, '-' | '—')) || after.is_some_and(|c| is_close(c) || c == '—')
    {
        ""
    } else {
        " "
    }
}
