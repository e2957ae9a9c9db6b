//! Comparisons, so that one that comes again and again can be seen.

use std::ops::Range;

use super::lexicon::{Found, Sought};
use super::{english, mix};
use crate::language::is_han;

/// A comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simile {
    /// From the marker to the end of what it is compared with.
    pub range: Range<usize>,
    /// A hash of what it is compared with.
    pub image: u64,
}

/// The words that open a comparison.
pub(super) const MARKERS: [&str; 8] = ["像", "仿佛", "如同", "宛如", "犹如", "好似", "like a ", "like an "];
/// The words that end one in Chinese.
const TAILS: [&str; 5] = ["一样", "一般", "似的", "那样", "般"];
/// Before these, `像` is part of another word.
const IN_OTHER_WORDS: &str = "画图偶录雕肖影摄佛神头塑想好不";

/// The comparisons among what was found. In Chinese only those that say `一样` or the like at their end are certain.
pub(super) fn of(text: &str, found: &[Found]) -> Vec<Simile> {
    let markers = found.iter().filter(|found| found.why == Sought::Simile);
    markers
        .filter_map(|found| {
            let marker = &found.range;
            let (image, length) =
                if text.as_bytes()[marker.start].is_ascii() { latin(text, marker) } else { chinese(text, marker) }?;
            Some(Simile { range: marker.start..marker.end + length, image })
        })
        .collect()
}

fn chinese(text: &str, marker: &Range<usize>) -> Option<(u64, usize)> {
    const LONGEST: usize = 14;
    if text[..marker.start].ends_with(|c| IN_OTHER_WORDS.contains(c)) {
        return None;
    }
    let rest = &text[marker.end..];
    let end = rest.char_indices().take(LONGEST).find(|(_, c)| !is_han(*c)).map_or(rest.len(), |(at, _)| at);
    let limit = rest.char_indices().nth(LONGEST).map_or(rest.len(), |(at, _)| at).min(end);
    let clause = &rest[..limit];
    let (at, tail) = TAILS.iter().filter_map(|tail| clause.find(tail).map(|at| (at, tail))).min()?;
    let image = &clause[..at];
    let is_image = image.chars().count() >= 3;
    is_image.then(|| (image.chars().fold(0, mix), at + tail.len()))
}

/// At least two words that carry meaning, up to a mark.
fn latin(text: &str, marker: &Range<usize>) -> Option<(u64, usize)> {
    let rest = &text[marker.end..];
    let end = rest.bytes().take(60).position(|byte| !byte.is_ascii_alphabetic() && byte != b' ')?;
    let mut words = english::words(&rest[..end]).take(2).filter(|(_, word)| word.len() > 2);
    let (first, second) = (words.next()?, words.next()?);
    let hash = |hash, word: &str| word.chars().map(|c| c.to_ascii_lowercase()).fold(mix(hash, ' '), mix);
    Some((hash(hash(0, first.1), second.1), second.0 + second.1.len()))
}
