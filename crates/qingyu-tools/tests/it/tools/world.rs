//! The world, and the page on everything in it.

use serde_json::json;

use super::ExpectedResult::{Just, Long, Says};
use super::{either, run};

#[tokio::test]
async fn worlds_and_encyclopedias() {
    run(|language| {
        let harbour = either(language, "旧港", "the Old Harbour");
        let query = either(language, "芯片在旧港吗", "is the memory sold by the company");
        vec![
            (
                "worldview_tool",
                json!({"action": "get"}),
                vec![
                    ("/result/worldview/era", Just(json!("2077"))),
                    ("/result/locations", Long(2)),
                    ("/result/world_rules/0/id", Just(json!("w-1"))),
                ],
            ),
            (
                "worldview_tool",
                json!({"action": "update", "data": {"era": "2078"}}),
                vec![
                    ("/result/worldview/era", Just(json!("2078"))),
                    ("/result/changed/0/kind", Just(json!("worldview"))),
                ],
            ),
            (
                "worldview_tool",
                json!({"action": "get", "kind": "location", "id": harbour}),
                vec![("/result/entry/id", Just(json!("l-1"))), ("/result/entry/kind", Just(json!("location")))],
            ),
            (
                "worldview_tool",
                json!({
                    "action": "create", "kind": "location",
                    "data": {"name": "X", "travel": [{"to": "l-1", "duration": "2 hours", "by": ""}]},
                }),
                vec![("/result/entry/id", Just(json!("l-3"))), ("/result/entry/travel", Long(1))],
            ),
            (
                "worldview_tool",
                json!({
                    "action": "update", "kind": "item", "id": "i-1", "data": {"holder": "c-2"},
                }),
                vec![("/result/entry/holder", Just(json!("c-2")))],
            ),
            ("worldview_tool", json!({"action": "list"}), vec![("/result/total", Just(json!(5)))]),
            (
                "worldview_tool",
                json!({
                    "action": "list", "kind": "organisation",
                }),
                vec![("/result/entries/0/id", Just(json!("g-1")))],
            ),
            (
                "worldview_tool",
                json!({"action": "delete", "kind": "world_rule", "id": "w-1"}),
                vec![("/result/deleted/id", Just(json!("w-1")))],
            ),
            ("worldview_tool", json!({"action": "delete"}), vec![("/error/code", Just(json!("refused")))]),
            ("worldview_tool", json!({"action": "create", "data": {}}), vec![("/error/code", Just(json!("refused")))]),
            (
                "worldview_tool",
                json!({"action": "update", "kind": "item", "id": "i-1", "data": {"weight": 3}}),
                vec![("/error/path", Just(json!("/data/weight")))],
            ),
            (
                "worldview_tool",
                json!({"action": "update", "kind": "item", "id": "i-1", "data": {"alias": 3}}),
                vec![("/error/path", Just(json!("/data/alias")))],
            ),
            (
                "encyclopedia_tool",
                json!({"action": "get", "name": harbour}),
                vec![
                    ("/result/kind", Just(json!("location"))),
                    ("/result/outline_nodes", Long(1)),
                    ("/result/events/0/id", Just(json!("e-1"))),
                ],
            ),
            (
                "encyclopedia_tool",
                json!({"action": "get", "name": "c-1"}),
                vec![
                    ("/result/relations", Long(2)),
                    ("/result/holds", Long(1)),
                    ("/result/facts/0/predicate", Just(json!("age"))),
                    ("/result/documents/0/mentions", Just(json!(2))),
                ],
            ),
            (
                "encyclopedia_tool",
                json!({
                    "action": "search", "query": query, "limit": 2,
                }),
                vec![("/result/results", Long(2))],
            ),
            (
                "encyclopedia_tool",
                json!({"action": "search", "query": harbour}),
                vec![("/result/results/0/id", Just(json!("l-1"))), ("/result/results/0/named", Just(json!(true)))],
            ),
            ("encyclopedia_tool", json!({"action": "list", "kind": "event"}), vec![("/result/total", Just(json!(4)))]),
            (
                "encyclopedia_tool",
                json!({
                    "action": "get", "name": "nothing",
                }),
                vec![("/error/path", Just(json!("/name")))],
            ),
        ]
    })
    .await;
}

#[tokio::test]
async fn words_that_entries_do_not_know_are_refused() {
    run(|language| {
        let harbour = either(language, "码头", "harbour");
        let place = |travel| json!({"action": "create", "kind": "location", "data": {"name": "x", "travel": [travel]}});
        vec![
            (
                "worldview_tool",
                place(json!({"to": harbour, "time": "2 days"})),
                vec![("/error/path", Just(json!("/data/travel/0/time")))],
            ),
            ("worldview_tool", place(json!({"to": harbour, "duration": "2 days"})), vec![("/ok", Just(json!(true)))]),
        ]
    })
    .await;
}

#[tokio::test]
async fn any_piece() {
    run(|language| {
        let hero = either(language, "林深", "Lin Vale");
        vec![
            (
                "story_tool",
                json!({"action": "overview"}),
                vec![
                    ("/result/pieces/fact", Just(json!(2))),
                    ("/result/pieces/style", Just(json!(1))),
                    ("/result/language", Just(json!(language))),
                ],
            ),
            (
                "story_tool",
                json!({"action": "create", "kind": "fact", "data": {"subject": hero, "predicate": "x", "value": 3}}),
                vec![("/result/piece/id", Just(json!("f-3"))), ("/result/piece/value", Just(json!(3)))],
            ),
            (
                "story_tool",
                json!({"action": "update", "kind": "promise", "id": "promise-1", "add": {"paid": ["o-4"]}}),
                vec![("/result/piece/paid", Just(json!(["o-4"])))],
            ),
            (
                "story_tool",
                json!({"action": "update", "kind": "style", "data": {"tone": "warm"}}),
                vec![("/result/piece/tone", Just(json!("warm")))],
            ),
            (
                "story_tool",
                json!({"action": "get", "kind": "relation", "id": "r-1"}),
                vec![("/result/piece/from", Just(json!(hero)))],
            ),
            (
                "story_tool",
                json!({"action": "list", "kind": "plot_node"}),
                vec![("/result/total", Just(json!(1))), ("/result/pieces/0/id", Just(json!("p-1")))],
            ),
            (
                "story_tool",
                json!({"action": "delete", "kind": "fact", "id": "f-1"}),
                vec![("/result/deleted/id", Just(json!("f-1")))],
            ),
            ("story_tool", json!({"action": "get"}), vec![("/error/path", Just(json!("/kind")))]),
            ("story_tool", json!({"action": "get", "kind": "fact"}), vec![("/error/path", Just(json!("/id")))]),
            (
                "story_tool",
                json!({"action": "update", "kind": "fact", "id": "f-1", "data": {"known_by": 7}}),
                vec![("/error/path", Just(json!("/data/known_by")))],
            ),
            (
                "story_tool",
                json!({"action": "create", "kind": "fact", "data": {"subject": hero, "known_by": [{"name": hero}]}}),
                vec![("/error/path", Just(json!("/data/known_by/0/name")))],
            ),
            (
                "story_tool",
                json!({"action": "describe", "kind": "fact"}),
                vec![
                    ("/result/kind", Just(json!("fact"))),
                    ("/result/fields/properties/known_by/items/properties/since/description", Says("Since when")),
                    ("/result/fields/properties/source/description", Says("sentence")),
                ],
            ),
            (
                "story_tool",
                json!({"action": "describe", "kind": "worldview"}),
                vec![("/result/fields/properties", Long(6))],
            ),
        ]
    })
    .await;
}
