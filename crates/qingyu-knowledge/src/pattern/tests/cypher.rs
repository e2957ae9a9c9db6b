use insta::assert_snapshot;
use serde_json::json;

use crate::graph::{StoryGraph, tests::story};
use crate::pattern::{Error, Query};

fn cypher(text: &str) -> String {
    let graph = StoryGraph::of(&story());
    let cypher = Query::parse(text).unwrap().to_cypher(&graph, None).unwrap();
    let columns: Vec<&str> = cypher.columns.iter().map(super::super::Name::as_str).collect();
    format!("{}\n\n{}\n{}", cypher.text, json!(cypher.parameters), columns.join(", "))
}

#[test]
fn queries_in_cypher() {
    let queries = [
        r#"(x:Character {traits contains "谨慎"})-[:friend_of @ch1]-(p {role_type = "protagonist"}), (x)-[:visited]->(:Location "迷雾森林") return x limit 5"#,
        r#"(x:Character)-[:student_of|enemy_of|仰慕]->(y:Character|Unknown) @ch1..ch2"#,
        r#"(x {age >= 18, name != "林青", 瞳色 in ["黑"]})-[{mode = "lied", by != "老周"}]->()"#,
        r#"shortest (a "苏婉")-[:tied_to *..6 @ch3]-(b "老周")"#,
        r#"within 3 (a "苏婉")-[:member_of]-()"#,
        r#"(x:Character)-[:ally_of *2..3]-(y)"#,
        r#"(x:Character)-[:visited]->() or (x)-[:member_of]->() or (x:Item)"#,
        r#"{(x:Character)-[:visited]->(l)} except {(x)-[:enemy_of]-(y) and (x)-[:friend_of]-(y)}"#,
        r#"{(x)-[:holds]->(k) or (x)-[:member_of]->(g)} and (x)-[:friend_of]-(k:Character)"#,
        r#"("苏婉")-[]-("林青")"#,
    ];
    let all: Vec<String> = queries.iter().map(|text| format!("{text}\n\n{}", cypher(text))).collect();
    assert_snapshot!(all.join("\n\n---\n\n"));
}

#[test]
fn nothing_that_is_written_by_others_stands_in_the_text() {
    let mut story = story();
    let evil = "x'}) DETACH DELETE n //\"`";
    story.characters[1].name = evil.into();
    story.facts[3].predicate = evil.into();
    story.facts[7].predicate = format!("{evil}2");
    let graph = StoryGraph::of(&story);
    let quoted = serde_json::to_string(evil).unwrap();
    let property = serde_json::to_string(&format!("{evil}2")).unwrap();
    let query = format!(
        r#"(x {quoted} {{{property} = {quoted}}})-[:{quoted} {{by = {quoted}}}]-(y {{name contains {quoted}}})"#
    );
    // The name of a character of the story has changed, so that its eye colour is now said of somebody unknown.
    let cypher = Query::parse(&query).unwrap().to_cypher(&graph, None).unwrap();
    assert!(!cypher.text.to_lowercase().contains("delete"), "{}", cypher.text);
    let carry = cypher.parameters.values().filter(|value| value.to_string().to_lowercase().contains("delete"));
    assert_eq!(
        carry.count(),
        3,
        "the words of the edge, the property, and the name that is sought: {:?}",
        cypher.parameters
    );
}

#[test]
fn every_node_that_is_met_first_has_the_scope() {
    let graph = StoryGraph::of(&story());
    let query = r#"{(x)-[:holds]->(k) or (x)-[:member_of]->(g)} and (x)-[:friend_of]-(k:Character)"#;
    let cypher = Query::parse(query).unwrap().to_cypher(&graph, Some("甲 'or'")).unwrap();
    let (name, _) = cypher.parameters.iter().find(|(_, value)| **value == json!("甲 'or'")).unwrap();
    let mut known: Vec<&str> = Vec::new();
    for node in cypher.text.split("MATCH ").skip(1).flat_map(|part| part.lines().next().unwrap().split('(').skip(1)) {
        let node = node.split(')').next().unwrap();
        let variable = node.split([':', ' ']).next().unwrap();
        if !variable.is_empty() && variable.starts_with('n') && !known.contains(&variable) {
            assert!(node.ends_with(&format!(" {{scope: ${name}}}")), "{node} in {}", cypher.text);
            known.push(variable);
        }
    }
    assert!(known.len() > 3, "{}", cypher.text);
}

#[test]
fn what_cannot_be_said_in_cypher_is_refused() {
    let graph = StoryGraph::of(&story());
    let error = |text: &str| Query::parse(text).unwrap().to_cypher(&graph, None).unwrap_err();
    assert!(matches!(error(r#"(x)-[:friend_of @"第2天"]-(y)"#), Error::Cypher(_)));
    assert!(matches!(error(r#"(x {rank = "巡捕"}) @ch2"#), Error::Cypher(_)));
    assert!(matches!(error(r#"(x "谁也不是")"#), Error::Name { .. }));
}
