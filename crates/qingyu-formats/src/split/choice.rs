//! Choice of headings among the candidates, by repetition in the book.
//!
//! Certain forms are taken anywhere, unless the other headings of the book have a different placement. Other forms must
//! count up, and only the outermost form begins chapters: a number within a chapter is a scene.
//!
//! - `names`: chapters with a name instead of a number; `prefixes`: chapters below a prefix; `volumes`: volumes
//!   recognised by the chapters below

mod names;
mod prefixes;
mod volumes;

use std::collections::{BTreeMap, HashMap, HashSet};

use super::candidates::{HeadingCandidate, LinePlacement, is_like, usual_placing};
use super::chosen::ChosenHeading;
use super::page::LineView;
use super::strays::{without_inner_volumes, without_mentions, without_other_units, without_strays};
use super::{inner, listed, sequence, tales, unmarked, unnumbered, years};
use crate::headings::{HeadingLabel, HeadingRank, ParsedHeading, SentenceDoubt};

/// The headings of a book.
#[derive(Debug, Default)]
pub(super) struct HeadingChoice {
    pub(super) headings: Vec<ChosenHeading>,
    /// Lines of a table of contents with the headings.
    pub(super) contents: Vec<usize>,
    /// Whether the only evidence is layout, or an ambiguous form.
    pub(super) is_guess: bool,
}

/// Returns the headings among the candidates of a page.
pub(super) fn choose(page: LineView<'_>, candidates: &[HeadingCandidate]) -> HeadingChoice {
    let mut finder = HeadingChooser::new(page, candidates);
    finder.take_certain();
    finder.take_names_below_title();
    finder.take_counted();
    finder.release_series_volume();
    finder.take_units_behind_words();
    if !finder.has_chapters() {
        finder.take_sections();
    }
    if !finder.has_chapters() {
        finder.take_bare();
    }
    finder.take_names_in_volumes();
    if !finder.has_chapters() {
        finder.take_volumes_as_chapters();
    }
    finder.take_earlier_part();
    finder.take_later_part();
    finder.take_continuing();
    if !finder.has_chapters() {
        finder.take_trailing();
    }
    finder.take_years_as_volumes();
    let is_numbered = finder.has_chapters();
    let mut choice = finder.finish();
    without_listed_names(page, &mut choice.headings);
    let years = if is_numbered { Vec::new() } else { years::find(page, candidates) };
    if !years.is_empty() {
        choice.headings.extend(years);
        choice.headings.sort_by_key(|one| one.index);
        return choice;
    }
    if is_numbered {
        inner::take_inner_numbers(&mut choice.headings);
        let before = unnumbered::before(page, &choice.headings);
        choice.is_guess |= !before.is_empty();
        choice.headings.extend(before);
        choice.headings.extend(tales::titles(page, &choice.headings));
        choice.headings.sort_by_key(|one| one.index);
    }
    if is_numbered && unnumbered::covers(page, &choice.headings) {
        return choice;
    }
    let numbered = choice.headings.iter().filter(|one| one.heading.chapter.is_some() && one.family != "named").count();
    let named: Vec<ChosenHeading> = choice.headings.iter().filter(|one| one.family == "named").cloned().collect();
    let listed = listed::find(page);
    if listed.headings.len() > numbered {
        let known: HashSet<usize> = listed.headings.iter().map(|one| one.index).collect();
        let names =
            named.into_iter().filter(|one| !known.contains(&one.index) && !listed.contents.contains(&one.index));
        let mut headings: Vec<ChosenHeading> = names.chain(listed.headings).collect();
        headings.sort_by_key(|one| one.index);
        return HeadingChoice { headings, contents: listed.contents, is_guess: false };
    }
    // Parts above tales without numbers stay parts.
    let of_rank = candidates.iter().filter(|candidate| candidate.form.rank == HeadingRank::Volume);
    let volumes: HashSet<usize> = of_rank.map(|candidate| candidate.index).collect();
    let volumes = choice.headings.iter().filter(|one| volumes.contains(&one.index)).cloned().map(|one| {
        let label = one.heading.chapter.clone().or(one.heading.volume.clone());
        ChosenHeading { heading: ParsedHeading { volume: label, chapter: None }, ..one }
    });
    let mut named: Vec<ChosenHeading> = named.into_iter().chain(volumes).collect();
    named.sort_by_key(|one| one.index);
    let found = unmarked::find(page, &named);
    // Few numbers in one of many tales are scenes.
    if !is_numbered || found.len() > 4 * numbered {
        choice.is_guess |= !found.is_empty();
        choice.headings = if found.is_empty() { choice.headings } else { named };
        choice.headings.extend(found);
        choice.headings.sort_by_key(|one| one.index);
    }
    choice
}

/// Removes names without text above the first number that a later heading repeats: entries of a table of contents,
/// `Epilogue`.
fn without_listed_names(page: LineView<'_>, headings: &mut Vec<ChosenHeading>) {
    let words = |one: &ChosenHeading| one.heading.chapter.as_ref().map(|chapter| chapter.words.to_lowercase());
    let is_numbered =
        |one: &ChosenHeading| one.heading.chapter.as_ref().is_some_and(|chapter| chapter.number.is_some());
    let Some(first) = headings.iter().position(is_numbered) else { return };
    let is_listed = |place: usize| {
        let (one, later) = (&headings[place], &headings[place + 1..]);
        one.family == "named"
            && later.iter().any(|later| words(later) == words(one))
            && page.characters(one.index + 1..later[0].index) == 0
    };
    let listed: HashSet<usize> =
        (0..first).filter(|place| is_listed(*place)).map(|place| headings[place].index).collect();
    headings.retain(|one| !listed.contains(&one.index));
}

/// The form of a number without a mark between it and its title, and the least number of such headings.
const CLINGING: &str = "digits_clinging";
const MANY_CLINGING: usize = 10;
/// The form of any word with a number.
const WORD_AND_NUMBER: &str = "zh_word_and_number";

/// The use of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TakenForm {
    Volume,
    Chapter,
}

struct HeadingChooser<'p> {
    page: LineView<'p>,
    candidates: &'p [HeadingCandidate],
    taken: Vec<Option<TakenForm>>,
    /// The numbers of misprinted headings, inferred from the headings around them.
    meant: HashMap<usize, u32>,
    is_spaced: bool,
    is_guess: bool,
}

impl<'p> HeadingChooser<'p> {
    fn new(page: LineView<'p>, candidates: &'p [HeadingCandidate]) -> Self {
        let taken = vec![None; candidates.len()];
        Self { page, candidates, taken, meant: HashMap::new(), is_spaced: page.is_spaced(), is_guess: false }
    }

    fn has_chapters(&self) -> bool {
        !self.numbered_chapters().is_empty()
    }

    /// Returns the candidates taken as chapters, without those with a name instead of a number.
    fn numbered_chapters(&self) -> Vec<usize> {
        let is_numbered = |at: &usize| {
            self.taken[*at] == Some(TakenForm::Chapter) && self.candidates[*at].form.rank != HeadingRank::Named
        };
        (0..self.candidates.len()).filter(is_numbered).collect()
    }

    fn of_rank(&self, rank: HeadingRank) -> Vec<usize> {
        (0..self.candidates.len())
            .filter(|at| self.candidates[*at].form.rank == rank && self.taken[*at].is_none())
            .collect()
    }

    /// Takes chapters and volumes with a certain form, and doubtful candidates fitting between.
    fn take_certain(&mut self) {
        let certain = |finder: &Self, rank| -> Vec<usize> {
            let mut found = finder.of_rank(rank);
            found.retain(|at| finder.candidates[*at].form.is_certain);
            found
        };
        let mut chapters = certain(self, HeadingRank::Chapter);
        chapters.extend(self.prefixed());
        chapters.sort_unstable();
        let chapters = without_strays(self.page, self.candidates, &chapters);
        let chapters = without_mentions(self.candidates, without_other_units(self.candidates, chapters));
        self.take(&chapters, TakenForm::Chapter);
        // A paragraph can begin with the name of a volume; a volume heading has the placement of chapter headings.
        let usual = usual_placing(chapters.iter().map(|at| self.candidates[*at].layout)).filter(|_| self.is_spaced);
        let mut volumes = without_strays(self.page, self.candidates, &certain(self, HeadingRank::Volume));
        volumes.retain(|at| is_like(self.candidates[*at].layout, usual) || self.leads_to_chapter(*at));
        let volumes = without_inner_volumes(self.page, self.candidates, &chapters, &volumes);
        self.take(&volumes, TakenForm::Volume);
        let mut named = certain(self, HeadingRank::Named);
        named.retain(|at| usual.is_none_or(|usual| self.candidates[*at].layout.apart >= usual.apart));
        self.take(&named, TakenForm::Chapter);
    }

    /// Takes counted forms with a unit, such as letters and nights. Forms directly above a chapter are volumes; forms
    /// amid the prose of chapters are prose.
    fn take_counted(&mut self) {
        let mut families: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for at in self.of_rank(HeadingRank::Generic) {
            families.entry(self.candidates[at].form.family.as_str()).or_default().push(at);
        }
        let families: Vec<Vec<usize>> = families.into_values().map(|family| self.set_off(family)).collect();
        for family in families {
            let counting = self.counting(&family);
            // 第二天，他很早就来了。
            let is_sentence = |at: &&usize| self.candidates[**at].form.doubt != SentenceDoubt::None;
            if counting.len() < 2 || counting.iter().filter(is_sentence).count() * 2 > counting.len() {
                continue;
            }
            // Any word before a number is a unit only if the book counts with it from beginning to end: 记事一, 记事二.
            if self.candidates[counting[0]].form.form == WORD_AND_NUMBER && !self.counts_book(&counting) {
                continue;
            }
            let chapters = self.numbered_chapters();
            let (Some(first), Some(last)) = (chapters.first(), chapters.last()) else {
                if !self.is_list(&counting) {
                    self.take(&counting, TakenForm::Chapter);
                }
                continue;
            };
            let leads = |at: &&usize| self.leads_to_chapter(**at) || self.leads_to_first(**at);
            let leads = counting.iter().filter(leads).count();
            if leads * 2 >= counting.len() {
                self.take(&counting, TakenForm::Volume);
            } else if counting.iter().all(|at| at < first || at > last)
                && self.hold_chapters(&counting, chapters.len() + counting.len(), 20)
            {
                self.take(&counting, TakenForm::Chapter);
            }
        }
    }

    /// Returns whether headings count from the beginning of the book to its end.
    fn counts_book(&self, headings: &[usize]) -> bool {
        const MANY: usize = 5;
        let (Some(first), Some(last)) = (headings.first(), headings.last()) else { return false };
        let (from, until) = (self.candidates[*first].index, self.candidates[*last].index);
        headings.len() >= MANY
            && self.candidates[*first].number() == Some(1)
            && self.page.characters(from..until) * 2 >= self.page.characters(0..self.page.len())
    }

    /// Returns whether headings are in a small part of a long book only, as in a list.
    fn is_list(&self, headings: &[usize]) -> bool {
        /// Length of a book in characters, below which headings may be in any part of it.
        const LONG: usize = 20_000;
        let lines: Vec<usize> = headings.iter().map(|at| self.candidates[*at].index).collect();
        let (Some(from), Some(until)) = (lines.iter().min(), lines.iter().max()) else { return false };
        let all = self.page.characters(0..self.page.len());
        all > LONG && self.page.characters(*from..*until) * 10 < all
    }

    /// Returns whether most of the headings have more than the entries of a list below: at least one `share`th of the usual
    /// length of the book's `chapters`, these headings among them.
    fn hold_chapters(&self, headings: &[usize], chapters: usize, share: usize) -> bool {
        let least = self.page.characters(0..self.page.len()) / chapters.max(1) / share;
        let below = |at: &usize| {
            let next = self.candidates.get(at + 1).map_or(self.page.len(), |next| next.index);
            self.page.characters(self.candidates[*at].index + 1..next)
        };
        headings.iter().filter(|at| below(at) >= least).count() * 2 >= headings.len()
    }

    /// Returns whether nothing separates a candidate from a taken chapter.
    fn leads_to_chapter(&self, at: usize) -> bool {
        let Some(next) = (at + 1..self.candidates.len()).find(|next| self.taken[*next] == Some(TakenForm::Chapter))
        else {
            return false;
        };
        self.page.characters(self.candidates[at].index + 1..self.candidates[next].index) == 0
    }

    /// Takes sections as chapters if only volumes are above.
    fn take_sections(&mut self) {
        let sections = without_strays(self.page, self.candidates, &self.of_rank(HeadingRank::Section));
        let is_certain = sections.iter().any(|at| self.candidates[*at].form.is_certain);
        if is_certain || sections.len() >= 2 {
            self.take(&sections, TakenForm::Chapter);
        }
    }

    /// Takes bare numbers in sequence; the outermost of several families.
    fn take_bare(&mut self) {
        let volumes = self.taken.iter().filter(|taken| **taken == Some(TakenForm::Volume)).count();
        let mut families: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for at in self.of_rank(HeadingRank::Bare) {
            families.entry(self.candidates[at].form.family.as_str()).or_default().push(at);
        }
        let families: Vec<Vec<usize>> = families.into_values().map(|family| self.set_off(family)).collect();
        let mut best: Option<(usize, usize, Vec<usize>)> = None;
        for family in families {
            let chains = self.chains(&family);
            let counting: Vec<usize> = chains.iter().flatten().copied().collect();
            let (Some(first), Some(last)) = (counting.iter().min(), counting.iter().max()) else { continue };
            let reach = self.candidates[*last].index - self.candidates[*first].index;
            // Volumes have more chapters than there are volumes.
            if self.is_list(&counting) || counting.len() < volumes {
                continue;
            }
            // A number written into its title is a heading where many count on: 2只猫 is none.
            let is_clinging = self.candidates[*first].form.form == CLINGING;
            if is_clinging && (counting.len() < MANY_CLINGING || chains.len() > 1) {
                continue;
            }
            let is_better = best.as_ref().is_none_or(|(longest, fewest, known)| {
                let is_much_longer = reach * 4 > longest * 5;
                let is_as_long = reach * 5 >= longest * 4;
                is_much_longer || is_as_long && (chains.len(), known.len()) < (*fewest, counting.len())
            });
            if is_better {
                best = Some((reach, chains.len(), counting));
            }
        }
        if let Some((_, _, counting)) = best {
            self.take(&counting, TakenForm::Chapter);
        }
    }

    /// Takes bare numbers which continue the headings, and lines which fill a gap in their numbers: a heading whose unit is
    /// misprinted or missing.
    fn take_continuing(&mut self) {
        let ranks = [HeadingRank::Bare, HeadingRank::Generic, HeadingRank::Section, HeadingRank::Misprint];
        let mut others: Vec<usize> = ranks.into_iter().flat_map(|rank| self.of_rank(rank)).collect();
        // A heading below the title of the book, where the others have none.
        others.extend(self.of_rank(HeadingRank::Chapter).into_iter().filter(|at| {
            let form = &self.candidates[*at].form;
            !form.is_certain && form.doubt == SentenceDoubt::None
        }));
        others.sort_unstable();
        let mut last: Option<u32> = None;
        let mut others = others.into_iter().peekable();
        let chapters: Vec<usize> = (0..self.candidates.len())
            .filter(|at| self.taken[*at] == Some(TakenForm::Chapter) && self.candidates[*at].number().is_some())
            .collect();
        let mut added = Vec::new();
        for (place, chapter) in chapters.iter().enumerate() {
            last = self.candidates[*chapter].number().or(last);
            let chapter = &self.candidates[*chapter];
            let next = chapters.get(place + 1);
            while let Some(at) = others.next_if(|at| next.is_none_or(|next| at < next)) {
                let one = &self.candidates[at];
                let is_behind = one.index > chapter.index;
                let is_misread = one.form.misread.is_some();
                let meant = last.map(|last| last.saturating_add(1)).filter(|number| one.form.may_mean(*number));
                let number = one.number().or(meant);
                // The second of the book, misprinted above the third.
                let is_only_missing = |number: u32| {
                    let below = next.and_then(|next| self.candidates[*next].number());
                    one.form.rank == HeadingRank::Misprint && below == number.checked_add(1)
                };
                let goes_on = is_behind
                    && number.zip(last).is_some_and(|(number, last)| {
                        Some(number) == last.checked_add(1) && (last >= 2 || is_misread || is_only_missing(number))
                    });
                let until = next.and_then(|next| self.candidates[*next].number()).zip(number);
                let is_bare = one.form.rank == HeadingRank::Bare;
                let is_titled = !one.form.title.is_empty();
                let is_like = is_titled || one.form.rank == HeadingRank::Misprint && chapter.form.title.is_empty();
                let fills = one.layout == chapter.layout
                    && (is_bare || is_like)
                    && until.is_some_and(|(next, number)| next > number);
                let continues = is_bare
                    && one.layout.apart
                    && chapter.form.rank != HeadingRank::Volume
                    && (chapter.form.rank == HeadingRank::Bare || is_titled)
                    && (next.is_none() && one.form.form != CLINGING
                        || until.is_some_and(|(next, number)| next == number + 1));
                // In a gap a heading of the same form may be closer to the prose.
                let is_same =
                    one.form.family == chapter.form.family && until.is_some_and(|(next, number)| next > number);
                if goes_on && (fills || continues || is_same) {
                    last = number;
                    added.push(at);
                    if let Some(meant) = meant {
                        self.meant.insert(at, meant);
                    }
                }
            }
        }
        self.take(&added, TakenForm::Chapter);
    }

    /// Takes bare numbers that count up to the first chapter: an earlier part of the book, whose headings have no unit.
    fn take_earlier_part(&mut self) {
        const MANY: u32 = 10;
        const GAP: u32 = 5;
        let chapters = self.numbered_chapters();
        let Some(first) = chapters.first().copied() else { return };
        let Some(number) = self.candidates[first].number().filter(|number| *number > MANY) else { return };
        let mut families: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for at in self.of_rank(HeadingRank::Bare).into_iter().filter(|at| *at < first) {
            families.entry(self.candidates[at].form.family.as_str()).or_default().push(at);
        }
        let families: Vec<Vec<usize>> = families.into_values().map(|family| self.set_off(family)).collect();
        let missing = number as usize - 1;
        for family in families {
            let counting = self.counting(&family);
            let numbers = || counting.iter().filter_map(|at| self.candidates[*at].number());
            let leads_up = numbers().max().is_some_and(|last| last < number && last + GAP >= number);
            if leads_up
                && counting.len() * 10 >= missing * 6
                && counting.len() <= missing + 1
                && self.hold_chapters(&counting, chapters.len() + counting.len(), 20)
            {
                return self.take(&counting, TakenForm::Chapter);
            }
        }
    }

    /// Takes bare numbers that count from 1 behind the last chapter: a later part of the book, whose headings have no unit.
    fn take_later_part(&mut self) {
        const MANY: usize = 10;
        let chapters = self.numbered_chapters();
        let Some(last) = chapters.last() else { return };
        let mut families: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for at in self.of_rank(HeadingRank::Bare) {
            families.entry(self.candidates[at].form.family.as_str()).or_default().push(at);
        }
        let families: Vec<Vec<usize>> = families.into_values().collect();
        for family in families {
            let (before, behind): (Vec<usize>, Vec<usize>) = family.into_iter().partition(|at| at < last);
            // Scenes count in every chapter.
            if before.len() * 4 > behind.len() {
                continue;
            }
            let family = self.set_off(behind);
            let counting = self.counting(&family);
            // A later part follows a full chapter; sections stand in the chapter itself.
            let first = counting.first().map(|at| self.candidates[*at].index);
            let is_behind_text = first.is_some_and(|first| {
                let own = self.page.characters(self.candidates[*last].index + 1..first);
                own * 4 >= self.page.characters(0..first) / chapters.len()
            });
            let begins = counting.first().is_some_and(|at| self.candidates[*at].number() == Some(1));
            if counting.len() >= MANY
                && begins
                && is_behind_text
                && self.hold_chapters(&counting, chapters.len() + counting.len(), 4)
            {
                return self.take(&counting, TakenForm::Chapter);
            }
        }
    }

    fn take_volumes_as_chapters(&mut self) {
        for at in 0..self.candidates.len() {
            if self.taken[at] == Some(TakenForm::Volume) {
                self.taken[at] = Some(TakenForm::Chapter);
            }
        }
    }

    /// Takes titles followed by a number, if the numbers count up, or count up for each of a few names.
    fn take_trailing(&mut self) {
        const ENOUGH: usize = 2;
        let trailing = self.set_off(self.of_rank(HeadingRank::Trailing));
        let numbered: Vec<usize> =
            trailing.iter().copied().filter(|at| self.candidates[*at].number().is_some()).collect();
        let mut names: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for at in &numbered {
            names.entry(self.candidates[*at].form.title.as_str()).or_default().push(*at);
        }
        let named = names.into_values().map(|name| self.counting(&name)).filter(|name| name.len() >= ENOUGH);
        let mut named: Vec<usize> = named.flatten().collect();
        named.sort_unstable();
        let mut counting = self.counting(&numbered);
        if named.len() > counting.len() && named.len() * 10 >= numbered.len() * 8 {
            counting = named;
        }
        if counting.len() >= 2 {
            // The last chapter of a name may have a word for a number: 渡口（尾声）.
            let candidates = self.candidates;
            let names: HashSet<&str> = counting.iter().map(|at| candidates[*at].form.title.as_str()).collect();
            let is_end = |at: &&usize| {
                let form = &candidates[**at].form;
                form.number.is_none() && names.contains(form.title.as_str())
            };
            let ends: Vec<usize> = trailing.iter().filter(is_end).copied().collect();
            self.is_guess = true;
            self.take(&counting, TakenForm::Chapter);
            self.take(&ends, TakenForm::Chapter);
        }
    }

    /// Returns the lines of a family with blank lines around, if the book has blank lines, and with prose below.
    fn set_off(&self, family: Vec<usize>) -> Vec<usize> {
        let is_apart = |at: &usize| !self.is_spaced || self.candidates[*at].layout.apart || self.follows_heading(*at);
        let family: Vec<usize> = family.into_iter().filter(is_apart).collect();
        let usual = usual_placing(family.iter().map(|at| self.candidates[*at].layout));
        // The first line of a file has nothing above, and often no indent, whatever is usual.
        let is_first = |at: usize, usual: LinePlacement| {
            let one = &self.candidates[at];
            self.page.text_before(one.index).is_none() && one.layout.closed == usual.closed
        };
        let is_usual = |at: &usize| {
            usual.is_none_or(|usual| {
                usual == self.candidates[*at].layout || self.follows_heading(*at) || is_first(*at, usual)
            })
        };
        family.into_iter().filter(is_usual).collect()
    }

    fn follows_heading(&self, at: usize) -> bool {
        at > 0
            && self.taken[at - 1].is_some()
            && self.page.text_before(self.candidates[at].index) == Some(self.candidates[at - 1].index)
    }

    fn counting(&self, family: &[usize]) -> Vec<usize> {
        self.chains(family).into_iter().flatten().collect()
    }

    fn chains(&self, family: &[usize]) -> Vec<Vec<usize>> {
        let numbers: Vec<u32> = family.iter().map(|at| self.candidates[*at].number().unwrap_or(u32::MAX - 1)).collect();
        // Of three places one may be left out.
        let is_of_places = family.first().is_some_and(|at| self.candidates[*at].form.family == "zh:上");
        if is_of_places && numbers.starts_with(&[1, 3]) {
            return vec![family.to_vec()];
        }
        let chains = sequence::chains(&numbers);
        chains.into_iter().map(|chain| chain.into_iter().map(|at| family[at]).collect()).collect()
    }

    fn take(&mut self, found: &[usize], taken: TakenForm) {
        found.iter().for_each(|at| self.taken[*at] = Some(taken));
    }

    fn finish(self) -> HeadingChoice {
        let Self { page, candidates, taken, meant, is_guess, .. } = self;
        // Several prefixes are volume titles; so is one above a first chapter behind others. A single prefix is the book title.
        let mut prefixes: Vec<&str> = Vec::new();
        let (mut has_chapters, mut begins_again) = (false, false);
        for (candidate, taken) in candidates.iter().zip(&taken) {
            if let (Some(prefix), Some(_)) = (candidate.form.prefix.as_deref(), taken)
                && !prefixes.contains(&prefix)
                && prefixes.len() < 2
            {
                begins_again |= has_chapters && prefixes.is_empty() && candidate.number() == Some(1);
                prefixes.push(prefix);
            }
            has_chapters |= *taken == Some(TakenForm::Chapter) && candidate.number().is_some();
        }
        let mut last: Option<&HeadingCandidate> = None;
        let mut last_taken = None;
        let headings = candidates.iter().zip(taken).enumerate().filter_map(|(at, (candidate, taken))| {
            let form = &candidate.form;
            let is_below_chapter = last_taken.replace(taken) == Some(Some(TakenForm::Chapter));
            // Fourth Chapter, below Chapter IV, is its title.
            let above = last.filter(|last| last.index + 1 == candidate.index && last.form.title.is_empty());
            if above
                .is_some_and(|above| above.number().is_some() && above.number() == form.number && form.title.is_empty())
            {
                return None;
            }
            // Introduction, below I., is its title.
            let near =
                last.filter(|last| last.form.title.is_empty() && page.text_before(candidate.index) == Some(last.index));
            if form.rank == HeadingRank::Named
                && form.number.is_none()
                && is_below_chapter
                && near.is_some_and(|above| above.form.rank == HeadingRank::Bare)
            {
                return None;
            }
            last = Some(candidate);
            let number = form.number.or_else(|| meant.get(&at).copied());
            let label = HeadingLabel { number, words: form.words.clone() };
            let heading = match taken? {
                TakenForm::Volume => {
                    let volume = form.named_volume().or_else(|| form.volume.clone());
                    ParsedHeading { volume: volume.or(Some(label)), chapter: None }
                }
                TakenForm::Chapter => {
                    let prefix = form.prefix.as_ref().filter(|_| prefixes.len() > 1 || begins_again);
                    let volume = prefix.map(|prefix| HeadingLabel { number: None, words: prefix.clone() });
                    ParsedHeading { volume: form.volume.clone().or(volume), chapter: Some(label) }
                }
            };
            let has_title = !form.title.is_empty();
            Some(ChosenHeading { index: candidate.index, heading, has_title, family: form.family.clone() })
        });
        HeadingChoice { headings: headings.collect(), contents: Vec::new(), is_guess }
    }
}
