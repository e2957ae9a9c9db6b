//! What is really the same in two texts.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::tokens::Tokens;

/// How many places of one shingle are tried, so that a text of one repeated word stays quick.
const PLACES: usize = 8;

/// How passages are measured, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Measure {
    /// The tokens of a shingle.
    pub(super) shingle: usize,
    /// The least length of a passage.
    pub(super) least: usize,
    /// How many tokens may differ in between.
    pub(super) gap: usize,
}

/// Something that stands in both texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Common {
    /// Its tokens in the text in question.
    pub(super) here: Range<usize>,
    /// Its tokens in the other.
    pub(super) there: Range<usize>,
    /// How many are the same.
    pub(super) same: usize,
    /// How many of them stand side by side at most.
    longest: usize,
}

impl Common {
    /// Whether `same` tokens of it are too many for chance. Two idioms that happen to stand near each other in both texts
    /// are no copy, so what is patched together must have twice the length.
    pub(super) fn is_copied(&self, same: usize, least: usize) -> bool {
        if self.longest >= least { same >= least } else { same >= least * 2 }
    }
}

/// The places of the shingles of the text in question.
#[derive(Debug)]
pub(super) struct Places(FxHashMap<u64, Vec<u32>>);

impl Places {
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

/// What `here`, whose shingles stand at `places`, has in common with `there`, in order of `here` and without overlap.
///
/// Linear in the length of both.
pub(super) fn common(here: &Tokens, places: &Places, there: &Tokens, measure: Measure) -> Vec<Common> {
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    for (place, shingle) in there.shingles(measure.shingle).into_iter().enumerate() {
        if let Some(places) = places.0.get(&shingle) {
            pairs.extend(places.iter().map(|at| (*at, place as u32)));
        }
    }
    pairs.sort_unstable();
    let mut found: Vec<Common> = Vec::new();
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

/// The passage around the shingle at `seed`; not before `free` in the text in question.
fn run(here: &Tokens, there: &Tokens, seed: (usize, usize), free: usize, measure: Measure) -> Option<Common> {
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
        // Two shingles may have one hash, though never mean the same.
        if same < measure.shingle {
            return None;
        }
        let again = measure.shingle - 2;
        let agrees = |(di, dj): &(usize, usize)| (0..again).all(|next| same_at(i + di + next, j + dj + next));
        let skips = (1..=measure.gap).flat_map(|most| (0..=most).flat_map(move |less| [(most, less), (less, most)]));
        match skips.into_iter().find(agrees) {
            Some((di, dj)) => (i, j) = (i + di, j + dj),
            None => return Some(Common { here: start..i, there: there_start..j, same, longest }),
        }
    }
}
