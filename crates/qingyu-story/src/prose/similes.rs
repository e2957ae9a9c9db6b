//! Detection of comparisons, for finding repetitions.

use std::ops::Range;

use super::english;
use super::hash::mix;
use super::parsed::Simile;
use super::term::{SearchTerm, TermHit};
use crate::language::is_han;

/// The words opening a comparison.
pub(super) const MARKERS: [&str; 8] = ["像", "仿佛", "如同", "宛如", "犹如", "好似", "like a ", "like an "];
/// The Chinese words closing a comparison.
const TAILS: [&str; 5] = ["一样", "一般", "似的", "那样", "般"];
/// Characters forming another word with a preceding `像`.
const IN_OTHER_WORDS: &str = "画图偶录雕肖影摄佛神头塑想好不";

/// Returns the comparisons among the found terms. In Chinese only comparisons closed by `一样` or a similar word are
/// certain.
pub(super) fn of(text: &str, found: &[TermHit]) -> Vec<Simile> {
    let markers = found.iter().filter(|found| found.why == SearchTerm::Simile);
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

/// Parses an image of at least two content words, up to a mark.
fn latin(text: &str, marker: &Range<usize>) -> Option<(u64, usize)> {
    let rest = &text[marker.end..];
    let end = rest.bytes().take(60).position(|byte| !byte.is_ascii_alphabetic() && byte != b' ')?;
    let mut words = english::words(&rest[..end]).take(2).filter(|(_, word)| word.len() > 2);
    let (first, second) = (words.next()?, words.next()?);
    let hash = |hash, word: &str| word.chars().map(|c| c.to_ascii_lowercase()).fold(mix(hash, ' '), mix);
    Some((hash(hash(0, first.1), second.1), second.0 + second.1.len()))
}
