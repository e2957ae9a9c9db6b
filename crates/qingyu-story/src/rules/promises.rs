//! Plants and payoffs, matched by wording.

use std::collections::BTreeSet;

use crate::names::fold;

/// Returns whether two wordings describe the same promise: equal, contained, or sharing half of their letter pairs.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (letters(a), letters(b));
    let holds = |long: &[char], short: &[char]| short.len() >= 2 && long.windows(short.len()).any(|part| part == short);
    !a.is_empty() && (a == b || holds(&a, &b) || holds(&b, &a) || likeness(&a, &b) >= 0.5)
}

/// Returns Dice's coefficient over pairs of neighbouring letters, from 0 to 1.
fn likeness(a: &[char], b: &[char]) -> f64 {
    let pairs = |text: &[char]| text.windows(2).map(|pair| (pair[0], pair[1])).collect::<BTreeSet<_>>();
    let (a, b) = (pairs(a), pairs(b));
    let total = a.len() + b.len();
    if total == 0 { 0.0 } else { 2.0 * a.intersection(&b).count() as f64 / total as f64 }
}

/// Returns the similarity of two names, from 0 to 1.
pub(super) fn name_likeness(a: &str, b: &str) -> f64 {
    likeness(&letters(a), &letters(b))
}

fn letters(text: &str) -> Vec<char> {
    fold(text).chars().filter(|c| c.is_alphanumeric()).collect()
}
