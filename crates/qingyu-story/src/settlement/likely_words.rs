//! Finds the sentence of a piece after an edit that probably leaves its statement true; only a new reading can confirm that.

use std::ops::Range;

use serde_json::Value;

use super::changed_words::closest;
use super::extent::in_its_extent;
use super::quotes::{Quotable, folded};
use super::word_roles::{are_alike, are_manner, is_chinese, is_fixed, is_manner, is_particle, joined_words};
use crate::piece::Piece;
use crate::predicate;

/// Maximum number of words, or Chinese characters, that an edit takes out of a sentence, and that it puts in.
const MOST: usize = 8;
/// Maximum number of words that come in at one place.
const FEW: usize = 4;

/// The words of a piece that an edit of its sentence must leave, if the sentence has them.
#[derive(Debug, Default)]
pub(super) struct StatementWords {
    /// Names and the value, in the form for comparing quotes.
    names: Vec<String>,
    /// Whether the statement may be about the manner of an action, so that words of manner must stay, too.
    is_of_manner: bool,
}

impl StatementWords {
    /// Returns the words of a piece with the source sentence `quote`.
    pub(super) fn of(piece: &Piece, quote: &str) -> Self {
        let fold_all = |names: Vec<&String>| names.into_iter().map(|name| folded(name)).collect::<Vec<_>>();
        match piece {
            Piece::Fact(fact) => {
                let value = fact.value.as_str().map(folded).unwrap_or_default();
                let is_told = match &fact.value {
                    Value::String(_) => folded(quote).contains(&value),
                    Value::Number(_) => true,
                    _ => predicate::find(&fact.predicate).is_some(),
                };
                let mut names = fold_all(std::iter::once(&fact.subject).chain(&fact.object).collect());
                names.push(value);
                Self { names, is_of_manner: fact.object.is_none() && !is_told }
            }
            Piece::Event(event) => {
                let names = event.participants.iter().chain(&event.deaths).chain(&event.location);
                Self { names: fold_all(names.collect()), is_of_manner: false }
            }
            _ => Self::default(),
        }
    }

    /// Returns the words of an entry that a text added to a piece.
    pub(super) fn of_entry(entry: &Value) -> Self {
        Self { names: entry.as_str().map(folded).into_iter().collect(), is_of_manner: false }
    }
}

/// Returns the part of the text, as long as `quote` in sentences or clauses, that probably makes the same statement: it has
/// other words of manner, words of the same meaning, or a few more words. No changed word may deny the statement, date it, give
/// it to somebody else, or be one of `statement`. Of several parts, the one with most words in common, the nearest to character
/// `near` first.
pub(super) fn with_likely_words(
    text: &Quotable<'_>,
    quote: &str,
    near: u32,
    statement: &StatementWords,
) -> Option<String> {
    let known = ReadWords::of(quote, statement);
    let compare = |old: &[String], new: &[String], part: &str| known.common(old, new, part);
    closest(text, quote, near, compare).or_else(|| in_its_extent(text, quote, near, compare))
}

/// Same as [`with_likely_words`] for whole sentences, and in both directions: also finds a sentence of which `quote` is a likely
/// rewording, so that undoing an edit leads back to the same words.
pub(super) fn with_words_alike(text: &Quotable<'_>, quote: &str) -> Option<String> {
    let (known, any) = (Quotable::of(quote), StatementWords::default());
    if known.sentences().len() != 1 {
        return None;
    }
    let find = |text: &Quotable<'_>, quote: &str| {
        let read = ReadWords::of(quote, &any);
        closest(text, quote, 0, |old, new, part| read.common(old, new, part))
    };
    find(text, quote).or_else(|| {
        let mut sentences = text.sentences().iter();
        sentences.find(|sentence| find(&known, sentence).is_some()).map(|sentence| (*sentence).to_owned())
    })
}

/// The source sentence of a piece, prepared for comparing.
struct ReadWords<'s> {
    /// The names and the value of the piece that the sentence has.
    names: Vec<&'s str>,
    capitals: Vec<String>,
    statement: &'s StatementWords,
}

impl<'s> ReadWords<'s> {
    fn of(quote: &str, statement: &'s StatementWords) -> Self {
        let whole = folded(quote);
        let names = statement.names.iter().map(String::as_str);
        let names = names.filter(|name| !name.is_empty() && whole.contains(name)).collect();
        Self { names, capitals: capitalized(quote), statement }
    }

    /// Returns the number of common words of `old`, the words of the quote, and `new`, those of a part of the text; `None` if the
    /// other words probably change the statement.
    fn common(&self, old: &[String], new: &[String], part: &str) -> Option<usize> {
        if old.iter().filter(|word| !new.contains(word)).nth(MOST).is_some() || new.len() > old.len() + MOST {
            return None;
        }
        let now = folded(part);
        if !self.names.iter().all(|name| now.contains(name)) {
            return None;
        }
        let mut capitals = capitalized(part);
        capitals.extend_from_slice(&self.capitals);
        let (old, new) = (joined_words(old), joined_words(new));
        Rewording { old: &old, new: &new, capitals: &capitals, statement: self.statement }.kept()
    }
}

/// Returns the words of a sentence that have a capital and are not its first, in the form for comparing quotes.
fn capitalized(sentence: &str) -> Vec<String> {
    let words = sentence.split(|c: char| !c.is_alphanumeric() && !"'’-".contains(c)).filter(|word| !word.is_empty());
    words.skip(1).filter(|word| *word != "I" && word.starts_with(char::is_uppercase)).map(folded).collect()
}

/// A sentence before and after an edit, in words of [`joined_words`].
struct Rewording<'w> {
    old: &'w [String],
    new: &'w [String],
    /// The names of both sentences.
    capitals: &'w [String],
    statement: &'w StatementWords,
}

impl Rewording<'_> {
    /// Returns the number of common words; `None` if they are less than half of the sentence, or the other words probably change
    /// the statement.
    fn kept(&self) -> Option<usize> {
        let places = differences(self.old, self.new);
        let changed: usize = places.iter().map(|(old, _)| old.len()).sum();
        let kept = self.old.len() - changed;
        let is_half = kept * 2 >= self.old.len().max(self.new.len());
        (is_half && places.into_iter().all(|(old, new)| self.is_left_by(old, new))).then_some(kept)
    }

    /// Returns whether the change at one place probably leaves the statement.
    fn is_left_by(&self, old: Range<usize>, new: Range<usize>) -> bool {
        let next = self.new.get(new.end).map(String::as_str);
        let is_first = new.start == 0;
        let (old, new) = (&self.old[old], &self.new[new]);
        let mut changed = old.iter().chain(new);
        if changed.clone().any(|word| self.capitals.contains(word))
            || self.statement.is_of_manner && changed.any(|word| is_manner(word))
        {
            return false;
        }
        let is_article = |words: &[String]| matches!(words, [word] if word == "the");
        if old.is_empty() && is_article(new) || new.is_empty() && is_article(old) {
            return true;
        }
        if are_manner(old, next) && are_manner(new, next) {
            return !self.statement.is_of_manner;
        }
        let rest = |words: &[String]| -> Vec<String> {
            words.iter().filter(|word| !is_manner(word) && !is_particle(word)).cloned().collect()
        };
        let (gone, come) = (rest(old), rest(new));
        if !gone.is_empty() {
            return gone.len() == come.len() && gone.iter().zip(&come).all(|(old, new)| are_alike(old, new));
        }
        // A word at the beginning may be the name of somebody else, and 的 makes the word before it the owner.
        let is_of_another = new.first().is_some_and(|word| word == "的")
            || is_first && come.first().is_some_and(|word| !is_chinese(word));
        come.len() <= FEW && !is_of_another && !come.iter().any(|word| is_fixed(word))
    }
}

/// Returns the ranges in which two rows of words differ: those outside of a longest common subsequence.
fn differences(old: &[String], new: &[String]) -> Vec<(Range<usize>, Range<usize>)> {
    let (rows, columns) = (old.len(), new.len());
    // The length of the longest common subsequence of each pair of ends.
    let mut common = vec![vec![0_usize; columns + 1]; rows + 1];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            common[row][column] = match old[row] == new[column] {
                true => common[row + 1][column + 1] + 1,
                false => common[row + 1][column].max(common[row][column + 1]),
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut places: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    while row < rows || column < columns {
        if row < rows && column < columns && old[row] == new[column] {
            (row, column) = (row + 1, column + 1);
            continue;
        }
        let is_gone = column == columns || row < rows && common[row + 1][column] >= common[row][column + 1];
        let (from_row, from_column) = (row, column);
        if is_gone {
            row += 1;
        } else {
            column += 1;
        }
        match places.last_mut() {
            Some((gone, come)) if gone.end == from_row && come.end == from_column => {
                (gone.end, come.end) = (row, column);
            }
            _ => places.push((from_row..row, from_column..column)),
        }
    }
    places
}

#[cfg(test)]
mod tests;
