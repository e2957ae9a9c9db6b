//! The result of a query, with evidence.

use serde::Serialize;
use serde_json::{Value, json};

use super::query::Name;
use crate::graph::{EdgeId, NodeId, StoryDrawing, StoryGraph};

/// The result of a query.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct PatternResult {
    /// The variables of the rows, in query order.
    pub columns: Vec<Name>,
    /// The rows, without duplicate nodes; sorted by nodes, for `shortest` and `within` by hops first.
    pub rows: Vec<PatternRow>,
    /// The reason for missing rows; `None` if the result is complete.
    pub(crate) cut: Option<CutReason>,
}

/// A row of the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PatternRow {
    /// The nodes, by column.
    pub nodes: Vec<NodeId>,
    /// The evidence, for each edge of the pattern in order.
    pub(crate) ties: Vec<EdgeEvidence>,
}

/// The evidence for an edge of a pattern in one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct EdgeEvidence {
    /// The variable of the edge.
    pub(crate) variable: Option<Name>,
    /// The nodes along the path, one more than hops.
    pub(crate) nodes: Vec<NodeId>,
    /// For each hop all matching edges; at least one each.
    pub(crate) hops: Vec<Vec<EdgeId>>,
}

/// The reason for missing rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CutReason {
    /// There are more rows than requested.
    Rows,
    /// The search exceeded the limit of work; some rows may be missing.
    Work,
}

/// The limits of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryLimits {
    /// The maximum number of rows, unless the query has a lower limit.
    pub rows: usize,
    /// The maximum number of edges and candidates visited.
    pub work: u64,
}

impl Default for QueryLimits {
    fn default() -> Self {
        Self { rows: 1000, work: 20_000_000 }
    }
}

impl PatternResult {
    /// Returns the complete result without rows.
    pub fn empty(columns: Vec<Name>) -> Self {
        Self { columns, ..Self::default() }
    }

    /// Returns a drawing of the rows and their ties; only the `most` nodes with the most edges.
    pub fn drawing(&self, graph: &StoryGraph, most: usize) -> StoryDrawing {
        let (nodes, edges) = self.parts();
        graph.drawing_of(&nodes, &edges, most)
    }

    /// Returns all nodes and edges of the rows and their ties, in the graph's order.
    fn parts(&self) -> (Vec<NodeId>, Vec<EdgeId>) {
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

    /// Returns the rows as JSON with names, ids and quotes instead of numbers.
    pub fn to_json(&self, graph: &StoryGraph) -> Value {
        let row = |row: &PatternRow| {
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
