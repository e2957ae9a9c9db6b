//! Milvus: the whole suite against Milvus Lite, and the exchanges that failures are made of.

use qingyu_engines::milvus::{MilvusSettings, MilvusVectors};
use qingyu_knowledge::engine::{Error, Scope, VectorEngine, VectorQuery};
use qingyu_knowledge::testing::vector_suite;

use crate::server::{self, CannedServer};

const VARIABLE: &str = "QINGYU_TEST_MILVUS";

#[tokio::test]
async fn vectors() {
    let Ok(address) = std::env::var(VARIABLE) else {
        server::skip(&format!("no Milvus ({VARIABLE} is not set; make engines-test starts Milvus Lite behind HTTP)"));
        return;
    };
    let prefix = format!("test_{}_", uuid::Uuid::new_v4().simple());
    let settings = MilvusSettings { prefix, ..MilvusSettings::new(address) };
    vector_suite(&MilvusVectors::new(&settings).unwrap(), 2).await;
}

#[tokio::test]
async fn failures_say_where_and_keep_secrets() {
    let scope = Scope::new("甲", "一");
    let near = VectorQuery { model: "e5".into(), vector: vec![2.0, 0.0], filter: None, limit: 3 };
    let away = MilvusSettings { token: Some("me:secret".into()), ..MilvusSettings::new("http://127.0.0.1:1") };
    assert!(!format!("{away:?} {:?}", MilvusVectors::new(&away).unwrap()).contains("secret"));
    let error = MilvusVectors::new(&away).unwrap().near(&scope, &near).await.unwrap_err();
    assert!(matches!(&error, Error::Unreachable { address, .. } if address == "127.0.0.1:1"), "{error:?}");

    let server = CannedServer::new([(200, r#"{"code":1800,"message":"user hasn't authenticated"}"#)]).await;
    let engine = MilvusVectors::new(&MilvusSettings::new(server.address())).unwrap();
    let error = engine.near(&scope, &near).await.unwrap_err();
    assert!(matches!(&error, Error::Refused { reason, .. } if reason.contains("authenticated")), "{error:?}");

    let missing = r#"{"code":100,"message":"can't find collection[database=default][collection=x]"}"#;
    let server = CannedServer::new([(200, missing)]).await;
    let engine = MilvusVectors::new(&MilvusSettings::new(server.address())).unwrap();
    assert_eq!(engine.near(&scope, &near).await.unwrap(), []);
    assert!(server.asked()[0].starts_with("POST /v2/vectordb/collections/describe "), "{:?}", server.asked());
}
