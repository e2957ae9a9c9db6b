//! Servers of a team that are not there: the embedded engines answer, and every server is named with the reason.

use qingyu_db::{Postgres, PostgresSettings};
use qingyu_llm::Wire;
use qingyu_llm::testing::server::Server;
use qingyu_memory::long_term::Kind;
use qingyu_studio::operations as op;
use qingyu_studio::tools::{Permission, ToolCaller};
use qingyu_studio::{
    AskRequest, CheckState, DoctorReach, EnginePart, EngineState, EngineUse, GraphRequest, SearchRequest, Settings,
    Studio, read_story,
};
use serde_json::json;

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
        let question = AskRequest { question: "谁救了林青？".into(), before: None, budget: None, series: false };
        let answered = talking.ask(&project, &question).await.unwrap();
        assert!(answered.engines.iter().all(|engine| engine.state != EngineState::Used), "{answered:?}");
        assert_eq!(studio.call(op::ReadSession { session: "夜谈".into() }).await.unwrap().len(), 1);
        let caller = ToolCaller::new("a person", Permission::Read);
        let engine = studio.engine(Some(project.clone()));
        let asked = json!({"query": "谁救了林青", "content_types": ["chapter"]});
        let passages = engine.call("rag_tool", asked, &caller).await.to_json();
        assert_eq!(passages["result"]["results"][0]["id"], "d-1", "{passages}");
        let named = passages["result"]["engines"].as_array().unwrap();
        assert!(named.len() == 2 && named.iter().all(|engine| engine["state"] != "used"), "{passages}");
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

/// The variable with the address of a PostgreSQL server for tests.
const VARIABLE: &str = "QINGYU_TEST_POSTGRES";
const LOCAL: &str = "postgresql://postgres@127.0.0.1:5432/test";

#[tokio::test]
async fn a_copy_is_made_anew_for_another_embedder() {
    let url = std::env::var(VARIABLE).unwrap_or_else(|_| LOCAL.to_owned());
    let schema = format!("qingyu_studio_copies_{}", std::process::id());
    let settings = PostgresSettings { schema: schema.clone(), ..PostgresSettings::new(&url) };
    let postgres = match Postgres::open(settings).await {
        Ok(postgres) => postgres,
        Err(error) => {
            let is_demanded = std::env::var_os(VARIABLE).is_some() || std::env::var("CI").is_ok_and(|ci| ci == "true");
            assert!(!is_demanded, "the test needs a PostgreSQL server: {error}");
            return;
        }
    };
    let home = tempfile::tempdir().unwrap();
    let server = Server::scripted([]).await;
    let provider = server.provider(Wire::OpenAi).base_url;
    let with = |embedder: &str| {
        let flags = [
            ("engines.vectors", "postgres"),
            ("engines.postgres.url", url.as_str()),
            ("engines.postgres.schema", schema.as_str()),
            ("providers.server.base_url", provider.as_str()),
            ("embeddings.embedder", embedder),
        ];
        Settings::load(environment(home.path(), &[("QINGYU_MODEL", "offline-rules-1")]), table(&flags)).unwrap()
    };
    let models = async || {
        let select = format!("SELECT DISTINCT model FROM {schema}.vector_point ORDER BY model");
        let client = postgres.client().await.unwrap();
        let rows = client.query(&select, &[]).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect::<Vec<String>>()
    };
    let behind = async |settings: &Settings| {
        let checks = Studio::doctor(settings, DoctorReach::ThisMachine).await;
        let copies = checks.iter().filter(|row| row.check == "engine_copy");
        copies.map(|row| row.data["projects"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let request = SearchRequest::new("谁是林青的朋友");

    let lexical = with("lexical");
    let studio = Studio::open(lexical.clone()).await.unwrap();
    let project = studio.import(read_story(STORY.as_bytes()).unwrap(), None).await.unwrap().project.project;
    let before = studio.search(&project, &request).await.unwrap();
    assert_eq!(states(&before.engines), [(EnginePart::Vectors, EngineState::Used)]);
    drop(studio);
    assert_eq!((models().await, behind(&lexical).await), (vec!["lexical-hash-1024".to_owned()], vec![]));

    let other = with("server/e");
    let studio = Studio::open(other.clone()).await.unwrap();
    let meanwhile = studio.search(&project, &request).await.unwrap();
    assert_eq!(states(&meanwhile.engines), [(EnginePart::Vectors, EngineState::Behind)]);
    assert_eq!(meanwhile.hits[0].chunk, before.hits[0].chunk, "the embedded store answers");
    assert_eq!(models().await, ["lexical-hash-1024"], "the old copy stays until there are vectors for another");
    assert_eq!(behind(&other).await, [1]);
    let embedded = studio.embed(&project, |_| ()).await.unwrap();
    assert_eq!(states(&embedded.engines), [(EnginePart::Vectors, EngineState::Used)]);
    assert_eq!((models().await, behind(&other).await), (vec!["server/e".to_owned()], vec![]));
    let after = studio.search(&project, &request).await.unwrap();
    assert_eq!((after.vectors.as_str(), states(&after.engines)), ("server/e", states(&before.engines)));
    drop(studio);

    // Back again: what was copied once is no longer there.
    let studio = Studio::open(lexical).await.unwrap();
    let again = studio.search(&project, &request).await.unwrap();
    assert_eq!((states(&again.engines), &again.hits[0].chunk), (states(&before.engines), &before.hits[0].chunk));
    assert_eq!(models().await, ["lexical-hash-1024"]);
    let client = postgres.client().await.unwrap();
    client.batch_execute(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE")).await.unwrap();
}
