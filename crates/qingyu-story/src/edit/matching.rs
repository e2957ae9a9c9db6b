//! Which piece of the story a piece of an answer is.

use std::collections::BTreeMap;

use super::pair;
use super::scope::Scope;
use crate::Story;
use crate::ids::{Issuer, redirect};
use crate::names::Names;
use crate::piece::{Piece, PieceKind};

/// An answer, sorted.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// Pieces that are in the story already, with their places.
    pub(super) updates: Vec<(usize, Piece)>,
    /// New pieces that an instruction asks for, with new ids.
    pub(super) creations: Vec<Piece>,
    /// New pieces that nobody asked for.
    pub(super) unasked: Vec<Piece>,
    /// Pieces that could be more than one of the story.
    pub(super) unclear: Vec<Piece>,
}

enum Match {
    Old(usize),
    New,
    Unclear,
}

/// Sorts an answer. New pieces get their ids, and references by id in the answer follow.
pub(super) fn sort_out(before: &Story, answer: &Story, scope: &Scope) -> Sorted {
    let mut answer = answer.clone();
    let names = Names::of(before);
    let mut issuer = Issuer::of(before);
    let mut moved = BTreeMap::new();
    let mut sorted = Sorted::default();
    let mut accepted = Vec::new();
    for kind in PieceKind::ALL {
        for position in 0..answer.count(kind) {
            let Some(mut piece) = answer.piece(kind, position) else { continue };
            if kind.is_single() && piece == Piece::empty(kind) {
                continue;
            }
            let place = match match_piece(before, &names, &piece, scope) {
                Match::Old(place) => Some(place),
                Match::New if is_asked_for(before, &piece, scope) => {
                    let sent = piece.id().to_owned();
                    let in_use = before.pieces().any(|other| other.id() == sent);
                    if !kind.is_single() && !issuer.take(&sent, in_use) {
                        piece.set_id(issuer.next(kind));
                        if !sent.is_empty() && !in_use {
                            moved.insert((kind, sent), piece.id().to_owned());
                        }
                        answer.replace(position, piece);
                    }
                    None
                }
                Match::New => {
                    sorted.unasked.push(piece);
                    continue;
                }
                Match::Unclear => {
                    sorted.unclear.push(piece);
                    continue;
                }
            };
            accepted.push((kind, position, place));
        }
    }
    redirect(&mut answer, &moved);
    for (kind, position, place) in accepted {
        let piece = answer.piece(kind, position).expect("the position was found in this answer");
        match place {
            Some(place) => sorted.updates.push((place, piece)),
            None => sorted.creations.push(piece),
        }
    }
    sorted
}

/// By name first, because agents mix ids up more easily than names. The id decides between pieces of the same name, and
/// where the answer gives no name.
fn match_piece(before: &Story, names: &Names, piece: &Piece, scope: &Scope) -> Match {
    let kind = piece.kind();
    if kind.is_single() {
        return if before.count(kind) > 0 { Match::Old(0) } else { Match::New };
    }
    let has_id = |position: &usize| {
        !piece.id().is_empty() && before.piece(kind, *position).is_some_and(|old| old.id() == piece.id())
    };
    let by_name = match piece {
        Piece::Relation(relation) => relations(before, relation, scope),
        _ => names.find(kind, piece.name()).iter().map(|named| named.position).collect(),
    };
    match by_name.as_slice() {
        [one] => Match::Old(*one),
        [] if piece.name().trim().is_empty() && kind != PieceKind::Relation => {
            (0..before.count(kind)).find(has_id).map_or(Match::New, Match::Old)
        }
        [] => {
            let may_be_named = |position: &usize| {
                let allowed = scope.fields(kind, *position);
                allowed.is_some_and(|fields| fields.names("name") || fields.names("title"))
            };
            let named_anew = || (0..before.count(kind)).find(|position| has_id(position) && may_be_named(position));
            scope.renamed_to(kind, piece.name()).or_else(named_anew).map_or(Match::New, Match::Old)
        }
        several => several.iter().copied().find(has_id).map_or(Match::Unclear, Match::Old),
    }
}

/// The relations that an answered one can be: of the same ends and kind, or, if the kind is what changes and no new
/// relation is asked for, of the same ends and named by an instruction.
fn relations(before: &Story, answered: &crate::CharacterRelation, scope: &Scope) -> Vec<usize> {
    let of_pair = pair(before, &answered.from, &answered.to, None);
    let kind = |position: &usize| before.character_relations[*position].kind;
    let same: Vec<usize> = of_pair.iter().copied().filter(|position| kind(position) == answered.kind).collect();
    if !same.is_empty() || scope.allows_creation(&Piece::Relation(answered.clone())) {
        return same;
    }
    of_pair.into_iter().filter(|position| scope.fields(PieceKind::Relation, *position).is_some()).collect()
}

/// Whether an instruction asks for the new piece. The world and the style are asked for by naming them.
fn is_asked_for(before: &Story, piece: &Piece, scope: &Scope) -> bool {
    let kind = piece.kind();
    let is_named_single = kind.is_single() && before.count(kind) == 0 && scope.fields(kind, 0).is_some();
    is_named_single || scope.allows_creation(piece)
}
