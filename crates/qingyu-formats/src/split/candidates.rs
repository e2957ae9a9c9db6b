//! Lines that have the form of a heading, with how they are set off.

use super::page::{Page, has_page};
use crate::headings::{LineForm, shape};

/// A line that may be a heading.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The line.
    pub(super) index: usize,
    /// What it is by its words.
    pub(super) form: LineForm,
    /// How it is set off.
    pub(super) layout: Placing,
    /// Whether it has two headings or the number of a page, as lines of contents do.
    pub(super) is_entry: bool,
}

/// How a line is set off from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Placing {
    /// Whether it begins with a space.
    pub(super) indented: bool,
    /// Whether a blank line stands before it.
    pub(super) apart: bool,
    /// Whether a blank line stands behind it.
    pub(super) closed: bool,
}

impl Placing {
    /// How a line of a page is set off.
    pub(super) fn of(page: Page<'_>, index: usize) -> Self {
        let (apart, closed) = (page.is_set_off_before(index), page.is_set_off_after(index));
        Self { indented: page.is_indented(index), apart, closed }
    }
}

impl Candidate {
    pub(super) fn number(&self) -> Option<u32> {
        self.form.number
    }
}

/// The lines of a page that have the form of a heading.
pub(super) fn gather(page: Page<'_>) -> Vec<Candidate> {
    let candidates = (0..page.len()).filter(|index| page.is_text(*index)).filter_map(|index| {
        let form = shape(page.line(index))?;
        let is_entry = has_page(page.line(index)) || is_followed_by_another(&form);
        Some(Candidate { index, layout: Placing::of(page, index), form, is_entry })
    });
    candidates.collect()
}

/// Whether the title of a heading holds the next heading, as two columns of contents do.
fn is_followed_by_another(form: &LineForm) -> bool {
    let Some(number) = form.number else { return false };
    form.title.match_indices('第').any(|(at, _)| {
        at > 0
            && shape(&form.title[at..])
                .is_some_and(|next| next.number == Some(number + 1) && next.family == form.family)
    })
}
