//! Outline and timeline.

use qingyu_story::Language;
use serde_json::{Value, json};

use super::ExpectedResult::{Just, Long, Says};
use super::{either, run};
use crate::desk::DeskTool;

#[tokio::test]
async fn outlines() {
    run(|language| {
        let name = either(language, "第四章 海", "Chapter 4: The Sea");
        vec![
            (
                "outline_tool",
                json!({"action": "get"}),
                vec![
                    ("/result/total", Just(json!(4))),
                    ("/result/outline_nodes/0/depth", Just(json!(0))),
                    ("/result/outline_nodes/1/depth", Just(json!(1))),
                    ("/result/outline_nodes/3/written", Just(json!(0))),
                ],
            ),
            (
                "outline_tool",
                json!({"action": "get", "node_id": "o-3"}),
                vec![("/result/timeline_events", Long(2)), ("/result/documents/0/id", Just(json!("d-2")))],
            ),
            ("outline_tool", json!({"action": "get", "node_id": "o-1"}), vec![("/result/children", Long(3))]),
            (
                "outline_tool",
                json!({"action": "create", "outline_data": {"name": name}}),
                vec![
                    ("/result/outline_node/order", Just(json!(5))),
                    ("/result/outline_node/kind", Just(json!("chapter"))),
                ],
            ),
            (
                "outline_tool",
                json!({"action": "create", "outline_data": {"name": name}, "after": "o-2"}),
                vec![("/result/outline_node/order", Just(json!(3))), ("/result/changed", Long(3))],
            ),
            (
                "outline_tool",
                json!({
                    "action": "update", "node_id": "o-4", "outline_data": {"goal": "g"},
                    "add": {"participants": ["c-2"]},
                }),
                vec![("/result/outline_node/participants", Long(3)), ("/result/outline_node/goal", Just(json!("g")))],
            ),
            (
                "outline_tool",
                json!({
                    "action": "delete", "node_id": "o-4",
                }),
                vec![("/result/deleted/id", Just(json!("o-4")))],
            ),
            (
                "outline_tool",
                json!({"action": "generate_auto"}),
                vec![("/error/code", Just(json!("refused"))), ("/error/message", Says("preview"))],
            ),
            (
                "outline_tool",
                json!({"action": "generate_auto", "preview": true}),
                vec![("/result/outline_nodes", Long(11)), ("/result/changed", Just(Value::Null))],
            ),
            (
                "outline_tool",
                json!({
                    "action": "generate_auto", "structure_type": "hero_journey", "preview": true,
                }),
                vec![("/result/outline_nodes", Long(15))],
            ),
            (
                "outline_tool",
                json!({"action": "generate_auto", "structure_type": "custom", "preview": true}),
                vec![("/error/path", Just(json!("/beats")))],
            ),
            (
                "outline_tool",
                json!({"action": "generate_auto", "structure_type": "custom", "preview": true, "beats": [
                    {"name": "a", "goal": "{protagonist}: {want}"}, {"name": "b", "climax": true},
                ]}),
                vec![
                    ("/result/outline_nodes", Long(2)),
                    ("/result/outline_nodes/0/goal", Says(either(language, "林深: 查清芯片", "Lin Vale: find out"))),
                    ("/result/outline_nodes/1/goal", Just(json!(either(language, "〔待写〕", "[to be written]")))),
                    ("/result/outline_nodes/1/description", Says(either(language, "对质", "faces"))),
                    ("/result/unknown", Long(1)),
                ],
            ),
            (
                "outline_tool",
                json!({
                    "action": "generate_auto", "structure_type": "custom", "preview": true,
                    "beats": [{"name": " "}],
                }),
                vec![("/error/path", Just(json!("/beats/0/name")))],
            ),
        ]
    })
    .await;
}

#[tokio::test]
async fn a_skeleton_is_made_of_what_the_story_has_and_marks_the_rest() {
    for language in [Language::Zh, Language::En] {
        let mut story = crate::desk::book(language);
        story.outline_nodes.clear();
        for event in &mut story.timeline_events {
            event.outline_node = None;
        }
        let desk = DeskTool::new(story, language);
        let answer = desk.ask("outline_tool", json!({"action": "generate_auto", "structure_type": "three_act"})).await;
        let story = desk.story().await;
        let open = either(language, "〔待写〕", "[to be written]");
        let chapters: Vec<_> = story.outline_nodes.iter().filter(|node| node.parent.is_some()).collect();
        assert_eq!((story.outline_nodes.len(), chapters.len()), (11, 8));
        let climax = &chapters[6];
        let reckoning = story.timeline_events.iter().find(|event| event.id == "e-3").unwrap();
        assert_eq!(reckoning.outline_node.as_ref(), Some(&climax.id), "the most important event is the height");
        assert!(climax.participants.contains(&reckoning.participants[1]));
        assert_eq!(climax.location, reckoning.location);
        assert!(chapters[7].description.contains(open), "what is not known is marked");
        let marked = story.outline_nodes.iter().flat_map(|node| [&node.name, &node.description, &node.goal]);
        let marked = marked.filter(|text| text.contains(open)).count();
        assert_eq!(answer["unknown"].as_array().unwrap().len(), marked, "and said");
        assert!(answer["note"].as_str().unwrap().contains(&marked.to_string()));
        assert_eq!(answer["events_placed"], 3, "a dream happens at no time of the story");
        let orders: Vec<u32> = story.outline_nodes.iter().map(|node| node.order).collect();
        assert_eq!(orders, (1..=11).collect::<Vec<u32>>());
        let empty = DeskTool::new(qingyu_story::Story { language, ..Default::default() }, language);
        let answer = empty.ask("outline_tool", json!({"action": "generate_auto"})).await;
        assert!(answer["outline_nodes"][1]["goal"].as_str().unwrap().contains(open), "an empty story has no hero");
    }
}

#[tokio::test]
async fn timelines() {
    run(|language| {
        let title = either(language, "第二天", "Next day");
        vec![
            (
                "timeline_tool",
                json!({"action": "get_timeline"}),
                vec![
                    ("/result/total", Just(json!(4))),
                    ("/result/lines", Long(1)),
                    ("/result/lines/0/calendar", Just(json!("common"))),
                    ("/result/lines/0/events", Long(3)),
                    ("/result/lines/0/events/1/follows", Just(json!(true))),
                    ("/result/storylines/0/events", Just(json!(["e-1", "e-2", "e-3"]))),
                    ("/result/not_in_story_time/0/id", Just(json!("e-4"))),
                ],
            ),
            (
                "timeline_tool",
                json!({
                    "action": "get_timeline", "participant": "c-2",
                }),
                vec![("/result/total", Just(json!(1)))],
            ),
            (
                "timeline_tool",
                json!({
                    "action": "get_timeline", "outline_node": "o-1",
                }),
                vec![("/result/total", Just(json!(4)))],
            ),
            (
                "timeline_tool",
                json!({
                    "action": "get_timeline", "outline_node": "o-4",
                }),
                vec![("/result/total", Just(json!(1)))],
            ),
            (
                "timeline_tool",
                json!({
                    "action": "create_event",
                    "event_data": {"title": title, "description": "x", "timestamp": "2077-03-07",
                        "participants": ["c-1"]},
                }),
                vec![("/result/event/id", Just(json!("e-5"))), ("/result/version", Just(json!(1)))],
            ),
            (
                "timeline_tool",
                json!({
                    "action": "update_event", "event_id": "e-1", "event_data": {"importance": 9},
                }),
                vec![("/result/event/importance", Just(json!(9)))],
            ),
            (
                "timeline_tool",
                json!({
                    "action": "delete_event", "event_id": "e-4",
                }),
                vec![("/result/deleted/id", Just(json!("e-4")))],
            ),
            (
                "timeline_tool",
                json!({"action": "check_conflicts"}),
                vec![("/result/conflicts", Long(0)), ("/result/checked_events", Just(json!(4)))],
            ),
            (
                "timeline_tool",
                json!({"action": "create_event", "event_data": {"title": "x", "importance": 300}}),
                vec![("/error/path", Just(json!("/event_data/importance")))],
            ),
        ]
    })
    .await;
}

#[tokio::test]
async fn conflicts_of_time_and_place_are_found_and_named() {
    for language in [Language::Zh, Language::En] {
        let desk = DeskTool::with_book(language);
        let elsewhere = json!({
            "title": "elsewhere", "timestamp": "2077-03-09 20:00", "participants": ["c-1"], "location": "l-1",
            "outline_node": "o-4",
        });
        desk.ask("timeline_tool", json!({"action": "create_event", "event_data": elsewhere})).await;
        let found = desk.ask("timeline_tool", json!({"action": "check_conflicts"})).await;
        assert_eq!(found["conflicts"][0]["issue"]["code"], "QY203", "{found:#}");
        assert_eq!(found["conflicts"][0]["told_in"].as_array().unwrap().len(), 1);
        let other = desk.ask("timeline_tool", json!({"action": "check_conflicts", "participant": "c-2"})).await;
        assert_eq!(other["conflicts"].as_array().unwrap().len(), 0, "not about her");
        let backwards = json!({"action": "update_event", "event_id": "e-1", "add": {"after": ["e-3"]}});
        desk.ask("timeline_tool", backwards).await;
        let found = desk.ask("timeline_tool", json!({"action": "check_conflicts"})).await;
        let codes: Vec<&str> =
            found["conflicts"].as_array().unwrap().iter().filter_map(|one| one["issue"]["code"].as_str()).collect();
        assert!(codes.contains(&"QY301"), "{codes:?}");
    }
}

#[tokio::test]
async fn plots_are_suggested_from_what_is_open() {
    let story = |language| {
        let text = r#"{
            "characters": [
                {"id": "c-1", "name": "林青", "role_type": "protagonist"},
                {"id": "c-2", "name": "沈策", "role_type": "antagonist", "secret": "他放的火"},
                {"id": "c-3", "name": "路人", "role_type": "minor"}
            ],
            "character_relations": [{"id": "r-1", "from": "林青", "to": "沈策", "type": "enemy"}],
            "outline_nodes": [{"id": "o-1", "order": 1, "name": "第一章", "participants": ["林青"], "description": "雨"}],
            "timeline_events": [{"id": "e-1", "title": "相遇", "participants": ["林青"], "outline_node": "o-1"}],
            "plot_nodes": [{"id": "p-1", "title": "起因", "kind": "conflict"}],
            "promises": [{"id": "promise-1", "name": "铜钟", "planted": ["o-1"], "importance": 8}]
        }"#;
        let story: qingyu_story::Story = serde_json::from_str(text).unwrap();
        qingyu_story::Story { language, ..story }
    };
    for language in [Language::Zh, Language::En] {
        let desk = DeskTool::new(story(language), language);
        let found = desk.ask("outline_tool", json!({"action": "suggest_plot"})).await;
        let kinds: Vec<&str> =
            found["suggestions"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["promise", "meeting", "secret", "no_turn", "no_climax", "no_resolution", "absent"]);
        assert_eq!(found["suggestions"][0]["evidence"][0]["id"], "promise-1");
        let first = found["suggestions"][0]["suggestion"].as_str().unwrap();
        assert!(first.contains("铜钟") && first.contains("第一章"), "{first}");
        let one = desk.ask("outline_tool", json!({"action": "suggest_plot", "limit": 1})).await;
        assert_eq!((one["total"].as_u64(), one["suggestions"].as_array().unwrap().len()), (Some(7), 1));
    }
}
