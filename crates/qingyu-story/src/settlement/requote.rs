//! Gives facts the words of their sentence as it is after an edit.

use super::apply::{PieceState, quote_read, states};
use super::changed_sentence::piece_still_left;
use super::edited_text::EditedText;
use super::record::Settled;
use super::work::StoryEdit;
use crate::piece::{Piece, PieceKind};

/// Gives the facts settled from the text the words of a sentence that was changed in what they do not rest on; `near`
/// returns the place of a character after the change. The record keeps the words that were read, for the edit that brings
/// them back.
pub(super) fn requote(
    work: &mut StoryEdit<'_>,
    record: &mut Settled,
    (edited, version): (&EditedText<'_>, u32),
    near: impl Fn(u32) -> u32,
) {
    let all = states(work.story, record);
    for (made, state) in record.made.iter_mut().zip(all).filter(|(made, _)| made.kind == PieceKind::Fact) {
        let (PieceState::AsMade(place) | PieceState::Changed(place)) = state else { continue };
        let fact = work.story.facts[place].clone();
        let Some(source) = fact.source.clone().filter(|source| !source.quote.trim().is_empty()) else { continue };
        let near = source.start.map_or(0, &near);
        let text = edited.around(&fact.id);
        let is_restored = !made.quote.trim().is_empty() && text.find(&made.quote, 0).is_some();
        let quote = if is_restored {
            std::mem::take(&mut made.quote)
        } else if text.find(&source.quote, 0).is_some() {
            continue;
        } else {
            let piece = Piece::Fact(fact.clone());
            let read = quote_read(&piece, &made.quote);
            let Some(words) = piece_still_left(text, &piece, (&source.quote, &read), near) else { continue };
            if made.quote.trim().is_empty() {
                made.quote.clone_from(&source.quote);
            }
            words
        };
        let Some(source) = edited.whole().quotation(&source.document, version, &quote, near) else { continue };
        work.replace(place, Piece::Fact(crate::Fact { source: Some(source), ..fact }));
    }
}
