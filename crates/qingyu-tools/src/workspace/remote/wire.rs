//! The wire format of stories.

use qingyu_story::{PieceKind, Story};
use serde_json::{Map, Value, json};

/// Returns the entries of a list: `{"items": […]}` or the list itself.
pub(super) fn items(data: Value) -> Value {
    match data {
        Value::Null => json!([]),
        Value::Object(mut fields) => fields.remove("items").unwrap_or(Value::Object(fields)),
        list => list,
    }
}

/// Assembles a story from the project's own fields, its lists, and its waivers, phases and fields.
pub(super) fn put_together(
    head: &Value,
    lists: impl IntoIterator<Item = (PieceKind, Value)>,
    others: impl IntoIterator<Item = Option<Value>>,
) -> Result<Story, String> {
    let mut story = Map::new();
    for field in ["premise", "language", "last_ids", "waivers"] {
        if let Some(value) = head.get(field).filter(|value| !value.is_null()) {
            story.insert(field.to_owned(), value.clone());
        }
    }
    for (field, value) in ["waivers", "production", "fields"].into_iter().zip(others) {
        if let Some(value) = value.filter(|value| !value.is_null()) {
            story.insert(field.to_owned(), if field == "production" { value } else { items(value) });
        }
    }
    let mut story = Value::Object(story);
    // The world's own fields come after its lists, so they are merged, not replaced.
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
        let story = put_together(&head, lists, [Some(json!({"items": []})), None, None]).unwrap();
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
            let problem = put_together(&json!({}), [(kind, data)], []).unwrap_err();
            assert!(problem.contains(place), "{problem}");
        }
        let torn = [(PieceKind::Worldview, json!(7)), (PieceKind::Item, json!([1]))];
        assert!(put_together(&json!({}), torn, []).is_err());
    }
}
