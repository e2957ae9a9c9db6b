//! Servers of a team that are not there: the embedded engines answer, and every server is named with the reason.

use qingyu_memory::long_term::Kind;
use qingyu_studio::{
    AskRequest, CheckState, DoctorReach, EnginePart, EngineState, EngineUse, GraphRequest, SearchRequest, Settings,
    Studio, read_story,
};

use crate::{environment, offline, table};

const STORY: &str = r#"{
    "language": "zh",
    "characters": [{"id": "c-1", "name": "林青", "role_type": "protagonist"}, {"id": "c-2", "name": "苏婉"}],
    "character_relations": [{"id": "r-1", "from": "苏婉", "to": "林青", "type": "friend", "description": "苏婉救过林青。"}],
    "documents": [{"id": "d-1", "title": "第一章 雨夜", "order": 1, "version": 1, "text": "雨夜，苏婉救了林青。"}]
}"#;
/// A port without a server.
const AWAY: &str = "127.0.0.1:1";

/// The settings with a server for each part, none of which is there.
fn away(home: &std::path::Path, vectors: &str, long_term: &str) -> Settings {
    let urls = [
        ("engines.postgres.url", format!("postgresql://{AWAY}/x")),
        ("engines.redis.url", format!("redis://{AWAY}")),
        ("engines.qdrant.url", format!("http://{AWAY}")),
        ("engines.milvus.url", format!("http://{AWAY}")),
        ("engines.neo4j.url", format!("http://neo4j@{AWAY}")),
        ("engines.mongodb.url", format!("mongodb://{AWAY}/x")),
    ];
    let timeouts = ["postgres", "redis", "qdrant", "milvus", "neo4j", "mongodb"];
    let timeouts = timeouts.map(|name| format!("engines.{name}.timeout"));
    let mut assignments = vec![
        ("engines.keywords", "postgres"),
        ("engines.vectors", vectors),
        ("engines.graph", "neo4j"),
        ("engines.long_term", long_term),
        ("engines.short_term", "redis"),
    ];
    assignments.extend(urls.iter().map(|(key, url)| (*key, url.as_str())));
    assignments.extend(timeouts.iter().map(|key| (key.as_str(), "1")));
    Settings::load(environment(home, &[("QINGYU_MODEL", "offline-rules-1")]), table(&assignments)).unwrap()
}

fn states(engines: &[EngineUse]) -> Vec<(EnginePart, EngineState)> {
    engines.iter().map(|engine| (engine.part, engine.state)).collect()
}

#[tokio::test]
async fn every_server_that_is_away_is_replaced_and_named() {
    for (vectors, long_term) in [("qdrant", "mongodb"), ("milvus", "postgres")] {
        let home = tempfile::tempdir().unwrap();
        let plain = Studio::open(offline(home.path())).await.unwrap();
        let project = plain.import(read_story(STORY.as_bytes()).unwrap(), None).await.unwrap().project.project;
        let request = SearchRequest::new("谁是林青的朋友");
        let expected = plain.search(&project, &request).await.unwrap();
        assert!(expected.engines.is_empty());
        drop(plain);

        let settings = away(home.path(), vectors, long_term);
        let studio = Studio::open(settings.clone()).await.unwrap();
        let found = studio.search(&project, &request).await.unwrap();
        assert_eq!(found.hits, expected.hits);
        let keywords = found.engines.iter().find(|engine| engine.part == EnginePart::Keywords).unwrap();
        assert_eq!(
            keywords.state,
            EngineState::Unsupported,
            "it cannot be asked without the vectors of the other server"
        );
        let others: Vec<_> = found.engines.iter().filter(|engine| engine.part != EnginePart::Keywords).collect();
        assert!(others.iter().any(|engine| engine.part == EnginePart::Vectors), "{others:?}");
        for engine in others {
            assert_eq!(engine.state, EngineState::Down);
            assert!(engine.server.contains(AWAY) && engine.reason.is_some(), "{engine:?}");
        }
        let pattern = GraphRequest {
            pattern: Some("(x)-[:friend_of]-(a \"林青\") return x".into()),
            ..GraphRequest::default()
        };
        let graph = studio.story_graph(&project, &pattern).await.unwrap();
        assert_eq!(states(&graph.engines), [(EnginePart::Graph, EngineState::Down)]);
        assert_eq!(graph.graph["rows"][0]["nodes"]["x"]["name"], "苏婉");
        studio.remember(Kind::Preference, "少用感叹号", None).await.unwrap();
        assert_eq!(studio.memories(None, None, None).await.unwrap().len(), 1);
        let talking = studio.in_session("夜谈").unwrap();
        let question = AskRequest { question: "谁救了林青？".into(), before: None, budget: None };
        let answered = talking.ask(&project, &question).await.unwrap();
        assert!(answered.engines.iter().all(|engine| engine.state != EngineState::Used), "{answered:?}");
        assert_eq!(studio.session_turns("夜谈").await.unwrap().len(), 1);
        let embedded = studio.embed(&project, |_| ()).await.unwrap();
        assert_eq!(embedded.engines.len(), 3, "words, vectors and the graph: {embedded:?}");

        let checks = Studio::doctor(&settings, DoctorReach::Servers).await;
        let checks: Vec<_> = checks.iter().filter(|row| row.check == "engine").collect();
        assert_eq!(checks.len(), 5);
        assert!(
            checks.iter().all(|row| row.state == CheckState::Warning && row.data.contains_key("reason")),
            "{checks:?}"
        );
    }
}
