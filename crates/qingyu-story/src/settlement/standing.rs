//! What an earlier reading of a document told and its text still says.
//!
//! A reader is told what is known and lists what is new, so a statement that it leaves out is not withdrawn by that.

use super::apply::State;
use super::quotes::Quotable;
use super::reconcile::Wanted;
use super::record::{Added, Retold, Settled};
use crate::names::fold;
use crate::piece::Piece;
use crate::{Story, predicate};

/// The pieces of a record, and whether the words that they rest on stand in the text.
pub(super) struct Standing<'t> {
    text: Quotable<'t>,
    /// For each piece of the record that is there: the piece, and its words, if they stand in the text.
    pieces: Vec<Option<(Piece, Option<String>)>>,
}

impl<'t> Standing<'t> {
    /// Nothing stands: what is not told again goes.
    pub(super) fn none(record: &Settled) -> Self {
        Self { text: Quotable::of(""), pieces: vec![None; record.made.len()] }
    }

    pub(super) fn of(text: &'t str, story: &Story, record: &Settled, states: &[State]) -> Self {
        let text = Quotable::of(text);
        let piece = |(made, state): (&super::Made, &State)| {
            let (State::AsMade(position) | State::Changed(position)) = *state else { return None };
            let piece = story.piece(made.kind, position)?;
            let quote = match &piece {
                Piece::Fact(fact) => fact.source.as_ref().map(|source| source.quote.clone()).unwrap_or_default(),
                _ => made.quote.clone(),
            };
            // What the rules found when an edit was followed waits for this reading.
            let stands = !made.followed && text.find(&quote, 0).is_some();
            Some((piece, stands.then_some(quote)))
        };
        let pieces = record.made.iter().zip(states).map(piece).collect();
        Self { text, pieces }
    }

    /// Whether the words of the piece at that place of the record stand in the text.
    pub(super) fn stands(&self, index: usize) -> bool {
        self.pieces[index].as_ref().is_some_and(|(_, quote)| quote.is_some())
    }

    /// Whether the new reading says something else in the place of the piece: another value of what has one value only, or
    /// another piece of that kind that rests on the same words.
    pub(super) fn is_superseded(&self, index: usize, wanted: &[Wanted], matched: &[Option<usize>]) -> bool {
        let Some((piece, Some(quote))) = &self.pieces[index] else { return false };
        let new = wanted.iter().zip(matched).filter(|(wanted, _)| wanted.piece.kind() == piece.kind());
        match piece {
            Piece::Fact(old) => new.into_iter().any(|(wanted, _)| {
                let Piece::Fact(new) = &wanted.piece else { return false };
                let is_same = fold(&new.subject) == fold(&old.subject)
                    && predicate::key(&new.predicate) == predicate::key(&old.predicate);
                let is_single = predicate::find(&old.predicate).is_some_and(|word| word.single);
                is_same && (is_single || self.is_same_place(quote, &wanted.quote.quote))
            }),
            Piece::Event(_) | Piece::Promise(_) => new
                .into_iter()
                .any(|(wanted, matched)| matched.is_none() && self.is_same_place(quote, &wanted.quote.quote)),
            _ => false,
        }
    }

    /// What was added to other pieces before, is not told again, and stands in the text. A promise that is paid in the words in
    /// which it was kept alive is no longer kept alive there.
    pub(super) fn added(&self, record: &Settled, new: &[Added]) -> Vec<Added> {
        let is_other = |old: &Added, new: &Added| {
            (new.kind, &new.id) == (old.kind, &old.id)
                && new.field != old.field
                && self.is_same_place(&old.quote, &new.quote)
        };
        let stays = |old: &&Added| {
            !new.iter().any(|new| new.is_of(old) || is_other(old, new)) && self.text.find(&old.quote, 0).is_some()
        };
        record.added.iter().filter(stays).cloned().collect()
    }

    /// The facts of others that were told before, are not told again, and stand in the text.
    pub(super) fn retold(&self, record: &Settled, new: &[Retold]) -> Vec<Retold> {
        let stays =
            |old: &&Retold| !new.iter().any(|new| new.id == old.id) && self.text.find(&old.source.quote, 0).is_some();
        record.retold.iter().filter(stays).cloned().collect()
    }

    /// Whether both quotes stand in the text and share a letter.
    fn is_same_place(&self, one: &str, other: &str) -> bool {
        let Some((start, end)) = self.text.find(one, 0) else { return false };
        self.text.find(other, start).is_some_and(|(other_start, other_end)| start < other_end && other_start < end)
    }
}
