//! Whether numbered headings cover a book, and titles without numbers above the first of them.

use super::chosen::ChosenHeading;
use super::page::LineView;
use super::unmarked;

/// Returns titles without numbers above the first number, if there are about as many as its count lacks: the chapters of
/// a serial that began to count later.
pub(super) fn before(page: LineView<'_>, headings: &[ChosenHeading]) -> Vec<ChosenHeading> {
    const LATE: u32 = 5;
    let first = headings.iter().filter(|one| one.heading.chapter.is_some() && one.family != "named");
    let Some((index, number)) = first.min_by_key(|one| one.index).and_then(|one| {
        let number = one.heading.chapter.as_ref()?.number?;
        Some((one.index, number))
    }) else {
        return Vec::new();
    };
    if number < LATE {
        return Vec::new();
    }
    let above = LineView { lines: &page.lines[..index], marks: &page.marks[..index] };
    let known: Vec<ChosenHeading> = headings.iter().filter(|one| one.index < index).cloned().collect();
    let mut found = unmarked::find(above, &known);
    // A title directly above the first number is its own.
    found.retain(|one| page.characters(one.index + 1..index) > 0);
    let missing = number as usize - 1;
    if found.len().abs_diff(missing) <= 1 + missing / 20 { found } else { Vec::new() }
}

/// Returns whether no single chapter is most of the book, a sign of missed headings.
pub(super) fn covers(page: LineView<'_>, headings: &[ChosenHeading]) -> bool {
    const FEW: usize = 5;
    const SHORT: usize = 20_000;
    let chapters: Vec<usize> =
        headings.iter().filter(|one| one.heading.chapter.is_some()).map(|one| one.index).collect();
    let all = page.characters(0..page.len());
    if chapters.len() > FEW || all < SHORT {
        return true;
    }
    let ends = chapters.iter().skip(1).copied().chain([page.len()]);
    let parts = std::iter::once(0..chapters.first().copied().unwrap_or(page.len()))
        .chain(chapters.iter().zip(ends).map(|(from, until)| *from..until));
    parts.map(|part| page.characters(part)).max().unwrap_or_default() * 10 < all * 4
}
