//! Search for near-duplicate sentences without comparing all pairs.
//!
//! A sentence is represented by the set of its runs of four letters (Chinese characters, or Latin words). Each run is
//! hashed into one of four bands; a sketch stores the minimum of each band. Two sentences sharing a fraction `j` of
//! their runs agree in any given band with probability near `j`, so near-duplicates agree in at least two bands (for
//! `j` of 0.7, in 9 of 10 cases; for 0.8, in 97 of 100), and are then compared in full.

use super::hash::mix;
use super::parsed::{BANDS, Prose, SentenceSketch, SentenceVoice};
use crate::Language;
use crate::language::{is_han, is_letter};

const RUN: usize = 4;

/// Computes a sketch for each narrated sentence too long to be an idiom.
pub(super) fn draw(text: &str, prose: &mut Prose) {
    let least = least_length(prose.language);
    for sentence in &mut prose.sentences {
        if sentence.length >= least && sentence.voice == SentenceVoice::Narrated {
            sentence.sketch = Some(SentenceSketch::of(&text[sentence.range.clone()]));
        }
    }
}

/// Returns the minimum length of a sentence for reporting its repetition.
pub(crate) fn least_length(language: Language) -> usize {
    match language {
        Language::Zh => 20,
        Language::En => 14,
    }
}

impl SentenceSketch {
    /// Returns whether the sentences are worth a full comparison.
    pub(crate) fn is_near(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).filter(|(a, b)| a == b).count() >= 2
    }

    fn of(sentence: &str) -> Self {
        let mut least = [u64::MAX; BANDS];
        each_run(sentence, |run| {
            let band = (run >> 60) as usize % BANDS;
            least[band] = least[band].min(run);
        });
        Self(least)
    }
}

/// The sorted, deduplicated runs of a sentence, for comparison.
#[derive(Debug, Default)]
pub(crate) struct LetterRuns(Box<[u32]>);

impl LetterRuns {
    pub(crate) fn of(sentence: &str) -> Self {
        let mut runs = Vec::with_capacity(sentence.len() / 3);
        each_run(sentence, |run| runs.push(run as u32));
        runs.sort_unstable();
        runs.dedup();
        Self(runs.into())
    }

    /// Returns whether two sentences share at least the fraction `least` of their runs.
    pub(crate) fn are_like(&self, other: &Self, least: f64) -> bool {
        let is_enough = |shared: usize| {
            let all = self.0.len() + other.0.len() - shared;
            all > 0 && shared as f64 / all as f64 >= least
        };
        is_enough(self.0.len().min(other.0.len())) && is_enough(shared(&self.0, &other.0))
    }
}

/// Returns the number of common elements of two sorted lists without duplicates.
fn shared(a: &[u32], b: &[u32]) -> usize {
    let (mut at, mut other, mut count) = (0, 0, 0);
    while at < a.len() && other < b.len() {
        // Branch-free, since the list to advance is effectively random.
        let (one, two) = (a[at], b[other]);
        count += usize::from(one == two);
        at += usize::from(one <= two);
        other += usize::from(two <= one);
    }
    count
}

/// Calls the callback `each` with the hash of every run of four letters.
fn each_run(sentence: &str, mut each: impl FnMut(u64)) {
    let mut last = [0_u64; RUN];
    let mut count = 0;
    let mut push = |letter: u64| {
        last.rotate_left(1);
        last[RUN - 1] = letter;
        count += 1;
        if count >= RUN {
            let hash = last
                .iter()
                .fold(0_u64, |hash, letter| (hash.rotate_left(13) ^ letter).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            each(hash ^ hash >> 29);
        }
    };
    let mut word = None;
    for c in sentence.chars() {
        if !is_han(c) && is_letter(c) {
            word = Some(mix(word.unwrap_or_default(), c.to_ascii_lowercase()));
            continue;
        }
        if let Some(word) = word.take() {
            push(word);
        }
        if is_han(c) {
            push(u64::from(c));
        }
    }
    if let Some(word) = word {
        push(word);
    }
}
