//! The graph as JSON, with names, ids and quotes instead of numbers.

use serde_json::{Value, json};

use super::holding::SpanEvaluator;
use super::parts::{EdgeId, NodeId};
use super::story_graph::StoryGraph;

impl StoryGraph {
    /// Returns a node as JSON.
    pub(crate) fn node_json(&self, node: NodeId) -> Value {
        let node = &self[node];
        json!({"kind": node.kind, "id": node.id, "name": node.name})
    }

    /// Returns an edge as JSON, with source and place.
    pub(crate) fn edge_json(&self, edge: EdgeId) -> Value {
        let edge = &self[edge];
        let (kind, piece) = &edge.source;
        json!({
            "from": self[edge.from].name, "relation": self.word(edge.kind).name, "to": self[edge.to].name,
            "since": edge.since, "until": edge.until, "mode": edge.dated.mode,
            "source": {"kind": kind.name(), "id": piece}, "says": edge.says,
        })
    }

    /// Returns all nodes with their properties, and all edges that may hold: `{"nodes": [...], "edges": [...]}`.
    pub(crate) fn to_json(&self, holding: &SpanEvaluator<'_>) -> Value {
        let nodes = self.nodes().map(|(_, node)| json!(node));
        let edges = self.edges().filter(|(id, _)| holding.holds(*id)).map(|(id, edge)| {
            let mut shown = self.edge_json(id);
            // Names may be shared; ids are unique.
            shown["from_id"] = json!(self[edge.from].id);
            shown["to_id"] = json!(self[edge.to].id);
            shown["certain"] = json!(holding.is_certain(id));
            shown
        });
        json!({"nodes": nodes.collect::<Vec<_>>(), "edges": edges.collect::<Vec<_>>()})
    }
}
