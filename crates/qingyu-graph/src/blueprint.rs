//! What a graph was when a thread was made, so that a later one can say what changed.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::digest::digest;
use crate::{Channel, Graph, State};

/// The parts of a graph that its stored threads depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Blueprint {
    /// The version that its author gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    pub(crate) nodes: Vec<String>,
    pub(crate) edges: BTreeSet<String>,
    pub(crate) channels: BTreeSet<String>,
}

impl Blueprint {
    pub(crate) fn of<S: State>(graph: &Graph<S>) -> Self {
        let mut edges = BTreeSet::new();
        edges.extend(graph.edges.iter().map(|(from, to)| format!("{from} -> {to}")));
        edges.extend(graph.joins.iter().map(|(sources, to)| join_key(sources, to)));
        for (kind, from, targets) in graph
            .routes
            .iter()
            .map(|route| ("route", &route.from, &route.targets))
            .chain(graph.targets.iter().map(|(from, targets)| ("command", from, targets)))
        {
            edges.extend(targets.iter().map(|target| format!("{from} -> {target} by {kind}")));
        }
        edges.extend(graph.deferred.iter().map(|node| format!("everything -> {node}")));
        edges.extend(graph.handlers.iter().map(|(node, handler)| format!("{node} -> {handler} by error")));
        let nodes = graph.nodes.iter().map(|(name, _)| name.clone()).collect();
        let channels = S::CHANNELS.iter().filter(|channel| channel.tracked).map(describe).collect();
        Self { version: graph.version.clone(), nodes, edges, channels }
    }

    /// The author's version, or else a fingerprint of the parts.
    pub(crate) fn version(&self) -> String {
        let parts = || (self.nodes.iter()).chain(&self.edges).chain(&self.channels).map(String::as_str);
        self.version.clone().unwrap_or_else(|| digest(&parts().collect::<Vec<_>>()))
    }

    /// What makes a thread of `self` unfit for `present`; a finished thread depends on the channels only.
    pub(crate) fn changes(&self, present: &Self, finished: bool) -> Vec<String> {
        let mut changes = Vec::new();
        compare("channel", &self.channels, &present.channels, &mut changes);
        if finished {
            return changes;
        }
        if self.version != present.version {
            changes.push(format!("version {} is now {}", self.version(), present.version()));
        }
        let set = |nodes: &[String]| nodes.iter().cloned().collect::<BTreeSet<_>>();
        compare("node", &set(&self.nodes), &set(&present.nodes), &mut changes);
        compare("edge", &self.edges, &present.edges, &mut changes);
        if changes.is_empty() && self.nodes != present.nodes {
            changes.push("the nodes are in another order".to_owned());
        }
        changes
    }
}

/// Names a join, in checkpoints too.
pub(crate) fn join_key(sources: &BTreeSet<String>, to: &str) -> String {
    let sources: Vec<_> = sources.iter().map(String::as_str).collect();
    format!("{} -> {to}", sources.join(" + "))
}

fn describe(channel: &Channel) -> String {
    format!("{}: {} ({})", channel.name, channel.value, channel.reducer)
}

fn compare(what: &str, old: &BTreeSet<String>, new: &BTreeSet<String>, changes: &mut Vec<String>) {
    changes.extend(old.difference(new).map(|gone| format!("{what} {gone} is gone")));
    changes.extend(new.difference(old).map(|added| format!("{what} {added} is new")));
}
