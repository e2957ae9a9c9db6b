//! The names in a text.

use std::ops::Range;

use crate::names::Names;
use crate::piece::PieceKind;

/// A named character, place, item or organisation in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedMention {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: PieceKind,
    pub(super) name: String,
}

/// Returns the characters, places, items and organisations named in a text from left to right, without ambiguous names.
/// `names` has no other pieces.
pub(super) fn mentions(names: &Names, text: &str) -> Vec<NamedMention> {
    let mentions = names.mentions_in_prose(text).into_iter().filter_map(|mention| {
        let [one] = mention.bearers.as_slice() else { return None };
        Some(NamedMention { start: mention.start, end: mention.end, kind: one.kind, name: one.name.clone() })
    });
    mentions.collect()
}

/// Returns the mentions in a byte range.
pub(super) fn within<'m>(
    mentions: &'m [NamedMention],
    range: &Range<usize>,
) -> impl Iterator<Item = &'m NamedMention> + use<'m> {
    let (start, end) = (range.start, range.end);
    let from = mentions.partition_point(|mention| mention.start < start);
    mentions[from..].iter().take_while(move |mention| mention.end <= end)
}
