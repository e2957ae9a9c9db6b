//! Keeps the records of settlements up with automatic changes.

use super::digest::{digest, digest_of};
use super::record::Made;
use crate::edit::EditStep;
use crate::piece::{Piece, PieceKind};
use crate::{Document, Story};

/// Updates, in `steps`, the records of the source documents, so that an automatic change, such as a propagated name, is
/// not mistaken for a user's edit. `steps` are not yet applied.
pub(crate) fn kept_up(story: &Story, steps: &mut Vec<EditStep>) {
    let changed: Vec<(PieceKind, String, String, String)> = steps.iter().filter_map(digests).collect();
    if changed.is_empty() {
        return;
    }
    for (position, document) in story.documents.iter().enumerate() {
        let Some(settled) = &document.settled else { continue };
        let renewed = |made: &Made| {
            let is_it = |change: &&(PieceKind, String, String, String)| {
                change.0 == made.kind && change.1 == made.id && change.2 == made.digest
            };
            changed.iter().find(is_it).map(|change| change.3.clone())
        };
        let own = |step: &EditStep| matches!(&step.before, Some(Piece::Document(_))) && step.position == position;
        let step = steps.iter().position(own);
        let text = |document: &Document| digest(&document.text);
        let now = step.and_then(|step| steps[step].after.clone());
        // The first step is the edit itself, possibly a change of the text by hand.
        let text_follows = step != Some(0) && settled.digest == text(document);
        let is_renewed = settled.made.iter().any(|made| renewed(made).is_some());
        if !is_renewed && (!text_follows || now.is_none()) {
            continue;
        }
        let mut after = match now {
            Some(Piece::Document(after)) => after,
            _ => document.clone(),
        };
        let text_digest = text(&after);
        let Some(record) = &mut after.settled else { continue };
        for made in &mut record.made {
            if let Some(digest) = renewed(made) {
                made.digest = digest;
            }
        }
        if text_follows {
            record.digest = text_digest;
        }
        let after = Some(Piece::Document(after));
        match step {
            Some(step) => steps[step].after = after,
            None => {
                let before = Some(Piece::Document(document.clone()));
                steps.push(EditStep { position, before, after });
            }
        }
    }
}

/// Returns the kind and id of a piece changed by a step, and its digest before and after.
fn digests(step: &EditStep) -> Option<(PieceKind, String, String, String)> {
    let (before, after) = (step.before.as_ref()?, step.after.as_ref()?);
    if before.kind() == PieceKind::Document || after.id().is_empty() {
        return None;
    }
    Some((after.kind(), after.id().to_owned(), digest_of(before), digest_of(after)))
}
