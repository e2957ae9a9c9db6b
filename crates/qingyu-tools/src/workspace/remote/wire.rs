//! Stories and changes as they go over the wire.

use qingyu_story::{Piece, PieceKind, Story};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::super::PieceChange;
use super::routes;

/// One request that changes something.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) position: Option<usize>,
    pub(super) body: Value,
}

impl Operation {
    /// What a change of `before` is on the wire.
    pub(super) fn of(change: &PieceChange, before: &Story) -> Self {
        let kind = change.kind();
        match change {
            PieceChange::Removed { id, .. } => {
                Self { method: "DELETE", path: routes::piece(kind, id), position: None, body: Value::Null }
            }
            PieceChange::Put { position, new, piece } => {
                let body = Value::Object(piece.fields());
                let position = Some(*position).filter(|_| !kind.is_single());
                if *new && !kind.is_single() {
                    return Self { method: "POST", path: routes::create(kind).to_owned(), position, body };
                }
                let path = routes::piece(kind, change.id());
                if is_new_version_only(before, piece) {
                    let body = json!({"version": body["version"]});
                    return Self { method: "POST", path: format!("{path}/versions"), position: None, body };
                }
                Self { method: "PUT", path, position, body }
            }
        }
    }
}

/// Whether `piece` is a document that got the next number and is otherwise as it was.
fn is_new_version_only(before: &Story, piece: &Piece) -> bool {
    let Piece::Document(after) = piece else { return false };
    let known = before.documents.iter().find(|known| known.id == after.id);
    known.is_some_and(|known| {
        known.version < after.version && qingyu_story::Document { version: after.version, ..known.clone() } == *after
    })
}

/// The entries of a list: `{"items": […]}` or the list itself.
pub(super) fn items(data: Value) -> Value {
    match data {
        Value::Null => json!([]),
        Value::Object(mut fields) => fields.remove("items").unwrap_or(Value::Object(fields)),
        list => list,
    }
}

/// A story from the project's own fields and its lists.
pub(super) fn put_together(head: &Value, lists: impl IntoIterator<Item = (PieceKind, Value)>) -> Result<Story, String> {
    let mut story = Map::new();
    for field in ["premise", "language", "last_ids", "waivers", "production", "fields"] {
        if let Some(value) = head.get(field).filter(|value| !value.is_null()) {
            story.insert(field.to_owned(), value.clone());
        }
    }
    let mut story = Value::Object(story);
    // The world's own fields come after the lists that live in it, so they are added, not put in their place.
    for (kind, data) in lists {
        let data = if kind.is_single() { data } else { items(data) };
        let is_empty = match &data {
            Value::Null => true,
            Value::Array(list) => list.is_empty(),
            _ => false,
        };
        if is_empty {
            continue;
        }
        let mut place = &mut story;
        for name in kind.list().split('/') {
            let parent = place.as_object_mut().ok_or_else(|| format!("{kind} is not where it belongs"))?;
            place = parent.entry(name).or_insert_with(|| json!({}));
        }
        match (place, data) {
            (Value::Object(known), Value::Object(fields)) => known.extend(fields),
            (place, data) => *place = data,
        }
    }
    serde_path_to_error::deserialize(story).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_put_where_they_belong() {
        let head = json!({"premise": "雨", "language": "en", "last_ids": null, "version": 7});
        let lists = [
            (PieceKind::Character, json!({"items": [{"id": "c-1", "name": "Ann"}]})),
            (PieceKind::Location, json!([{"id": "l-1", "name": "Harbour"}])),
            (PieceKind::Item, Value::Null),
            (PieceKind::Worldview, json!({"genre": "noir"})),
        ];
        let story = put_together(&head, lists).unwrap();
        assert_eq!((story.premise.as_str(), story.characters[0].name.as_str()), ("雨", "Ann"));
        let world = story.worldview.unwrap();
        assert_eq!((world.genre.as_str(), world.locations.len(), world.items.len()), ("noir", 1, 0));
    }

    #[test]
    fn what_is_no_story_is_said_and_where() {
        for (kind, data, place) in [
            (PieceKind::Character, json!(7), "characters"),
            (PieceKind::Character, json!({"items": {}}), "characters"),
            (PieceKind::Character, json!([{"age": "old"}]), "characters[0].age"),
            (PieceKind::Worldview, json!("a world"), "worldview"),
            (PieceKind::Location, json!({"items": [7], "next": 2}), "worldview.locations[0]"),
        ] {
            let problem = put_together(&json!({}), [(kind, data)]).unwrap_err();
            assert!(problem.contains(place), "{problem}");
        }
        let torn = [(PieceKind::Worldview, json!(7)), (PieceKind::Item, json!([1]))];
        assert!(put_together(&json!({}), torn).is_err());
    }
}
