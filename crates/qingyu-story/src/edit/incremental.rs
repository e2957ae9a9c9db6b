//! The guard of incremental corrections: an answer changes what its instructions name, and nothing else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::matching::sort_out;
use super::scope::{Fields, Scope};
use super::{Change, Edit, Step, apply, update};
use crate::piece::{Piece, PieceKind};
use crate::{CorrectionInstruction, Story};

/// What came of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The story after the allowed changes.
    pub story: Story,
    /// What changed, in the order in which it was done.
    pub changes: Vec<Change>,
    /// What the answer would have changed, but was not told to.
    pub refusals: Vec<Refusal>,
}

/// Something that an answer would have changed and that was left as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The kind of the piece.
    pub kind: PieceKind,
    /// What it is called.
    pub label: String,
    /// The fields concerned; empty if it is the whole piece.
    pub fields: Vec<String>,
    /// Why.
    pub reason: Reason,
}

/// Why a change was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// No instruction names the piece.
    PieceNotNamed,
    /// The instructions name other fields of the piece only.
    FieldNotNamed,
    /// It is a new piece that no instruction creates.
    CreationNotOrdered,
    /// It is to be deleted, so it cannot be changed.
    ToBeDeleted,
    /// More than one piece, or none, fits the instruction to delete.
    DeletionUnclear,
    /// The change does not fit the story, such as a name that is taken.
    DoesNotFit,
}

/// Carries `answer` into a copy of `before`, as far as `instructions` allow it.
///
/// `answer` holds the pieces an agent answered with and is otherwise empty.
///
/// - A piece may change if an instruction to update names it: by id, name, alias or ends in its parameters, or, if
///   the parameters name no piece, by mentioning it in its text. If the parameters name fields, only these change;
///   otherwise all but the name do.
/// - A new piece is taken if an instruction to create asks for it: one of that kind, and of that name if the
///   parameters give one. Relations of a character that is created come along.
/// - A piece is deleted if an instruction to delete names exactly that piece, whatever the answer holds.
/// - An empty field in the answer means that it was left out, unless the parameters empty the field, or take something
///   out of it.
/// - A new name is taken only if the parameters say so (`new_name`); it is carried along as [`apply`] does.
///
/// All other pieces are the same before and after, to the byte, and what the answer would have done to them is among
/// the refusals.
pub fn incremental(before: &Story, answer: &Story, instructions: &[CorrectionInstruction]) -> Outcome {
    let scope = Scope::of(before, instructions);
    let mut outcome = Outcome { story: before.clone(), changes: Vec::new(), refusals: Vec::new() };
    let sorted = sort_out(before, answer, &scope);
    for piece in &sorted.unasked {
        outcome.refuse(piece, Vec::new(), Reason::CreationNotOrdered);
    }
    for piece in &sorted.unclear {
        outcome.refuse(piece, Vec::new(), Reason::PieceNotNamed);
    }
    for (position, piece) in sorted.updates {
        outcome.update(before, position, &piece, &scope);
    }
    for piece in sorted.creations {
        let edit = apply(&mut outcome.story, Edit::Create { piece: piece.clone() });
        outcome.record(&piece, edit);
    }
    outcome.delete(before, &scope);
    outcome
}

impl Outcome {
    fn update(&mut self, before: &Story, position: usize, answered: &Piece, scope: &Scope) {
        let kind = answered.kind();
        let old = before.piece(kind, position).expect("the position was found in this story");
        let wanted = differing(&old, answered);
        if scope.deletions().any(|place| place == (kind, position)) {
            return self.refuse(&old, Vec::new(), Reason::ToBeDeleted);
        }
        let Some(allowed) = scope.fields(kind, position) else {
            if wanted.values().any(|(_, is_empty)| !is_empty) {
                self.refuse(&old, Vec::new(), Reason::PieceNotNamed);
            }
            return;
        };
        let (taken, refused) = select(wanted, allowed);
        if !refused.is_empty() {
            self.refuse(&old, refused, Reason::FieldNotNamed);
        }
        let change = update(&self.story, kind, position, taken).and_then(|steps| {
            let change = Change { steps };
            change.apply(&mut self.story).map(|()| change)
        });
        self.record(&old, change);
    }

    fn delete(&mut self, before: &Story, scope: &Scope) {
        for (kind, label) in &scope.lost_deletions {
            let refusal =
                Refusal { kind: *kind, label: label.clone(), fields: Vec::new(), reason: Reason::DeletionUnclear };
            self.refusals.push(refusal);
        }
        let mut places: Vec<_> = scope.deletions().collect();
        places.reverse();
        for (kind, position) in places {
            let Some(old) = before.piece(kind, position) else { continue };
            if matches!(kind, PieceKind::Worldview)
                && self.story.worldview.as_ref().is_some_and(|world| !world.is_bare())
            {
                self.refuse(&old, Vec::new(), Reason::DoesNotFit);
                continue;
            }
            let change =
                Change { steps: vec![Step { position, before: self.story.piece(kind, position), after: None }] };
            let done = change.apply(&mut self.story).map(|()| change);
            self.record(&old, done);
        }
    }

    fn record(&mut self, piece: &Piece, change: Result<Change, super::Error>) {
        match change {
            Ok(change) if change.is_empty() => {}
            Ok(change) => self.changes.push(change),
            Err(_) => self.refuse(piece, Vec::new(), Reason::DoesNotFit),
        }
    }

    fn refuse(&mut self, piece: &Piece, fields: Vec<String>, reason: Reason) {
        self.refusals.push(Refusal { fields, ..Refusal::piece(piece, reason) });
    }
}

impl Refusal {
    fn piece(piece: &Piece, reason: Reason) -> Self {
        Self { kind: piece.kind(), label: piece.label(), fields: Vec::new(), reason }
    }
}

/// The fields in which the answered piece differs, with whether the answer's value is the empty one.
fn differing(old: &Piece, answered: &Piece) -> BTreeMap<String, (Value, bool)> {
    let (old_fields, empty) = (old.fields(), Piece::empty(old.kind()).fields());
    let differs = |(field, value): (String, Value)| {
        let changed = field != "id" && old_fields.get(&field) != Some(&value);
        let is_empty = empty.get(&field) == Some(&value);
        changed.then_some((field, (value, is_empty)))
    };
    answered.fields().into_iter().filter_map(differs).collect()
}

/// Splits the wanted fields into those that are taken and the names of those that are refused. Left out is neither.
fn select(wanted: BTreeMap<String, (Value, bool)>, allowed: &Fields) -> (BTreeMap<String, Value>, Vec<String>) {
    let (mut taken, mut refused) = (BTreeMap::new(), Vec::new());
    for (field, (value, is_empty)) in wanted {
        let left_out = is_empty && !allowed.may_empty(&field);
        if allowed.allow(&field) && !left_out {
            taken.insert(field, value);
        } else if !left_out {
            refused.push(field);
        }
    }
    (taken, refused)
}
