//! Settling a whole book again from its prose.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Extraction;
use super::outcome::{Config, Settlement};
use super::settle::{Earlier, Shared, settle_from};
use crate::edit::Error;
use crate::piece::{Piece, PieceKind};
use crate::{Document, Story};

/// A story settled again, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rebuilt {
    /// The story as its prose says it is.
    #[serde(skip)]
    pub story: Story,
    /// What is otherwise than before, piece by piece; the texts and their records are left out.
    pub difference: Difference,
    /// What came of each chapter, by the id of its document, in reading order.
    #[serde(skip)]
    pub chapters: Vec<(String, Settlement)>,
}

/// What is otherwise in one story than in another.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Difference {
    /// Pieces that are new.
    pub created: Vec<Piece>,
    /// Pieces that are otherwise, as they were and as they are.
    pub changed: Vec<(Piece, Piece)>,
    /// Pieces that are gone.
    pub removed: Vec<Piece>,
}

impl Difference {
    /// Whether nothing is otherwise.
    pub fn is_empty(&self) -> bool {
        self.created.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// Settles the chapters that `is_meant` again, in reading order: each from what `read` finds in it, in place of all that
/// came from it before. Pieces that are told again keep their ids.
///
/// A text that is not part of the book is left alone. `read` gets the story as it is before the chapter.
pub fn rebuild(
    story: &Story,
    config: Config,
    is_meant: impl Fn(&Document) -> bool,
    mut read: impl FnMut(&Story, &Document) -> Result<Extraction, Error>,
) -> Result<Rebuilt, Error> {
    let mut rebuilt = story.clone();
    let mut order: Vec<(u32, usize)> = (0..)
        .zip(&story.documents)
        .filter_map(|(position, document)| {
            (document.order > 0 && is_meant(document)).then_some((document.order, position))
        })
        .collect();
    order.sort_unstable();
    let mut chapters = Vec::with_capacity(order.len());
    let mut shared = Shared::default();
    for (_, position) in order {
        let document = &rebuilt.documents[position];
        let name = super::reconcile::reference(document).to_owned();
        let extraction = read(&rebuilt, document)?;
        let settlement = settle_from(&mut rebuilt, &name, &extraction, config, Earlier::Goes, &mut shared)?;
        chapters.push((name, settlement));
    }
    let difference = difference(story, &rebuilt);
    Ok(Rebuilt { story: rebuilt, difference, chapters })
}

/// What is otherwise in `after`, but for the documents.
fn difference(before: &Story, after: &Story) -> Difference {
    let mut difference = Difference::default();
    for kind in PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::Document && !kind.is_single()) {
        let old: BTreeMap<String, Piece> = before.pieces_of(kind).map(|piece| (piece.id().to_owned(), piece)).collect();
        let mut left = old.clone();
        for piece in after.pieces_of(kind) {
            left.remove(piece.id());
            match old.get(piece.id()) {
                None => difference.created.push(piece),
                Some(was) if *was != piece => difference.changed.push((was.clone(), piece)),
                Some(_) => {}
            }
        }
        difference.removed.extend(left.into_values());
    }
    difference
}
