//! Neo4j: the whole suite against what speaks its Query API, and the exchanges that the API's documentation describes.

use qingyu_engines::neo4j::{Neo4jGraph, Neo4jSettings};
use qingyu_knowledge::StoryGraph;
use qingyu_knowledge::engine::{Error, GraphEngine, Scope};
use qingyu_knowledge::pattern::Query;
use qingyu_knowledge::testing::{PathSupport, graph_suite};
use qingyu_story::{Character, Story};
use serde_json::{Value, json};

use crate::server::{self, CannedServer};

/// `http://host:port`; user, password and database in the variables after it.
const VARIABLE: &str = "QINGYU_TEST_NEO4J";
/// The number of indexes that `open` creates, one for each kind of node.
const KINDS: usize = qingyu_knowledge::graph::NodeKind::ALL.len();

fn settings(address: String) -> Neo4jSettings {
    let variable = |name: &str| std::env::var(name).ok();
    Neo4jSettings {
        address,
        user: variable("QINGYU_TEST_NEO4J_USER").unwrap_or_else(|| "neo4j".into()),
        password: variable("QINGYU_TEST_NEO4J_PASSWORD").unwrap_or_default(),
        database: variable("QINGYU_TEST_NEO4J_DATABASE"),
    }
}

/// Settings that do not depend on the environment.
fn fixed(address: String) -> Neo4jSettings {
    Neo4jSettings { address, user: "me".into(), password: "secret".into(), database: Some("novel".into()) }
}

#[tokio::test]
async fn graphs() {
    let Ok(address) = std::env::var(VARIABLE) else {
        server::skip(&format!("no Query API of Neo4j ({VARIABLE} is not set; make engines-test starts one)"));
        return;
    };
    let engine = Neo4jGraph::open(&settings(address.clone())).await.unwrap();
    // ArcadeDB looks for the shortest way before the conditions; Neo4j looks at both together.
    let is_neo4j = std::env::var_os("QINGYU_TEST_NEO4J_IS_NEO4J").is_some();
    graph_suite(&engine, 3, if is_neo4j { PathSupport::All } else { PathSupport::ButShortest }).await;
    let wrong = Neo4jSettings { password: "wrong".into(), ..settings(address) };
    let error = Neo4jGraph::open(&wrong).await.unwrap_err();
    assert!(matches!(&error, Error::Refused { reason, .. } if reason.contains("Unauthorized")), "{error:?}");
}

#[tokio::test]
async fn nobody_answers() {
    let away = Neo4jSettings { password: "secret".into(), ..settings("http://127.0.0.1:1".into()) };
    assert!(!format!("{away:?}").contains("secret"));
    let error = Neo4jGraph::open(&away).await.unwrap_err();
    assert!(matches!(&error, Error::Unreachable { address, .. } if address == "127.0.0.1:1"), "{error:?}");
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[tokio::test]
async fn an_address_that_is_not_http_is_refused() {
    for address in
        ["bolt://x:7687", "neo4j://x", "neo4j+s://me:secret@x", "bolt+ssc://x", "http://me:secret@x", "x:7474"]
    {
        let settings = fixed(address.into());
        assert!(!format!("{settings:?}").contains("secret"));
        let error = Neo4jGraph::open(&settings).await.unwrap_err();
        assert!(matches!(error, Error::BadAddress { .. }) && !error.to_string().contains("secret"), "{error}");
        assert!(error.to_string().contains("http://host:"), "{error}");
    }
}

/// An engine on a server that answers its `open`, and then `answers` in their order.
async fn engine<const N: usize>(header: &'static str, answers: [(u16, &'static str); N]) -> (Neo4jGraph, CannedServer) {
    let opened = [(202, r#"{"data":{"fields":[],"values":[]},"bookmarks":["FB:0"]}"#); KINDS];
    let server = CannedServer::with_header(header, opened.into_iter().chain(answers)).await;
    (Neo4jGraph::open(&fixed(server.address())).await.unwrap(), server)
}

fn body(request: &str) -> Value {
    match request.split_once("\r\n\r\n").unwrap().1 {
        "" => Value::Null,
        body => serde_json::from_str(body).unwrap(),
    }
}

async fn ask(engine: &Neo4jGraph) -> Result<Vec<Vec<String>>, Error> {
    let graph = StoryGraph::of(&Story::default());
    let query = Query::parse("(x:Character)").unwrap();
    engine.ask(&Scope::new("甲", "一"), &graph, &query).await.map(|answer| answer.rows)
}

#[tokio::test]
async fn a_reader_sends_the_last_bookmarks() {
    let (engine, server) = engine(
        "x-test: 1",
        [
            (
                202,
                r#"{"data":{"fields":["c0"],"values":[["Character/a"],["Character/a"]]},"bookmarks":["FB:1","FB:2"]}"#,
            ),
            (202, r#"{"data":{"fields":["c0"],"values":[]},"bookmarks":["FB:3"]}"#),
        ],
    )
    .await;
    assert_eq!(ask(&engine).await.unwrap(), [["Character/a"]], "each row once");
    assert!(ask(&engine.clone()).await.unwrap().is_empty());
    let asked = server.asked();
    assert!(asked[0].starts_with("POST /db/novel/query/v2 "), "{}", asked[0]);
    assert!(asked[0].to_lowercase().contains("authorization: basic bwu6c2vjcmv0\r\n"), "{}", asked[0]);
    assert!(body(&asked[0])["statement"].as_str().unwrap().starts_with("CREATE INDEX"));
    assert_eq!(body(&asked[0]).get("bookmarks"), None);
    let (first, second) = (body(&asked[KINDS]), body(&asked[KINDS + 1]));
    assert_eq!((&first["accessMode"], &first["bookmarks"]), (&json!("Read"), &json!(["FB:0"])));
    assert_eq!(second["bookmarks"], json!(["FB:1", "FB:2"]));
    assert!(first["parameters"].is_object(), "{first}");
}

#[tokio::test]
async fn a_graph_is_put_in_one_transaction() {
    let run =
        (202, r#"{"data":{"fields":[],"values":[]},"transaction":{"id":"l/U","expires":"2026-01-01T00:00:00Z"}}"#);
    let answers: [_; KINDS + 3] = std::array::from_fn(|index| match index {
        index if index < KINDS + 1 => run,
        index if index == KINDS + 1 => (202, r#"{"bookmarks":["FB:9"]}"#),
        _ => (202, r#"{"data":{"fields":["c0"],"values":[]}}"#),
    });
    let (engine, server) = engine("neo4j-cluster-affinity: member", answers).await;
    let character = Character { id: "a".into(), name: "苏婉".into(), ..Character::default() };
    let graph = StoryGraph::of(&Story { characters: vec![character], ..Story::default() });
    engine.put(&Scope::new("甲", "一"), &graph).await.unwrap();
    ask(&engine).await.unwrap();
    let asked = &server.asked()[KINDS..];
    assert!(asked[0].starts_with("POST /db/novel/query/v2/tx "), "{}", asked[0]);
    assert_eq!(body(&asked[0])["bookmarks"], json!(["FB:0"]));
    assert!(body(&asked[0])["statement"].as_str().unwrap().ends_with("DETACH DELETE n"), "{}", asked[0]);
    for request in &asked[1..=KINDS] {
        assert!(request.starts_with("POST /db/novel/query/v2/tx/l%2FU "), "{request}");
        assert!(request.contains("neo4j-cluster-affinity: member\r\n"), "{request}");
    }
    assert!(asked[KINDS + 1].starts_with("POST /db/novel/query/v2/tx/l%2FU/commit "), "{}", asked[KINDS + 1]);
    assert_eq!(body(&asked[KINDS + 2])["bookmarks"], json!(["FB:9"]), "the reader sees what was committed");
}

#[tokio::test]
async fn a_failed_statement_rolls_back() {
    let begun = r#"{"transaction":{"id":"t"}}"#;
    let failed = r#"{"errors":[{"code":"Neo.TransientError.Transaction.DeadlockDetected","message":"x"}]}"#;
    let (engine, server) = engine("x-test: 1", [(202, begun), (202, failed), (202, "")]).await;
    let error = engine.forget(&Scope::new("甲", "一")).await.unwrap_err();
    assert!(matches!(error, Error::Busy { .. }), "{error:?}");
    assert!(server.asked()[KINDS + 2].starts_with("DELETE /db/novel/query/v2/tx/t "), "{:?}", server.asked());
}

#[tokio::test]
async fn errors_are_sorted_by_their_code() {
    let code = |code: &str| format!(r#"{{"errors":[{{"code":"{code}","message":"text"}}]}}"#).leak() as &'static str;
    let (engine, _server) = engine(
        "x-test: 1",
        [
            (202, code("Neo.ClientError.Statement.SyntaxError")),
            (401, code("Neo.ClientError.Security.Unauthorized")),
            (503, code("Neo.TransientError.General.DatabaseUnavailable")),
            (400, code("Neo.ClientError.Cluster.NotALeader")),
            (404, "<html>"),
            (502, ""),
            (202, "<html>"),
            (202, r#"{"data":{"fields":["c1"],"values":[["x"]]}}"#),
            (202, r#"{"data":{"fields":["c0"],"values":[[7]]}}"#),
        ],
    )
    .await;
    let mut reasons = Vec::new();
    loop {
        match ask(&engine).await.unwrap_err() {
            Error::Refused { reason, .. } => reasons.push(format!("refused {reason}")),
            Error::BadAnswer { .. } => reasons.push("bad answer".to_owned()),
            Error::Unreachable { .. } if reasons.len() == 9 => break,
            Error::Unreachable { reason, .. } => reasons.push(format!("unreachable {reason}")),
            other => panic!("{other:?}"),
        }
    }
    let expected = [
        "refused Neo.ClientError.Statement.SyntaxError: text",
        "refused Neo.ClientError.Security.Unauthorized: text",
        "unreachable Neo.TransientError.General.DatabaseUnavailable: text",
        "unreachable Neo.ClientError.Cluster.NotALeader: text",
        "refused 404 Not Found: no Query API; Neo4j has it since 5.26",
        "unreachable 502 Bad Gateway",
        "bad answer",
        "bad answer",
        "bad answer",
    ];
    assert_eq!(reasons, expected);
}
