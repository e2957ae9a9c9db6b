//! Measures the variety of words.

use std::collections::hash_map::Entry;
use std::hash::Hash;

use qingyu_story::Language;
use qingyu_story::language::is_han;
use rustc_hash::{FxHashMap, FxHashSet};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ratio::{rounded, share};

/// The number of units in the moving window.
const WINDOW: usize = 500;
/// The ratio at which an MTLD factor is complete.
const THRESHOLD: f64 = 0.72;

/// How varied the words of a text are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Variety {
    /// What is counted.
    pub unit: Unit,
    /// How many there are.
    pub count: usize,
    /// How many different ones.
    pub different: usize,
    /// Different ones by all: falls with the length of the text.
    pub ratio: f64,
    /// The mean of the ratio in a window that moves over the text (Covington and McFall 2010): texts of any length compare.
    pub moving: f64,
    /// How many units the window holds; fewer in a short text.
    pub window: usize,
    /// After how many units the ratio falls to 0.72, forwards and backwards (MTLD, McCarthy and Jarvis 2010).
    ///
    /// The threshold is the authors' for English words; for pairs of characters it compares texts of one language only.
    pub mtld: f64,
}

/// What is counted for variety.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Words, as the text divides them.
    Words,
    /// Pairs of Chinese characters that stand side by side.
    Pairs,
}

impl Variety {
    /// Returns the figures of `text`, in words or, in Chinese, in pairs of characters.
    pub(super) fn of(text: &str, language: Language) -> Self {
        match language {
            Language::En => Self::of_units(&latin_words(text), Unit::Words),
            Language::Zh => Self::of_units(&pairs(text), Unit::Pairs),
        }
    }

    fn of_units<T: Hash + Eq>(units: &[T], unit: Unit) -> Self {
        let numbers = numbered(units);
        let different = numbers.iter().max().map_or(0, |most| *most as usize + 1);
        let window = WINDOW.min(numbers.len());
        let backwards: Vec<u32> = numbers.iter().rev().copied().collect();
        let mtld = (one_way(&numbers) + one_way(&backwards)) / 2.0;
        Self {
            unit,
            count: numbers.len(),
            different,
            ratio: share(different, numbers.len()),
            moving: rounded(moving(&numbers, different, window)),
            window,
            mtld: rounded(mtld),
        }
    }
}

/// Returns the pairs of adjacent Chinese characters.
fn pairs(text: &str) -> Vec<(char, char)> {
    let mut pairs = Vec::with_capacity(text.len() / 3);
    let mut before = None;
    for c in text.chars() {
        let character = is_han(c).then_some(c);
        if let (Some(first), Some(second)) = (before, character) {
            pairs.push((first, second));
        }
        before = character;
    }
    pairs
}

/// Returns the words between spaces and punctuation, in lower case.
pub(super) fn latin_words(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-')))
        .map(|word| word.trim_matches(['\'', '’', '-']))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Returns each unit as a number, assigned in order of first appearance.
fn numbered<T: Hash + Eq>(units: &[T]) -> Vec<u32> {
    let mut kinds = FxHashMap::default();
    let number = |unit| {
        let next = kinds.len() as u32;
        match kinds.entry(unit) {
            Entry::Occupied(kind) => *kind.get(),
            Entry::Vacant(free) => *free.insert(next),
        }
    };
    units.iter().map(number).collect()
}

/// Returns the mean ratio over a moving window of `window` units.
fn moving(numbers: &[u32], different: usize, window: usize) -> f64 {
    if window == 0 {
        return 0.0;
    }
    let mut counts = vec![0_u32; different];
    let (mut kinds, mut sum, mut windows) = (0_usize, 0.0, 0.0);
    for (at, number) in numbers.iter().enumerate() {
        let count = &mut counts[*number as usize];
        kinds += usize::from(*count == 0);
        *count += 1;
        if at >= window {
            let gone = &mut counts[numbers[at - window] as usize];
            *gone -= 1;
            kinds -= usize::from(*gone == 0);
        }
        if at + 1 >= window {
            sum += kinds as f64 / window as f64;
            windows += 1.0;
        }
    }
    sum / windows
}

/// Returns the number of units per MTLD factor, read in a single direction.
fn one_way(numbers: &[u32]) -> f64 {
    let mut seen = FxHashSet::default();
    let (mut factors, mut length) = (0.0, 0_usize);
    for number in numbers {
        seen.insert(*number);
        length += 1;
        if (seen.len() as f64) / (length as f64) <= THRESHOLD {
            factors += 1.0;
            seen.clear();
            length = 0;
        }
    }
    if length > 0 {
        factors += (1.0 - seen.len() as f64 / length as f64) / (1.0 - THRESHOLD);
    }
    if factors > 0.0 { numbers.len() as f64 / factors } else { numbers.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_units() {
        let variety = Variety::of("雨，雨下下雨下", Language::Zh);
        assert_eq!((variety.unit, variety.count, variety.different), (Unit::Pairs, 4, 3));
        let variety = Variety::of("The dog saw the other dog. It's well-fed.", Language::En);
        assert_eq!((variety.count, variety.different, variety.ratio), (8, 6, 0.75));
    }

    #[test]
    fn mtld_as_its_authors_count() {
        // Two whole factors of three units each (ratio 2/3 ≤ 0.72), read both ways.
        assert_eq!(one_way(&[0, 1, 1, 2, 3, 3]), 3.0);
        assert_eq!(one_way(&[0, 1, 2]), 3.0);
        let same = Variety::of(&"word ".repeat(100), Language::En);
        assert_eq!(same.mtld, 2.0);
        assert_eq!(same.moving, 0.01);
    }

    #[test]
    fn the_moving_ratio_is_that_of_its_windows() {
        let numbers = [0, 1, 0, 2, 2, 1, 3, 0, 0];
        for window in 1..=numbers.len() {
            let windows: Vec<f64> = numbers
                .windows(window)
                .map(|part| part.iter().collect::<std::collections::BTreeSet<_>>().len() as f64 / window as f64)
                .collect();
            let mean = windows.iter().sum::<f64>() / windows.len() as f64;
            assert!((moving(&numbers, 4, window) - mean).abs() < 1e-9, "{window}");
        }
    }
}
