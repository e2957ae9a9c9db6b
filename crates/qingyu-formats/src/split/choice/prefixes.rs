//! Chapters below a prefix, such as the title of the book, of a volume or of a tale.

use std::collections::{HashMap, HashSet};

use super::HeadingChooser;
use crate::headings::{HeadingRank, SentenceDoubt};

impl HeadingChooser<'_> {
    /// Returns chapters with a prefix that several of them share, and first chapters whose prefix stands once.
    pub(super) fn prefixed(&self) -> Vec<usize> {
        let candidates = self.candidates;
        let prefix = |at: usize| candidates[at].form.prefix.as_deref().unwrap_or_default();
        let (mut sure, prefixed): (Vec<usize>, Vec<usize>) =
            self.of_rank(HeadingRank::Chapter).into_iter().partition(|at| candidates[*at].form.is_certain);
        let mut counts: HashMap<&str, usize> = HashMap::new();
        prefixed.iter().for_each(|at| *counts.entry(prefix(*at)).or_default() += 1);
        let (mut repeated, single): (Vec<usize>, Vec<usize>) =
            prefixed.into_iter().partition(|at| counts.get(prefix(*at)).is_some_and(|count| *count >= 2));
        sure.extend(&repeated);
        sure.sort_unstable();
        let shared: HashSet<&str> = repeated.iter().map(|at| prefix(*at)).collect();
        let are_tales = shared.len() >= 2;
        let first = single.into_iter().filter(|at| self.is_first_below_prefix(*at, &sure, are_tales));
        repeated.extend(first);
        repeated
    }

    /// Returns whether a heading with a prefix of its own is the first chapter below it: the `sure` headings go on with the second
    /// chapter, or, in a book of tales, with the first chapter of the next.
    fn is_first_below_prefix(&self, at: usize, sure: &[usize], are_tales: bool) -> bool {
        let one = &self.candidates[at];
        let next = sure.partition_point(|known| *known < at);
        let number = |place: Option<usize>| {
            let other = place.and_then(|place| sure.get(place)).map(|at| &self.candidates[*at])?;
            other.number().filter(|_| other.form.family == one.form.family)
        };
        let (before, after) = (number(next.checked_sub(1)), number(Some(next)));
        one.form.doubt == SentenceDoubt::None
            && one.number() == Some(1)
            && before != Some(1)
            && (after == Some(2) || are_tales && after == Some(1))
            && (one.layout.apart || !self.is_spaced)
    }
}
