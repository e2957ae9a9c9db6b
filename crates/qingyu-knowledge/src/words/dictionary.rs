//! The dictionary, if this build has one.

use std::ops::Range;
#[cfg(feature = "jieba")]
use std::sync::LazyLock;

#[cfg(feature = "jieba")]
use jieba_rs::{Jieba, Tag};

use super::WordKind;

pub(super) const IS_THERE: bool = cfg!(feature = "jieba");

/// The words of `run`, by their characters. Words that are not in the dictionary stay single characters: guessing at them
/// (jieba's hidden Markov model) joins as many that do not belong together.
#[cfg(feature = "jieba")]
pub(super) fn cut(run: &str) -> Vec<(Range<usize>, WordKind)> {
    static DICTIONARY: LazyLock<Jieba> = LazyLock::new(Jieba::new);
    DICTIONARY.tag(run, false).iter().map(|word| (word.start..word.end, kind(word))).collect()
}

#[cfg(not(feature = "jieba"))]
pub(super) fn cut(run: &str) -> Vec<(Range<usize>, WordKind)> {
    vec![(0..run.chars().count(), WordKind::Run)]
}

/// Of single characters only nouns tell something by themselves.
#[cfg(feature = "jieba")]
fn kind(word: &Tag<'_>) -> WordKind {
    let holds_together = word.tag.starts_with(['r', 'p', 'c', 'u', 'd', 'y', 'e', 'o', 'm', 'q', 'f', 'k', 'h']);
    let is_single = word.end - word.start == 1;
    if holds_together || (is_single && !word.tag.starts_with('n')) { WordKind::Function } else { WordKind::Content }
}
