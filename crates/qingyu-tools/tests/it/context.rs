//! What a writing task is told, and what it is not.

use proptest::prelude::*;
use qingyu_llm::estimate;
use qingyu_story::{Document, Language, OutlineNode, Story};
use serde_json::{Value, json};

use crate::desk::{DeskTool, book};

async fn context(language: Language, arguments: Value) -> Value {
    DeskTool::with_book(language).ask("workspace_context_tool", arguments).await
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(|one| one["id"].as_str()).collect()
}

/// The ids of a section that are left out for a reason.
fn left<'a>(context: &'a Value, section: &str, reason: &str) -> Vec<&'a str> {
    let trace = context["trace"].as_array().unwrap();
    let line = trace.iter().find(|line| line["section"] == section && line["reason"] == reason);
    line.and_then(|line| line["ids"].as_array()).into_iter().flatten().filter_map(Value::as_str).collect()
}

#[tokio::test]
async fn going_on_with_a_chapter() {
    for language in [Language::Zh, Language::En] {
        let found =
            context(language, json!({"task_type": "continue_writing", "context_scope": "related_entities"})).await;
        assert_eq!(found["chapter"]["id"], "o-3", "the last one that has a text");
        let content = &found["related_content"];
        assert_eq!(content["current_outline_node"]["id"], "o-3");
        assert_eq!(content["previous_chapter_ending"]["document"], "d-1");
        let end = content["previous_chapter_ending"]["text"].as_str().unwrap();
        assert!(end.ends_with(book(language).documents[0].text.lines().last().unwrap()), "{end}");
        assert_eq!(content["current_text_ending"]["document"], "d-2");
        assert_eq!(
            ids(&content["participating_characters"]),
            ["c-1", "c-2", "c-3"],
            "those here and those tied to them"
        );
        assert_eq!(ids(&content["timeline_events"]), ["e-1", "e-4", "e-2"], "in the order of their times");
        assert_eq!(left(&found, "timeline_events", "told_later"), ["e-3"], "nothing after the point of writing leaks");
        assert_eq!(left(&found, "open_promises", "told_later"), ["promise-2"]);
        assert_eq!(left(&found, "facts", "told_later"), ["f-2"]);
        assert_eq!(content["open_promises"][0]["state"], "open");
        assert_eq!(left(&found, "participating_characters", "out_of_scope"), ["c-4"]);
        assert_eq!(ids(&content["parent_outline_nodes"]), ["o-1"]);
        assert_eq!(found["version"], 0);
    }
}

#[tokio::test]
async fn facts_about_the_places_of_a_chapter_are_near() {
    let story = json!({
        "characters": [{"id": "c-1", "name": "林深"}],
        "worldview": {"locations": [{"id": "l-1", "name": "旧港"}, {"id": "l-2", "name": "城墙"}]},
        "outline_nodes": [
            {"id": "o-1", "kind": "chapter", "order": 1, "name": "第一章", "location": "旧港", "participants": ["林深"]},
        ],
        "facts": [
            {"id": "f-1", "subject": "旧港", "predicate": "特点", "value": "终年有雾"},
            {"id": "f-2", "subject": "城墙", "predicate": "height", "value": 9, "unit": "丈"},
        ],
    });
    let desk = DeskTool::new(serde_json::from_value(story).unwrap(), Language::Zh);
    let arguments = json!({"task_type": "create_chapter", "context_scope": "related_entities", "chapter_id": "o-1"});
    let found = desk.ask("workspace_context_tool", arguments).await;
    let facts = found["related_content"]["facts"].as_array().unwrap();
    assert_eq!((facts.len(), &facts[0]["value"]), (1, &json!("终年有雾")), "{facts:?}");
    assert_eq!(left(&found, "facts", "out_of_scope"), ["f-2"]);
}

#[tokio::test]
async fn an_earlier_event_of_nobody_is_brought_along_if_the_chapter_mentions_it() {
    let event = |id: &str, title: &str, said: &str, place: Value| json!({"id": id, "title": title, "description": said, "mode": "planned", "location": place, "outline_node": "o-1"});
    let story = json!({
        "characters": [{"id": "c-1", "name": "林深"}],
        "worldview": {
            "locations": [{"id": "l-1", "name": "寄卖行"}, {"id": "l-2", "name": "城墙"}],
            "organisations": [{"id": "g-1", "name": "二商局"}],
        },
        "outline_nodes": [
            {"id": "o-1", "kind": "chapter", "order": 1, "name": "第一章", "participants": ["林深"]},
            {"id": "o-2", "kind": "chapter", "order": 2, "name": "第二章", "participants": ["林深"],
                "description": "林深被二商局逼着回寄卖行退钱。"},
        ],
        "timeline_events": [
            event("e-1", "查账", "二商局的通知写明二十一号查账。", Value::Null),
            event("e-2", "盘点", "", json!("寄卖行")),
            event("e-3", "修缮", "", json!("城墙")),
            event("e-4", "退钱", "", Value::Null),
        ],
    });
    let desk = DeskTool::new(serde_json::from_value(story).unwrap(), Language::Zh);
    let arguments = json!({"task_type": "create_chapter", "context_scope": "related_entities", "chapter_id": "o-2"});
    let found = desk.ask("workspace_context_tool", arguments).await;
    assert_eq!(ids(&found["related_content"]["timeline_events"]), ["e-1", "e-2", "e-4"]);
    assert_eq!(left(&found, "timeline_events", "out_of_scope"), ["e-3"]);
}

#[tokio::test]
async fn what_happened_before_the_book_is_brought_along() {
    let event = |id: &str, time: &str, node: Value| json!({"id": id, "title": id, "timestamp": time, "participants": ["林深"], "outline_node": node});
    let story = json!({
        "characters": [{"id": "c-1", "name": "林深"}],
        "outline_nodes": [{"id": "o-1", "kind": "chapter", "order": 1, "name": "第一章", "participants": ["林深"]}],
        "timeline_events": [
            event("e-1", "2077-01-01", Value::Null),
            event("e-2", "2077-03-05", json!("o-1")),
            event("e-3", "2077-06-01", Value::Null),
        ],
    });
    let desk = DeskTool::new(serde_json::from_value(story).unwrap(), Language::Zh);
    let arguments = json!({"task_type": "create_chapter", "context_scope": "related_entities", "chapter_id": "o-1"});
    let found = desk.ask("workspace_context_tool", arguments).await;
    assert_eq!(found["related_content"]["timeline_events"].as_array().unwrap().len(), 2, "{found}");
    assert_eq!(left(&found, "timeline_events", "out_of_scope"), ["e-3"]);
}

#[tokio::test]
async fn what_has_happened_by_its_date_is_known_before_the_chapter_that_tells_it() {
    let event = |id: &str, time: &str, node: &str, mode: &str| json!({"id": id, "title": id, "timestamp": time, "participants": ["林深"], "outline_node": node, "mode": mode});
    let node = |id: &str, order: u32| json!({"id": id, "kind": "chapter", "order": order, "name": id, "participants": ["林深"]});
    let story = json!({
        "characters": [{"id": "c-1", "name": "林深"}],
        "outline_nodes": [node("o-1", 1), node("o-2", 2)],
        "timeline_events": [
            event("e-1", "2077-03-05 08:00", "o-1", "narrated"),
            event("e-2", "2077-03-04 20:00", "o-2", "flashback"),
            event("e-3", "2077-03-06 20:00", "o-2", "flashback"),
            event("e-4", "2077-03-07 08:00", "o-2", "narrated"),
        ],
    });
    let desk = DeskTool::new(serde_json::from_value(story).unwrap(), Language::Zh);
    let arguments = json!({"task_type": "create_chapter", "context_scope": "related_entities", "chapter_id": "o-1"});
    let found = desk.ask("workspace_context_tool", arguments).await;
    let events = &found["related_content"]["timeline_events"];
    assert_eq!(ids(events), ["e-2", "e-1"], "in the order of their times");
    assert_eq!((&events[0]["told_later"], &events[1]["told_later"]), (&json!(true), &Value::Null));
    assert_eq!(left(&found, "timeline_events", "told_later"), ["e-3", "e-4"]);
}

#[tokio::test]
async fn events_of_one_day_are_in_the_order_of_its_hours() {
    for (times, language) in [
        (["民国十五年五月初三 21:00", "民国十五年五月初三 23:00", "民国十五年五月初三傍晚"], Language::Zh),
        (["1926-06-12 21:00", "1926-06-12 23:00", "1926-06-12 in the evening"], Language::En),
    ] {
        let event = |id: &str, time: &str| json!({"id": id, "title": id, "timestamp": time, "participants": ["林深"], "outline_node": "o-1"});
        let story = json!({
            "characters": [{"id": "c-1", "name": "林深"}],
            "outline_nodes": [{"id": "o-1", "kind": "chapter", "order": 1, "name": "第一章", "participants": ["林深"]}],
            "timeline_events": [event("e-1", times[0]), event("e-2", times[1]), event("e-3", times[2])],
        });
        let desk = DeskTool::new(serde_json::from_value(story).unwrap(), language);
        let arguments =
            json!({"task_type": "create_chapter", "context_scope": "related_entities", "chapter_id": "o-1"});
        let found = desk.ask("workspace_context_tool", arguments).await;
        assert_eq!(ids(&found["related_content"]["timeline_events"]), ["e-3", "e-1", "e-2"]);
    }
}

#[tokio::test]
async fn a_new_chapter() {
    for language in [Language::Zh, Language::En] {
        let found = context(language, json!({"task_type": "create_chapter", "context_scope": "full_project"})).await;
        assert_eq!(found["chapter"]["id"], "o-4", "the first that has no text");
        let content = &found["related_content"];
        assert_eq!(content["previous_chapter_ending"]["document"], "d-2");
        assert_eq!(content["current_text_ending"], Value::Null);
        assert_eq!(ids(&content["participating_characters"]).len(), 4, "the whole cast");
        let states: Vec<&str> =
            content["open_promises"].as_array().unwrap().iter().filter_map(|one| one["state"].as_str()).collect();
        assert_eq!(states, ["open", "open", "pay_here"]);
        assert_eq!(ids(&content["outline_overview"]), ["o-3", "o-2"], "the nearest first");
        assert_eq!(found["trace"], json!([]), "everything is there");
    }
}

#[tokio::test]
async fn reviewing() {
    for language in [Language::Zh, Language::En] {
        let arguments = json!({"task_type": "review_content", "context_scope": "full_project", "chapter_id": "d-1"});
        let found = context(language, arguments).await;
        assert_eq!(
            found["chapter"],
            json!({"id": "o-2", "name": book(language).outline_nodes[1].name, "documents": ["d-1"]})
        );
        let content = &found["related_content"];
        assert_eq!(content["current_text"]["text"], json!(book(language).documents[0].text), "the whole text");
        assert_eq!(ids(&content["timeline_events"]).len(), 4, "a reviewer sees the whole book");
        assert!(!content["findings"].as_array().unwrap().is_empty());
        assert_eq!(content["previous_chapter_ending"], Value::Null, "nothing is before the first chapter");
    }
}

#[tokio::test]
async fn the_chapter_alone() {
    let arguments = json!({
        "task_type": "continue_writing", "context_scope": "current_chapter", "chapter_id": "o-2",
        "character_ids": ["c-2"],
    });
    let found = context(Language::Zh, arguments).await;
    let content = &found["related_content"];
    assert_eq!(ids(&content["participating_characters"]), ["c-1", "c-2", "c-4"], "with those who are asked for");
    assert_eq!(ids(&content["timeline_events"]), ["e-1"]);
    assert_eq!(ids(&content["world_settings"]), ["l-1", "i-1"]);
    assert_eq!(left(&found, "world_settings", "out_of_scope"), ["worldview", "w-1", "l-2", "g-1"]);
    assert_eq!(left(&found, "character_relations", "told_later"), ["r-3"]);
}

#[tokio::test]
async fn what_is_asked_for_must_be_there() {
    for (arguments, path) in [
        (json!({"task_type": "continue_writing", "context_scope": "full_project", "chapter_id": "o-9"}), "/chapter_id"),
        (json!({"task_type": "sing", "context_scope": "full_project"}), "/task_type"),
        (json!({"task_type": "continue_writing"}), "/context_scope"),
        (json!({"task_type": "continue_writing", "context_scope": "full_project", "max_tokens": 1}), "/max_tokens"),
        (
            json!({"task_type": "continue_writing", "context_scope": "full_project", "character_ids": ["x"]}),
            "/character_ids/0",
        ),
    ] {
        let failed = DeskTool::with_book(Language::En).call("workspace_context_tool", arguments.clone()).await;
        assert_eq!(failed["error"]["path"], path, "{arguments}");
    }
}

#[tokio::test]
async fn an_empty_story_gives_an_empty_context() {
    for task in ["continue_writing", "create_chapter", "review_content"] {
        let desk = DeskTool::new(Story::default(), Language::Zh);
        let found =
            desk.ask("workspace_context_tool", json!({"task_type": task, "context_scope": "full_project"})).await;
        assert_eq!(found["chapter"], Value::Null);
        assert_eq!(found["related_content"].get("current_outline_node"), None);
    }
}

#[tokio::test]
async fn the_end_of_the_chapter_before_has_five_hundred_characters() {
    let mut story = book(Language::Zh);
    story.documents[0].text = format!("{}终", "雨".repeat(2_000));
    let found = DeskTool::new(story.clone(), Language::Zh);
    let found = found
        .ask("workspace_context_tool", json!({"task_type": "continue_writing", "context_scope": "current_chapter"}))
        .await;
    let end = found["related_content"]["previous_chapter_ending"]["text"].as_str().unwrap();
    assert_eq!((end.chars().count(), end.chars().last()), (500, Some('终')));
    story.documents[0].text.clear();
    let found = DeskTool::new(story, Language::Zh);
    let found = found
        .ask("workspace_context_tool", json!({"task_type": "continue_writing", "context_scope": "current_chapter"}))
        .await;
    assert_eq!(left(&found, "previous_chapter_ending", "not_written"), ["o-2"]);
}

/// A book of many chapters with as many texts and people.
fn long_book(chapters: u32) -> Story {
    let mut story = book(Language::Zh);
    for number in 4..chapters + 4 {
        let name = format!("第{number}章");
        let card = story.characters[1].clone();
        story.characters.push(qingyu_story::Character {
            id: format!("c-{}", number + 1),
            name: format!("路人{number}号"),
            background: "他的来历说来话长。".repeat(20),
            ..card
        });
        story.outline_nodes.push(OutlineNode {
            id: format!("o-{}", number + 1),
            name: name.clone(),
            order: number + 1,
            description: format!("路人{number}号在旧港等人。").repeat(10),
            ..OutlineNode::default()
        });
        story.documents.push(Document {
            id: format!("d-{number}"),
            title: name.clone(),
            order: number,
            outline_node: Some(format!("o-{}", number + 1)),
            version: 1,
            text: "雨。".repeat(900),
            ..Document::default()
        });
    }
    story
}

#[tokio::test]
async fn the_last_chapter_costs_no_more_than_the_first() {
    let desk = DeskTool::new(long_book(120), Language::Zh);
    for chapter in ["o-2", "o-60", "o-120"] {
        let arguments = json!({
            "task_type": "continue_writing", "context_scope": "full_project", "chapter_id": chapter,
            "max_tokens": 4000,
        });
        let found = desk.ask("workspace_context_tool", arguments).await;
        assert!(found["tokens"].as_u64().unwrap() <= 4000);
        assert_eq!(found["related_content"]["current_outline_node"]["id"], chapter);
        assert!(!left(&found, "participating_characters", "budget").is_empty());
        let line = found["trace"]
            .as_array()
            .unwrap()
            .iter()
            .find(|line| line["section"] == "participating_characters")
            .unwrap();
        assert!(line["why"].as_str().unwrap().contains("预算"), "{line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_budget_holds_and_everybody_is_accounted_for(
        budget in 50_u64..6_000,
        task in 0..3_usize,
        scope in 0..3_usize,
        chapter in 2..20_u32,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let story = long_book(20);
        let people = story.characters.len();
        let desk = DeskTool::new(story, Language::Zh);
        let task = ["continue_writing", "create_chapter", "review_content"][task];
        let scope = ["current_chapter", "related_entities", "full_project"][scope];
        let arguments = json!({
            "task_type": task,
            "context_scope": scope,
            "chapter_id": format!("o-{chapter}"),
            "max_tokens": budget,
        });
        let found = runtime.block_on(desk.ask("workspace_context_tool", arguments));
        let content = found["related_content"].to_string();
        prop_assert_eq!(found["tokens"].as_u64().unwrap(), estimate::tokens(&content));
        prop_assert!(estimate::tokens(&content) <= budget);
        let there = found["related_content"]["participating_characters"].as_array().map_or(0, Vec::len);
        let gone = found["trace"].as_array().unwrap().iter();
        let gone = gone.filter(|line| line["section"] == "participating_characters" && line["reason"] != "shortened");
        let gone: u64 = gone.map(|line| line["count"].as_u64().unwrap()).sum();
        prop_assert_eq!(there as u64 + gone, people as u64);
    }
}
