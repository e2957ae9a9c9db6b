//! Who follows whom: the part of a graph that the heart needs, without the nodes' code.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::{END, Error};

/// The compiled shape of a graph.
#[derive(Debug, Default)]
pub(crate) struct Topology {
    /// In declaration order.
    pub(crate) nodes: Vec<Shape>,
    pub(crate) joins: Vec<Join>,
    /// Where an input leads.
    pub(crate) entry: Vec<Target>,
    pub(crate) index: HashMap<Arc<str>, usize>,
}

/// One node's ways out.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) name: Arc<str>,
    pub(crate) edges: Vec<Target>,
    /// The joins that it is a source of.
    pub(crate) joins: Vec<usize>,
    /// Whether it waits until nothing else is left.
    pub(crate) is_deferred: bool,
    /// Whether runs stop when it is due.
    pub(crate) pauses_before: bool,
    /// Whether runs stop when it has run.
    pub(crate) pauses_after: bool,
    /// Where its commands may go.
    pub(crate) targets: BTreeSet<String>,
}

/// A node that waits for several others.
#[derive(Debug)]
pub(crate) struct Join {
    /// Names it in checkpoints.
    pub(crate) key: String,
    pub(crate) sources: BTreeSet<Arc<str>>,
    pub(crate) target: usize,
}

/// The far side of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    End,
    Node(usize),
}

impl Target {
    pub(crate) fn node(&self) -> Option<usize> {
        match self {
            Self::End => None,
            Self::Node(node) => Some(*node),
        }
    }
}

impl Topology {
    /// The shape of a node that a checkpoint names.
    pub(crate) fn shape(&self, node: &str) -> Result<&Shape, Error> {
        let index = self.index.get(node);
        let index = index.ok_or_else(|| Error::Corrupt { reason: format!("there is no node {node}") })?;
        Ok(&self.nodes[*index])
    }

    /// What `name` means when `node` goes there.
    pub(crate) fn target(&self, node: &str, name: &str) -> Result<Target, Error> {
        if name == END {
            return Ok(Target::End);
        }
        self.index.get(name).map(|&index| Target::Node(index)).ok_or_else(|| unknown(node, name))
    }

    /// The one copy of a node's name, if there is such a node.
    pub(crate) fn name(&self, node: String) -> Arc<str> {
        let known = self.index.get_key_value(node.as_str()).map(|(name, _)| Arc::clone(name));
        known.unwrap_or_else(|| node.into())
    }

    /// The error for a join that will never run.
    pub(crate) fn starved(&self, key: &str, seen: &BTreeSet<Arc<str>>) -> Error {
        let join = self.joins.iter().find(|join| join.key == key);
        let missing = join.iter().flat_map(|join| join.sources.difference(seen)).map(ToString::to_string).collect();
        let node = join.map_or_else(|| key.to_owned(), |join| self.nodes[join.target].name.to_string());
        Error::JoinStarved { node, missing }
    }
}

/// The error for a way that was not declared.
pub(crate) fn unknown(node: &str, target: &str) -> Error {
    Error::UnknownTarget { node: node.to_owned(), target: target.to_owned() }
}
