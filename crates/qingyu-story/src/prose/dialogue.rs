//! Repeated adverbs in speech tags.

use super::term::{SearchTerm, TermHit};
use super::{Prose, SlipKind};

/// The Chinese ends, and the English beginnings, of such tags.
pub(super) const TAGS: [&str; 13] = [
    "地说",
    "地问",
    "地喊",
    "地答",
    "地回答",
    "地叫道",
    "said",
    "asked",
    "replied",
    "whispered",
    "answered",
    "shouted",
    "muttered",
];
/// The minimum number of tags to report, if also half of all speeches.
const MANY: usize = 5;

pub(super) fn look(text: &str, prose: &mut Prose, found: &[TermHit]) {
    let tags: Vec<_> = found
        .iter()
        .filter(|found| found.why == SearchTerm::TagAdverb && !prose.is_spoken(found.range.start))
        .filter_map(|found| {
            let range = &found.range;
            if !text.as_bytes()[range.start].is_ascii() {
                return Some(range.clone());
            }
            let rest = text[range.end..].strip_prefix(' ')?;
            let word = &rest[..rest.bytes().take_while(u8::is_ascii_alphabetic).count()];
            (word.len() > 4 && word.ends_with("ly")).then(|| range.start..range.end + 1 + word.len())
        })
        .collect();
    if tags.len() >= MANY && tags.len() * 2 >= prose.speeches.len() {
        for range in tags {
            prose.slip(SlipKind::TagAdverbs, range, None);
        }
    }
}
