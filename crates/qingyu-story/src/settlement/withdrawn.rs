//! The pieces that a document told before a change, and no longer tells.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::apply::quote_of;
use super::record::Made;
use super::work::places;
use crate::names::Names;
use crate::piece::PieceKind;
use crate::{Language, Story};

/// A piece withdrawn from the story, with the sentence that told it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WithdrawnPiece {
    /// What it was.
    pub kind: PieceKind,
    /// Its id.
    pub id: String,
    /// What a person would call it.
    pub label: String,
    /// The sentence that told it.
    pub quote: String,
}

/// Returns the pieces made from a document in `before` that `after` no longer has, in the order of the record.
///
/// Other names of cards are listed too. A piece told again in other words, under a new id, is not withdrawn. Empty for a
/// document unknown to `before`.
pub fn withdrawn(before: &Story, after: &Story, document: &str) -> Vec<WithdrawnPiece> {
    let record = before.documents.iter().find(|other| other.id == document).and_then(|other| other.settled.as_ref());
    let Some(record) = record else { return Vec::new() };
    let ids = || record.made.iter().map(|made| (made.kind, made.id.as_str()));
    let (old, new) = (places(before, ids()), places(after, ids()));
    let is_gone = |made: &&Made| !new.contains_key(&(made.kind, made.id.clone()));
    // Another text may state the same of another time, so of facts only those of this one count.
    let told_here = after.documents.iter().find(|other| other.id == document).and_then(|other| other.settled.as_ref());
    let own = told_here.into_iter().flat_map(|record| &record.made).filter(|made| made.kind == PieceKind::Fact);
    let retold = told_here.into_iter().flat_map(|record| &record.retold).map(|retold| retold.id.as_str());
    let own = own.map(|made| made.id.as_str()).chain(retold);
    let facts = places(after, own.map(|id| (PieceKind::Fact, id)));
    let facts = facts.values().filter_map(|at| after.piece(PieceKind::Fact, *at));
    let mut told: BTreeSet<(PieceKind, String)> = facts.map(|piece| (PieceKind::Fact, piece.label())).collect();
    let mut seen = BTreeSet::from([PieceKind::Fact]);
    let mut gone = Vec::new();
    for made in record.made.iter().filter(is_gone) {
        let position = old.get(&(made.kind, made.id.clone()));
        let Some(piece) = position.and_then(|position| before.piece(made.kind, *position)) else { continue };
        if seen.insert(made.kind) {
            told.extend(after.pieces_of(made.kind).map(|piece| (made.kind, piece.label())));
        }
        if told.contains(&(made.kind, piece.label())) {
            continue;
        }
        let label = piece.shown(before.language);
        let quote = quote_of(&piece, &made.quote);
        gone.push(WithdrawnPiece { kind: made.kind, id: made.id.clone(), label, quote });
    }
    let names = OnceCell::new();
    for added in record.added.iter().filter(|added| added.is_card_alias()) {
        let Some(alias) = added.entry.as_str() else { continue };
        let place = places(after, [(added.kind, added.id.as_str())]);
        let card = place.get(&(added.kind, added.id.clone())).and_then(|at| after.piece(added.kind, *at));
        let names = names.get_or_init(|| Names::of(after));
        let Some(card) = card.filter(|_| !names.find(added.kind, alias).iter().any(|named| named.id == added.id))
        else {
            continue;
        };
        let name = card.name();
        let label = match before.language {
            Language::Zh => format!("{name}又称{alias}"),
            Language::En => format!("{name}, also called {alias}"),
        };
        gone.push(WithdrawnPiece { kind: added.kind, id: added.id.clone(), label, quote: added.quote.clone() });
    }
    gone
}
