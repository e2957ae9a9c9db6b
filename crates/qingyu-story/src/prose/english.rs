//! Certain slips of English.

use super::{Prose, SlipKind};

/// Words never repeated on purpose.
const NEVER_TWICE: [&str; 14] =
    ["the", "a", "an", "and", "or", "of", "to", "with", "from", "my", "your", "our", "their", "we"];

pub(super) fn look(text: &str, prose: &mut Prose) {
    for number in 0..prose.paragraphs.len() {
        let range = prose.paragraphs[number].range.clone();
        let line = &text[range.clone()];
        let mut before: Option<(&str, usize)> = None;
        for (at, word) in words(line) {
            let space_before =
                before.is_some_and(|(_, end)| at > end && line.as_bytes()[end..at].iter().all(|b| *b == b' '));
            if let Some((other, end)) = before.filter(|_| space_before) {
                let is_twice = word.len() == other.len() && word.eq_ignore_ascii_case(other);
                if is_twice
                    && NEVER_TWICE.iter().any(|known| known.eq_ignore_ascii_case(word))
                    && !prose.is_spoken(range.start + at)
                {
                    prose.slip(SlipKind::DoubledWord, range.start + end..range.start + at + word.len(), String::new());
                }
            }
            let end = at + word.len();
            let spaces = line.as_bytes()[end..].iter().take_while(|byte| **byte == b' ').count();
            let rest = &line[end + spaces..];
            let is_stop = rest.starts_with([',', ';', '?', '!'])
                || (rest.starts_with('.') && !rest[1..].trim_start_matches(' ').starts_with('.'));
            let goes_on = rest.chars().nth(1).is_some_and(char::is_alphanumeric);
            if spaces > 0 && is_stop && !goes_on {
                prose.slip(SlipKind::SpaceBeforeMark, range.start + end..range.start + end + spaces, String::new());
            }
            before = Some((word, end));
        }
    }
}

/// Iterates over the Latin words with their byte indices.
pub(super) fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = line.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        at += bytes[at..].iter().take_while(|byte| !byte.is_ascii_alphabetic()).count();
        let length = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = (at, &line[at..at + length]);
        at += length;
        (length > 0).then_some(word)
    })
}
