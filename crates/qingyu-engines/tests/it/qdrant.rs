//! Qdrant: the whole suite against its engine in a process, and the exchanges that failures are made of.

use qingyu_engines::qdrant::{QdrantSettings, QdrantVectors};
use qingyu_knowledge::engine::{Error, Scope, VectorEngine, VectorPoint, VectorQuery};
use qingyu_knowledge::testing::vector_suite;
use qingyu_knowledge::{Filter, Source};
use qingyu_story::PieceKind;

use crate::server::{self, CannedServer};

const VARIABLE: &str = "QINGYU_TEST_QDRANT";

#[tokio::test]
async fn vectors() {
    let Ok(address) = std::env::var(VARIABLE) else {
        server::skip(&format!("no Qdrant ({VARIABLE} is not set; make engines-test starts its engine behind HTTP)"));
        return;
    };
    let prefix = format!("test_{}_", uuid::Uuid::new_v4().simple());
    let settings = QdrantSettings { prefix, ..QdrantSettings::new(address) };
    vector_suite(&QdrantVectors::new(&settings).unwrap(), 8).await;
}

fn near() -> VectorQuery {
    VectorQuery { model: "e5".into(), vector: vec![2.0, 0.0], filter: None, limit: 3 }
}

#[tokio::test]
async fn what_is_sent_is_what_the_documentation_says() {
    let found = r#"{"status":"ok","time":0.1,"result":{"points":[
        {"id":"5c56c793-69f3-4fbf-87e6-c4bf54c28c26","version":3,"score":0.5,"payload":{"kind":"document","id":"d-1","part":2}}]}}"#;
    let made = r#"{"status":"ok","time":0.1,"result":{"config":{"params":{"vectors":{"size":2,"distance":"Dot"}}}}}"#;
    let server = CannedServer::new([(200, made), (200, found)]).await;
    let settings = QdrantSettings { key: Some("secret".into()), ..QdrantSettings::new(server.address()) };
    let engine = QdrantVectors::new(&settings).unwrap();
    let filter = Filter::parse("chapter in 1..3 and not traits contains 勇").unwrap();
    let hits = engine.near(&Scope::new("甲", "一"), &VectorQuery { filter: Some(filter), ..near() }).await.unwrap();
    assert_eq!((hits[0].source.id.as_str(), hits[0].part, hits[0].score), ("d-1", 2, 0.5));
    let asked = server.asked();
    assert!(asked[0].starts_with("GET /collections/qingyu_e5_"), "{}", asked[0]);
    assert!(
        asked[1].starts_with("POST /collections/qingyu_e5_") && asked[1].contains("/points/query "),
        "{}",
        asked[1]
    );
    assert!(asked[1].to_lowercase().contains("api-key: secret"), "{}", asked[1]);
    let body: serde_json::Value = serde_json::from_str(asked[1].split("\r\n\r\n").nth(1).unwrap()).unwrap();
    let expected = serde_json::json!({
        "query": [1.0, 0.0],
        "filter": {"must": [
            {"key": "scope", "match": {"value": "[\"甲\",\"一\"]"}},
            {"must": [
                {"key": "numbers.chapter", "range": {"gte": 1.0, "lte": 3.0}},
                {"must_not": [{"key": "texts.traits", "match": {"substring": "勇"}}]},
            ]},
        ]},
        "limit": 3,
        "params": {"exact": true},
        "with_payload": ["kind", "id", "part"],
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn failures_say_where_and_keep_secrets() {
    let scope = Scope::new("甲", "一");
    let away = QdrantSettings { key: Some("secret".into()), ..QdrantSettings::new("http://me:secret@127.0.0.1:1") };
    assert!(!format!("{away:?} {:?}", QdrantVectors::new(&away).unwrap()).contains("secret"));
    let error = QdrantVectors::new(&away).unwrap().near(&scope, &near()).await.unwrap_err();
    assert!(matches!(&error, Error::Unreachable { address, .. } if address == "127.0.0.1:1"), "{error:?}");
    assert!(!error.to_string().contains("secret"), "{error}");

    let refused = r#"{"status":{"error":"Unauthorized"},"time":0.0}"#;
    let server = CannedServer::new([(401, refused)]).await;
    let engine = QdrantVectors::new(&QdrantSettings::new(server.address())).unwrap();
    let error = engine.near(&scope, &near()).await.unwrap_err();
    assert!(matches!(&error, Error::Refused { reason, .. } if reason.contains("Unauthorized")), "{error:?}");

    let server = CannedServer::new([(200, "<html>")]).await;
    let engine = QdrantVectors::new(&QdrantSettings::new(server.address())).unwrap();
    let error = engine.near(&scope, &near()).await.unwrap_err();
    assert!(matches!(error, Error::BadAnswer { .. }), "{error:?}");

    let bad = QdrantVectors::new(&QdrantSettings::new("qdrant://me:secret@x")).unwrap_err();
    assert!(matches!(bad, Error::BadAddress { .. }) && !bad.to_string().contains("secret"), "{bad}");
}

#[tokio::test]
async fn a_cut_in_the_middle_is_said() {
    let made = r#"{"status":"ok","time":0.1,"result":{"config":{"params":{"vectors":{"size":2,"distance":"Dot"}}}}}"#;
    let done = r#"{"status":"ok","time":0.1,"result":{"operation_id":1,"status":"completed"}}"#;
    // The points are not answered for any more.
    let server = CannedServer::new([(200, made), (200, done)]).await;
    let engine = QdrantVectors::new(&QdrantSettings::new(server.address())).unwrap();
    let source = Source { kind: PieceKind::Document, id: "d-1".into() };
    let point =
        VectorPoint { source, part: 0, fields: qingyu_knowledge::filter::Fields::new(), vector: vec![1.0, 0.0] };
    let error = engine.put(&Scope::new("甲", "一"), "e5", &[point]).await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
}
