//! Tension, functions, arcs and cadence over the chapters of a reference.

use std::collections::BTreeMap;

use qingyu_story::genre::sequence::SequenceLimits;
use qingyu_story::prose::{EndingKind, OpeningKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::chapter::{ChapterFunction, ChapterStructure, MeasuredChapter};
use crate::figures::{rounded, share};

/// The tension from which a chapter can be a climax.
const HIGH: u8 = 8;
/// The tension up to which a chapter is a rest.
const LOW: u8 = 3;
/// The tension of all chapters of a book in which all are alike.
const MIDDLE: u8 = 5;
/// How far a climax is above the middle of its book.
const ABOVE: u8 = 2;
/// The share of their mean by which the figures of chapters differ by chance.
const NOISE: f64 = 0.15;
/// The number of words of feeling by which chapters differ by chance.
const CHANCE_WORDS: f64 = 2.0;
/// The steps between the least and the greatest tension.
const STEPS: f64 = 9.0;
/// The least fall of tension after a climax that ends an arc.
const FALL: u8 = 2;
/// The least number of chapters of an arc that is not cut by a volume.
const ARC: usize = 3;
/// The number of parts of the tension curve.
const PARTS: usize = 10;

/// An arc: chapters up to the fall after a climax, or to the end of a volume.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArcStructure {
    /// The place of its first chapter, from 1.
    pub from: usize,
    /// The place of its last chapter.
    pub to: usize,
    /// The place of its tensest chapter.
    pub peak: usize,
    /// The tension there.
    pub tension: u8,
    /// How many of its chapters pay the reader.
    pub payoffs: usize,
}

/// Lengths, rows and intervals over all chapters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cadence {
    /// The usual length of a chapter: a tenth of the chapters is shorter, a tenth longer.
    pub chapter_words: (usize, usize),
    /// The length in the middle of all.
    pub median: usize,
    /// The mean number of chapters per chapter that pays the reader; `None` if no chapter does.
    pub payoff_every: Option<f64>,
    /// The longest row of chapters without one.
    pub longest_wait: usize,
    /// The mean number of chapters per climax; `None` without a climax.
    pub climax_every: Option<f64>,
    /// The share of chapters whose ends make a reader read on, from 0 to 1.
    pub pulling: f64,
    /// How the chapters open, the most frequent first.
    pub openings: Vec<OpeningCount>,
    /// How the chapters end, the most frequent first; ends whose form says nothing are left out.
    pub endings: Vec<EndingCount>,
    /// The longest row of chapters of one function.
    pub same_function: usize,
    /// The longest row of chapters that end in one way.
    pub same_ending: usize,
    /// The longest row of chapters with one tension.
    pub flat_tension: usize,
    /// The mean tension along the book, in at most ten parts of even numbers of chapters.
    pub tension: Vec<f64>,
}

/// The number of chapters that open in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpeningCount {
    /// The way.
    pub kind: OpeningKind,
    /// How many chapters.
    pub count: usize,
}

/// The number of chapters that end in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EndingCount {
    /// The way.
    pub kind: EndingKind,
    /// How many chapters.
    pub count: usize,
}

/// Sets the tensions: the mean of pace and weight of feeling, each scaled over the book, scaled to 1 to 10. A figure by
/// which all chapters are nearly equal says nothing.
pub(super) fn set_tensions(chapters: &mut [MeasuredChapter]) {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let scaled = |values: Vec<f64>, chance: f64| -> Option<Vec<f64>> {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let span = high - low;
        (span > chance.max(f64::EPSILON)).then(|| values.into_iter().map(|value| (value - low) / span).collect())
    };
    let level = |values: Vec<f64>, chance: f64| {
        let (count, chance) = (values.len(), chance.max(mean(&values) * NOISE));
        scaled(values, chance).unwrap_or_else(|| vec![0.5; count])
    };
    let lengths: Vec<f64> = chapters.iter().map(|chapter| chapter.structure.length as f64).collect();
    let words = CHANCE_WORDS * 1_000.0 / mean(&lengths).max(1.0);
    let pace = level(chapters.iter().map(|chapter| chapter.pace).collect(), 0.0);
    let intensity = level(chapters.iter().map(|chapter| chapter.intensity).collect(), words);
    let both = pace.into_iter().zip(intensity).map(|(pace, intensity)| f64::midpoint(pace, intensity)).collect();
    let tensions: Vec<u8> = match scaled(both, 0.0) {
        Some(values) => values.into_iter().map(|value| 1 + (value * STEPS).round() as u8).collect(),
        None => vec![MIDDLE; chapters.len()],
    };
    for (chapter, tension) in chapters.iter_mut().zip(tensions) {
        chapter.structure.tension = tension;
    }
}

/// Sets the functions, from tensions and turns.
pub(super) fn set_functions(chapters: &mut [MeasuredChapter]) {
    let tensions: Vec<u8> = chapters.iter().map(|chapter| chapter.structure.tension).collect();
    let mut sorted = tensions.clone();
    sorted.sort_unstable();
    let middle = sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(MIDDLE);
    for (at, chapter) in chapters.iter_mut().enumerate() {
        let before = at.checked_sub(1).map(|at| tensions[at]);
        let after = tensions.get(at + 1).copied();
        chapter.structure.function = function(&chapter.structure, middle, before, after);
    }
}

/// Returns the function of a chapter in a book with the median tension `middle`, between chapters with these tensions.
fn function(chapter: &ChapterStructure, middle: u8, before: Option<u8>, after: Option<u8>) -> ChapterFunction {
    let tension = chapter.tension;
    let stands_out = tension >= HIGH.max(middle + ABOVE);
    let is_highest = before.is_none_or(|before| before < tension) && after.is_none_or(|after| after <= tension);
    let (won, lost) = (chapter.count(true), chapter.count(false));
    if stands_out && is_highest {
        ChapterFunction::Climax
    } else if lost > won {
        ChapterFunction::Setback
    } else if won > 0 {
        ChapterFunction::Payoff
    } else if tension <= LOW {
        ChapterFunction::Rest
    } else if before.is_some_and(|before| before < tension) {
        ChapterFunction::Rise
    } else {
        ChapterFunction::Development
    }
}

/// Returns the arcs of the chapters in reading order; every chapter is in one.
pub(super) fn arcs(chapters: &[ChapterStructure]) -> Vec<ArcStructure> {
    let mut arcs = Vec::new();
    let mut first = 0;
    for at in 0..chapters.len() {
        let Some(next) = chapters.get(at + 1) else {
            arcs.push(arc(&chapters[first..]));
            break;
        };
        let has_climax = chapters[first..=at].iter().any(|one| one.function == ChapterFunction::Climax);
        let has_fallen = next.tension + FALL <= chapters[at].tension;
        let is_long = at + 1 - first >= ARC;
        if next.volume != chapters[at].volume || has_climax && has_fallen && is_long {
            arcs.push(arc(&chapters[first..=at]));
            first = at + 1;
        }
    }
    arcs
}

/// Returns the arc of at least one chapter.
fn arc(chapters: &[ChapterStructure]) -> ArcStructure {
    let (first, last) = (&chapters[0], &chapters[chapters.len() - 1]);
    // The first of equally tense chapters.
    let peak = chapters.iter().rev().max_by_key(|chapter| chapter.tension).unwrap_or(first);
    ArcStructure {
        from: first.number,
        to: last.number,
        peak: peak.number,
        tension: peak.tension,
        payoffs: chapters.iter().filter(|chapter| chapter.pays()).count(),
    }
}

impl Cadence {
    pub(super) fn of(chapters: &[ChapterStructure]) -> Self {
        let mut lengths: Vec<usize> = chapters.iter().map(|chapter| chapter.length).collect();
        lengths.sort_unstable();
        let every = |count: usize| (count > 0).then(|| rounded(chapters.len() as f64 / count as f64));
        let count = |is_meant: &dyn Fn(&ChapterStructure) -> bool| chapters.iter().filter(|one| is_meant(one)).count();
        let tensions: Vec<Option<u8>> = chapters.iter().map(|chapter| Some(chapter.tension)).collect();
        let openings = counted(chapters.iter().filter_map(|chapter| chapter.opens));
        let endings = counted(chapters.iter().filter_map(|chapter| chapter.ends));
        Self {
            chapter_words: (quantile(&lengths, 1), quantile(&lengths, 9)),
            median: quantile(&lengths, 5),
            payoff_every: every(count(&ChapterStructure::pays)),
            longest_wait: longest_row(chapters, |one, next| !one.pays() && !next.pays(), |one| !one.pays()),
            climax_every: every(count(&|one| one.function == ChapterFunction::Climax)),
            pulling: share(count(&ChapterStructure::pulls), chapters.len()),
            openings: openings.into_iter().map(|(kind, count)| OpeningCount { kind, count }).collect(),
            endings: endings.into_iter().map(|(kind, count)| EndingCount { kind, count }).collect(),
            same_function: longest_row(chapters, |one, next| one.function == next.function, |_| true),
            same_ending: longest_row(chapters, |one, next| one.ends == next.ends, |one| one.ends.is_some()),
            flat_tension: (0..chapters.len())
                .map(|first| SequenceLimits::flat_row(&tensions[first..]))
                .max()
                .unwrap_or_default(),
            tension: curve(chapters),
        }
    }
}

/// Returns the value at `tenths` tenths of the sorted values; 0 without values.
fn quantile(sorted: &[usize], tenths: usize) -> usize {
    let last = sorted.len().saturating_sub(1);
    sorted.get(last * tenths / 10).copied().unwrap_or_default()
}

/// Returns the kinds with their counts, the most frequent first.
fn counted<K: Ord + Copy>(kinds: impl Iterator<Item = K>) -> Vec<(K, usize)> {
    let mut counts: BTreeMap<K, usize> = BTreeMap::new();
    kinds.for_each(|kind| *counts.entry(kind).or_default() += 1);
    let mut counts: Vec<(K, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// Returns the length of the longest row of chapters that count and are alike.
fn longest_row(
    chapters: &[ChapterStructure],
    is_alike: impl Fn(&ChapterStructure, &ChapterStructure) -> bool,
    counts: impl Fn(&ChapterStructure) -> bool,
) -> usize {
    let rows = chapters.chunk_by(is_alike);
    rows.filter(|row| counts(&row[0])).map(<[ChapterStructure]>::len).max().unwrap_or_default()
}

/// Returns the mean tensions of at most ten parts.
fn curve(chapters: &[ChapterStructure]) -> Vec<f64> {
    let parts = PARTS.min(chapters.len());
    let part = |at: usize| &chapters[at * chapters.len() / parts..(at + 1) * chapters.len() / parts];
    let mean = |part: &[ChapterStructure]| {
        let sum: f64 = part.iter().map(|chapter| f64::from(chapter.tension)).sum();
        rounded(sum / part.len().max(1) as f64)
    };
    (0..parts).map(|at| mean(part(at))).collect()
}
