//! Parts of a text that are as long as a quote: sentences in a row, and clauses of a sentence.

use std::ops::Range;

use super::changed_words::{is_question, most_alike};
use super::quotes::{Quotable, words};
use super::remaining::size;
use crate::Prose;

/// Minimum number of letters of a quote that is looked for among the clauses of sentences.
const LETTERS: usize = 5;
/// Marks between the clauses of a sentence.
const CLAUSE_MARKS: [char; 8] = ['，', ',', '；', ';', '：', ':', '—', '–'];

/// Returns the part of the text, as long as `quote`, that has most words in common with it; see [`most_alike`]. `compare` gets
/// the words of `quote`, those of the part, and the part. A quote of several sentences is compared with as many in a row, and
/// a part of a sentence with as many clauses of a longer one, which must not be a question unless the quote is.
pub(super) fn in_its_extent(
    text: &Quotable<'_>,
    quote: &str,
    near: u32,
    compare: impl Fn(&[String], &[String], &str) -> Option<usize>,
) -> Option<String> {
    let old = words(quote);
    if old.is_empty() || size(quote) < LETTERS {
        return None;
    }
    let parts = match Prose::of(quote).sentences.len() {
        0 => return None,
        1 => clauses_like(text, quote, &old),
        count => sentences_in_a_row(text, count),
    };
    most_alike(text, quote, near, parts, |new, part| compare(&old, new, part))
}

/// Returns all rows of `count` sentences, with their words.
fn sentences_in_a_row<'t>(text: &Quotable<'t>, count: usize) -> Vec<(&'t str, Vec<String>)> {
    let whole = text.text();
    let mut at = 0;
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for sentence in text.sentences() {
        let Some(start) = whole[at..].find(sentence).map(|start| at + start) else { return Vec::new() };
        at = start + sentence.len();
        ranges.push(start..at);
    }
    let rows = ranges.windows(count).zip(text.sentence_words().windows(count));
    rows.map(|(row, words)| (&whole[row[0].start..row[count - 1].end], words.concat())).collect()
}

/// Returns the rows of as many clauses as `quote` has, out of longer sentences that have most of its words `old`, with the
/// words of each row.
fn clauses_like<'t>(text: &Quotable<'t>, quote: &str, old: &[String]) -> Vec<(&'t str, Vec<String>)> {
    let count = clauses(quote).len();
    let sentences = text.sentences().iter().zip(text.sentence_words());
    let is_asked = is_question(quote);
    let longer = sentences.filter(|(sentence, own)| {
        old.iter().filter(|word| own.contains(word)).count() * 2 >= old.len() && (is_asked || !is_question(sentence))
    });
    let rows = longer.flat_map(|(sentence, _)| {
        let clauses = clauses(sentence);
        let is_longer = clauses.len() > count;
        let rows: Vec<&'t str> =
            clauses.windows(count.max(1)).map(|row| &sentence[row[0].start..row[row.len() - 1].end]).collect();
        rows.into_iter().filter(move |_| is_longer)
    });
    rows.map(|row| (row, words(row))).collect()
}

/// Returns the byte ranges of the clauses of a sentence, without the marks and white space around them.
fn clauses(sentence: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let mut found = Vec::new();
    for part in sentence.split_inclusive(CLAUSE_MARKS) {
        let clause = part.trim_matches(|c: char| !c.is_alphanumeric());
        if let Some(start) = part.find(clause).filter(|_| !clause.is_empty()) {
            found.push(at + start..at + start + clause.len());
        }
        at += part.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::clauses;

    #[test]
    fn clauses_stand_between_marks() {
        let sentence = "“走吧，”他说；雨停了，he—too—went.";
        let found: Vec<&str> = clauses(sentence).into_iter().map(|range| &sentence[range]).collect();
        assert_eq!(found, ["走吧", "他说", "雨停了", "he", "too", "went"]);
    }
}
