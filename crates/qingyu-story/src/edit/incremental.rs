//! The guard of incremental corrections: an answer changes only the parts named by its instructions.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::apply::{apply, update};
use super::change::{AppliedEdit, EditStep};
use super::command::Edit;
use super::error::Error;
use super::matching::sort_out;
use super::scope::{AllowedFields, CorrectionScope};
use crate::piece::{Piece, PieceKind};
use crate::{CorrectionInstruction, Story};

/// The result of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The story after the allowed changes.
    pub story: Story,
    /// The changes, in order of application.
    pub changes: Vec<AppliedEdit>,
    /// The changes in the answer without an instruction.
    pub refusals: Vec<RefusedChange>,
}

/// A rejected change of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedChange {
    /// The kind of the piece.
    pub kind: PieceKind,
    /// The label of the piece.
    pub label: String,
    /// The affected fields; empty for the whole piece.
    pub fields: Vec<String>,
    /// The reason.
    pub(crate) reason: RefusalReason,
}

/// The reason for rejecting a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RefusalReason {
    /// No instruction names the piece.
    PieceNotNamed,
    /// The instructions name only other fields of the piece.
    FieldNotNamed,
    /// The piece is new, and no instruction creates such a piece.
    CreationNotOrdered,
    /// The piece is to be deleted, so changes are rejected.
    ToBeDeleted,
    /// Several pieces, or no piece, match the instruction to delete.
    DeletionUnclear,
    /// The change does not fit the story, such as a name already taken.
    DoesNotFit,
}

/// Merges `answer` into a copy of `before`, as far as `instructions` allow.
///
/// `answer` contains only the pieces returned by an agent.
///
/// - A piece may change if an instruction to update names the piece: by id, name, alias or ends in its parameters, or,
///   without a piece in the parameters, by a mention in its text. If the parameters name fields, only these change;
///   otherwise all fields but the name.
/// - A new piece is inserted if an instruction creates such a piece: of the kind, and of the name if given in the
///   parameters. Relations of a created character are inserted too.
/// - A piece is deleted if an instruction to delete names exactly one piece, regardless of the answer.
/// - An empty field in the answer counts as omitted, unless the parameters empty the field or remove something from the
///   field.
/// - A new name is accepted only if given in the parameters (`new_name`), and is propagated as in [`apply`].
///
/// All other pieces remain identical to the byte, and changes to them in the answer are listed as refusals.
pub fn incremental(before: &Story, answer: &Story, instructions: &[CorrectionInstruction]) -> Outcome {
    let scope = CorrectionScope::of(before, instructions);
    let mut outcome = Outcome { story: before.clone(), changes: Vec::new(), refusals: Vec::new() };
    let sorted = sort_out(before, answer, &scope);
    for piece in &sorted.unasked {
        outcome.refuse(piece, Vec::new(), RefusalReason::CreationNotOrdered);
    }
    for piece in &sorted.unclear {
        outcome.refuse(piece, Vec::new(), RefusalReason::PieceNotNamed);
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
    fn update(&mut self, before: &Story, position: usize, answered: &Piece, scope: &CorrectionScope) {
        let kind = answered.kind();
        let old = before.piece(kind, position).expect("the position was found in this story");
        let wanted = differing(&old, answered);
        if scope.deletions().any(|place| place == (kind, position)) {
            return self.refuse(&old, Vec::new(), RefusalReason::ToBeDeleted);
        }
        let Some(allowed) = scope.fields(kind, position) else {
            if wanted.values().any(|(_, is_empty)| !is_empty) {
                self.refuse(&old, Vec::new(), RefusalReason::PieceNotNamed);
            }
            return;
        };
        let (taken, refused) = select(wanted, allowed);
        if !refused.is_empty() {
            self.refuse(&old, refused, RefusalReason::FieldNotNamed);
        }
        let change = update(&self.story, kind, position, taken).and_then(|steps| {
            let change = AppliedEdit { steps };
            change.apply(&mut self.story).map(|()| change)
        });
        self.record(&old, change);
    }

    fn delete(&mut self, before: &Story, scope: &CorrectionScope) {
        for (kind, label) in &scope.lost_deletions {
            let refusal = RefusedChange {
                kind: *kind,
                label: label.clone(),
                fields: Vec::new(),
                reason: RefusalReason::DeletionUnclear,
            };
            self.refusals.push(refusal);
        }
        let mut places: Vec<_> = scope.deletions().collect();
        places.reverse();
        for (kind, position) in places {
            let Some(old) = before.piece(kind, position) else { continue };
            if matches!(kind, PieceKind::Worldview)
                && self.story.worldview.as_ref().is_some_and(|world| !world.is_bare())
            {
                self.refuse(&old, Vec::new(), RefusalReason::DoesNotFit);
                continue;
            }
            let change = AppliedEdit {
                steps: vec![EditStep { position, before: self.story.piece(kind, position), after: None }],
            };
            let done = change.apply(&mut self.story).map(|()| change);
            self.record(&old, done);
        }
    }

    fn record(&mut self, piece: &Piece, change: Result<AppliedEdit, Error>) {
        match change {
            Ok(change) if change.is_empty() => {}
            Ok(change) => self.changes.push(change),
            Err(_) => self.refuse(piece, Vec::new(), RefusalReason::DoesNotFit),
        }
    }

    fn refuse(&mut self, piece: &Piece, fields: Vec<String>, reason: RefusalReason) {
        self.refusals.push(RefusedChange { fields, ..RefusedChange::piece(piece, reason) });
    }
}

impl RefusedChange {
    fn piece(piece: &Piece, reason: RefusalReason) -> Self {
        Self { kind: piece.kind(), label: piece.label(), fields: Vec::new(), reason }
    }
}

/// Returns the fields different in the answer, each with whether the answer's value is empty.
fn differing(old: &Piece, answered: &Piece) -> BTreeMap<String, (Value, bool)> {
    let (old_fields, empty) = (old.fields(), Piece::empty(old.kind()).fields());
    let differs = |(field, value): (String, Value)| {
        let changed = field != "id" && old_fields.get(&field) != Some(&value);
        let is_empty = empty.get(&field) == Some(&value);
        changed.then_some((field, (value, is_empty)))
    };
    answered.fields().into_iter().filter_map(differs).collect()
}

/// Splits the changed fields into accepted fields and names of rejected fields. Omitted fields are in neither.
fn select(wanted: BTreeMap<String, (Value, bool)>, allowed: &AllowedFields) -> (BTreeMap<String, Value>, Vec<String>) {
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
