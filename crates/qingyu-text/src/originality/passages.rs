//! Finds passages shared by two texts.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::tokens::TextTokens;

/// The most positions tried per shingle, so a text of a single repeated word stays fast.
const PLACES: usize = 8;

/// The measures of a passage, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PassageLimits {
    /// The length of a shingle.
    pub(super) shingle: usize,
    /// The least length of a passage.
    pub(super) least: usize,
    /// The most differing tokens in between.
    pub(super) gap: usize,
}

/// A passage shared by two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CommonPassage {
    /// The tokens in the given text.
    pub(super) here: Range<usize>,
    /// The tokens in the other text.
    pub(super) there: Range<usize>,
    /// The number of identical tokens.
    pub(super) same: usize,
    /// The longest run of identical tokens.
    longest: usize,
}

impl CommonPassage {
    /// Returns whether `same` identical tokens are too many for chance. Two idioms near each other in both texts are no
    /// copy, so a passage of short runs must have twice the length.
    pub(super) fn is_copied(&self, same: usize, least: usize) -> bool {
        if self.longest >= least { same >= least } else { same >= least * 2 }
    }
}

/// The positions of each shingle in the given text.
#[derive(Debug)]
pub(super) struct ShinglePositions(FxHashMap<u64, Vec<u32>>);

impl ShinglePositions {
    pub(super) fn of(shingles: &[u64]) -> Self {
        let mut places: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for (at, shingle) in shingles.iter().enumerate() {
            let places = places.entry(*shingle).or_default();
            if places.len() < PLACES {
                places.push(at as u32);
            }
        }
        Self(places)
    }
}

/// Returns the passages shared by `here` (with the shingle positions `places`) and `there`, in order of `here` and
/// without overlap.
///
/// Linear in the length of both.
pub(super) fn common(
    here: &TextTokens,
    places: &ShinglePositions,
    there: &TextTokens,
    measure: PassageLimits,
) -> Vec<CommonPassage> {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (place, shingle) in there.shingles(measure.shingle).into_iter().enumerate() {
        if let Some(places) = places.0.get(&shingle) {
            pairs.extend(places.iter().map(|at| (*at, place as u32)));
        }
    }
    pairs.sort_unstable();
    let mut found: Vec<CommonPassage> = Vec::new();
    let mut free = 0;
    for group in pairs.chunk_by(|a, b| a.0 == b.0) {
        let at = group[0].0 as usize;
        if at < free {
            continue;
        }
        let tried = group.iter().take(PLACES);
        let runs = tried.filter_map(|(_, place)| run(here, there, (at, *place as usize), free, measure));
        if let Some(longest) = runs.reduce(|most, next| if next.same > most.same { next } else { most }) {
            free = longest.here.end;
            found.push(longest);
        }
    }
    found.retain(|common| common.is_copied(common.same, measure.least));
    found
}

/// Returns the passage around the shingle at `seed`, starting no earlier than `free` in the given text.
fn run(
    here: &TextTokens,
    there: &TextTokens,
    seed: (usize, usize),
    free: usize,
    measure: PassageLimits,
) -> Option<CommonPassage> {
    let (a, b) = (&here.hashes, &there.hashes);
    let same_at = |i: usize, j: usize| a.get(i).is_some_and(|token| b.get(j) == Some(token));
    let (mut start, mut there_start) = seed;
    while start > free && there_start > 0 && same_at(start - 1, there_start - 1) {
        (start, there_start) = (start - 1, there_start - 1);
    }
    let (mut i, mut j, mut same, mut longest) = (start, there_start, 0, 0);
    loop {
        let from = i;
        while same_at(i, j) {
            (i, j, same) = (i + 1, j + 1, same + 1);
        }
        longest = longest.max(i - from);
        // Different shingles may have equal hashes.
        if same < measure.shingle {
            return None;
        }
        let again = measure.shingle - 2;
        let agrees = |(di, dj): &(usize, usize)| (0..again).all(|next| same_at(i + di + next, j + dj + next));
        let skips = (1..=measure.gap).flat_map(|most| (0..=most).flat_map(move |less| [(most, less), (less, most)]));
        match skips.into_iter().find(agrees) {
            Some((di, dj)) => (i, j) = (i + di, j + dj),
            None => return Some(CommonPassage { here: start..i, there: there_start..j, same, longest }),
        }
    }
}
