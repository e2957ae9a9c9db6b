//! The nodes of the graphs of runs, for breakpoints and edits.

use qingyu_graph::GraphDrawing;
use toml::{Table, Value};

use crate::error::{Error, Noun};
use crate::runs::kind::RunKind;
use crate::studio::Studio;

impl Studio {
    /// Returns the nodes of the graph of a kind of runs, in the order of the graph.
    pub(crate) fn nodes_of(&self, kind: RunKind) -> Vec<String> {
        self.looking().drawing(kind).nodes.iter().map(|node| node.name.clone()).collect()
    }

    /// Returns [`Error::Unknown`] if the graph has no such node.
    pub(crate) fn refuse_unknown_node(&self, kind: RunKind, node: &str) -> Result<(), Error> {
        let known = self.nodes_of(kind);
        if known.iter().any(|name| name == node) {
            return Ok(());
        }
        Err(Error::Unknown { what: Noun::Node, given: node.to_owned(), known })
    }

    /// Returns [`Error::Unknown`] if a request sets a breakpoint at a node that the graph of its run does not have.
    pub(crate) fn refuse_unknown_nodes(&self, kind: RunKind, overrides: &Table) -> Result<(), Error> {
        let Some(Value::Table(breakpoints)) = overrides.get("breakpoints") else { return Ok(()) };
        let named = breakpoints.values().filter_map(Value::as_array).flatten().filter_map(Value::as_str);
        named.into_iter().try_for_each(|node| self.refuse_unknown_node(kind, node))
    }

    /// Returns [`Error::Unknown`] if a breakpoint of the settings is at a node of no graph: the settings may name
    /// nodes of other kinds of runs.
    pub(crate) fn refuse_breakpoints_of_no_graph<'a>(
        &self,
        kind: RunKind,
        mut nodes: impl Iterator<Item = &'a String>,
    ) -> Result<(), Error> {
        let is_known = |node: &&String| {
            let is_in = |drawing: &GraphDrawing| drawing.nodes.iter().any(|known| known.name == **node);
            self.nodes_of(kind).contains(*node) || self.looking().drawings().into_iter().any(is_in)
        };
        match nodes.find(|node| !is_known(node)) {
            Some(node) => Err(Error::Unknown { what: Noun::Node, given: node.clone(), known: self.nodes_of(kind) }),
            None => Ok(()),
        }
    }
}
