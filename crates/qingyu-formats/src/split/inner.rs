//! Headings with two numbers, of a chapter and of its section that counts through the book: `第三章 12．夜雨`.

use super::chosen::ChosenHeading;
use crate::headings::{HeadingLabel, HeadingRank, shape};
use crate::spaces::{tidy, trim};

/// A heading with two numbers.
struct DoubleNumber {
    /// The heading up to the second number.
    outer: HeadingLabel,
    /// The rest of the heading.
    inner: HeadingLabel,
    has_title: bool,
}

/// Turns the first number of headings with two numbers into a volume, if the second counts through the book while the
/// first stays.
pub(super) fn take_inner_numbers(headings: &mut [ChosenHeading]) {
    const ENOUGH: usize = 4;
    let numbered = headings.iter().filter(|one| number(one).is_some()).count();
    let doubles: Vec<(usize, DoubleNumber)> =
        (0..headings.len()).filter_map(|place| Some((place, parsed(&headings[place])?))).collect();
    if doubles.len() < ENOUGH || doubles.len() * 10 < numbered * 9 {
        return;
    }
    let counts_on = |pair: &[(usize, DoubleNumber)]| {
        let (last, next) = (&pair[0].1, &pair[1].1);
        let is_next = last.inner.number.map(|number| number + 1) == next.inner.number;
        is_next && last.outer.number <= next.outer.number
    };
    // Pages of a chapter begin again in each: 第三章 1, 第三章 2, 第四章 1.
    let (stays, changes): (Vec<_>, Vec<_>) =
        doubles.windows(2).partition(|pair| pair[0].1.outer.number == pair[1].1.outer.number);
    let most_count = |pairs: &[&[(usize, DoubleNumber)]]| {
        pairs.iter().filter(|pair| counts_on(pair)).count() * 10 >= pairs.len() * 8
    };
    if stays.len() * 3 < doubles.len() || changes.is_empty() || !most_count(&stays) || !most_count(&changes) {
        return;
    }
    for (place, DoubleNumber { outer, inner, has_title }) in doubles {
        let heading = &mut headings[place];
        let above = heading.heading.volume.take().filter(|volume| !volume.words.is_empty());
        let words = above.map_or(outer.words.clone(), |above| format!("{} {}", above.words, outer.words));
        heading.heading.volume = Some(HeadingLabel { number: outer.number, words });
        heading.heading.chapter = Some(inner);
        heading.has_title = has_title;
    }
}

fn number(heading: &ChosenHeading) -> Option<u32> {
    heading.heading.chapter.as_ref()?.number
}

fn parsed(heading: &ChosenHeading) -> Option<DoubleNumber> {
    let label = heading.heading.chapter.as_ref().filter(|label| label.number.is_some())?;
    let title = shape(&label.words).filter(|form| form.number == label.number)?.title;
    let second = shape(&title).filter(|form| form.rank == HeadingRank::Bare)?;
    let outer = trim(label.words.strip_suffix(title.as_str())?);
    let outer = outer.trim_end_matches([':', '：', '、', '.', '·', '-', '—', ' ']);
    Some(DoubleNumber {
        outer: HeadingLabel { number: label.number, words: tidy(outer) },
        has_title: !second.title.is_empty(),
        inner: HeadingLabel { number: Some(second.number?), words: title },
    })
}
