//! A drawing as plain data.

use std::collections::HashSet;

use serde::Serialize;

use crate::endpoints::{END, START};

/// A graph as plain data for rendering.
///
/// Connections that name an unknown node are not rendered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GraphDrawing {
    /// The graph's name.
    pub name: String,
    /// The nodes in declaration order, without [`crate::START`] and [`crate::END`].
    pub nodes: Vec<Node>,
    /// The connections, grouped by kind, each group in declaration order.
    pub connections: Vec<DrawingEdge>,
}

/// A node of a drawing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Node {
    /// The node's name.
    pub name: String,
    /// Whether the node is deferred until nothing else is left to run.
    pub is_deferred: bool,
    /// The drawing of the subgraph, if the node is a graph.
    pub subgraph: Option<Box<GraphDrawing>>,
}

/// A connection from one or several nodes to another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct DrawingEdge {
    /// A node or [`crate::START`]; several sources only for a join, which waits for all.
    pub from: Vec<String>,
    /// A node or [`crate::END`].
    pub to: String,
    /// The condition under which the connection is followed.
    pub kind: DrawingEdgeKind,
}

/// The condition under which a connection is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawingEdgeKind {
    /// Always, when the source has run.
    Edge,
    /// When all sources have run.
    Join,
    /// When a route of the source chooses the target.
    Route,
    /// When a command of the source names the target.
    Command,
    /// When the source has failed.
    Error,
}

/// The captions of a rendered drawing, apart from node names; by default the terms of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captions {
    /// The caption of [`DrawingEdgeKind::Edge`].
    pub edge: String,
    /// The caption of [`DrawingEdgeKind::Join`].
    pub join: String,
    /// The caption of [`DrawingEdgeKind::Route`].
    pub route: String,
    /// The caption of [`DrawingEdgeKind::Command`].
    pub command: String,
    /// The caption of [`DrawingEdgeKind::Error`].
    pub error: String,
    /// The caption of deferred nodes.
    pub deferred: String,
}

impl GraphDrawing {
    /// Returns the connections whose ends exist.
    pub(super) fn drawn(&self) -> impl Iterator<Item = &DrawingEdge> {
        let names: HashSet<_> = self.nodes.iter().map(|node| node.name.as_str()).collect();
        self.connections.iter().filter(move |DrawingEdge { from, to, .. }| {
            let mut sources = from.iter().map(String::as_str);
            sources.all(|from| from == START || names.contains(from)) && (to == END || names.contains(to.as_str()))
        })
    }
}

impl Default for Captions {
    fn default() -> Self {
        let own = str::to_owned;
        Self {
            edge: own("edge"),
            join: own("join"),
            route: own("route"),
            command: own("command"),
            error: own("error"),
            deferred: own("deferred"),
        }
    }
}
