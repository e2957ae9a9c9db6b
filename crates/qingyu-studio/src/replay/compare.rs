//! What is different from what a run made then.

use qingyu_agents::changes;
use qingyu_llm::cassette::{Difference, differences};
use qingyu_story::{Action, Piece, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Played;
use crate::cassettes::{End, fingerprint};

/// How many places are told of documents, and of one piece.
const PLACES: usize = 8;
const PLACES_OF_A_PIECE: usize = 3;

/// A piece of a story that is different.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedPiece {
    /// Whether it is new, different or gone.
    pub action: Action,
    /// What kind of piece.
    pub kind: String,
    /// What a person would call it.
    pub label: String,
    /// Where it parts from what it was, the first places.
    pub differences: Vec<Difference>,
}

/// Compares with the end of the recording.
pub(super) fn with_end(end: &End, played: &mut Played) {
    let same_story = fingerprint(&played.story) == end.story;
    played.row.differences = differences(&end.document, &played.document, PLACES);
    played.row.same_story = Some(same_story);
    played.row.identical = Some(same_story && played.row.differences.is_empty());
}

/// Compares with a replay in which nothing was changed. What calls cost is not compared: other models cost something else.
pub(super) fn with(then: &Played, played: &mut Played) {
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

/// The pieces that are different.
pub(super) fn pieces(then: &Story, now: &Story) -> Vec<ChangedPiece> {
    let before: Vec<Piece> = changes(&Story::default(), then).into_iter().map(|change| change.piece).collect();
    let changed = changes(then, now).into_iter();
    changed
        .map(|change| {
            let was = before.iter().find(|piece| piece.kind() == change.kind() && piece.id() == change.piece.id());
            let places = match (change.action, was) {
                (Action::Update, Some(was)) => differences(&json!(was), &json!(change.piece), PLACES_OF_A_PIECE),
                _ => Vec::new(),
            };
            let differences = places.into_iter().map(|place| Difference {
                // The piece stands in a field of its own.
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
