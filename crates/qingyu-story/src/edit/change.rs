//! What an edit did, kept so that it can be shown, logged, undone and done again.

use serde::{Deserialize, Serialize};

use super::Error;
use crate::Story;
use crate::ids::Issuer;
use crate::piece::{Piece, PieceKind};

/// What an edit did to a story: the edited piece first, then the pieces a new name was carried into.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The pieces that changed, in the order in which they change.
    pub steps: Vec<Step>,
}

/// What happened to one piece. At least one of `before` and `after` is there, and both are of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its place in its list when the step was made.
    pub position: usize,
    /// The piece as it was; none if it was created.
    pub before: Option<Piece>,
    /// The piece as it is; none if it was deleted.
    pub after: Option<Piece>,
}

impl Change {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The change that undoes this one. Applied right after it, it restores every piece, and the order of the lists;
    /// ids that were given are not given again.
    pub fn inverse(&self) -> Self {
        let steps = self.steps.iter().rev();
        let inverse =
            |step: &Step| Step { position: step.position, before: step.after.clone(), after: step.before.clone() };
        Self { steps: steps.map(inverse).collect() }
    }

    /// Does the change to `story`: again, or, if it is an inverse, back.
    ///
    /// Fails with [`Error::Conflict`], without touching the story, if a piece is not as the change expects it. A piece
    /// that only moved in its list is found by its id.
    pub fn apply(&self, story: &mut Story) -> Result<(), Error> {
        let mut changed = story.clone();
        for step in &self.steps {
            step.apply(&mut changed)?;
        }
        Issuer::of(story).remember_in(&mut changed);
        Issuer::of(&changed).remember_in(&mut changed);
        *story = changed;
        Ok(())
    }
}

impl Step {
    /// The kind of the piece.
    pub fn kind(&self) -> Option<PieceKind> {
        self.after.as_ref().or(self.before.as_ref()).map(Piece::kind)
    }

    fn apply(&self, story: &mut Story) -> Result<(), Error> {
        match (&self.before, &self.after) {
            (None, None) => {}
            (None, Some(after)) => {
                let id_taken = !after.id().is_empty() && position_of(story, after).is_some();
                let single_taken = after.kind().is_single() && story.count(after.kind()) > 0;
                if id_taken || single_taken {
                    return Err(conflict(after));
                }
                story.insert(self.position, after.clone());
            }
            (Some(before), None) => story.remove(before.kind(), self.find(story, before)?),
            (Some(before), Some(after)) => story.replace(self.find(story, before)?, after.clone()),
        }
        Ok(())
    }

    fn find(&self, story: &Story, expected: &Piece) -> Result<usize, Error> {
        let is_expected = |position: &usize| story.piece(expected.kind(), *position).as_ref() == Some(expected);
        let found = Some(self.position).filter(is_expected);
        found.or_else(|| position_of(story, expected).filter(is_expected)).ok_or_else(|| conflict(expected))
    }
}

fn position_of(story: &Story, piece: &Piece) -> Option<usize> {
    let kind = piece.kind();
    (0..story.count(kind)).find(|position| {
        !piece.id().is_empty() && story.piece(kind, *position).is_some_and(|other| other.id() == piece.id())
    })
}

fn conflict(piece: &Piece) -> Error {
    Error::Conflict { kind: piece.kind(), label: piece.label() }
}
