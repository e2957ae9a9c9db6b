//! The mistakes of a graph, and the warnings about likely mistakes.

/// A mistake in a graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum GraphProblem {
    /// Nothing follows the start.
    #[error("nothing follows the start")]
    NoEntry,
    /// Two nodes have the same name.
    #[error("there are two nodes {node}")]
    DuplicateNode {
        /// The duplicate name.
        node: String,
    },
    /// The name is reserved by the engine: empty, `__start__`, `__end__`, or containing one of `#/|`.
    #[error("a node cannot be called {node:?}")]
    ReservedName {
        /// The reserved name.
        node: String,
    },
    /// A declaration names a node that does not exist.
    #[error("{place} names the unknown node {node}")]
    UnknownNode {
        /// The unknown name.
        node: String,
        /// The declaration that contains the name.
        place: String,
    },
    /// An edge leads out of the end.
    #[error("{place} leaves the end")]
    LeavesEnd {
        /// The declaration that contains the edge.
        place: String,
    },
    /// An edge leads to the start.
    #[error("{place} leads to the start")]
    EntersStart {
        /// The declaration that contains the edge.
        place: String,
    },
    /// A route, join or list of targets is empty.
    #[error("{place} is empty")]
    Empty {
        /// The empty declaration.
        place: String,
    },
    /// No run can reach the node; a join counts only if all sources can be reached.
    #[error("{node} cannot be reached")]
    Unreachable {
        /// The unreachable node.
        node: String,
    },
    /// No run that reaches the node can end.
    #[error("there is no way from {node} to the end")]
    NoWayToEnd {
        /// The node without a way to the end.
        node: String,
    },
}

/// A valid declaration that is probably a mistake.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum GraphWarning {
    /// Plain edges lead from one node to another on paths of different lengths, so that the target runs in several
    /// supersteps.
    #[error("{node} runs twice after {fork}: by {}, and later by {}", path(&ways[0]), path(&ways[1]))]
    RunsTwice {
        /// The node that runs several times.
        node: String,
        /// The node where the paths part.
        fork: String,
        /// Two of the paths, from the fork to the node; the shorter first.
        ways: [Vec<String>; 2],
    },
    /// Plain edges form a cycle, and no node in the cycle can leave.
    #[error("{} never ends", path(nodes))]
    EndlessLoop {
        /// The cycle, with the first node repeated at the end.
        nodes: Vec<String>,
    },
    /// A duplicate edge or join, which has no effect.
    #[error("{place} is declared twice")]
    DeclaredTwice {
        /// The duplicate declaration.
        place: String,
    },
    /// A join waits for one node only, as an edge would.
    #[error("the join into {to} waits for {from} only")]
    JoinOfOne {
        /// The source of the join.
        from: String,
        /// The target of the join.
        to: String,
    },
    /// An edge duplicates a source of a join, so that the target does not wait.
    #[error("{to} is joined from {from} and others, but an edge from {from} leads there as well")]
    EdgeBesideJoin {
        /// The common source.
        from: String,
        /// The common target.
        to: String,
    },
    /// A setting of a node is overridden by a later call.
    #[error("{node} has more than one {setting}; only the last counts")]
    Overridden {
        /// The node.
        node: String,
        /// The setting.
        setting: &'static str,
    },
}

impl GraphWarning {
    /// Returns advice on how to fix the declaration.
    pub fn advice(&self) -> String {
        match self {
            Self::RunsTwice { node, ways, .. } => {
                let before = ways.iter().map(|way| way[way.len() - 2].as_str()).collect::<Vec<_>>();
                format!("let {node} wait with a join of {} instead of their edges", before.join(" and "))
            }
            Self::EndlessLoop { nodes } => {
                format!("let a route or a command of one of them choose between {} and the way out", nodes[0])
            }
            Self::DeclaredTwice { .. } => "declare it once".to_owned(),
            Self::JoinOfOne { from, to } => format!("use an edge from {from} to {to}, or name what else it waits for"),
            Self::EdgeBesideJoin { from, to } => format!("leave out the edge from {from} to {to}"),
            Self::Overridden { setting, .. } => format!("keep one {setting}"),
        }
    }
}

fn path(nodes: &[String]) -> String {
    nodes.join(" -> ")
}
