//! Matching of answered pieces with pieces of the story.

use std::collections::BTreeMap;

use super::locate::pair;
use super::scope::CorrectionScope;
use crate::Story;
use crate::ids::{Issuer, redirect};
use crate::names::Names;
use crate::piece::{Piece, PieceKind};

/// An answer, with its pieces matched.
#[derive(Debug, Default)]
pub(super) struct MatchedAnswer {
    /// Pieces existing in the story, with their indices.
    pub(super) updates: Vec<(usize, Piece)>,
    /// New pieces requested by an instruction, with new ids.
    pub(super) creations: Vec<Piece>,
    /// New pieces without an instruction.
    pub(super) unasked: Vec<Piece>,
    /// Pieces matching several pieces of the story.
    pub(super) unclear: Vec<Piece>,
}

enum PieceMatch {
    Old(usize),
    New,
    Unclear,
}

/// Matches an answer's pieces. New pieces receive ids, and references by id in the answer are updated.
pub(super) fn sort_out(before: &Story, answer: &Story, scope: &CorrectionScope) -> MatchedAnswer {
    let mut answer = answer.clone();
    let names = Names::of(before);
    let mut issuer = Issuer::of(before);
    let mut moved = BTreeMap::new();
    let mut sorted = MatchedAnswer::default();
    let mut accepted = Vec::new();
    for kind in PieceKind::ALL {
        for position in 0..answer.count(kind) {
            let Some(mut piece) = answer.piece(kind, position) else { continue };
            if kind.is_single() && piece == Piece::empty(kind) {
                continue;
            }
            let place = match match_piece(before, &names, &piece, scope) {
                PieceMatch::Old(place) => Some(place),
                PieceMatch::New if is_asked_for(before, &piece, scope) => {
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
                PieceMatch::New => {
                    sorted.unasked.push(piece);
                    continue;
                }
                PieceMatch::Unclear => {
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

/// Matches by name first, since agents confuse ids more often than names. The id decides between duplicate names, and
/// where the answer has no name.
fn match_piece(before: &Story, names: &Names, piece: &Piece, scope: &CorrectionScope) -> PieceMatch {
    let kind = piece.kind();
    if kind.is_single() {
        return if before.count(kind) > 0 { PieceMatch::Old(0) } else { PieceMatch::New };
    }
    let has_id = |position: &usize| {
        !piece.id().is_empty() && before.piece(kind, *position).is_some_and(|old| old.id() == piece.id())
    };
    let by_name = match piece {
        Piece::Relation(relation) => relations(before, relation, scope),
        _ => names.find(kind, piece.name()).iter().map(|named| named.position).collect(),
    };
    match by_name.as_slice() {
        [one] => PieceMatch::Old(*one),
        [] if piece.name().trim().is_empty() && kind != PieceKind::Relation => {
            (0..before.count(kind)).find(has_id).map_or(PieceMatch::New, PieceMatch::Old)
        }
        [] => {
            let may_be_named = |position: &usize| {
                let allowed = scope.fields(kind, *position);
                allowed.is_some_and(|fields| fields.names("name") || fields.names("title"))
            };
            let named_anew = || (0..before.count(kind)).find(|position| has_id(position) && may_be_named(position));
            scope.renamed_to(kind, piece.name()).or_else(named_anew).map_or(PieceMatch::New, PieceMatch::Old)
        }
        several => several.iter().copied().find(has_id).map_or(PieceMatch::Unclear, PieceMatch::Old),
    }
}

/// Returns the relations matching an answered relation: with the same ends and kind, or, if the kind changes and no new
/// relation is requested, with the same ends and named by an instruction.
fn relations(before: &Story, answered: &crate::CharacterRelation, scope: &CorrectionScope) -> Vec<usize> {
    let of_pair = pair(before, &answered.from, &answered.to, None);
    let kind = |position: &usize| before.character_relations[*position].kind;
    let same: Vec<usize> = of_pair.iter().copied().filter(|position| kind(position) == answered.kind).collect();
    if !same.is_empty() || scope.allows_creation(&Piece::Relation(answered.clone())) {
        return same;
    }
    of_pair.into_iter().filter(|position| scope.fields(PieceKind::Relation, *position).is_some()).collect()
}

/// Returns whether an instruction requests the new piece. For the world and the style, naming them suffices.
fn is_asked_for(before: &Story, piece: &Piece, scope: &CorrectionScope) -> bool {
    let kind = piece.kind();
    let is_named_single = kind.is_single() && before.count(kind) == 0 && scope.fields(kind, 0).is_some();
    is_named_single || scope.allows_creation(piece)
}
