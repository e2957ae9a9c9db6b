//! Comparison of a replay with its recording.

use qingyu_llm::cassette::{Difference, differences};
use qingyu_story::{Action, Story, difference};
use serde_json::{Value, json};

use crate::runs::cassettes::{CassetteEnd, fingerprint};
use crate::runs::replay::report::ChangedPiece;
use crate::runs::replay::session::PlayedSession;

/// The maximum number of reported differences per document and per piece.
const PLACES: usize = 8;
const PLACES_OF_A_PIECE: usize = 3;

/// Compares with the recorded end.
pub(crate) fn with_end(end: &CassetteEnd, played: &mut PlayedSession) {
    let same_story = fingerprint(&played.story) == end.story;
    played.row.differences = differences(&end.document, &played.document, PLACES);
    played.row.same_story = Some(same_story);
    played.row.identical = Some(same_story && played.row.differences.is_empty());
}

/// Compares with an unchanged replay, except costs: other models have other prices.
pub(crate) fn with(then: &PlayedSession, played: &mut PlayedSession) {
    let without_usage = |document: &Value| {
        let mut document = document.clone();
        document.as_object_mut().map(|fields| fields.remove("usage"));
        document
    };
    let found = differences(&without_usage(&then.document), &without_usage(&played.document), PLACES);
    played.row.pieces = pieces(&then.story, &played.story);
    let same_story = then.story == played.story;
    played.row.same_story = Some(same_story);
    played.row.identical = Some(same_story && found.is_empty());
    played.row.differences = found;
}

/// Returns the differing pieces.
pub(crate) fn pieces(then: &Story, now: &Story) -> Vec<ChangedPiece> {
    let changed = difference(then, now).into_iter().filter(|change| !change.is_move());
    changed
        .map(|change| {
            let places = match (change.action, &change.before) {
                (Action::Update, Some(was)) => differences(&json!(was), &json!(change.piece), PLACES_OF_A_PIECE),
                _ => Vec::new(),
            };
            let differences = places.into_iter().map(|place| Difference {
                // Removes the field wrapping the piece from the path.
                path: place.path.strip_prefix("/piece").map(str::to_owned).unwrap_or(place.path),
                ..place
            });
            ChangedPiece {
                action: change.action,
                kind: change.kind().name().into(),
                label: change.label,
                differences: differences.collect(),
            }
        })
        .collect()
}
