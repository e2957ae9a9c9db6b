//! Drawings of the graphs of runs.

use qingyu_graph::GraphDrawing;

use crate::error::{Error, Noun};
use crate::runs::graphs::RunGraphs;
use crate::studio::Studio;

impl Studio {
    /// Returns drawings of the graphs of all runs. Needs no open studio.
    pub fn graphs() -> Vec<GraphDrawing> {
        RunGraphs::new().drawings().into_iter().cloned().collect()
    }

    /// Returns a drawing from [`graphs`](Self::graphs), or [`Error::Unknown`] for an unknown name.
    pub fn graph(name: &str) -> Result<GraphDrawing, Error> {
        let graphs = Self::graphs();
        let known = graphs.iter().map(|graph| graph.name.clone()).collect();
        let found = graphs.into_iter().find(|graph| graph.name == name);
        found.ok_or_else(|| Error::Unknown { what: Noun::Graph, given: name.to_owned(), known })
    }
}
