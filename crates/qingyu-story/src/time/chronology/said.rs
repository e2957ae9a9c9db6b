//! Describes the sources of bounds.

use crate::piece::PieceKind;

/// The kind of source of a bound. Of contradicting bounds, the later kind is deactivated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum BoundOrigin {
    /// Implied by structure: nothing ends before the beginning.
    Structure,
    /// A date or time of an event.
    Date,
    /// A birth or death on a card.
    Card,
    /// The beginning of the story.
    Beginning,
    /// The duration of an event.
    Duration,
    /// The age on a card.
    Age,
    /// A parent-child relation.
    Kinship,
    /// A time relative to another event.
    Relative,
    /// The order of two events.
    After,
}

/// The source of a bound: the piece, the field and the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BoundSource<'s> {
    /// The kind of source.
    pub(crate) how: BoundOrigin,
    /// A prefix of the piece's name, for fast comparison.
    brief: u64,
    /// The id of the piece, or the name without an id.
    pub(crate) handle: &'s str,
    /// The kind of the piece.
    pub(crate) kind: PieceKind,
    /// The name of the field.
    pub(crate) field: &'static str,
    /// The words of the field.
    pub(crate) words: &'s str,
    /// Distinguishes several bounds from the same words.
    part: u8,
    /// The position of the piece in the list.
    pub(crate) position: usize,
    /// The position of the reference event.
    pub(crate) other: Option<usize>,
}

impl<'s> BoundSource<'s> {
    pub(super) fn new(how: BoundOrigin, kind: PieceKind, (position, handle): (usize, &'s str)) -> Self {
        let mut brief = [0; 8];
        brief.iter_mut().zip(handle.bytes()).for_each(|(to, byte)| *to = byte);
        Self {
            how,
            brief: u64::from_be_bytes(brief),
            handle,
            kind,
            field: "",
            words: "",
            part: 0,
            position,
            other: None,
        }
    }

    pub(super) fn words(self, field: &'static str, words: &'s str) -> Self {
        Self { field, words: words.trim(), ..self }
    }

    pub(super) fn of(self, other: usize) -> Self {
        Self { other: Some(other), ..self }
    }

    pub(super) fn part(self, part: u8) -> Self {
        Self { part, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_the_same_words_are_told_apart() {
        let said = BoundSource::new(BoundOrigin::Date, PieceKind::Event, (0, "e-1")).words("timestamp", "第3天");
        assert!(said.part(1) < said.part(2));
        assert!(said.part(9) < said.words("timestamp", "第4天"));
    }
}
