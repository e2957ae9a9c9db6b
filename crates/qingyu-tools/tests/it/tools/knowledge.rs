//! Passages by their words, people by what ties them.

use qingyu_story::Language;
use serde_json::json;

use super::ExpectedResult::{Just, Long, Says};
use super::{either, run};
use crate::desk::{DeskTool, book};

#[tokio::test]
async fn passages() {
    run(|language| {
        let question = either(language, "谁在说话", "who is speaking");
        let reckoning = either(language, "塔顶对质", "reckoning");
        vec![
            (
                "rag_tool",
                json!({"query": question, "content_types": ["chapter"]}),
                vec![
                    ("/result/results/0/id", Just(json!("d-1"))),
                    ("/result/results/0/anchor", Says("documents/d-1/text@0-")),
                    ("/result/searched", Just(json!(2))),
                ],
            ),
            ("rag_tool", json!({"query": reckoning}), vec![("/result/results/0/id", Just(json!("e-3")))]),
            (
                "rag_tool",
                json!({"query": reckoning, "as_of": "o-3", "content_types": ["outline", "character", "setting", "plot", "relation", "fact", "promise"]}),
                vec![("/result/results", Long(0))],
            ),
            (
                "rag_tool",
                json!({"query": question, "max_tokens": 10, "top_k": 1}),
                vec![("/result/results", Long(0)), ("/result/left_out_for_budget", Just(json!(1)))],
            ),
            (
                "rag_tool",
                json!({"query": question, "content_types": ["chapter"], "enable_rerank": true}),
                vec![("/result/results/0/content_type", Just(json!("chapter")))],
            ),
            (
                "rag_tool",
                json!({"query": "x", "content_types": ["poem"]}),
                vec![("/error/code", Just(json!("invalid_arguments")))],
            ),
            ("rag_tool", json!({"query": " "}), vec![("/error/path", Just(json!("/query")))]),
            ("rag_tool", json!({"query": "x", "as_of": "o-9"}), vec![("/error/path", Just(json!("/as_of")))]),
        ]
    })
    .await;
}

#[tokio::test]
async fn long_texts_are_cut_at_paragraphs() {
    let mut story = book(Language::Zh);
    let paragraph = |word: &str| format!("{}。\n", word.repeat(60));
    story.documents[0].text = ["雨夜", "海上", "灯塔"].map(paragraph).concat();
    let desk = DeskTool::new(story, Language::Zh);
    let found = desk.ask("rag_tool", json!({"query": "灯塔", "content_types": ["chapter"], "top_k": 1})).await;
    let text = found["results"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("灯塔") && !text.contains("雨夜"), "{text}");
}

#[tokio::test]
async fn ties() {
    run(|language| {
        let (lin, su) = (either(language, "林深", "Lin Vale"), either(language, "苏曼", "Mara Soule"));
        let shen = either(language, "沈策", "Cole Shaw");
        let of = |predicate: &str, object: &str| json!({"predicate": predicate, "object": object});
        let matching = |conditions: serde_json::Value| json!({"action": "match", "conditions": conditions});
        vec![
            (
                "knowledge_graph_tool",
                json!({"action": "neighbours", "from": "c-2"}),
                vec![("/result/neighbours", Long(2)), ("/result/relations", Long(2))],
            ),
            (
                "knowledge_graph_tool",
                json!({"action": "path", "from": su, "to": "c-3"}),
                vec![("/result/path", Long(1)), ("/result/path/0/id", Just(json!("r-2")))],
            ),
            (
                "knowledge_graph_tool",
                json!({"action": "path", "from": "c-1", "to": "c-4"}),
                vec![("/result/connected", Just(json!(false)))],
            ),
            (
                "knowledge_graph_tool",
                matching(json!([of("friend_of", "c-2"), of("visited", "l-1"), of("holds", "i-1")])),
                vec![
                    ("/result/matches", Long(1)),
                    ("/result/matches/0/name", Just(json!(lin))),
                    ("/result/matches/0/because/0/relation", Just(json!("r-1"))),
                ],
            ),
            (
                "knowledge_graph_tool",
                matching(json!([of("participated_in", "e-3"), {"predicate": "enemy", "object": shen, "not": true}])),
                vec![("/result/matches", Long(1)), ("/result/matches/0/name", Just(json!(shen)))],
            ),
            (
                "knowledge_graph_tool",
                matching(json!([of("employee_of", "c-3")])),
                vec![("/result/matches/0/name", Just(json!(su)))],
            ),
            (
                "knowledge_graph_tool",
                matching(json!([of("visited", "nowhere")])),
                vec![("/error/path", Just(json!("/conditions/0/object")))],
            ),
            (
                "knowledge_graph_tool",
                json!({"action": "ask", "question": either(language, "林深的朋友", "friends of Lin Vale")}),
                vec![
                    ("/result/found/rows", Long(1)),
                    ("/result/found/rows/0/nodes/x/name", Just(json!(su))),
                    ("/result/pattern", Says("friend_of")),
                ],
            ),
            (
                "knowledge_graph_tool",
                json!({"action": "ask", "pattern": format!("(x)-[:friend_of]-(a \"{lin}\") return x")}),
                vec![("/result/found/rows/0/nodes/x/name", Just(json!(su)))],
            ),
            (
                "knowledge_graph_tool",
                json!({"action": "ask", "question": "xyzzy"}),
                vec![("/error/path", Just(json!("/question"))), ("/error/message", Says("xyzzy"))],
            ),
            (
                "knowledge_graph_tool",
                json!({"action": "ask", "pattern": "(x)-["}),
                vec![("/error/path", Just(json!("/pattern")))],
            ),
            ("knowledge_graph_tool", matching(json!([])), vec![("/error/path", Just(json!("/conditions")))]),
            ("knowledge_graph_tool", json!({"action": "path"}), vec![("/error/path", Just(json!("/from")))]),
        ]
    })
    .await;
}
