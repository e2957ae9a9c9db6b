//! Measures the lengths of sentences and paragraphs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ratio::rounded;

/// The upper bounds of the bins for sentences.
pub(super) const SENTENCES: [usize; 7] = [5, 10, 15, 20, 30, 40, 60];
/// The upper bounds of the bins for paragraphs.
pub(super) const PARAGRAPHS: [usize; 7] = [10, 30, 60, 100, 150, 200, 300];

/// How long the parts of a text are, in Chinese characters and Latin words.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Lengths {
    /// How many there are.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// The length that half of them do not pass.
    pub median: f64,
    /// Their standard deviation.
    pub spread: f64,
    /// The shortest.
    pub shortest: usize,
    /// The longest.
    pub longest: usize,
    /// How many there are of which length.
    pub histogram: Vec<Bin>,
}

/// The parts of a length.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bin {
    /// The least length.
    pub from: usize,
    /// The greatest length; none for the last bin.
    pub to: Option<usize>,
    /// How many.
    pub count: usize,
}

impl Lengths {
    /// Returns the figures of `lengths`, counted in bins with the ascending upper bounds `ends`.
    pub fn of(mut lengths: Vec<usize>, ends: &[usize]) -> Self {
        let mut histogram: Vec<Bin> = Vec::with_capacity(ends.len() + 1);
        let mut from = 0;
        for to in ends {
            histogram.push(Bin { from, to: Some(*to), count: 0 });
            from = to + 1;
        }
        histogram.push(Bin { from, to: None, count: 0 });
        for length in &lengths {
            histogram[ends.partition_point(|end| end < length)].count += 1;
        }
        let count = lengths.len();
        if count == 0 {
            return Self { histogram, ..Self::default() };
        }
        let mean = lengths.iter().sum::<usize>() as f64 / count as f64;
        let variance = lengths.iter().map(|length| (*length as f64 - mean).powi(2)).sum::<f64>() / count as f64;
        let shortest = lengths.iter().copied().min().unwrap_or_default();
        let longest = lengths.iter().copied().max().unwrap_or_default();
        Self {
            count,
            mean: rounded(mean),
            median: median(&mut lengths),
            spread: rounded(variance.sqrt()),
            shortest,
            longest,
            histogram,
        }
    }
}

/// Returns the median of at least one length, in linear time.
fn median(lengths: &mut [usize]) -> f64 {
    let (count, middle) = (lengths.len(), lengths.len() / 2);
    let (below, at, _) = lengths.select_nth_unstable(middle);
    let at = *at;
    match below.iter().max() {
        Some(before) if middle * 2 == count => (before + at) as f64 / 2.0,
        _ => at as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_lengths() {
        let lengths = Lengths::of(vec![2, 4, 4, 4, 5, 5, 7, 9], &[4, 6]);
        assert_eq!((lengths.mean, lengths.median, lengths.spread), (5.0, 4.5, 2.0));
        assert_eq!((lengths.count, lengths.shortest, lengths.longest), (8, 2, 9));
        let bins: Vec<_> = lengths.histogram.iter().map(|bin| (bin.from, bin.to, bin.count)).collect();
        assert_eq!(bins, [(0, Some(4), 4), (5, Some(6), 2), (7, None, 2)]);
        assert_eq!(Lengths::of(vec![3, 1, 2], &[2]).median, 2.0);
        assert_eq!(Lengths::of(vec![], &[2]).count, 0);
    }
}
