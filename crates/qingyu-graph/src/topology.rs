//! The topology of a graph: successors and joins, without the nodes' code.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::endpoints::END;
use crate::error::Error;

/// The compiled topology of a graph.
#[derive(Debug, Default)]
pub(crate) struct Topology {
    /// The nodes in declaration order.
    pub(crate) nodes: Vec<NodeShape>,
    pub(crate) joins: Vec<Join>,
    /// The targets of an input.
    pub(crate) entry: Vec<EdgeTarget>,
    pub(crate) index: HashMap<Arc<str>, usize>,
}

/// The outgoing edges and settings of a node.
#[derive(Debug)]
pub(crate) struct NodeShape {
    pub(crate) name: Arc<str>,
    pub(crate) edges: Vec<EdgeTarget>,
    /// The indices of the joins with the node as a source.
    pub(crate) joins: Vec<usize>,
    /// Whether the node is deferred until nothing else is left.
    pub(crate) is_deferred: bool,
    /// Whether runs stop before the node.
    pub(crate) pauses_before: bool,
    /// Whether runs stop after the node.
    pub(crate) pauses_after: bool,
    /// The allowed targets of the node's commands.
    pub(crate) targets: BTreeSet<String>,
}

/// A node that waits for several sources.
#[derive(Debug)]
pub(crate) struct Join {
    /// The key of the join in checkpoints.
    pub(crate) key: String,
    pub(crate) sources: BTreeSet<Arc<str>>,
    pub(crate) target: usize,
}

/// The target of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EdgeTarget {
    End,
    Node(usize),
}

impl EdgeTarget {
    pub(crate) fn node(&self) -> Option<usize> {
        match self {
            Self::End => None,
            Self::Node(node) => Some(*node),
        }
    }
}

impl Topology {
    /// Returns the shape of a node named in a checkpoint.
    pub(crate) fn shape(&self, node: &str) -> Result<&NodeShape, Error> {
        let index = self.index.get(node);
        let index = index.ok_or_else(|| Error::Corrupt { reason: format!("there is no node {node}") })?;
        Ok(&self.nodes[*index])
    }

    /// Resolves `name` as a target of `node`.
    pub(crate) fn target(&self, node: &str, name: &str) -> Result<EdgeTarget, Error> {
        if name == END {
            return Ok(EdgeTarget::End);
        }
        self.index.get(name).map(|&index| EdgeTarget::Node(index)).ok_or_else(|| unknown(node, name))
    }

    /// Returns the shared copy of a node's name, or a new copy for an unknown node.
    pub(crate) fn name(&self, node: String) -> Arc<str> {
        let known = self.index.get_key_value(node.as_str()).map(|(name, _)| Arc::clone(name));
        known.unwrap_or_else(|| node.into())
    }

    /// Returns the error for a join that will never run.
    pub(crate) fn starved(&self, key: &str, seen: &BTreeSet<Arc<str>>) -> Error {
        let join = self.joins.iter().find(|join| join.key == key);
        let missing = join.iter().flat_map(|join| join.sources.difference(seen)).map(ToString::to_string).collect();
        let node = join.map_or_else(|| key.to_owned(), |join| self.nodes[join.target].name.to_string());
        Error::JoinStarved { node, missing }
    }
}

/// Returns the error for an undeclared target.
pub(crate) fn unknown(node: &str, target: &str) -> Error {
    Error::UnknownTarget { node: node.to_owned(), target: target.to_owned() }
}
