//! The graph as rows for a graph database, queried in Cypher.
//!
//! A node has the kind as label and the properties of [`NodeRow`]; an edge has the word as type and the properties of
//! [`EdgeRow`]. Times are places in reading order; an unknown time is absent, without a default.

use std::collections::BTreeMap;

use qingyu_story::names::fold;
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Value, json};

use super::parts::{EdgeId, NodeId, StoryEdge, StoryNode};
use super::story_graph::StoryGraph;

/// A node as a row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeRow {
    /// The label.
    pub label: &'static str,
    /// `key` (unique), `id`, `name`, `kind`, and for each property lists: of texts under the name with `_text`, folded
    /// as names are compared; of numbers under the name with `_number`, of flags with `_flag`.
    pub properties: BTreeMap<String, Value>,
}

/// An edge as a row.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EdgeRow {
    /// The key of the source node.
    pub from: String,
    /// The key of the target node.
    pub to: String,
    /// The type.
    pub word: String,
    /// `number` (the index in the graph), `mode`, `by`, `source`, `anchor`, `quote`, and if known `told` (the place in
    /// reading order of the telling), `begin`, `end` (the places of begin and end) and `replaced` (the place at which
    /// another edge replaces the edge).
    pub properties: BTreeMap<&'static str, Value>,
}

impl StoryGraph {
    /// Returns a unique key for each node, by index: kind and id, by default the name; numbered if necessary.
    pub fn keys(&self) -> Vec<String> {
        let mut seen: FxHashMap<String, usize> = FxHashMap::default();
        let key = |(_, node): (NodeId, &StoryNode)| {
            let key = format!("{}/{}", node.kind.name(), if node.id.is_empty() { &node.name } else { &node.id });
            let count = seen.entry(key.clone()).or_default();
            *count += 1;
            if *count == 1 { key } else { format!("{key}#{count}") }
        };
        self.nodes().map(key).collect()
    }

    /// Returns all nodes as rows.
    pub fn node_rows(&self) -> Vec<NodeRow> {
        let row = |((_, node), key): ((NodeId, &StoryNode), String)| {
            let text = |text: &str| vec![json!(fold(text))];
            let mut lists: BTreeMap<String, Vec<Value>> =
                [("name_text".to_owned(), text(&node.name)), ("id_text".to_owned(), text(&node.id))].into();
            for (name, values) in &node.properties {
                for property in values.iter().filter(|property| property.dated.is_certain()) {
                    let (list, value) = match &property.value {
                        Value::String(text) => (format!("{name}_text"), json!(fold(text))),
                        Value::Bool(flag) => (format!("{name}_flag"), json!(flag)),
                        other => (format!("{name}_number"), other.clone()),
                    };
                    lists.entry(list).or_default().push(value);
                    let number = qingyu_story::predicate::quantity(&property.value, &property.unit);
                    if let (Some((number, _)), true) = (number, property.value.is_string()) {
                        lists.entry(format!("{name}_number")).or_default().push(json!(number));
                    }
                }
            }
            let mut properties: BTreeMap<String, Value> =
                lists.into_iter().map(|(name, values)| (name, Value::Array(values))).collect();
            properties.extend([
                ("key".to_owned(), json!(key)),
                ("id".to_owned(), json!(node.id)),
                ("name".to_owned(), json!(node.name)),
                ("kind".to_owned(), json!(node.kind.name())),
            ]);
            NodeRow { label: node.kind.name(), properties }
        };
        self.nodes().zip(self.keys()).map(row).collect()
    }

    /// Returns all edges as rows, by index.
    pub fn edge_rows(&self) -> Vec<EdgeRow> {
        let keys = self.keys();
        let key = |node: NodeId| keys[node.0 as usize].clone();
        let row = |(id, edge): (EdgeId, &StoryEdge)| {
            let mut properties = BTreeMap::from([
                ("number", json!(id.0)),
                ("mode", json!(edge.dated.mode)),
                ("source", json!(fold(&edge.source.1))),
                ("anchor", json!(edge.says.anchor)),
                ("quote", json!(edge.says.quote)),
            ]);
            let dates = [
                ("told", edge.dated.told),
                ("begin", edge.dated.begin_order),
                ("end", edge.dated.end_order),
                ("replaced", self.replaced(id)),
            ];
            properties.extend(dates.into_iter().filter_map(|(name, place)| Some((name, json!(place?)))));
            properties.extend(edge.by.map(|by| ("by", json!(fold(&self[by].name)))));
            EdgeRow { from: key(edge.from), to: key(edge.to), word: self.word(edge.kind).name.clone(), properties }
        };
        self.edges().map(row).collect()
    }

    /// Returns the place in reading order at which another edge replaces the edge.
    fn replaced(&self, id: EdgeId) -> Option<u32> {
        let is_of_thing = self.word(self[id].kind).exclusive;
        let returns = self.returns(id);
        let ends = self.replacements(id).into_iter();
        let ends = ends.filter(|end| !returns.iter().any(|back| back.comes_after(end, self)));
        ends.filter_map(|end| end.begin_order.or(end.told.filter(|_| is_of_thing))).min()
    }
}
