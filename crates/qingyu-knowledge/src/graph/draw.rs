//! Drawing a part of the graph: as Mermaid text, and as an SVG picture that stands by itself.
//!
//! A picture is bounded: the most connected nodes are drawn, and it says how many are not.

mod layout;
mod mermaid;
mod svg;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::{EdgeId, Holding, NodeId, NodeKind, StoryGraph};

/// A part of a story as it is drawn. Edges of one word between the same nodes are one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Drawing {
    /// The nodes, in the graph's order.
    pub nodes: Vec<Figure>,
    /// The lines, by their ends.
    pub lines: Vec<Line>,
    /// How many nodes are left out.
    pub left_out: usize,
    /// What stands under the picture if nodes are left out, such as `and 12 more`; empty for nothing.
    pub caption: String,
}

/// A node of a drawing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figure {
    /// What it is.
    pub kind: NodeKind,
    /// The name.
    pub name: String,
}

/// A line of a drawing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Line {
    /// The place of the node it leaves, among those of the drawing.
    pub from: usize,
    /// The place of the node it leads to.
    pub to: usize,
    /// What stands on it: the words.
    pub words: Vec<String>,
    /// Whether it has an arrow head.
    pub is_directed: bool,
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The kinds of nodes; all if empty.
    pub kinds: Vec<NodeKind>,
    /// The most nodes.
    pub most: usize,
}

impl Default for Choice {
    fn default() -> Self {
        Self { kinds: Vec::new(), most: 40 }
    }
}

impl StoryGraph {
    /// The graph over a span of time: what is told as being so then, the most connected nodes first.
    ///
    /// Nodes without any edge then are not drawn.
    pub fn drawing(&self, holding: &Holding<'_>, choice: &Choice) -> Drawing {
        let is_meant = |node: NodeId| choice.kinds.is_empty() || choice.kinds.contains(&self[node].kind);
        let holds = |(id, edge): &(EdgeId, &super::Edge)| {
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

    /// These nodes and edges, such as the [parts](crate::pattern::Found::parts) of what was found; of the nodes the `most`
    /// that have the most edges.
    pub fn drawing_of(&self, nodes: &[NodeId], edges: &[EdgeId], most: usize) -> Drawing {
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
        let figure = |node: &NodeId| Figure { kind: self[*node].kind, name: self[*node].name.clone() };
        Drawing {
            nodes: chosen.iter().map(figure).collect(),
            lines: self.lines(&chosen, edges),
            left_out: all - chosen.len(),
            caption: String::new(),
        }
    }

    fn lines(&self, chosen: &[NodeId], edges: &[EdgeId]) -> Vec<Line> {
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
            Line { from, to, words, is_directed }
        };
        lines.into_iter().map(line).collect()
    }
}

impl Drawing {
    /// The drawing with other words on its lines, such as those of the reader's language.
    pub fn worded(mut self, word: impl Fn(&str) -> String) -> Self {
        for line in &mut self.lines {
            line.words = line.words.iter().map(|name| word(name)).collect();
        }
        self
    }

    /// The drawing as Mermaid text.
    pub fn to_mermaid(&self) -> String {
        mermaid::draw(self)
    }

    /// The drawing as an SVG picture. Equal drawings give equal texts; the time grows with the square of the nodes.
    pub fn to_svg(&self) -> String {
        svg::draw(self)
    }
}
