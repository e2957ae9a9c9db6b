//! Finding sentences that are nearly the same without comparing all with all.
//!
//! A sentence is taken as the set of its runs of four letters (Chinese characters, or Latin words). Each run is hashed and
//! falls into one of four bands; a sketch keeps the smallest of each band. Two sentences that share a part `j` of their
//! runs agree in any one band with probability near `j`, so nearly equal ones agree in at least two (for `j` of 0.7, in
//! 9 of 10 cases; for 0.8, in 97 of 100), and are then compared in full.

use super::{Prose, Voice, mix};
use crate::Language;
use crate::language::{is_han, is_letter};

pub(crate) const BANDS: usize = 4;
const RUN: usize = 4;

/// The smallest hash of each band.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sketch(pub [u64; BANDS]);

/// Gives a sketch to each narrated sentence that is long enough to be no turn of speech.
pub(super) fn draw(text: &str, prose: &mut Prose) {
    let least = least_length(prose.language);
    for sentence in &mut prose.sentences {
        if sentence.length >= least && sentence.voice == Voice::Narrated {
            sentence.sketch = Some(Sketch::of(&text[sentence.range.clone()]));
        }
    }
}

/// The length from which a sentence that comes again is noticed.
pub(crate) fn least_length(language: Language) -> usize {
    match language {
        Language::Zh => 20,
        Language::En => 14,
    }
}

impl Sketch {
    /// Whether the sentences are worth comparing in full.
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

/// The runs of a sentence in order and without repetition, for comparing it with others.
#[derive(Debug, Default)]
pub(crate) struct Runs(Box<[u32]>);

impl Runs {
    pub(crate) fn of(sentence: &str) -> Self {
        let mut runs = Vec::with_capacity(sentence.len() / 3);
        each_run(sentence, |run| runs.push(run as u32));
        runs.sort_unstable();
        runs.dedup();
        Self(runs.into())
    }

    /// Whether two sentences share at least that part of their runs.
    pub(crate) fn are_like(&self, other: &Self, least: f64) -> bool {
        let is_enough = |shared: usize| {
            let all = self.0.len() + other.0.len() - shared;
            all > 0 && shared as f64 / all as f64 >= least
        };
        is_enough(self.0.len().min(other.0.len())) && is_enough(shared(&self.0, &other.0))
    }
}

/// How many numbers two lists have in common, both in order and without repetition.
fn shared(a: &[u32], b: &[u32]) -> usize {
    let (mut at, mut other, mut count) = (0, 0, 0);
    while at < a.len() && other < b.len() {
        // Without branches: which list goes on is as good as random.
        let (one, two) = (a[at], b[other]);
        count += usize::from(one == two);
        at += usize::from(one <= two);
        other += usize::from(two <= one);
    }
    count
}

/// Calls `each` with the hash of every run of four letters.
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
