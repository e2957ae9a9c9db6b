//! A stored summary of a graph, for detecting changes since a thread was created.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::digest::digest;

/// The parts of a graph that stored threads depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Blueprint {
    /// The author's version; `None` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
    pub(crate) nodes: Vec<String>,
    pub(crate) edges: BTreeSet<String>,
    pub(crate) channels: BTreeSet<String>,
}

impl Blueprint {
    /// Returns the author's version, or by default a fingerprint of the parts.
    pub(crate) fn version(&self) -> String {
        let parts = || (self.nodes.iter()).chain(&self.edges).chain(&self.channels).map(String::as_str);
        self.version.clone().unwrap_or_else(|| digest(&parts().collect::<Vec<_>>()))
    }

    /// Returns the changes that make a thread of `self` unfit for `present`; a finished thread depends only on the
    /// channels.
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

/// Returns the key of a join, also used in checkpoints.
pub(crate) fn join_key(sources: &BTreeSet<String>, to: &str) -> String {
    let sources: Vec<_> = sources.iter().map(String::as_str).collect();
    format!("{} -> {to}", sources.join(" + "))
}

fn compare(what: &str, old: &BTreeSet<String>, new: &BTreeSet<String>, changes: &mut Vec<String>) {
    changes.extend(old.difference(new).map(|gone| format!("{what} {gone} is gone")));
    changes.extend(new.difference(old).map(|added| format!("{what} {added} is new")));
}
