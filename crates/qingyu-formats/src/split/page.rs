//! The lines of a manuscript with what each is so far, and what stands around it.

use std::ops::Range;

use super::marks::Mark;
use crate::headings::{ends_a_sentence, trim};

/// A line of a list is not longer than this, in characters.
const LISTED: usize = 100;

/// Lines and their marks.
#[derive(Clone, Copy)]
pub(super) struct Page<'p> {
    pub(super) lines: &'p [&'p str],
    pub(super) marks: &'p [Mark],
}

impl<'p> Page<'p> {
    pub(super) fn line(&self, index: usize) -> &'p str {
        trim(self.lines[index])
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn is_text(&self, index: usize) -> bool {
        self.marks[index] == Mark::Text
    }

    /// Whether something stands on the line that is part of the book.
    fn is_shown(&self, index: usize) -> bool {
        !self.is_blank(index)
    }

    /// Whether nothing of the book stands on the line.
    pub(super) fn is_blank(&self, index: usize) -> bool {
        matches!(self.marks[index], Mark::Blank | Mark::Rule | Mark::Apart(_))
    }

    /// How many blank lines stand right before a line.
    pub(super) fn blanks_before(&self, index: usize) -> usize {
        (0..index).rev().take_while(|at| self.is_blank(*at)).count()
    }

    /// Whether a blank line, a rule, the beginning or what is no part of the book stands before a line.
    pub(super) fn is_set_off_before(&self, index: usize) -> bool {
        index == 0 || !self.is_shown(index - 1) || matches!(self.marks[index - 1], Mark::Separator)
    }

    /// Whether a blank line, a rule or the end stands behind a line.
    pub(super) fn is_set_off_after(&self, index: usize) -> bool {
        index + 1 >= self.len() || !self.is_shown(index + 1)
    }

    pub(super) fn is_indented(&self, index: usize) -> bool {
        self.lines[index].starts_with(char::is_whitespace)
    }

    /// The next line with text behind `index`.
    pub(super) fn next_text(&self, index: usize) -> Option<usize> {
        (index + 1..self.len()).find(|at| !self.is_blank(*at))
    }

    /// The last line with text before `index`.
    pub(super) fn text_before(&self, index: usize) -> Option<usize> {
        (0..index).rev().find(|at| !self.is_blank(*at))
    }

    /// Characters of text in a range of lines, spaces not counted.
    pub(super) fn characters(&self, range: Range<usize>) -> usize {
        range.filter(|at| self.is_text(*at)).map(|at| visible(self.lines[at])).sum()
    }

    /// Whether a range of lines has nothing that reads like prose: no line at all, or few that could stand in a list.
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

    /// Whether blank lines stand between most of the lines with text.
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

/// Whether a line could stand in a list: short, and no sentence, or with the number of a page behind it.
pub(super) fn is_listed(line: &str) -> bool {
    line.chars().count() <= LISTED && (!ends_a_sentence(line) || has_page(line))
}

/// Whether the number of a page stands behind a line, parted by a tab, wide spaces or dots.
pub(super) fn has_page(line: &str) -> bool {
    let before = line.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = line.len() - before.len();
    (1..=4).contains(&digits)
        && (before.ends_with(['\t', '…', '·', '\u{3000}']) || before.ends_with("  ") || before.ends_with(".."))
}

/// Characters that are not blank.
pub(super) fn visible(line: &str) -> usize {
    line.chars().filter(|c| !crate::coverage::is_blank(*c)).count()
}
