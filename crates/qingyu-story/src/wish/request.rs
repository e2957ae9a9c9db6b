//! Splits a request into sentences, and parses each.

use super::demand::ReadWish;
use super::reader::{Quotes, RequestReader};
use super::{chinese, english, length};
use crate::language::is_han;
use crate::story::Story;

/// The most clauses parsed; a longer request is a text rather than a list of changes.
pub(super) const CLAUSES: usize = 60;

/// Parses the wishes in `said`, in order. `story` is the story before any work on the wishes.
///
/// Parsed are field values, new names, new pieces with a name, and removals. For a new story only required names and
/// words, and its length, are parsed. For an existing story every clause is a wish; a clause which does not parse is
/// [`WishDemand::Other`](super::WishDemand::Other). A negated clause is never parsed as the opposite.
pub fn read(said: &str, story: &Story) -> Vec<ReadWish> {
    let said = said.replace('’', "'");
    let mut reader = RequestReader::of(story);
    let is_new = !story.has_pieces();
    for sentence in sentences(&said).into_iter().take(CLAUSES) {
        match (is_new, sentence.chars().any(is_han)) {
            (true, true) => chinese::begin(&mut reader, sentence),
            (true, false) => english::begin(&mut reader, sentence),
            (false, true) => chinese::change(&mut reader, sentence),
            (false, false) => english::change(&mut reader, sentence),
        }
        if is_new {
            length::note(&mut reader, sentence);
        }
    }
    reader.requests.truncate(CLAUSES);
    reader.requests
}

/// Splits a request into sentences, without the marks that end them. A full stop within a number or a name ends no sentence.
pub fn sentences(said: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    let mut quoted = Quotes::default();
    let letters: Vec<(usize, char)> = said.char_indices().collect();
    for (index, (at, letter)) in letters.iter().enumerate() {
        quoted.pass(*letter);
        let next = letters.get(index + 1).map(|(_, next)| *next);
        let ends = match letter {
            '\n' => true,
            '。' | '！' | '？' | '!' | '?' | '；' | ';' => !quoted.inside(),
            '.' => !quoted.inside() && next.is_none_or(char::is_whitespace) && !after_initial(&said[begin..*at]),
            _ => false,
        };
        if ends {
            found.push(&said[begin..*at]);
            begin = at + letter.len_utf8();
            quoted = Quotes::default();
        }
    }
    found.push(&said[begin..]);
    found.retain(|sentence| !sentence.trim().is_empty());
    found
}

/// Returns whether a full stop after `text` belongs to an initial or a title, such as `J.` or `Dr.`.
fn after_initial(text: &str) -> bool {
    let word = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    matches!(word, "Mr" | "Mrs" | "Ms" | "Dr" | "St") || word.len() == 1 && word.starts_with(char::is_uppercase)
}
