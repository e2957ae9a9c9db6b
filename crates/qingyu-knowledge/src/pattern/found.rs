//! What a query finds, with the evidence.

use serde::Serialize;
use serde_json::{Value, json};

use super::Name;
use crate::graph::{EdgeId, NodeId, StoryGraph};

/// What a query found.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Found {
    /// The variables of the rows, in the order in which they stand in the query.
    pub columns: Vec<Name>,
    /// The rows, each with other nodes; by nodes, those of `shortest` and `within` by hops first.
    pub rows: Vec<Row>,
    /// Why there may be more than these; none if this is all.
    pub cut: Option<Cut>,
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The nodes, by column.
    pub nodes: Vec<NodeId>,
    /// What shows that it is so, one for each edge of the pattern, in its order.
    pub ties: Vec<Tie>,
}

/// What an edge of a pattern stands for in one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tie {
    /// What the edge is called in the pattern.
    pub variable: Option<Name>,
    /// The nodes along the way, one more than hops.
    pub nodes: Vec<NodeId>,
    /// For each hop all edges that fit; at least one each.
    pub hops: Vec<Vec<EdgeId>>,
}

/// Why rows were left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cut {
    /// There are more rows than asked for.
    Rows,
    /// The search took too many steps; some rows may not have been looked for.
    Work,
}

/// How much a query may find and do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most rows, if the query does not say fewer.
    pub rows: usize,
    /// The most edges and candidates looked at.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows: 1000, work: 20_000_000 }
    }
}

impl Found {
    /// The nodes of one column, each once, in the order of the rows.
    pub fn column(&self, name: &str) -> Vec<NodeId> {
        let Some(place) = self.columns.iter().position(|column| column.as_str() == name) else { return Vec::new() };
        let mut nodes: Vec<NodeId> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        nodes.extend(self.rows.iter().map(|row| row.nodes[place]).filter(|node| seen.insert(*node)));
        nodes
    }

    /// All nodes and edges of the rows and their ties, in the graph's order.
    pub fn parts(&self) -> (Vec<NodeId>, Vec<EdgeId>) {
        let ties = || self.rows.iter().flat_map(|row| &row.ties);
        let mut nodes: Vec<NodeId> = self.rows.iter().flat_map(|row| &row.nodes).copied().collect();
        nodes.extend(ties().flat_map(|tie| &tie.nodes));
        let mut edges: Vec<EdgeId> = ties().flat_map(|tie| tie.hops.iter().flatten()).copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        edges.sort_unstable();
        edges.dedup();
        (nodes, edges)
    }

    /// The rows with names, ids and quotes instead of numbers.
    pub fn to_json(&self, graph: &StoryGraph) -> Value {
        let row = |row: &Row| {
            let nodes = self.columns.iter().zip(&row.nodes).map(|(name, id)| (name.to_string(), graph.node_json(*id)));
            let ties = row.ties.iter().map(|tie| {
                let names: Vec<&str> = tie.nodes.iter().map(|id| graph[*id].name.as_str()).collect();
                let hops: Vec<Vec<Value>> =
                    tie.hops.iter().map(|hop| hop.iter().map(|edge| graph.edge_json(*edge)).collect()).collect();
                json!({"variable": tie.variable, "nodes": names, "hops": hops})
            });
            json!({"nodes": nodes.collect::<serde_json::Map<_, _>>(), "ties": ties.collect::<Vec<_>>()})
        };
        json!({"columns": self.columns, "rows": self.rows.iter().map(row).collect::<Vec<_>>(), "cut": self.cut})
    }
}
