//! Finds the sentence of a piece after an edit of words that probably leave what it tells: whether they do, only a reading
//! says.

use std::ops::Range;

use serde_json::Value;

use super::changed_words::closest;
use super::extent::in_its_extent;
use super::quotes::{Quotable, folded};
use super::word_roles::{are_alike, are_manner, is_fixed, is_manner, is_particle, joined_words};
use crate::language::is_han;
use crate::piece::Piece;
use crate::predicate;

/// Maximum number of words, or Chinese characters, that an edit takes out of a sentence, and that it puts in.
const MOST: usize = 8;
/// Maximum number of words that come in at one place.
const FEW: usize = 4;

/// The words of a sentence on which a piece rests, as far as the sentence has them.
#[derive(Debug, Default)]
pub(super) struct StatementWords {
    /// Names and the value, in the form for comparing quotes.
    names: Vec<String>,
    /// Whether how something is done may be what is told.
    is_of_manner: bool,
}

impl StatementWords {
    /// Returns those of a piece that rests on `quote`.
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

    /// Returns those of an entry that a text added to a piece.
    pub(super) fn of_entry(entry: &Value) -> Self {
        Self { names: entry.as_str().map(folded).into_iter().collect(), is_of_manner: false }
    }
}

/// Returns the words of the text, as long as `quote` in sentences or clauses, that differ from it in words which neither deny
/// the statement, date it, give it to another, nor touch the words of `statement`: words that say how it is done, words for
/// the same, and words that came in. Of several, those with most words in common, the nearest to character `near` first.
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

/// Same as [`with_likely_words`] of a whole sentence, also of one that lacks words of `quote` which could have been added to
/// it: an edit and its undoing lead back to the same words.
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

/// The words in which a piece was read.
struct ReadWords<'s> {
    /// The names and the value that the words have.
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

    /// Returns the number of words that `old`, those of the quote, and `new`, those of a part of the text, have in common, if
    /// all others probably leave the statement.
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
    /// Returns the number of words in common if all others probably leave the statement: at least half of the sentence.
    fn kept(&self) -> Option<usize> {
        let places = differences(self.old, self.new);
        let changed: usize = places.iter().map(|(old, _)| old.len()).sum();
        let kept = self.old.len() - changed;
        let is_half = kept * 2 >= self.old.len().max(self.new.len());
        (is_half && places.into_iter().all(|(old, new)| self.is_left_by(old, new))).then_some(kept)
    }

    /// Returns whether the change of the words in one place leaves the statement.
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
        // A word at the beginning may be the name of somebody else, and 的 makes the one before the owner.
        let is_of_another = new.first().is_some_and(|word| word == "的")
            || is_first && come.first().is_some_and(|word| !word.chars().all(is_han));
        come.len() <= FEW && !is_of_another && !come.iter().any(|word| is_fixed(word))
    }
}

/// Returns the places in which two rows of words differ, outside of a longest row that both have.
fn differences(old: &[String], new: &[String]) -> Vec<(Range<usize>, Range<usize>)> {
    let (rows, columns) = (old.len(), new.len());
    // For each pair of ends, the number of words that they have in common.
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
