//! Lines in the form of a heading, with their placement.

use std::collections::BTreeMap;

use super::page::{LineView, has_page};
use crate::headings::{LineForm, shape};

/// A possible heading.
#[derive(Debug, Clone)]
pub(super) struct HeadingCandidate {
    /// Index of the line.
    pub(super) index: usize,
    /// The form of its words.
    pub(super) form: LineForm,
    /// Its placement.
    pub(super) layout: LinePlacement,
    /// Whether the line has two headings or a page number, like lines of a table of contents.
    pub(super) is_entry: bool,
}

/// The placement of a line among other lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct LinePlacement {
    /// Whether the line begins with a space.
    pub(super) indented: bool,
    /// Whether a blank line comes before.
    pub(super) apart: bool,
    /// Whether a blank line comes after.
    pub(super) closed: bool,
}

impl LinePlacement {
    /// Returns the placement of a line.
    pub(super) fn of(page: LineView<'_>, index: usize) -> Self {
        let (apart, closed) = (page.is_set_off_before(index), page.is_set_off_after(index));
        Self { indented: page.is_indented(index), apart, closed }
    }
}

impl HeadingCandidate {
    pub(super) fn number(&self) -> Option<u32> {
        self.form.number
    }
}

/// Returns the lines of a page in the form of a heading.
pub(super) fn gather(page: LineView<'_>) -> Vec<HeadingCandidate> {
    let candidates = (0..page.len()).filter(|index| page.is_text(*index)).filter_map(|index| {
        let form = shape(page.line(index))?;
        let is_entry = has_page(page.line(index)) || is_followed_by_another(&form);
        Some(HeadingCandidate { index, layout: LinePlacement::of(page, index), form, is_entry })
    });
    candidates.collect()
}

/// Returns whether the title of a heading contains the next heading, as in a table of contents with two columns.
fn is_followed_by_another(form: &LineForm) -> bool {
    let Some(number) = form.number else { return false };
    form.title.match_indices('第').any(|(at, _)| {
        at > 0
            && shape(&form.title[at..])
                .is_some_and(|next| next.number == Some(number + 1) && next.family == form.family)
    })
}

/// Returns whether a line is set off at least as much as usual.
pub(super) fn is_like(layout: LinePlacement, usual: Option<LinePlacement>) -> bool {
    usual.is_none_or(|usual| layout.apart >= usual.apart && layout.closed >= usual.closed)
}

/// Returns the placement of nearly all lines; `None` if there are too few.
pub(super) fn usual_placing(placings: impl Iterator<Item = LinePlacement>) -> Option<LinePlacement> {
    let all: Vec<LinePlacement> = placings.collect();
    let usual = most(all.iter().copied())?;
    let count = all.iter().filter(|one| **one == usual).count();
    (count * 10 >= all.len() * 8).then_some(usual)
}

pub(super) fn most(placings: impl Iterator<Item = LinePlacement>) -> Option<LinePlacement> {
    let mut counts: BTreeMap<LinePlacement, usize> = BTreeMap::new();
    placings.for_each(|one| *counts.entry(one).or_default() += 1);
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(placing, _)| placing)
}
