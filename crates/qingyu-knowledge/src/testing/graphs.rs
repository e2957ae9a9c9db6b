//! The test suite of [`GraphEngine`].

use std::collections::BTreeSet;

use proptest::prelude::*;
use qingyu_story::{Character, CharacterRelation, OutlineNode, RelationKind, Story};

use super::generated::generated;
use super::memory::MemoryGraph;
use super::scopes;
use crate::StoryGraph;
use crate::engine::{Error, GraphEngine, PatternAnswer, Scope};
use crate::pattern::Query;

/// Checks all guarantees of [`GraphEngine`] observable by one process, with `cases` generated cases per property.
pub async fn graph_suite(engine: &dyn GraphEngine, cases: u32, ways: PathSupport) {
    all_kinds_of_queries(engine, ways).await;
    what_cannot_be_asked_is_refused(engine).await;
    a_graph_takes_the_place_of_the_one_before(engine).await;
    scopes_do_not_leak(engine, cases, ways).await;
}

/// The path queries supported by an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathSupport {
    /// All path queries.
    All,
    /// No shortest path with conditions: for a database that replaces another in tests, and searches the shortest path
    /// before evaluating the conditions.
    ButShortest,
}

impl PathSupport {
    fn has(self, query: &str) -> bool {
        self == Self::All || !query.starts_with("shortest")
    }
}

/// Returns a small story in which friends become enemies and friends again, a key changes hands, and a name looks like
/// a command.
fn story() -> Story {
    serde_json::from_str(include_str!("graphs/story.json")).expect("the story is well formed")
}

const QUERIES: [&str; 24] = [
    r#"(x:Character)"#,
    r#"(x:Character {traits contains "谨慎"})-[:friend_of @ch1]-(p {role_type = "protagonist"}), (x)-[:visited]->(:Location "迷雾森林") return x"#,
    r#"(x:Character {traits contains "谨慎"})-[:friend_of|enemy_of]-(p "青鸟") return x"#,
    r#"(x:Character)-[:student_of|enemy_of|仰慕]->(y:Character|Unknown) @ch1..ch2"#,
    r#"(x:Character)-[:仰慕]->(y)"#,
    r#"(x {age >= 18, name != "林青", 瞳色 in ["黑"]})-[{mode = "lied", by != "老周"}]->()"#,
    r#"(x {瞳色 in ["黑"]})"#,
    r#"(x {age >= 18})-[:friend_of]-(y)"#,
    r#"(x:Character)-[{mode = "lied"}]->(y)"#,
    r#"(a "苏婉")-[:friend_of @ch1]-(b)"#,
    r#"(a "苏婉")-[:friend_of @ch3]-(b)"#,
    r#"(a "苏婉")-[:friend_of @ch4]-(b)"#,
    r#"(a "苏婉")-[:enemy_of @ch2]-(b)"#,
    r#"(a)-[:holds @ch1]->(i:Item)"#,
    r#"(a)-[:holds @ch3]->(i:Item)"#,
    r#"shortest (a "苏婉")-[:tied_to *..6 @ch3]-(b "老周")"#,
    r#"within 3 (a "苏婉")-[:member_of]-()"#,
    r#"within 2 (a "苏婉")"#,
    r#"(x:Character)-[:ally_of *2..3]-(y)"#,
    r#"(x:Character)-[:visited]->() or (x)-[:member_of]->() or (x:Item)"#,
    r#"{(x:Character)-[:visited]->(l)} except {(x)-[:enemy_of]-(y) and (x)-[:friend_of]-(y)}"#,
    r#"{(x)-[:holds]->(k) or (x)-[:member_of]->(g)} and (x)-[:friend_of]-(k:Character)"#,
    r#"("苏婉")-[]-("林青")"#,
    r#"(x)-[:"') DETACH DELETE n //`"]->(y)"#,
];

fn parse(query: &str) -> Query {
    Query::parse(query).unwrap_or_else(|error| panic!("{query}: {error}"))
}

async fn ask(engine: &dyn GraphEngine, scope: &Scope, graph: &StoryGraph, query: &str) -> PatternAnswer {
    engine.ask(scope, graph, &parse(query)).await.unwrap_or_else(|error| panic!("{query}: {error}"))
}

/// Checks that the engine returns the rows of the in-memory search.
async fn check(engine: &dyn GraphEngine, scope: &Scope, graph: &StoryGraph, query: &str) {
    let memory = MemoryGraph::default();
    memory.put(scope, graph).await.expect("memory takes all");
    let (answer, expected) = (ask(engine, scope, graph, query).await, ask(&memory, scope, graph, query).await);
    assert_eq!(answer.columns, expected.columns, "{query}");
    let rows: BTreeSet<_> = answer.rows.iter().collect();
    assert_eq!(rows, expected.rows.iter().collect(), "{query}");
    assert_eq!(rows.len(), answer.rows.len(), "{query}: a row stands there twice");
}

async fn put(engine: &dyn GraphEngine, scope: &Scope, graph: &StoryGraph) {
    engine.put(scope, graph).await.expect("it can be put");
}

async fn all_kinds_of_queries(engine: &dyn GraphEngine, ways: PathSupport) {
    let [scope, other, ..] = &scopes::own()[..] else { return };
    let graph = StoryGraph::of(&story());
    assert!(ask(engine, scope, &graph, QUERIES[0]).await.rows.is_empty(), "nothing was put");
    put(engine, scope, &graph).await;
    put(engine, other, &graph).await;
    for query in QUERIES.into_iter().filter(|query| ways.has(query)) {
        check(engine, scope, &graph, query).await;
    }
    let all = ask(engine, scope, &graph, "(x:Character)").await.rows;
    let two = ask(engine, scope, &graph, "(x:Character) limit 2").await.rows;
    assert!(two.len() == 2 && two.iter().all(|row| all.contains(row)), "{two:?}");
    engine.forget(scope).await.expect("it can be forgotten");
    assert!(ask(engine, scope, &graph, QUERIES[0]).await.rows.is_empty(), "it was forgotten");
    check(engine, other, &graph, QUERIES[1]).await;
    engine.forget(other).await.expect("it can be forgotten");
}

async fn what_cannot_be_asked_is_refused(engine: &dyn GraphEngine) {
    let scope = &scopes::own()[0];
    let graph = StoryGraph::of(&story());
    put(engine, scope, &graph).await;
    let unknown = engine.ask(scope, &graph, &parse(r#"(x "谁也不是")"#)).await;
    assert!(matches!(unknown, Err(Error::Pattern(_))), "{unknown:?}");
    engine.forget(scope).await.expect("it can be forgotten");
}

async fn a_graph_takes_the_place_of_the_one_before(engine: &dyn GraphEngine) {
    let scope = &scopes::own()[0];
    let mut story = story();
    put(engine, scope, &StoryGraph::of(&story)).await;
    story.characters.remove(0);
    story.character_relations.truncate(3);
    let graph = StoryGraph::of(&story);
    put(engine, scope, &graph).await;
    put(engine, scope, &graph).await;
    for query in ["(x)", "(x)-[]->(y)", "(x:Character)-[:friend_of]-(y)"] {
        check(engine, scope, &graph, query).await;
    }
    engine.forget(scope).await.expect("it can be forgotten");
}

const CAST: usize = 5;
const KINDS: [RelationKind; 4] =
    [RelationKind::Friend, RelationKind::Enemy, RelationKind::MentorOf, RelationKind::ParentOf];

/// A relation between two characters, with the first and last chapter.
type DatedRelation = (usize, usize, usize, Option<u32>, Option<u32>);

fn told() -> impl Strategy<Value = Vec<DatedRelation>> {
    let chapter = || prop::option::of(1..6_u32);
    let one = (0..CAST, 0..CAST, 0..KINDS.len(), chapter(), chapter());
    prop::collection::vec(one, 0..12).prop_map(|told| told.into_iter().filter(|one| one.0 != one.1).collect())
}

fn tell(told: &[DatedRelation]) -> Story {
    let name = |who: usize| format!("人物{who}");
    let chapter = |number: u32| format!("第{number}章");
    Story {
        characters: (0..CAST).map(|who| Character { name: name(who), ..Character::default() }).collect(),
        outline_nodes: (1..6)
            .map(|order| OutlineNode { name: format!("第{order}章 夜"), order, ..OutlineNode::default() })
            .collect(),
        character_relations: told
            .iter()
            .map(|(from, to, kind, since, until)| CharacterRelation {
                from: name(*from),
                to: name(*to),
                kind: KINDS[*kind],
                since: since.map(chapter),
                until: until.map(|until| chapter(until.max(since.unwrap_or(1)))),
                ..CharacterRelation::default()
            })
            .collect(),
        ..Story::default()
    }
}

const GENERAL: [&str; 8] = [
    "(x)-[:friend_of @ch3]-(y)",
    "(x:Character)-[]->(y:Character)",
    "(x)-[:friend_of|mentor_of]->(y)-[:enemy_of]-(z) @ch2..ch4",
    "(x)-[:mentor_of *1..3]->(y)",
    "shortest (x \"人物0\")-[:tied_to *..5]-(y)",
    "within 2 (x \"人物1\")-[:friend_of @ch2]-()",
    "{(x)-[:friend_of]-(y)} except {(x)-[:enemy_of]-(y)}",
    "{(x)-[:parent_of]->(y) or (x)-[:mentor_of]->(y)} and (x)-[:friend_of]-(y)",
];

/// Stores several graphs with the same names concurrently; each scope returns only its own.
async fn scopes_do_not_leak(engine: &dyn GraphEngine, cases: u32, ways: PathSupport) {
    for told in generated(cases, prop::collection::vec(told(), 3)) {
        let scopes = scopes::own();
        let graphs: Vec<StoryGraph> = told.iter().map(|told| StoryGraph::of(&tell(told))).collect();
        for (scope, graph) in scopes.iter().zip(&graphs) {
            put(engine, scope, graph).await;
        }
        for (scope, graph) in scopes.iter().zip(&graphs) {
            for query in GENERAL.into_iter().filter(|query| ways.has(query)) {
                check(engine, scope, graph, query).await;
            }
            engine.forget(scope).await.expect("it can be forgotten");
        }
    }
}
