//! Search for names in folded texts.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use super::folded::FoldedText;
use super::script::Script;

/// Names by first character, longest first.
#[derive(Debug, Clone, Default)]
pub(super) struct SoughtNames(HashMap<char, Vec<Vec<char>>, FxBuildHasher>);

impl SoughtNames {
    pub(super) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut sought = Self::default();
        for name in names {
            let characters = FoldedText::new(name.trim()).characters;
            let is_single = characters.len() == 1 && Script::of(characters[0]) != Script::Bordered;
            if let Some(first) = characters.first().filter(|_| !is_single) {
                sought.0.entry(*first).or_default().push(characters);
            }
        }
        for names in sought.0.values_mut() {
            names.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
            names.dedup();
        }
        sought
    }

    /// Returns the length of the longest name at `at`; a name in letters must not be part of another word.
    pub(super) fn match_at(&self, characters: &[char], at: usize) -> Option<usize> {
        let is_letter = |place: usize| characters.get(place).is_some_and(|c| Script::of(*c) == Script::Bordered);
        let stands_apart = |name: &&Vec<char>| {
            let end = at + name.len();
            let goes_on_before = is_letter(at) && at > 0 && is_letter(at - 1);
            let goes_on_after = is_letter(end - 1) && is_letter(end);
            !goes_on_before && !goes_on_after
        };
        let names = self.0.get(characters.get(at)?)?;
        names.iter().filter(|name| characters[at..].starts_with(name)).find(stands_apart).map(Vec::len)
    }
}
