//! What says a bound.

use crate::piece::PieceKind;

/// In which way a bound is said. If bounds contradict each other, the later in this list is set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// It needs no saying: nothing ends before it begins.
    Structure,
    /// A date or time of an event.
    Date,
    /// A birth or death on a card.
    Card,
    /// When the story begins.
    Beginning,
    /// How long an event lasts.
    Duration,
    /// The age on a card.
    Age,
    /// That one is the parent of the other.
    Kinship,
    /// A time told from another event.
    Relative,
    /// That an event comes after another.
    After,
}

/// Where a bound is said: the piece, the field and the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Said<'s> {
    /// In which way.
    pub how: How,
    /// The beginning of the piece's name, so that most comparisons need not look further.
    brief: u64,
    /// The id of the piece, or its name.
    pub handle: &'s str,
    /// What kind of piece it is.
    pub kind: PieceKind,
    /// The field that says it.
    pub field: &'static str,
    /// The words of the field that say it.
    pub words: &'s str,
    /// Tells the bounds of the same words apart.
    part: u8,
    /// The place of the piece in its list.
    pub position: usize,
    /// The place of the event it is told from.
    pub other: Option<usize>,
}

impl<'s> Said<'s> {
    pub(super) fn new(how: How, kind: PieceKind, (position, handle): (usize, &'s str)) -> Self {
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
        let said = Said::new(How::Date, PieceKind::Event, (0, "e-1")).words("timestamp", "第3天");
        assert!(said.part(1) < said.part(2));
        assert!(said.part(9) < said.words("timestamp", "第4天"));
    }
}
