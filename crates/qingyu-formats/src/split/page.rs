//! A view of the lines of a manuscript with their marks and surroundings.

use std::ops::Range;

use super::line_mark::LineMark;
use crate::headings::ends_a_sentence;
use crate::spaces::{is_blank, trim};

/// Maximum length of a list line, in characters.
const LISTED: usize = 100;

/// Lines and their marks.
#[derive(Clone, Copy)]
pub(super) struct LineView<'p> {
    pub(super) lines: &'p [&'p str],
    pub(super) marks: &'p [LineMark],
}

impl<'p> LineView<'p> {
    pub(super) fn line(&self, index: usize) -> &'p str {
        trim(self.lines[index])
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn is_text(&self, index: usize) -> bool {
        self.marks[index] == LineMark::Text
    }

    /// Returns whether the line has text of the book.
    fn is_shown(&self, index: usize) -> bool {
        !self.is_blank(index)
    }

    /// Returns whether the line has no text of the book.
    pub(super) fn is_blank(&self, index: usize) -> bool {
        matches!(self.marks[index], LineMark::Blank | LineMark::Rule | LineMark::Apart(_))
    }

    /// Returns the number of blank lines directly before a line.
    pub(super) fn blanks_before(&self, index: usize) -> usize {
        (0..index).rev().take_while(|at| self.is_blank(*at)).count()
    }

    /// Returns whether a blank line, a rule, the beginning or text outside the book comes before a line.
    pub(super) fn is_set_off_before(&self, index: usize) -> bool {
        index == 0 || !self.is_shown(index - 1) || matches!(self.marks[index - 1], LineMark::Separator)
    }

    /// Returns whether a blank line, a rule or the end comes after a line.
    pub(super) fn is_set_off_after(&self, index: usize) -> bool {
        index + 1 >= self.len() || !self.is_shown(index + 1)
    }

    pub(super) fn is_indented(&self, index: usize) -> bool {
        self.lines[index].starts_with(char::is_whitespace)
    }

    /// Returns the next line with text after `index`.
    pub(super) fn next_text(&self, index: usize) -> Option<usize> {
        (index + 1..self.len()).find(|at| !self.is_blank(*at))
    }

    /// Returns the last line with text before `index`.
    pub(super) fn text_before(&self, index: usize) -> Option<usize> {
        (0..index).rev().find(|at| !self.is_blank(*at))
    }

    /// Returns the number of non-blank characters in a range of lines.
    pub(super) fn characters(&self, range: Range<usize>) -> usize {
        range.filter(|at| self.is_text(*at)).map(|at| visible(self.lines[at])).sum()
    }

    /// Returns whether a range of lines has no prose: no lines, or few lines as in a list.
    pub(super) fn is_list(&self, mut range: Range<usize>) -> bool {
        const MOST: usize = 8;
        let mut count = 0;
        range.all(|at| {
            if !self.is_text(at) {
                return true;
            }
            count += 1;
            count <= MOST && is_listed(self.line(at))
        })
    }

    /// Returns whether blank lines separate most of the lines with text.
    pub(super) fn is_spaced(&self) -> bool {
        let texts = (0..self.len()).filter(|at| self.is_text(*at));
        let (mut all, mut apart) = (0_usize, 0_usize);
        for at in texts {
            all += 1;
            apart += usize::from(at > 0 && self.is_set_off_before(at));
        }
        apart * 8 > all
    }
}

/// Returns whether a line could be part of a list: short and no sentence, or with a page number.
pub(super) fn is_listed(line: &str) -> bool {
    line.chars().count() <= LISTED && (!ends_a_sentence(line) || has_page(line))
}

/// Returns whether a line ends with a page number, after a tab, wide spaces or dots.
pub(super) fn has_page(line: &str) -> bool {
    let before = line.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = line.len() - before.len();
    (1..=4).contains(&digits)
        && (before.ends_with(['\t', '…', '·', '\u{3000}']) || before.ends_with("  ") || before.ends_with(".."))
}

/// Returns the number of non-blank characters.
pub(super) fn visible(line: &str) -> usize {
    line.chars().filter(|c| !is_blank(*c)).count()
}
