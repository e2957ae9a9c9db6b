//! Chapters with a name instead of a number, taken by the headings around them.

use std::collections::HashSet;

use super::{HeadingChooser, TakenForm};
use crate::headings::{HeadingRank, SentenceDoubt};

impl HeadingChooser<'_> {
    /// Takes names below the title that the chapters have above theirs: `长夜 后记`, behind `长夜 第九章`.
    pub(super) fn take_names_below_title(&mut self) {
        let prefixes: HashSet<&str> =
            self.numbered_chapters().into_iter().filter_map(|at| self.candidates[at].form.prefix.as_deref()).collect();
        let mut names = self.of_rank(HeadingRank::Named);
        names.retain(|at| self.candidates[*at].form.prefix.as_deref().is_some_and(|prefix| prefixes.contains(prefix)));
        self.take(&names, TakenForm::Chapter);
    }

    /// Takes units behind words, `渡口之章`, if the book repeats the unit with other words: chapters, or volumes if most stand
    /// directly above a chapter.
    pub(super) fn take_units_behind_words(&mut self) {
        const FORM: &str = "zh_unit_behind_words";
        const ENOUGH: usize = 3;
        let candidates = self.candidates;
        let mut found = self.of_rank(HeadingRank::Generic);
        found.retain(|at| candidates[*at].form.form == FORM && candidates[*at].form.doubt == SentenceDoubt::None);
        let found = self.set_off(found);
        let words: HashSet<&str> = found.iter().map(|at| candidates[*at].form.words.as_str()).collect();
        if found.len() < ENOUGH || words.len() < found.len() || self.is_list(&found) {
            return;
        }
        if self.has_chapters() {
            let leads = found.iter().filter(|at| self.leads_to_chapter(**at)).count();
            if leads * 2 >= found.len() {
                self.take(&found, TakenForm::Volume);
            }
            return;
        }
        // The entries of a list have no text between them.
        let least = self.page.characters(0..self.page.len()) / found.len() / 20;
        let ends = found.iter().skip(1).map(|at| candidates[*at].index).chain([self.page.len()]);
        let is_long = |(at, until): &(&usize, usize)| self.page.characters(candidates[**at].index + 1..*until) > least;
        if found.iter().zip(ends).filter(is_long).count() * 2 >= found.len() {
            self.take(&found, TakenForm::Chapter);
        }
    }

    /// Takes names behind a volume. They are chapters if there is text below and the numbers around them have a volume too:
    /// `第一卷 后记`. Otherwise the name is that of the volume: `第五卷 终章` above `第九十章`.
    pub(super) fn take_names_in_volumes(&mut self) {
        let candidates = self.candidates;
        let chapters = self.numbered_chapters();
        let has_volume = |at: Option<&usize>| at.is_some_and(|at: &usize| candidates[*at].form.volume.is_some());
        let mut names = self.of_rank(HeadingRank::Named);
        names.retain(|at| {
            let one = &candidates[*at];
            one.form.volume.is_some() && (one.layout.apart || !self.is_spaced)
        });
        let (mut inside, mut volumes) = (Vec::new(), Vec::new());
        for (place, at) in names.iter().enumerate() {
            let next = chapters.partition_point(|chapter| chapter < at);
            let before = next.checked_sub(1).and_then(|before| chapters.get(before));
            let is_in_volume = has_volume(before) || has_volume(chapters.get(next));
            let below = chapters.get(next).into_iter().chain(names.get(place + 1)).min();
            let until = below.map_or(self.page.len(), |next| candidates[*next].index);
            let has_text = self.page.characters(candidates[*at].index + 1..until) > 0;
            if is_in_volume && has_text { inside.push(*at) } else { volumes.push(*at) }
        }
        self.take(&inside, TakenForm::Chapter);
        self.take(&volumes, TakenForm::Volume);
    }
}
