//! Evaluation of content by criteria, in several runs, and comparison of two versions.
//!
//! Each run is another judge: an editor, a practitioner, a sceptic. Every number has the deviation between judges beside its value. A failed run is counted, but never scored; a criterion
//! without a score has no weight in the total.

mod compare;
mod role;
mod score;

pub use compare::{Comparison, Verdict, compare};
pub use role::{JudgeRole, role};
pub(crate) use score::Rating;
pub use score::{Evaluation, Judged, Run, Score, Scores, check, evaluate};

#[cfg(test)]
mod tests;
