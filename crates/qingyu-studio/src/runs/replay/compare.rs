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
    let documents = [&end.document, &played.document].map(without_versions);
    played.row.differences = differences(&documents[0], &documents[1], PLACES);
    played.row.same_story = Some(same_story);
    played.row.identical = Some(same_story && played.row.differences.is_empty());
}

/// Compares with an unchanged replay, except costs: other models have other prices.
pub(crate) fn with(then: &PlayedSession, played: &mut PlayedSession) {
    let without_usage = |document: &Value| {
        let mut document = without_versions(document);
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

/// Returns a run's document without the versions of the project that hold its work.
///
/// A version counts all saves of the project, also those before the run and those of the author beside it. The project of
/// a replay begins with one save of the recorded story, so its numbers say nothing about the run.
fn without_versions(document: &Value) -> Value {
    let mut document = document.clone();
    let chapters = document.get_mut("chapters").and_then(Value::as_array_mut);
    chapters.into_iter().flatten().for_each(remove_version);
    let written = document.get_mut("written").and_then(Value::as_object_mut);
    written.into_iter().flat_map(|written| written.values_mut()).for_each(remove_version);
    document
}

fn remove_version(saved: &mut Value) {
    if let Some(fields) = saved.as_object_mut() {
        fields.remove("version");
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_saves_before_a_run_is_no_difference() {
        let book = |version: u64, words: u32| json!({"chapters": [{"number": 1, "words": words, "version": version}]});
        let found = |a: &Value, b: &Value| differences(&without_versions(a), &without_versions(b), PLACES);
        assert_eq!(found(&book(9, 2100), &book(2, 2100)), []);
        let changed = found(&book(9, 2100), &book(2, 2000));
        assert_eq!(changed.iter().map(|place| place.path.as_str()).collect::<Vec<_>>(), ["/chapters/0/words"]);
        let task = |version: u64, document: &str| {
            let saved = json!({"status": "saved", "document": document, "version": version});
            json!({"written": {"a": saved, "b": {"status": "shown"}}})
        };
        assert_eq!(found(&task(9, "d-1"), &task(2, "d-1")), []);
        assert_eq!(found(&task(9, "d-1"), &task(2, "d-2")).len(), 1);
    }
}
