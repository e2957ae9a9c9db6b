//! Tracks pieces of an earlier settlement still supported by the text.
//!
//! An extraction run receives the known facts and lists new facts only, so a missing statement alone does not withdraw
//! a piece.

use super::apply::{PieceState, quote_read};
use super::changed_sentence::piece_left;
use super::named_cards::NamedCards;
use super::quotes::Quotable;
use super::reconcile::PlannedPiece;
use super::record::{Added, Retold, Revealed, Settled, ToldHere};
use crate::names::{fold, fold_word};
use crate::piece::{Piece, PieceKind};
use crate::{Story, predicate};

/// The pieces of a settlement record, with the quotes still present in the text.
pub(super) struct EarlierPieces<'t> {
    text: Quotable<'t>,
    /// Each existing piece of the record, with the quote if the text still contains the quote, or with the sentence
    /// naming the card.
    pieces: Vec<Option<(Piece, Option<String>)>>,
}

impl<'t> EarlierPieces<'t> {
    /// Returns a value without supported pieces, so every piece missing from the extraction is removed.
    pub(super) fn none(record: &Settled) -> Self {
        Self { text: Quotable::of(""), pieces: vec![None; record.made.len()] }
    }

    pub(super) fn of(text: &'t str, story: &Story, record: &Settled, states: &[PieceState]) -> Self {
        let cards = NamedCards::of(story, text);
        let text = Quotable::of(text);
        let piece = |(made, state): (&super::Made, &PieceState)| {
            let (PieceState::AsMade(position) | PieceState::Changed(position)) = *state else { return None };
            let piece = story.piece(made.kind, position)?;
            let quote = quote_read(&piece, &made.quote);
            // Pieces found by the rules while following an edit need confirmation by the new extraction.
            let standing = piece_left(&text, &piece, &quote, 0);
            let standing = standing.or_else(|| cards.sentence(made.kind, position).map(str::to_owned));
            Some((piece, standing.filter(|_| !made.followed)))
        };
        let pieces = record.made.iter().zip(states).map(piece).collect();
        Self { text, pieces }
    }

    /// Returns whether the text still contains the quote of the record's piece at `index`, or names the card.
    pub(super) fn stands(&self, index: usize) -> bool {
        self.pieces[index].as_ref().is_some_and(|(_, quote)| quote.is_some())
    }

    /// Returns whether the new extraction overrides the piece: another value for a single-valued predicate, or another
    /// piece of the same kind with an overlapping quote.
    pub(super) fn is_superseded(&self, index: usize, wanted: &[PlannedPiece], matched: &[Option<usize>]) -> bool {
        let Some((piece, Some(quote))) = &self.pieces[index] else { return false };
        let new = wanted.iter().zip(matched).filter(|(wanted, _)| wanted.piece.kind() == piece.kind());
        match piece {
            Piece::Fact(old) => new.into_iter().any(|(wanted, _)| {
                let Piece::Fact(new) = &wanted.piece else { return false };
                let is_same =
                    fold(&new.subject) == fold(&old.subject) && fold_word(&new.predicate) == fold_word(&old.predicate);
                let is_single = predicate::find(&old.predicate).is_some_and(|word| word.single);
                is_same && (is_single || self.is_same_place(quote, &wanted.quote.quote))
            }),
            Piece::Event(_) | Piece::Promise(_) => new
                .into_iter()
                .any(|(wanted, matched)| matched.is_none() && self.is_same_place(quote, &wanted.quote.quote)),
            _ => false,
        }
    }

    /// Returns whether the piece rests on words of the text that `quote` has, too.
    pub(super) fn is_in_words(&self, index: usize, quote: &str) -> bool {
        let Some((_, Some(known))) = &self.pieces[index] else { return false };
        self.is_same_place(known, quote)
    }

    /// Returns earlier additions to other pieces, missing from the extraction but still present in the text. A promise
    /// paid in the same words no longer counts as kept alive there, and a value told anew replaces the earlier one.
    pub(super) fn added(&self, record: &Settled, new: &[Added]) -> Vec<Added> {
        let is_other = |old: &Added, new: &Added| {
            let is_exclusive = match new.field == old.field {
                true => new.is_value(),
                false => {
                    let is_action = |added: &Added| added.kind == PieceKind::Promise && added.field != "alias";
                    is_action(new) && is_action(old) && self.is_same_place(&old.quote, &new.quote)
                }
            };
            (new.kind, &new.id) == (old.kind, &old.id) && is_exclusive
        };
        let stays = |old: &&Added| {
            !new.iter().any(|new| new.is_of(old) || is_other(old, new)) && old.words_in(&self.text).is_some()
        };
        record.added.iter().filter(stays).cloned().collect()
    }

    /// Returns facts of other documents restated earlier, missing from the extraction but still present in the text.
    pub(super) fn retold(&self, record: &Settled, new: &[Retold]) -> Vec<Retold> {
        let stays =
            |old: &&Retold| !new.iter().any(|new| new.id == old.id) && self.text.find(&old.source.quote, 0).is_some();
        record.retold.iter().filter(stays).cloned().collect()
    }

    /// Returns the events told earlier, missing from the extraction but still present in the text.
    pub(super) fn events(&self, record: &Settled, new: &[ToldHere]) -> Vec<ToldHere> {
        let stays =
            |old: &&ToldHere| !new.iter().any(|new| new.event == old.event) && self.text.find(&old.quote, 0).is_some();
        record.events.iter().flatten().filter(stays).cloned().collect()
    }

    /// Returns the secrets given away earlier, missing from the extraction but still present in the text.
    pub(super) fn revealed(&self, record: &Settled, new: &[Revealed]) -> Vec<Revealed> {
        let stays =
            |old: &&Revealed| !new.iter().any(|new| new.of == old.of) && self.text.find(&old.quote, 0).is_some();
        record.revealed.iter().filter(stays).cloned().collect()
    }

    /// Returns whether both quotes occur in the text and overlap.
    fn is_same_place(&self, one: &str, other: &str) -> bool {
        let Some((start, end)) = self.text.find(one, 0) else { return false };
        self.text.find(other, start).is_some_and(|(other_start, other_end)| start < other_end && other_start < end)
    }
}
