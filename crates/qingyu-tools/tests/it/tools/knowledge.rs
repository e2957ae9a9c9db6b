//! Passages by their words, people by what ties them.

use std::sync::{Arc, Mutex};

use futures::future::BoxFuture;
use qingyu_knowledge::{Hit, chunk};
use qingyu_story::{Language, PieceKind};
use qingyu_tools::workspace::{
    self, DocumentVersion, Error, FoundPassages, LoadedStory, Made, PassageQuery, WorkspaceSave,
};
use qingyu_tools::{Engine, MemoryWorkspace, Toolbox, Workspace};
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

/// A project with search servers, which find the same whatever they are asked.
#[derive(Debug)]
struct ServedWorkspace {
    project: MemoryWorkspace,
    found: FoundPassages,
    asked: Arc<Mutex<Vec<PassageQuery>>>,
}

impl Workspace for ServedWorkspace {
    fn project(&self) -> &str {
        self.project.project()
    }
    fn version(&self) -> BoxFuture<'_, Result<u64, Error>> {
        self.project.version()
    }
    fn load(&self) -> BoxFuture<'_, Result<LoadedStory, Error>> {
        self.project.load()
    }
    fn save(&self, save: WorkspaceSave) -> BoxFuture<'_, Result<u64, Error>> {
        self.project.save(save)
    }
    fn document_versions<'a>(&'a self, document: &'a str) -> BoxFuture<'a, Result<Vec<DocumentVersion>, Error>> {
        self.project.document_versions(document)
    }
    fn provenance<'a>(&'a self, kind: PieceKind, id: &'a str) -> BoxFuture<'a, Result<Option<Made>, Error>> {
        self.project.provenance(kind, id)
    }
    fn search<'a>(&'a self, query: &'a PassageQuery) -> BoxFuture<'a, Result<Option<FoundPassages>, Error>> {
        self.asked.lock().unwrap().push(query.clone());
        let found = self.found.clone();
        Box::pin(async move { Ok(Some(found)) })
    }
}

#[tokio::test]
async fn search_servers_are_asked_and_only_what_stands_in_the_story_is_told() {
    let story = book(Language::Zh);
    let hit = |id: &str| {
        let chunks = chunk::of(&story);
        let chunk = chunks.into_iter().find(|chunk| chunk.source.id == id).unwrap();
        Hit { chunk, score: 0.5, keyword: None, vector: None, way: None, emphasis: 1.0, suspicious: None, book: None }
    };
    let mut changed = hit("d-1");
    changed.chunk.version += 1;
    let mut gone = hit("c-1");
    gone.chunk.source.id = "c-99".into();
    let engines = vec![json!({"part": "vectors", "server": "Qdrant", "state": "down", "reason": "gone"})];
    let hits = vec![gone, changed, hit("d-2"), hit("c-2"), hit("d-1")];
    let asked = Arc::new(Mutex::new(Vec::new()));
    let project = ServedWorkspace {
        project: MemoryWorkspace::new("p-1", story.clone()),
        found: FoundPassages { hits, engines: engines.clone() },
        asked: Arc::clone(&asked),
    };
    let engine = Engine::new(Toolbox::writing(), workspace::only(project));
    let desk = DeskTool { engine, language: Language::Zh };
    let ids = |found: &serde_json::Value| {
        let results = found["results"].as_array().unwrap().iter();
        results.map(|result| result["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = desk.ask("rag_tool", json!({"query": "谁最谨慎？"})).await;
    assert_eq!(ids(&all), ["d-2", "c-2", "d-1"], "in the order of the servers");
    assert_eq!((&all["engines"], &all["results"][0]["score"]), (&json!(engines), &json!(0.5)));
    desk.ask("rag_tool", json!({"query": "谁最谨慎？"})).await;
    assert_eq!(asked.lock().unwrap().len(), 2, "the answer is not kept: a server may be back");
    let prose = desk.ask("rag_tool", json!({"query": "谁", "content_types": ["chapter"], "as_of": "o-2"})).await;
    assert_eq!(ids(&prose), ["d-1"], "the second chapter comes later");
    assert!(prose["results"][0]["anchor"].as_str().unwrap().starts_with("documents/d-1/text@"), "{prose}");
    let queries = asked.lock().unwrap().clone();
    assert_eq!((queries[0].kinds.len(), queries[0].before, queries[0].limit), (0, None, 32));
    assert_eq!((queries[2].kinds.as_slice(), queries[2].before), (&[PieceKind::Document][..], Some(2)));
}

#[tokio::test]
async fn nothing_that_a_later_chapter_tells_first_is_found_as_of_a_chapter() {
    for language in [Language::Zh, Language::En] {
        let mut story = book(language);
        let (early, late) = (story.documents[0].text.clone(), story.documents[1].id.clone());
        let quote: String = early.chars().take(6).collect();
        story.documents[0].settled =
            serde_json::from_value(json!({"events": [{"event": "e-3", "quote": quote}]})).unwrap();
        story.documents[1].settled =
            serde_json::from_value(json!({"made": [{"kind": "character", "id": "c-3", "digest": ""}]})).unwrap();
        let name = story.characters.iter().find(|card| card.id == "c-3").unwrap().name.clone();
        let title = story.timeline_events.iter().find(|event| event.id == "e-3").unwrap().title.clone();
        let desk = DeskTool::new(story, language);
        let found = async |query: &str, as_of: Option<&str>, id: &str| {
            let types = ["character", "plot"];
            let arguments = json!({"query": query, "as_of": as_of, "content_types": types, "top_k": 100});
            let found = desk.ask("rag_tool", arguments).await;
            found["results"].as_array().unwrap().iter().any(|result| result["id"] == id)
        };
        assert!(found(&name, None, "c-3").await && !found(&name, Some("o-2"), "c-3").await, "{name} is of {late}");
        assert!(found(&name, Some("o-3"), "c-3").await);
        assert!(found(&title, Some("o-2"), "e-3").await, "{title} is planned for later, and told before");
    }
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
