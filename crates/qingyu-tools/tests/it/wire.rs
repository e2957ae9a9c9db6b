//! What turns one story into another, as operations that a server carries out one after the other.

use proptest::prelude::*;
use qingyu_story::production::Field;
use qingyu_story::{Character, Document, Location, Story, StyleGuide, Worldview};
use qingyu_tools::testing::suite;
use qingyu_tools::workspace::remote::operation::{Method, Operation, OperationError, carry_out, operations};
use serde_json::{Value, json};

/// A story with these pieces, each an id and something that can change.
fn story(pieces: &[(u8, i32)], has_style: bool) -> Story {
    let each = || pieces.iter().map(|(id, value)| (format!("{id}"), *value));
    let card = |(id, value): (String, i32)| Character {
        id: format!("c-{id}"),
        name: format!("n{id}"),
        age: Some(value),
        ..Character::default()
    };
    let text = |(id, value): (String, i32)| Document {
        id: format!("d-{id}"),
        title: format!("t{id}"),
        version: u32::try_from(value).unwrap(),
        text: "雨".into(),
        ..Document::default()
    };
    let place = |(id, value): (String, i32)| Location {
        id: format!("l-{id}"),
        name: format!("p{id}"),
        description: format!("{value}"),
        ..Location::default()
    };
    let field =
        |(id, value): (String, i32)| Field { path: format!("计划/{id}"), value: json!(value), ..Field::default() };
    let world = || Worldview { locations: each().map(place).collect(), ..Worldview::default() };
    Story {
        characters: each().map(card).collect(),
        documents: each().map(text).collect(),
        fields: each().map(field).collect(),
        worldview: (!pieces.is_empty()).then(world),
        style: has_style.then(|| StyleGuide { point_of_view: "third_limited".into(), ..StyleGuide::default() }),
        ..Story::default()
    }
}

/// Some of nine pieces in any order.
fn pieces() -> impl Strategy<Value = Vec<(u8, i32)>> {
    let order = Just((1..10).collect::<Vec<u8>>()).prop_shuffle();
    (order, 0..10_usize, prop::collection::vec(0..2, 9))
        .prop_map(|(order, count, values): (Vec<u8>, _, Vec<i32>)| order.into_iter().zip(values).take(count).collect())
}

proptest! {
    #[test]
    fn operations_lead_from_one_story_to_any_other(before in pieces(), after in pieces(), styles in any::<(bool, bool)>()) {
        let (before, after) = (story(&before, styles.0), story(&after, styles.1));
        let mut made = before.clone();
        let operations = operations(&before, &after);
        for operation in &operations {
            // As it is read at the other end.
            let read: Operation = serde_json::from_str(&serde_json::to_string(operation).unwrap()).unwrap();
            prop_assert_eq!(carry_out(&mut made, &read), Ok(()), "{:?}", operation);
        }
        made.last_ids.clear();
        prop_assert_eq!(&made, &after, "{:#?}", operations);
        prop_assert_eq!(operations.is_empty(), before == after);
    }
}

#[test]
fn what_cannot_be_carried_out_is_told_and_changes_nothing() {
    let not_there = |kind: &str, id: &str| OperationError::NotThere { kind: kind.into(), id: id.into() };
    let unfit = |path: &str| OperationError::Unfit { path: path.into(), message: String::new() };
    let clash = OperationError::Clash { message: String::new() };
    let no_route = |method, path: &str| OperationError::NoRoute { method, path: path.into() };
    let cases: Vec<(Method, &str, Value, OperationError)> = vec![
        (Method::Put, "characters/c-9", json!({"name": "x"}), not_there("character", "c-9")),
        (Method::Delete, "nodes/o-9", json!(null), not_there("outline_node", "o-9")),
        (Method::Delete, "style", json!(null), not_there("style", "style")),
        (Method::Post, "documents/d-9/versions", json!({"version": 2}), not_there("document", "d-9")),
        (Method::Delete, "production/fields/plan%2Fgoal", json!(null), not_there("field", "plan/goal")),
        (Method::Put, "characters/c-1", json!({"id": "c-2", "name": "x"}), unfit("id")),
        (Method::Put, "characters/c-1", json!({"age": "old"}), unfit("piece.age")),
        (Method::Put, "characters/c-1", json!({"ege": 3}), unfit("ege")),
        (Method::Put, "characters/c-1", json!([]), unfit(".")),
        (Method::Put, "production/fields/a", json!({"path": "b"}), unfit("path")),
        (Method::Post, "documents/d-1/versions", json!({}), unfit("version")),
        (Method::Post, "documents/d-1/versions", json!({"version": "two"}), unfit("version")),
        (Method::Put, "waivers", json!({"items": 7}), unfit(".")),
        (Method::Post, "characters", json!({"id": "c-1", "name": "林远"}), clash),
        (Method::Post, "characters/c-1", json!({}), no_route("POST", "characters/c-1")),
        (Method::Put, "characters", json!({}), no_route("PUT", "characters")),
        (Method::Put, "characters/", json!({}), no_route("PUT", "characters/")),
        (Method::Put, "nodes/o-1/versions", json!({}), no_route("PUT", "nodes/o-1/versions")),
        (Method::Delete, "waivers", json!(null), no_route("DELETE", "waivers")),
        (Method::Put, "", json!({}), no_route("PUT", "")),
    ];
    for (method, path, body, expected) in cases {
        let mut story = suite::beginning();
        let operation = Operation { method, path: path.into(), position: None, body };
        let mut refused = carry_out(&mut story, &operation).unwrap_err();
        if let OperationError::Unfit { message, .. } | OperationError::Clash { message } = &mut refused {
            assert!(!message.is_empty(), "{operation:?}");
            message.clear();
        }
        assert_eq!(refused, expected, "{operation:?}");
        assert_eq!(story, suite::beginning(), "{operation:?}");
    }
}

#[test]
fn a_world_with_something_in_it_is_not_taken_away() {
    let mut full = story(&[(1, 1)], false);
    let gone = Operation { method: Method::Delete, path: "worldview".into(), position: None, body: Value::Null };
    assert!(matches!(carry_out(&mut full, &gone), Err(OperationError::Clash { .. })));
    assert_eq!(full, story(&[(1, 1)], false));
}
