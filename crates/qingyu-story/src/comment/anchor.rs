//! Anchors: words of a text with their surroundings, found again after edits.

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use thiserror::Error;

/// Length of the context on either side, in characters.
const AROUND: usize = 24;
/// Matching characters of context that identify a place.
const ENOUGH: usize = 6;
/// The largest changed passage that is compared by character: the product of both lengths.
const COMPARABLE: usize = 16_000_000;

/// Words of a text, with the words around them.
///
/// An anchor identifies one place of the text for which it was made. [`follow`](Self::follow) carries it through an edit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct TextAnchor {
    /// The words.
    pub quote: String,
    /// The text before the words, up to 24 characters.
    pub before: String,
    /// The text after the words, up to 24 characters.
    pub after: String,
    /// The number of earlier places with the same words and surroundings.
    #[serde(skip_serializing_if = "is_zero")]
    pub occurrence: u32,
}

/// Why words given by a person identify no place of a text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PassageError {
    /// No words were given.
    #[error("no words are given")]
    Empty,
    /// The words are not in the text.
    #[error("the words are not in the text")]
    Missing,
    /// The words are in the text several times.
    #[error("the words are in the text {count} times")]
    Ambiguous {
        /// The number of places.
        count: usize,
    },
}

impl TextAnchor {
    /// Returns the anchor of `quote` in `text`. `before` and `after` are words around the quote, needed if the quote
    /// occurs several times; both may be empty.
    pub fn of_quote(text: &str, quote: &str, before: &str, after: &str) -> Result<Self, PassageError> {
        let text = characters(text);
        let wanted = Words { quote: characters(quote), before: characters(before), after: characters(after) };
        if quote.trim().is_empty() {
            return Err(PassageError::Empty);
        }
        let places = wanted.best_places(&text);
        match places.starts.as_slice() {
            [] => Err(PassageError::Missing),
            [start] => Ok(anchor_of(&text, *start..*start + wanted.quote.len())),
            several => Err(PassageError::Ambiguous { count: several.len() }),
        }
    }

    /// Returns the place of the words in `text`, in characters; `None` if the words are gone.
    ///
    /// Words that occur several times are identified by their surroundings.
    pub fn find(&self, text: &str) -> Option<Range<usize>> {
        self.find_in(&characters(text))
    }

    /// Returns the anchor for the same words in `text`; `None` if the words are gone.
    pub(crate) fn found_in(&self, text: &str) -> Option<Self> {
        let text = characters(text);
        Some(anchor_of(&text, self.find_in(&text)?))
    }

    /// Returns the anchor after an edit which turned `before` into `after`; `None` if the quoted words are gone.
    ///
    /// Characters inserted between quoted characters become part of the quote, deleted characters leave it. The words are
    /// gone when at most one of several quoted letters is left: a rewritten text has single letters in common by chance.
    pub fn follow(&self, before: &str, after: &str) -> Option<Self> {
        let (before, after) = (characters(before), characters(after));
        let quoted = self.find_in(&before)?;
        let range = carried(&before, &after, quoted).or_else(|| self.find_in(&after))?;
        Some(anchor_of(&after, range))
    }

    fn find_in(&self, text: &[char]) -> Option<Range<usize>> {
        let Self { quote, before, after, occurrence } = self;
        let words = Words { quote: characters(quote), before: characters(before), after: characters(after) };
        let places = words.best_places(text);
        let is_known = places.context >= ENOUGH.min(words.before.len() + words.after.len());
        let is_telling = places.starts.len() == 1 && words.quote.len() >= ENOUGH;
        if places.starts.is_empty() || !(is_known || is_telling) {
            return None;
        }
        let start = places.starts[(*occurrence as usize).min(places.starts.len() - 1)];
        Some(start..start + words.quote.len())
    }
}

/// The words and context of an anchor, in characters.
struct Words {
    quote: Vec<char>,
    before: Vec<char>,
    after: Vec<char>,
}

/// The places of a quote with the most matching context.
struct Places {
    starts: Vec<usize>,
    context: usize,
}

impl Words {
    fn best_places(&self, text: &[char]) -> Places {
        let mut best = Places { starts: Vec::new(), context: 0 };
        let Some(first) = self.quote.first() else { return best };
        let last = text.len().saturating_sub(self.quote.len() - 1);
        for start in (0..last).filter(|start| text[*start] == *first) {
            let end = start + self.quote.len();
            if text[start..end] != self.quote[..] {
                continue;
            }
            let left = self.before.iter().rev().zip(text[..start].iter().rev()).take_while(|(a, b)| a == b).count();
            let right = self.after.iter().zip(&text[end..]).take_while(|(a, b)| a == b).count();
            let context = left + right;
            if context > best.context || best.starts.is_empty() {
                best = Places { starts: vec![start], context };
            } else if context == best.context {
                best.starts.push(start);
            }
        }
        best
    }
}

fn anchor_of(text: &[char], range: Range<usize>) -> TextAnchor {
    let end = range.end.min(text.len());
    let start = range.start.min(end);
    let before = &text[start.saturating_sub(AROUND)..start];
    let after = &text[end..(end + AROUND).min(text.len())];
    let quote = &text[start..end];
    let words = Words { quote: quote.to_vec(), before: before.to_vec(), after: after.to_vec() };
    let places = words.best_places(text);
    let occurrence = places.starts.iter().take_while(|place| **place < start).count();
    TextAnchor {
        quote: quote.iter().collect(),
        before: before.iter().collect(),
        after: after.iter().collect(),
        occurrence: u32::try_from(occurrence).unwrap_or(u32::MAX),
    }
}

/// Returns where an edit carried a range: from its first surviving character to its last; `None` if at most one of its
/// letters survives, unless it had only one.
fn carried(before: &[char], after: &[char], range: Range<usize>) -> Option<Range<usize>> {
    let prefix = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let rest = before[prefix..].iter().rev().zip(after[prefix..].iter().rev());
    let suffix = rest.take_while(|(a, b)| a == b).count();
    let (old_end, new_end) = (before.len() - suffix, after.len() - suffix);
    if range.end <= prefix {
        return Some(range);
    }
    if range.start >= old_end {
        return Some(range.start - old_end + new_end..range.end - old_end + new_end);
    }
    let mut left = Survivors { text: after, range: None, letters: 0 };
    if range.start < prefix {
        left.note(range.start, prefix - range.start);
    }
    let within = range.start.max(prefix)..range.end.min(old_end);
    let (old, new) = (&before[prefix..old_end], &after[prefix..new_end]);
    left.note_compared(old, new, prefix, within.start - prefix..within.end - prefix);
    if range.end > old_end {
        left.note(new_end, range.end - old_end);
    }
    let is_gone = left.letters < 2 && letters(&before[range]) > 1;
    left.range.filter(|_| !is_gone)
}

/// The surviving characters of a range, in the new text.
#[derive(Debug)]
struct Survivors<'t> {
    text: &'t [char],
    range: Option<Range<usize>>,
    letters: usize,
}

impl Survivors<'_> {
    fn note(&mut self, start: usize, length: usize) {
        self.letters += letters(&self.text[start..start + length]);
        let known = self.range.take().unwrap_or(start..start + length);
        self.range = Some(known.start.min(start)..known.end.max(start + length));
    }

    /// Compares two passages by line, then changed lines by character, and notes the surviving characters of `range` of
    /// the old passage. `offset` is where both passages begin.
    fn note_compared(&mut self, old: &[char], new: &[char], offset: usize, range: Range<usize>) {
        let (old_lines, new_lines) = (lines(old), lines(new));
        let texts = |lines: &[Range<usize>], text: &[char]| -> Vec<Vec<char>> {
            lines.iter().map(|line| text[line.clone()].to_vec()).collect()
        };
        for op in capture_diff_slices(Algorithm::Myers, &texts(&old_lines, old), &texts(&new_lines, new)) {
            let (from, to) = (span(&old_lines, op.old_range(), old.len()), span(&new_lines, op.new_range(), new.len()));
            let inside = range.start.max(from.start)..range.end.min(from.end);
            if inside.is_empty() {
                continue;
            }
            if matches!(op, DiffOp::Equal { .. }) {
                self.note(offset + to.start + (inside.start - from.start), inside.len());
                continue;
            }
            let inside = inside.start - from.start..inside.end - from.start;
            for (start, length) in surviving_runs(&old[from], &new[to.clone()], inside) {
                self.note(offset + to.start + start, length);
            }
        }
    }
}

/// Returns the runs of `range` of `old` which survive in `new`, as start and length in `new`; nothing if so little is
/// common that it is likely a coincidence.
fn surviving_runs(old: &[char], new: &[char], range: Range<usize>) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > COMPARABLE {
        return Vec::new();
    }
    let mut runs = Vec::new();
    let (mut survived, mut inserted) = (0, 0);
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        let (from, to) = (op.old_range(), op.new_range());
        let inside = range.start.max(from.start)..range.end.min(from.end);
        if !matches!(op, DiffOp::Equal { .. }) {
            let touches = from.start <= range.end && range.start <= from.end;
            inserted += if touches { to.len() } else { 0 };
        } else if !inside.is_empty() {
            survived += letters(&old[inside.clone()]);
            runs.push((to.start + (inside.start - from.start), inside.len()));
        }
    }
    let is_coincidence = inserted > 0 && survived * 4 < letters(&old[range]).max(1);
    if is_coincidence { Vec::new() } else { runs }
}

fn letters(text: &[char]) -> usize {
    text.iter().filter(|one| one.is_alphanumeric()).count()
}

/// Returns the lines of a text, each with its line end.
fn lines(text: &[char]) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut start = 0;
    for (at, one) in text.iter().enumerate() {
        if *one == '\n' {
            lines.push(start..at + 1);
            start = at + 1;
        }
    }
    if start < text.len() {
        lines.push(start..text.len());
    }
    lines
}

/// Returns the characters of a range of lines; an empty range at the place of an insertion.
fn span(lines: &[Range<usize>], of: Range<usize>, end: usize) -> Range<usize> {
    let start = lines.get(of.start).map_or(end, |line| line.start);
    let stop = if of.is_empty() { start } else { lines[of.end - 1].end };
    start..stop
}

fn characters(text: &str) -> Vec<char> {
    text.chars().collect()
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests;
