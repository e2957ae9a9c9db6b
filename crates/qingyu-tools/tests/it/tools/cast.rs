//! Characters and what is between them.

use qingyu_story::Language;
use serde_json::{Value, json};

use super::ExpectedResult::{Just, Long, Says};
use super::{either, run};
use crate::desk::DeskTool;

#[tokio::test]
async fn characters() {
    run(|language| {
        let (lin, alias) = (either(language, "林深", "Lin Vale"), either(language, "阿深", "Lin"));
        let new = either(language, "林远", "Rob Vale");
        vec![
            (
                "character_tool",
                json!({"action": "get", "character_id": "c-1"}),
                vec![
                    ("/result/character/name", Just(json!(lin))),
                    ("/result/relations", Long(2)),
                    ("/result/version", Just(json!(0))),
                ],
            ),
            (
                "character_tool",
                json!({
                    "action": "get", "character_id": alias,
                }),
                vec![("/result/character/id", Just(json!("c-1")))],
            ),
            (
                "character_tool",
                json!({"action": "list", "limit": 3}),
                vec![
                    ("/result/total", Just(json!(4))),
                    ("/result/characters", Long(3)),
                    ("/result/characters/2/id", Just(json!("c-3"))),
                ],
            ),
            (
                "character_tool",
                json!({
                    "action": "list", "offset": 3,
                }),
                vec![("/result/characters/0/id", Just(json!("c-4")))],
            ),
            (
                "character_tool",
                json!({"action": "create", "character_data": {"name": new, "age": 20, "goals": "x", "traits": ["a"]}}),
                vec![
                    ("/result/character/id", Just(json!("c-5"))),
                    ("/result/character/age", Just(json!(20))),
                    ("/result/changed/0/change", Just(json!("created"))),
                    ("/result/version", Just(json!(1))),
                ],
            ),
            (
                "character_tool",
                json!({
                    "action": "update", "character_id": lin, "character_data": {"name": new, "age": 32},
                    "add": {"traits": ["b"]},
                }),
                vec![
                    ("/result/character/name", Just(json!(new))),
                    ("/result/character/traits", Long(2)),
                    ("/result/changed/0/id", Just(json!("c-1"))),
                    ("/result/version", Just(json!(1))),
                ],
            ),
            (
                "character_tool",
                json!({"action": "update", "character_id": "c-1", "character_data": {"age": 31}}),
                vec![
                    ("/result/character/id", Just(json!("c-1"))),
                    ("/result/changed", Just(Value::Null)),
                    ("/result/version", Just(json!(0))),
                ],
            ),
            (
                "character_tool",
                json!({"action": "delete", "character_id": "c-4"}),
                vec![("/result/deleted/id", Just(json!("c-4"))), ("/result/changed/0/change", Just(json!("deleted")))],
            ),
            (
                "character_tool",
                json!({"action": "create", "character_data": {"name": lin}}),
                vec![("/error/code", Just(json!("refused")))],
            ),
            (
                "character_tool",
                json!({"action": "create", "character_data": {}}),
                vec![
                    ("/error/code", Just(json!("invalid_arguments"))),
                    ("/error/path", Just(json!("/character_data"))),
                ],
            ),
            ("character_tool", json!({"action": "create"}), vec![("/error/path", Just(json!("/character_data")))]),
            ("character_tool", json!({"action": "get"}), vec![("/error/path", Just(json!("/character_id")))]),
            (
                "character_tool",
                json!({"action": "get", "character_id": "nobody"}),
                vec![("/error/code", Just(json!("not_found"))), ("/error/path", Just(json!("/character_id")))],
            ),
            (
                "character_tool",
                json!({"action": "create", "character_data": {"name": "x", "age": "old"}}),
                vec![("/error/path", Just(json!("/character_data/age")))],
            ),
            (
                "character_tool",
                json!({"action": "create", "character_data": {"name": "x", "agee": 1}}),
                vec![("/error/path", Just(json!("/character_data/agee")))],
            ),
            (
                "character_tool",
                json!({"action": "update", "character_id": "c-1", "add": {"nothing": ["x"]}}),
                vec![("/error/code", Just(json!("invalid_arguments")))],
            ),
        ]
    })
    .await;
}

#[tokio::test]
async fn arcs() {
    run(|language| {
        let turn = either(language, "反转", "The turn");
        let reckoning = either(language, "塔顶对质", "The reckoning");
        vec![
            (
                "character_tool",
                json!({"action": "analyze_arc", "character_id": "c-1"}),
                vec![
                    ("/result/stages", Long(3)),
                    ("/result/presence/thirds", Just(json!([1, 1, 1]))),
                    ("/result/stages/0/mentions", Just(json!(2))),
                    ("/result/stages/1/turning_points", Just(json!([turn]))),
                    ("/result/stages/1/relations/0/change", Just(json!("begins"))),
                    ("/result/stages/2/turning_points", Just(json!([reckoning]))),
                    ("/result/turning_points", Long(2)),
                    ("/result/observations", Long(0)),
                ],
            ),
            (
                "character_tool",
                json!({"action": "analyze_arc", "character_id": "c-3"}),
                vec![
                    ("/result/presence/chapters", Just(json!(1))),
                    ("/result/observations/0/code", Just(json!("missing"))),
                    ("/result/observations/0/text", Says("goals, weakness, conflicts, arc")),
                ],
            ),
        ]
    })
    .await;
}

#[tokio::test]
async fn relationships() {
    run(|language| {
        let lin = either(language, "林深", "Lin Vale");
        vec![
            (
                "relationship_tool",
                json!({
                    "action": "create", "from_character": "c-4", "to_character": lin, "relationship_type": "friend",
                }),
                vec![
                    ("/result/relationship/to", Just(json!(lin))),
                    ("/result/relationship/strength", Just(json!(0.5))),
                    ("/result/relationship/id", Just(json!("r-4"))),
                ],
            ),
            (
                "relationship_tool",
                json!({
                    "action": "update", "from_character": "c-1", "to_character": "c-2",
                    "relationship_type": "lover", "strength": 1,
                }),
                vec![
                    ("/result/relationship/id", Just(json!("r-1"))),
                    ("/result/relationship/type", Just(json!("lover"))),
                    ("/result/relationship/strength", Just(json!(1.0))),
                ],
            ),
            (
                "relationship_tool",
                json!({"action": "delete", "relationship_id": "r-2"}),
                vec![("/result/deleted/id", Just(json!("r-2")))],
            ),
            (
                "relationship_tool",
                json!({"action": "get_graph"}),
                vec![("/result/nodes", Long(4)), ("/result/edges", Long(3)), ("/result/unknown_names", Long(0))],
            ),
            ("relationship_tool", json!({"action": "get_graph", "at": "o-2"}), vec![("/result/edges", Long(2))]),
            (
                "relationship_tool",
                json!({"action": "analyze"}),
                vec![
                    ("/result/characters", Long(4)),
                    ("/result/characters/3/name", Just(json!(either(language, "陈伯", "Old Chen")))),
                    ("/result/communities", Long(1)),
                    ("/result/communities/0/members", Long(3)),
                    ("/result/isolated", Just(json!([either(language, "陈伯", "Old Chen")]))),
                    ("/result/hostile", Long(1)),
                ],
            ),
            (
                "relationship_tool",
                json!({
                    "action": "create", "from_character": "c-1", "to_character": "c-2",
                    "relationship_type": "friend",
                }),
                vec![("/error/code", Just(json!("refused")))],
            ),
            (
                "relationship_tool",
                json!({
                    "action": "create", "from_character": "c-1", "to_character": "x", "relationship_type": "friend",
                }),
                vec![("/error/path", Just(json!("/to_character")))],
            ),
            (
                "relationship_tool",
                json!({
                    "action": "create", "from_character": "c-1", "to_character": "c-1",
                    "relationship_type": "friend",
                }),
                vec![("/error/path", Just(json!("/to_character")))],
            ),
            (
                "relationship_tool",
                json!({"action": "update", "from_character": "c-4", "to_character": "c-1"}),
                vec![("/error/code", Just(json!("not_found")))],
            ),
            (
                "relationship_tool",
                json!({"action": "create", "from_character": "c-1", "to_character": "c-2", "strength": 2}),
                vec![("/error/path", Just(json!("/strength")))],
            ),
        ]
    })
    .await;
}

#[tokio::test]
async fn a_named_version_guards_a_change() {
    let desk = DeskTool::with_book(Language::En);
    let change = |version: u64| {
        json!({
            "action": "update", "character_id": "c-1", "character_data": {"age": version}, "expected_version": version,
        })
    };
    desk.ask("character_tool", change(0)).await;
    desk.ask(
        "character_tool",
        json!({"action": "update", "character_id": "c-1", "character_data": {"age": 50}, "expected_version": null}),
    )
    .await;
    let stale = desk.call("character_tool", change(1)).await;
    assert_eq!(
        stale["error"],
        json!({
            "code": "conflict",
            "message": "the project is at version 2, not 1",
            "retryable": false,
            "expected_version": 1,
            "found_version": 2,
        })
    );
    assert_eq!(desk.story().await.characters[0].age, Some(50));
}
