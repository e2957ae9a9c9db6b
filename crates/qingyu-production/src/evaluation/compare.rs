//! Comparison of two versions, with the noise beside the difference.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::score::Evaluation;
use crate::statistics::{rounded, welch};

/// How one evaluation differs from another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// Each criterion that either has, those of the first in their order.
    pub(crate) criteria: Vec<Compared>,
    /// The totals. They are compared only if both cover the same criteria with the same weights.
    pub(crate) total: Compared,
}

/// Two numbers, and whether they can be told apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Compared {
    /// The name of the criterion; `total` for the totals.
    pub(crate) criterion: String,
    /// The name for people.
    pub(crate) title: String,
    /// The first mean.
    pub(crate) before: Option<f64>,
    /// The second mean.
    pub(crate) after: Option<f64>,
    /// How much the second is more than the first.
    pub(crate) difference: Option<f64>,
    /// How much of a difference may be chance (Welch 1947, 95 %); null if either has fewer than two runs.
    pub(crate) noise: Option<f64>,
    /// What follows.
    pub(crate) verdict: Verdict,
}

/// Whether the second version is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is, by more than chance brings.
    Better,
    /// It is worse, by more than chance brings.
    Worse,
    /// Chance may bring as much; or it is not known how much chance brings.
    NotDistinguishable,
    /// One of them has no score, or they are scores of different things.
    NotComparable,
}

/// Returns the differences between `before` and `after`.
pub fn compare(before: &Evaluation, after: &Evaluation) -> Comparison {
    let find = |evaluation: &Evaluation, name: &str| {
        let rating = evaluation.criteria.iter().find(|rating| rating.criterion == name)?;
        Some((rating.mean?, rating.deviation, rating.scores.len()))
    };
    let mut named: Vec<(&str, &str)> = Vec::new();
    for rating in before.criteria.iter().chain(&after.criteria) {
        if !named.iter().any(|(name, _)| *name == rating.criterion) {
            named.push((&rating.criterion, &rating.title));
        }
    }
    let criteria = named.into_iter().map(|(name, title)| {
        let (one, other) = (find(before, name), find(after, name));
        compared(name, title, one, other, one.is_some() && other.is_some())
    });
    let total = |evaluation: &Evaluation| Some((evaluation.total?, evaluation.deviation, evaluation.whole_runs));
    let total = compared("total", "", total(before), total(after), covers(before) == covers(after));
    Comparison { criteria: criteria.collect(), total }
}

/// Returns the criteria of a total, with their weights.
fn covers(evaluation: &Evaluation) -> Vec<(&str, u64)> {
    let scored = evaluation.criteria.iter().filter(|rating| rating.mean.is_some());
    let mut covered: Vec<(&str, u64)> =
        scored.map(|rating| (rating.criterion.as_str(), rating.weight.to_bits())).collect();
    covered.sort_unstable();
    covered
}

/// A mean, its deviation and the number of values.
type Measured = (f64, Option<f64>, usize);

fn compared(
    criterion: &str,
    title: &str,
    one: Option<Measured>,
    other: Option<Measured>,
    is_the_same_thing: bool,
) -> Compared {
    let both = one.zip(other);
    let difference = both.map(|(one, other)| rounded(other.0 - one.0));
    let noise = both.and_then(|(one, other)| welch((one.1?, one.2), (other.1?, other.2))).map(rounded);
    let verdict = match (difference, noise) {
        (None, _) => Verdict::NotComparable,
        _ if !is_the_same_thing => Verdict::NotComparable,
        (Some(difference), Some(noise)) if difference > noise => Verdict::Better,
        (Some(difference), Some(noise)) if -difference > noise => Verdict::Worse,
        _ => Verdict::NotDistinguishable,
    };
    let (criterion, title) = (criterion.to_owned(), title.to_owned());
    let mean = |measured: Option<Measured>| measured.map(|measured| measured.0);
    Compared { criterion, title, before: mean(one), after: mean(other), difference, noise, verdict }
}
