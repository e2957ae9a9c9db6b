//! Volumes recognised by the chapters below them.

use super::{HeadingChooser, TakenForm};
use crate::headings::{HeadingRank, ends_a_sentence};
use crate::split::candidates::HeadingCandidate;
use crate::split::titles::is_loud;

impl HeadingChooser<'_> {
    /// Returns whether only a title of a few lines separates a candidate from a taken chapter whose number is 1.
    pub(super) fn leads_to_first(&self, at: usize) -> bool {
        const LINES: usize = 3;
        const LENGTH: usize = 150;
        let Some(next) = (at + 1..self.candidates.len()).find(|next| self.taken[*next] == Some(TakenForm::Chapter))
        else {
            return false;
        };
        let between = self.candidates[at].index + 1..self.candidates[next].index;
        let lines: Vec<&str> =
            between.clone().filter(|at| self.page.is_text(*at)).map(|at| self.page.line(at)).collect();
        // 1724. and THE SEA. are no sentences.
        let is_title = |line: &&str| !ends_a_sentence(line) || is_loud(line) || !line.chars().any(char::is_alphabetic);
        self.candidates[next].number() == Some(1)
            && lines.len() <= LINES
            && lines.iter().all(is_title)
            && self.page.characters(between) <= LENGTH
    }

    /// Releases a single volume above the chapters whose number is not the first, if other volumes count below it: the number
    /// of the book in a series, `VOL. XII`, on the title page of a book in three parts.
    pub(super) fn release_series_volume(&mut self) {
        const FEW: usize = 2;
        let Some(first) = self.numbered_chapters().first().copied() else { return };
        let (above, below): (Vec<usize>, Vec<usize>) = (0..self.candidates.len())
            .filter(|at| self.taken[*at] == Some(TakenForm::Volume))
            .partition(|at| self.candidates[*at].form.rank == HeadingRank::Volume && *at < first);
        let [only] = above[..] else { return };
        let form = &self.candidates[only].form;
        let is_other = |at: &usize| self.candidates[*at].form.family != form.family;
        if form.number.is_some_and(|number| number > 1) && below.len() >= FEW && below.iter().all(is_other) {
            self.taken[only] = None;
        }
    }

    /// Takes a year behind a volume for a part of it: `BOOK ONE: 1805`, above `CHAPTER I`.
    pub(super) fn take_years_as_volumes(&mut self) {
        const YEARS: std::ops::RangeInclusive<u32> = 1000..=2999;
        let is_year = |one: &HeadingCandidate| {
            let is_bare = one.form.title.is_empty() && one.form.volume.is_some();
            is_bare && one.number().is_some_and(|number| YEARS.contains(&number))
        };
        let years: Vec<usize> = (0..self.candidates.len())
            .filter(|at| self.taken[*at] == Some(TakenForm::Chapter) && is_year(&self.candidates[*at]))
            .filter(|at| self.leads_to_chapter(*at))
            .collect();
        self.take(&years, TakenForm::Volume);
    }
}
