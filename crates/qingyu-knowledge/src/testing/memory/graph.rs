use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::BoxFuture;

use crate::StoryGraph;
use crate::engine::{Error, GraphEngine, PatternAnswer, Scope};
use crate::pattern::{Query, QueryLimits};

/// An in-memory graph engine.
#[derive(Debug, Default)]
pub struct MemoryGraph {
    limits: QueryLimits,
    graphs: Mutex<BTreeMap<Scope, Arc<StoryGraph>>>,
}

impl MemoryGraph {
    /// Returns an engine without graphs; `limits` apply to every query.
    pub fn new(limits: QueryLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    fn change(&self, change: impl FnOnce(&mut BTreeMap<Scope, Arc<StoryGraph>>)) {
        change(&mut self.graphs.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn answer(&self, scope: &Scope, query: &Query) -> Result<Option<PatternAnswer>, Error> {
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
    ) -> BoxFuture<'a, Result<PatternAnswer, Error>> {
        Box::pin(async move {
            match self.answer(scope, query)? {
                Some(answer) => Ok(answer),
                // The query is validated even without a graph.
                None => Ok(PatternAnswer { rows: Vec::new(), ..answer(graph, query, self.limits)? }),
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

fn answer(graph: &StoryGraph, query: &Query, limits: QueryLimits) -> Result<PatternAnswer, Error> {
    let found = query.run(graph, limits)?;
    let keys = graph.keys();
    let mut seen = BTreeSet::new();
    let rows = found.rows.iter().map(|row| row.nodes.iter().map(|node| keys[node.0 as usize].clone()).collect());
    let rows: Vec<Vec<String>> = rows.filter(|row: &Vec<String>| seen.insert(row.clone())).collect();
    Ok(PatternAnswer { columns: found.columns, rows })
}
