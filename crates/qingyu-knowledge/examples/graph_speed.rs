//! Measures building and querying the graph of a long book: 2,000 characters, 100 places, more than 31,000 dated edges,
//! as of chapter 30.
//!
//! `cargo run --release -p qingyu-knowledge --example graph_speed`
//!
//! With the argument `rows` the program prints the graph as rows for a graph database instead, and the queries in
//! Cypher with the expected answers, as JSON.

use std::collections::HashMap;
use std::time::Instant;

use qingyu_knowledge::StoryGraph;
use qingyu_knowledge::graph::NodeId;
use qingyu_knowledge::pattern::{Name, Query, QueryLimits};
use qingyu_story::truth::GroundTruth;
use qingyu_story::{
    Character, CharacterRelation, Fact, Location, OutlineNode, RelationKind, RoleType, Story, Worldview,
};
use serde_json::json;

const CAST: u32 = 2000;

/// The queries, each with the minimum number of rows.
const QUERIES: [(&str, &str); 8] = [
    (
        "friend and enemy, has visited",
        r#"(x:Character)-[:friend_of @ch30]-(p {role_type = "protagonist"}), (x)-[:enemy_of @ch30]-(p), (x)-[:visited @ch30]->(:Location "迷雾森林") return x"#,
    ),
    (
        "the same at any time",
        r#"(x:Character)-[:friend_of]-(p {role_type = "protagonist"}), (x)-[:enemy_of]-(p), (x)-[:visited]->(:Location "迷雾森林") return x"#,
    ),
    (
        "the same with an 'except'",
        r#"{(x:Character)-[:friend_of]-(p:Character "角色0") and (x)-[:enemy_of]-(p:Character "角色0")} except (x)-[:visited]->(:Location "迷雾森林") @ch30 return x"#,
    ),
    (
        "enemies of friends",
        r#"(:Character "角色1")-[:friend_of @ch30]-(:Character)-[:enemy_of @ch30]-(x:Character) return x"#,
    ),
    ("shortest way", r#"shortest (a "角色1")-[:acquainted_with|friend_of *..6 @ch30]-(b "角色777")"#),
    ("two hops around", r#"within 2 (a "角色1")-[:friend_of|enemy_of]-(b:Character) @ch30"#),
    ("three hops around", r#"within 3 (a "角色1")-[:friend_of|enemy_of]-(b:Character) @ch30 limit 100000"#),
    (
        "triangles of enemies",
        r#"(a:Character)-[:enemy_of]-(b:Character)-[:enemy_of]-(c:Character)-[:enemy_of]-(a) @ch30"#,
    ),
];

fn main() {
    let story = book();
    let (_, truth_time) = best(5, || GroundTruth::of(&story));
    let (graph, time) = best(5, || StoryGraph::of(&story));
    if std::env::args().nth(1).as_deref() == Some("rows") {
        println!("{}", rows(&graph));
        return;
    }
    row("the ground truth", truth_time, "");
    row("the graph with it", time, &format!("{} nodes, {} edges", graph.nodes().len(), graph.edge_rows().len()));
    for (what, text) in QUERIES {
        let (query, reading) = best(50, || Query::parse(text).expect("it is well formed"));
        let limits = QueryLimits { rows: 100_000, ..QueryLimits::default() };
        let (found, time) = best(50, || query.run(&graph, limits).expect("the book has all its names"));
        row(what, time, &format!("{} rows; read in {:.3} ms", found.rows.len(), reading));
    }
}

/// Returns the graph and the queries as JSON, for tests of a database.
fn rows(graph: &StoryGraph) -> serde_json::Value {
    let keys = graph.keys();
    let key: HashMap<NodeId, &String> = graph.nodes().map(|(id, _)| id).zip(&keys).collect();
    let questions = QUERIES.iter().map(|(what, text)| {
        let query = Query::parse(text).expect("it is well formed");
        let found = query
            .run(graph, QueryLimits { rows: 100_000, ..QueryLimits::default() })
            .expect("the book has all its names");
        let cypher = query.to_cypher(graph, None).expect("its times are chapters");
        let place =
            |name: &Name| found.columns.iter().position(|column| column == name).expect("the columns are the same");
        let places: Vec<usize> = cypher.columns.iter().map(place).collect();
        let expected =
            found.rows.iter().map(|row| places.iter().map(|place| key[&row.nodes[*place]]).collect::<Vec<_>>());
        json!({"what": what, "query": text, "cypher": cypher, "expected": expected.collect::<Vec<_>>()})
    });
    let questions: Vec<_> = questions.collect();
    json!({"nodes": graph.node_rows(), "edges": graph.edge_rows(), "questions": questions})
}

/// Returns the result of `work`, and the median processor time of `times` calls, in milliseconds.
fn best<T>(times: usize, mut work: impl FnMut() -> T) -> (T, f64) {
    let cpu = || {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
    };
    let mut took = Vec::new();
    let start = Instant::now();
    let mut made = work();
    for _ in 0..times {
        let before = cpu();
        made = work();
        took.push(cpu() - before);
        if start.elapsed().as_secs() > 20 {
            break;
        }
    }
    took.sort_by(f64::total_cmp);
    (made, took[took.len() / 2])
}

fn row(what: &str, cpu: f64, note: &str) {
    println!("{what:<32} cpu {cpu:>9.3} ms  {note}");
}

/// A deterministic pseudo-random generator (Knuth's linear congruential generator, the upper bits).
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(most)) as u32
    }
}

/// Returns a book with dated relations, as in the comparison with other engines: ten thousand relations of three kinds,
/// and many friends and enemies of the protagonist.
fn book() -> Story {
    let mut dice = Dice(3);
    let name = |number: u32| format!("角色{number}");
    let chapter = |number: u32| (number > 0).then(|| format!("第{number}章"));
    let mut relations = Vec::new();
    let mut tie = |from: u32, to: u32, kind: RelationKind, since: u32, until: u32| {
        relations.push(CharacterRelation {
            id: format!("r-{}", relations.len() + 1),
            from: name(from),
            to: name(to),
            kind,
            since: chapter(since),
            until: chapter(until),
            ..CharacterRelation::default()
        });
    };
    for kind in [RelationKind::Knows, RelationKind::Friend, RelationKind::Enemy] {
        for _ in 0..10_000 {
            let until = if dice.below(2) == 0 { 0 } else { 49 + dice.below(50) };
            tie(dice.below(CAST), dice.below(CAST), kind, dice.below(50), until);
        }
    }
    let mut facts = Vec::new();
    for number in 1..CAST {
        if number % 7 == 1 {
            tie(number, 0, RelationKind::Friend, 0, 39);
        }
        if number % 5 == 1 {
            tie(number, 0, RelationKind::Enemy, 20, 0);
        }
        if number % 3 == 1 {
            facts.push(Fact {
                id: format!("f-{}", facts.len() + 1),
                subject: name(number),
                predicate: "位于".into(),
                object: Some("迷雾森林".into()),
                from: chapter(number % 60).unwrap_or_default(),
                ..Fact::default()
            });
        }
    }
    let characters = (0..CAST).map(|number| Character {
        id: format!("c-{}", number + 1),
        name: name(number),
        role_type: if number == 0 { RoleType::Protagonist } else { RoleType::Supporting },
        traits: vec![if number % 11 == 0 { "谨慎" } else { "果断" }.to_owned()],
        ..Character::default()
    });
    let nodes = (1..=100).map(|order| OutlineNode {
        id: format!("o-{order}"),
        name: format!("第{order}章 雨夜"),
        order,
        ..OutlineNode::default()
    });
    let places = (0..100).map(|number| Location {
        id: format!("l-{}", number + 1),
        name: if number == 7 { "迷雾森林".into() } else { format!("地点{number}") },
        ..Location::default()
    });
    Story {
        characters: characters.collect(),
        outline_nodes: nodes.collect(),
        worldview: Some(Worldview { locations: places.collect(), ..Worldview::default() }),
        character_relations: relations,
        facts,
        ..Story::default()
    }
}
