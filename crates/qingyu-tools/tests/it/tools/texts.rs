//! Documents and what is counted in them.

use qingyu_story::Language;
use serde_json::{Value, json};

use super::ExpectedResult::{Just, Long, Says};
use super::{either, run};
use crate::desk::DeskTool;

#[tokio::test]
async fn documents() {
    run(|language| {
        let says = either(language, "没有人回答。", "Nobody answered.");
        let twice = either(language, "林深", "Lin Vale");
        vec![
            (
                "document_tool",
                json!({"action": "list"}),
                vec![
                    ("/result/total", Just(json!(2))),
                    ("/result/documents/0/content", Just(Value::Null)),
                    ("/result/documents/1/version", Just(json!(3))),
                ],
            ),
            (
                "document_tool",
                json!({
                    "action": "read", "document_id": "d-1",
                }),
                vec![("/result/document/content", Says(says))],
            ),
            (
                "document_tool",
                json!({"action": "read", "document_id": "d-1", "offset": 1, "limit": 2}),
                vec![
                    ("/result/document/content", Just(json!(either(language, "没有", "he")))),
                    ("/result/document/offset", Just(json!(1))),
                ],
            ),
            (
                "document_tool",
                json!({"action": "write", "document_id": "d-1", "content": "x"}),
                vec![("/result/document/version", Just(json!(2))), ("/result/document/length", Just(json!(1)))],
            ),
            (
                "document_tool",
                json!({"action": "write", "title": "X", "content": "y", "outline_node": "o-4"}),
                vec![
                    ("/result/document/id", Just(json!("d-3"))),
                    ("/result/document/order", Just(json!(3))),
                    ("/result/document/version", Just(json!(1))),
                ],
            ),
            ("document_tool", json!({"action": "write", "content": "y"}), vec![("/error/path", Just(json!("/title")))]),
            (
                "document_tool",
                json!({"action": "write", "title": "X", "content": "y", "outline_node": "no"}),
                vec![("/error/path", Just(json!("/outline_node")))],
            ),
            (
                "document_tool",
                json!({
                    "action": "update", "document_id": "d-1", "replacements": [{"find": says, "with": "z"}],
                    "append": "end",
                }),
                vec![("/result/document/version", Just(json!(2)))],
            ),
            (
                "document_tool",
                json!({
                    "action": "update", "document_id": "d-1", "replacements": [{"find": twice, "with": "z"}],
                }),
                vec![("/error/path", Just(json!("/replacements/0/find"))), ("/error/message", Says("2 times"))],
            ),
            (
                "document_tool",
                json!({
                    "action": "update", "document_id": "d-1", "replacements": [{"find": "QQ", "with": "z"}],
                }),
                vec![("/error/message", Says("do not"))],
            ),
            (
                "document_tool",
                json!({
                    "action": "update", "document_id": "d-1",
                }),
                vec![("/error/path", Just(json!("/")))],
            ),
            (
                "document_tool",
                json!({"action": "create_version", "document_id": "d-2", "label": "draft"}),
                vec![("/result/document/version", Just(json!(4)))],
            ),
            (
                "document_tool",
                json!({
                    "action": "delete", "document_id": "d-2",
                }),
                vec![("/result/deleted/id", Just(json!("d-2")))],
            ),
            (
                "document_tool",
                json!({"action": "batch", "operations": [
                    {"action": "write", "document_id": "d-1", "content": "x"},
                    {"action": "update", "document_id": "d-2", "append": "more"},
                    {"action": "write", "title": "New", "content": "z"},
                ]}),
                vec![
                    ("/result/results", Long(3)),
                    ("/result/results/2/document/order", Just(json!(3))),
                    ("/result/version", Just(json!(1))),
                ],
            ),
            (
                "document_tool",
                json!({"action": "batch", "operations": [
                    {"action": "write", "document_id": "d-1", "content": "x"},
                    {"action": "update", "document_id": "d-9", "append": "more"},
                ]}),
                vec![("/error/path", Just(json!("/operations/1/document_id")))],
            ),
        ]
    })
    .await;
}

#[tokio::test]
async fn versions_of_a_text_can_be_read_again() {
    let desk = DeskTool::with_book(Language::Zh);
    desk.ask("document_tool", json!({"action": "write", "document_id": "d-1", "content": "二"})).await;
    desk.ask("document_tool", json!({"action": "create_version", "document_id": "d-1", "label": "定稿"})).await;
    desk.ask("document_tool", json!({"action": "write", "document_id": "d-1", "content": "三"})).await;
    let versions = desk.ask("document_tool", json!({"action": "versions", "document_id": "雨夜"})).await;
    let numbers: Vec<u64> =
        versions["versions"].as_array().unwrap().iter().filter_map(|v| v["version"].as_u64()).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    assert_eq!(versions["versions"][2]["made"]["provenance"]["note"], "定稿");
    assert_eq!(versions["versions"][3]["made"]["provenance"]["tool"], "document_tool");
    let earlier = desk.ask("document_tool", json!({"action": "read", "document_id": "d-1", "version": 3})).await;
    assert_eq!(earlier["document"]["content"], "二");
    let absent = desk.call("document_tool", json!({"action": "read", "document_id": "d-1", "version": 9})).await;
    assert_eq!(absent["error"]["path"], "/version");
    assert!(absent["error"]["message"].as_str().unwrap().contains("1, 2, 3, 4"));
    let torn = json!({"action": "batch", "operations": [
        {"action": "delete", "document_id": "d-1"}, {"action": "delete", "document_id": "nothing"},
    ]});
    desk.call("document_tool", torn).await;
    assert_eq!(desk.story().await.documents.len(), 2, "all or none");
}

#[tokio::test]
async fn statistics() {
    run(|language| {
        let characters = either(language, "35", "0").parse::<u64>().unwrap();
        vec![
            (
                "statistics_tool",
                json!({}),
                vec![
                    ("/result/total/characters", Just(json!(characters))),
                    ("/result/total/speeches", Just(json!(2))),
                    ("/result/per_chapter", Long(2)),
                    ("/result/per_chapter/0/planned", Just(json!(100))),
                    ("/result/cast/0/mentions", Just(json!(2))),
                    ("/result/cast/0/outline_nodes", Just(json!(3))),
                    ("/result/cast/3/texts", Just(json!(0))),
                    ("/result/project/chapters", Just(json!(3))),
                    ("/result/project/chapters_written", Just(json!(2))),
                ],
            ),
            (
                "statistics_tool",
                json!({"document_id": "d-2"}),
                vec![("/result/per_chapter", Long(1)), ("/result/project", Just(Value::Null))],
            ),
            ("statistics_tool", json!({"document_id": "x"}), vec![("/error/path", Just(json!("/document_id")))]),
        ]
    })
    .await;
}

#[tokio::test]
async fn dialogue_is_counted_in_characters_and_words() {
    for (text, share, characters, words) in [
        ("他说：“走。”", 0.3333, 3, 0),
        ("“一二三四”五六七八", 0.5, 8, 0),
        ("“Go now,” he said.", 0.5, 0, 4),
        ("没有对话", 0.0, 4, 0),
        ("", 0.0, 0, 0),
    ] {
        let desk = DeskTool::with_book(Language::Zh);
        desk.ask("document_tool", json!({"action": "write", "document_id": "d-2", "content": text})).await;
        let found = desk.ask("statistics_tool", json!({"document_id": "d-2"})).await;
        assert_eq!(found["total"]["dialogue_share"], json!(share), "{text}");
        assert_eq!(
            (found["total"]["characters"].as_u64(), found["total"]["words"].as_u64()),
            (Some(characters), Some(words))
        );
    }
}
