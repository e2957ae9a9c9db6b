//! The effect of an edit, stored for display, logging, undo and redo.

use serde::{Deserialize, Serialize};

use super::Error;
use crate::Story;
use crate::ids::Issuer;
use crate::piece::{Piece, PieceKind};

/// The effect of an edit on a story: the edited piece first, then the pieces with a propagated name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AppliedEdit {
    /// The changed pieces, in order of change.
    pub steps: Vec<EditStep>,
}

/// The change of one piece. At least one of `before` and `after` is present, and both have the same kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EditStep {
    /// The index in its list at the time of the step.
    pub position: usize,
    /// The piece before; `None` if created.
    pub before: Option<Piece>,
    /// The piece after; `None` if deleted.
    pub after: Option<Piece>,
}

impl AppliedEdit {
    /// Returns whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the inverse change for undo. Applied right after the change, the inverse restores every piece and the
    /// order of the lists; used ids are never reused.
    pub fn inverse(&self) -> Self {
        let steps = self.steps.iter().rev();
        let inverse = |step: &EditStep| EditStep {
            position: step.position,
            before: step.after.clone(),
            after: step.before.clone(),
        };
        Self { steps: steps.map(inverse).collect() }
    }

    /// Applies the change to `story`; an inverse reverts the original change.
    ///
    /// Returns [`Error::Conflict`] and leaves the story unchanged if a piece differs from the expected piece. A piece
    /// moved within its list is found by id.
    pub fn apply(&self, story: &mut Story) -> Result<(), Error> {
        let mut issuer = Issuer::of(story);
        self.carry_out(story)?;
        self.note_ids(&mut issuer);
        issuer.remember_in(story);
        Ok(())
    }

    /// Same as [`apply`](Self::apply), without registering ids; returns the list index of each step.
    pub(crate) fn carry_out(&self, story: &mut Story) -> Result<Vec<usize>, Error> {
        let touches_world =
            |step: &EditStep| step.kind().is_some_and(|kind| kind.in_world() || kind == PieceKind::Worldview);
        let world = self.steps.iter().any(touches_world).then(|| story.worldview.clone());
        let mut places = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            match step.apply(story) {
                Ok(place) => places.push(place),
                Err(error) => {
                    // The world is restored as a whole.
                    for (step, place) in self.steps.iter().zip(&places).rev().filter(|(step, _)| !touches_world(step)) {
                        step.take_back(story, *place);
                    }
                    if let Some(world) = world {
                        story.worldview = world;
                    }
                    return Err(error);
                }
            }
        }
        Ok(places)
    }

    /// Registers the ids of all pieces in the change.
    pub(crate) fn note_ids(&self, issuer: &mut Issuer) {
        let pieces = self.steps.iter().flat_map(|step| step.before.iter().chain(&step.after));
        pieces.filter(|piece| !piece.kind().is_single()).for_each(|piece| issuer.note(piece.id()));
    }
}

impl EditStep {
    /// Returns the kind of the piece.
    pub fn kind(&self) -> Option<PieceKind> {
        self.after.as_ref().or(self.before.as_ref()).map(Piece::kind)
    }

    /// Applies the step, and returns the list index of the change.
    fn apply(&self, story: &mut Story) -> Result<usize, Error> {
        match (&self.before, &self.after) {
            (None, None) => Ok(0),
            (None, Some(after)) => {
                let kind = after.kind();
                let id_taken = !after.id().is_empty() && position_of(story, after).is_some();
                let single_taken = kind.is_single() && story.count(kind) > 0;
                if id_taken || single_taken {
                    return Err(conflict(after));
                }
                let place = self.position.min(story.count(kind));
                story.insert(place, after.clone());
                Ok(place)
            }
            (Some(before), None) => {
                let place = self.find(story, before)?;
                story.remove(before.kind(), place);
                Ok(place)
            }
            (Some(before), Some(after)) => {
                let place = self.find(story, before)?;
                story.replace(place, after.clone());
                Ok(place)
            }
        }
    }

    /// Reverts the step applied at `place`.
    fn take_back(&self, story: &mut Story, place: usize) {
        match (&self.before, &self.after) {
            (None, None) => {}
            (None, Some(after)) => story.remove(after.kind(), place),
            (Some(before), None) => story.insert(place, before.clone()),
            (Some(before), Some(_)) => story.replace(place, before.clone()),
        }
    }

    fn find(&self, story: &Story, expected: &Piece) -> Result<usize, Error> {
        let is_expected = |position: &usize| story.piece(expected.kind(), *position).as_ref() == Some(expected);
        let found = Some(self.position).filter(is_expected);
        found.or_else(|| position_of(story, expected).filter(is_expected)).ok_or_else(|| conflict(expected))
    }
}

fn position_of(story: &Story, piece: &Piece) -> Option<usize> {
    let id = piece.id();
    story.parts(piece.kind()).position(|part| !id.is_empty() && part.id() == id)
}

fn conflict(piece: &Piece) -> Error {
    Error::Conflict { kind: piece.kind(), label: piece.label() }
}
