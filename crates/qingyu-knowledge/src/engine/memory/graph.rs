use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;

use super::super::{Answer, Error, GraphEngine, Scope};
use crate::StoryGraph;
use crate::pattern::{Limits, Query};

/// Keeps graphs in memory and searches them itself.
#[derive(Debug, Default)]
pub struct MemoryGraph {
    limits: Limits,
    graphs: Mutex<BTreeMap<Scope, Arc<StoryGraph>>>,
}

impl MemoryGraph {
    /// Without graphs; a query may find and do so much.
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    fn change(&self, change: impl FnOnce(&mut BTreeMap<Scope, Arc<StoryGraph>>)) {
        change(&mut self.graphs.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn answer(&self, scope: &Scope, query: &Query) -> Result<Option<Answer>, Error> {
        let graph = self.graphs.lock().unwrap_or_else(PoisonError::into_inner).get(scope).cloned();
        graph.map(|graph| answer(&graph, query, self.limits)).transpose()
    }
}

impl GraphEngine for MemoryGraph {
    fn put<'a>(&'a self, scope: &'a Scope, graph: &'a StoryGraph) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            self.change(|graphs| drop(graphs.insert(scope.clone(), Arc::new(graph.clone()))));
            Ok(())
        })
    }

    fn ask<'a>(
        &'a self,
        scope: &'a Scope,
        graph: &'a StoryGraph,
        query: &'a Query,
    ) -> BoxFuture<'a, Result<Answer, Error>> {
        Box::pin(async move {
            match self.answer(scope, query)? {
                Some(answer) => Ok(answer),
                // The query is checked all the same.
                None => Ok(Answer { rows: Vec::new(), ..answer(graph, query, self.limits)? }),
            }
        })
    }

    fn forget<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            self.change(|graphs| drop(graphs.remove(scope)));
            Ok(())
        })
    }
}

fn answer(graph: &StoryGraph, query: &Query, limits: Limits) -> Result<Answer, Error> {
    let found = query.run(graph, limits)?;
    let keys = graph.keys();
    let mut seen = BTreeSet::new();
    let rows = found.rows.iter().map(|row| row.nodes.iter().map(|node| keys[node.0 as usize].clone()).collect());
    let rows: Vec<Vec<String>> = rows.filter(|row: &Vec<String>| seen.insert(row.clone())).collect();
    Ok(Answer { columns: found.columns, rows })
}
