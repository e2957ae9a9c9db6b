//! Words allowed or forbidden by the style guide.

use crate::{Story, marks};

/// Returns the closing mark for `open` around a word in the style guide.
fn closing(open: char) -> Option<char> {
    marks::closing_quote(open).or(Some(open).filter(|open| matches!(open, '\'' | '`')))
}

/// Words marking a guideline as a permission.
const ALLOWING: [&str; 8] = ["允许", "可以用", "可以使用", "可用", "保留", "allow", "may use", "fine to use"];

/// Returns the quoted words in the taboos: only quoted words are certainly words, not themes.
pub(super) fn forbidden(story: &Story) -> Vec<String> {
    let mut words: Vec<String> =
        story.style.iter().flat_map(|style| &style.taboos).flat_map(|text| quoted(text)).collect();
    words.sort();
    words.dedup();
    words
}

/// Returns the quoted words in permissive guidelines.
pub(super) fn allowed(story: &Story) -> Vec<String> {
    let guidelines = story.style.iter().flat_map(|style| &style.guidelines);
    let allowing = guidelines.filter(|text| {
        let text = text.to_lowercase();
        ALLOWING.iter().any(|word| text.contains(word))
    });
    allowing.flat_map(|text| quoted(text)).collect()
}

/// Returns whether a guideline allows the phrase, or a named part of the phrase.
pub(super) fn is_allowed(allowed: &[String], phrase: &str) -> bool {
    allowed.iter().any(|word| phrase.to_lowercase().contains(&word.to_lowercase()))
}

/// Returns the quoted parts short enough for a word or a phrase.
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
