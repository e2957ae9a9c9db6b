//! Rendering a part of the graph as Mermaid text or as self-contained SVG.
//!
//! A picture is bounded: the most connected nodes are drawn, with the number of nodes left out.

mod layout;
mod mermaid;
mod svg;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::holding::SpanEvaluator;
use super::parts::{EdgeId, NodeId, NodeKind, StoryEdge};
use super::story_graph::StoryGraph;

/// A part of a story for rendering. Edges of one word between the same nodes are one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct StoryDrawing {
    /// The nodes, in the graph's order.
    pub nodes: Vec<DrawnNode>,
    /// The lines, by their ends.
    pub(crate) lines: Vec<DrawnLine>,
    /// The number of nodes left out.
    pub left_out: usize,
    /// The caption for nodes left out, such as `and 12 more`; empty for none.
    pub caption: String,
}

/// A node of a drawing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnNode {
    /// The kind of the node.
    pub kind: NodeKind,
    /// The name.
    pub name: String,
}

/// A line of a drawing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct DrawnLine {
    /// The index of the source node in the drawing.
    pub(crate) from: usize,
    /// The index of the target node in the drawing.
    pub(crate) to: usize,
    /// The label: the words of the edges.
    pub(crate) words: Vec<String>,
    /// Whether the line has an arrow head.
    pub(crate) is_directed: bool,
}

/// The selection of nodes for a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawingSelection {
    /// The kinds of nodes; by default all.
    pub kinds: Vec<NodeKind>,
    /// The maximum number of nodes.
    pub most: usize,
}

impl Default for DrawingSelection {
    fn default() -> Self {
        Self { kinds: Vec::new(), most: 40 }
    }
}

impl StoryGraph {
    /// Returns a drawing of the graph over a span of time: truths in the span, the most connected nodes first.
    ///
    /// Nodes without an edge in the span are left out.
    pub(crate) fn drawing(&self, holding: &SpanEvaluator<'_>, choice: &DrawingSelection) -> StoryDrawing {
        let is_meant = |node: NodeId| choice.kinds.is_empty() || choice.kinds.contains(&self[node].kind);
        let holds = |(id, edge): &(EdgeId, &StoryEdge)| {
            edge.dated.is_certain() && is_meant(edge.from) && is_meant(edge.to) && holding.holds(*id)
        };
        let edges: Vec<EdgeId> = self.edges().filter(holds).map(|(id, _)| id).collect();
        let mut ties: BTreeMap<NodeId, usize> = BTreeMap::new();
        for edge in &edges {
            for end in [self[*edge].from, self[*edge].to] {
                *ties.entry(end).or_default() += 1;
            }
        }
        let nodes: Vec<NodeId> = ties.into_keys().collect();
        self.drawing_of(&nodes, &edges, choice.most)
    }

    /// Returns a drawing of the given nodes and edges, such as the parts of the result of a query;
    /// only the `most` nodes with the most edges.
    pub(crate) fn drawing_of(&self, nodes: &[NodeId], edges: &[EdgeId], most: usize) -> StoryDrawing {
        let mut ties: FxHashMap<NodeId, usize> = FxHashMap::default();
        for edge in edges {
            for end in [self[*edge].from, self[*edge].to] {
                *ties.entry(end).or_default() += 1;
            }
        }
        let mut chosen: Vec<NodeId> = nodes.to_vec();
        chosen.sort_unstable();
        chosen.dedup();
        let all = chosen.len();
        chosen.sort_by_key(|node| (std::cmp::Reverse(ties.get(node).copied().unwrap_or(0)), *node));
        chosen.truncate(most);
        chosen.sort_unstable();
        let figure = |node: &NodeId| DrawnNode { kind: self[*node].kind, name: self[*node].name.clone() };
        StoryDrawing {
            nodes: chosen.iter().map(figure).collect(),
            lines: self.lines(&chosen, edges),
            left_out: all - chosen.len(),
            caption: String::new(),
        }
    }

    fn lines(&self, chosen: &[NodeId], edges: &[EdgeId]) -> Vec<DrawnLine> {
        let mut lines: BTreeMap<(usize, usize, bool), Vec<String>> = BTreeMap::new();
        let mut seen = FxHashSet::default();
        for edge in edges.iter().map(|edge| &self[*edge]) {
            let (Ok(from), Ok(to)) = (chosen.binary_search(&edge.from), chosen.binary_search(&edge.to)) else {
                continue;
            };
            let word = self.word(edge.kind);
            let is_directed = !word.symmetric;
            let (from, to) = if is_directed { (from, to) } else { (from.min(to), from.max(to)) };
            if seen.insert((from, to, edge.kind)) {
                lines.entry((from, to, is_directed)).or_default().push(word.name.clone());
            }
        }
        let line = |((from, to, is_directed), mut words): ((usize, usize, bool), Vec<String>)| {
            words.sort();
            DrawnLine { from, to, words, is_directed }
        };
        lines.into_iter().map(line).collect()
    }
}

impl StoryDrawing {
    /// Returns the drawing with other words on the lines, such as words in the reader's language.
    pub fn worded(mut self, word: impl Fn(&str) -> String) -> Self {
        for line in &mut self.lines {
            line.words = line.words.iter().map(|name| word(name)).collect();
        }
        self
    }

    /// Returns the drawing as Mermaid text.
    pub fn to_mermaid(&self) -> String {
        mermaid::draw(self)
    }

    /// Returns the drawing as SVG. Equal drawings return equal texts; the time is quadratic in the number of nodes.
    pub fn to_svg(&self) -> String {
        svg::draw(self)
    }
}
