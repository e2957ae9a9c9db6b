//! Neo4j, or what speaks Bolt as it does.

use qingyu_engines::neo4j::{Neo4jGraph, Neo4jSettings};
use qingyu_knowledge::engine::Error;
use qingyu_knowledge::testing::{Ways, graph_suite};

use crate::server;

/// `bolt://host:port`; user, password and database in the variables after it.
const VARIABLE: &str = "QINGYU_TEST_NEO4J";

fn settings(address: String) -> Neo4jSettings {
    let variable = |name: &str| std::env::var(name).ok();
    Neo4jSettings {
        address,
        user: variable("QINGYU_TEST_NEO4J_USER").unwrap_or_else(|| "neo4j".into()),
        password: variable("QINGYU_TEST_NEO4J_PASSWORD").unwrap_or_default(),
        database: variable("QINGYU_TEST_NEO4J_DATABASE"),
    }
}

#[tokio::test]
async fn graphs() {
    let Ok(address) = std::env::var(VARIABLE) else {
        server::skip(&format!("no graph database over Bolt ({VARIABLE} is not set; make engines-test starts one)"));
        return;
    };
    let engine = Neo4jGraph::open(&settings(address)).await.unwrap();
    // ArcadeDB looks for the shortest way before the conditions; Neo4j looks at both together.
    let is_neo4j = std::env::var_os("QINGYU_TEST_NEO4J_IS_NEO4J").is_some();
    graph_suite(&engine, 3, if is_neo4j { Ways::All } else { Ways::ButShortest }).await;
}

#[tokio::test]
async fn nobody_answers() {
    let away = Neo4jSettings { password: "secret".into(), ..settings("bolt://127.0.0.1:1".into()) };
    assert!(!format!("{away:?}").contains("secret"));
    let error = Neo4jGraph::open(&away).await.unwrap_err();
    assert!(matches!(&error, Error::Unreachable { address, .. } if address == "127.0.0.1:1"), "{error:?}");
    assert!(error.hint().is_some() && !error.to_string().contains("secret"), "{error}");
    let nonsense = Neo4jGraph::open(&settings("http://me:secret@x".into())).await.unwrap_err();
    assert!(matches!(nonsense, Error::BadAddress { .. }) && !nonsense.to_string().contains("secret"), "{nonsense}");
}
