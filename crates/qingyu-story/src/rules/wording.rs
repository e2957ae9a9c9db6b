//! Words that the style guide allows or forbids.

use std::ops::Range;

use crate::{Story, marks};

/// The mark that closes what `open` opens around a word in the style guide.
fn closing(open: char) -> Option<char> {
    marks::closing_quote(open).or(Some(open).filter(|open| matches!(open, '\'' | '`')))
}

/// Words of a guideline that allows something.
const ALLOWING: [&str; 8] = ["允许", "可以用", "可以使用", "可用", "保留", "allow", "may use", "fine to use"];

/// The words that stand in quotation marks in the taboos: only these are surely words, and not themes.
pub(super) fn forbidden(story: &Story) -> Vec<String> {
    let mut words: Vec<String> =
        story.style.iter().flat_map(|style| &style.taboos).flat_map(|text| quoted(text)).collect();
    words.sort();
    words.dedup();
    words
}

/// The words that stand in quotation marks in guidelines that allow something.
pub(super) fn allowed(story: &Story) -> Vec<String> {
    let guidelines = story.style.iter().flat_map(|style| &style.guidelines);
    let allowing = guidelines.filter(|text| {
        let text = text.to_lowercase();
        ALLOWING.iter().any(|word| text.contains(word))
    });
    allowing.flat_map(|text| quoted(text)).collect()
}

/// Whether a guideline allows the phrase, or a part of it that it names.
pub(super) fn is_allowed(allowed: &[String], phrase: &str) -> bool {
    allowed.iter().any(|word| phrase.to_lowercase().contains(&word.to_lowercase()))
}

/// Whether a word of Latin letters is not a part of a longer one.
pub(super) fn stands_alone(text: &str, range: &Range<usize>) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric();
    let word = &text[range.clone()];
    let grows_before = word.starts_with(is_letter) && text[..range.start].ends_with(is_letter);
    let grows_after = word.ends_with(is_letter) && text[range.end..].starts_with(is_letter);
    !grows_before && !grows_after
}

/// What stands in quotation marks, if it is short enough to be a word or a phrase.
fn quoted(text: &str) -> Vec<String> {
    const LONGEST: usize = 40;
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c| closing(c).is_some()) {
        let open = rest[at..].chars().next().expect("a mark was found");
        let inside = &rest[at + open.len_utf8()..];
        let close = closing(open).expect("it has two halves");
        let is_apostrophe = open == '\'' && rest[..at].ends_with(char::is_alphanumeric);
        let Some(end) = inside.find(close).filter(|_| !is_apostrophe) else {
            rest = inside;
            continue;
        };
        let word = inside[..end].trim();
        if !word.is_empty() && word.chars().count() <= LONGEST {
            words.push(word.to_owned());
        }
        rest = &inside[end + close.len_utf8()..];
    }
    words
}
